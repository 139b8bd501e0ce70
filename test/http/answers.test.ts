import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Call } from '../../src/api/call.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { cliErrorOf, RESTART, sendTo, WHOAMI } from '../support/client.ts';
import { until } from '../support/until.ts';

// Each answer that cannot be read, on every operation: test/trust/faulted.test.ts.

const HTML = { 'content-type': 'text/html' };
const TEXT = { 'content-type': 'text/plain' };
const JSON_TYPE = { 'content-type': 'application/json' };
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test.each<[what: string, body: string | Buffer, headers: Record<string, string>, words: RegExp]>([
  ['201 levels', `{"a":${deep(200)}}`, {}, /nested deeper than 200 levels/],
  [
    'half of a JSON of another kind',
    '{"a":',
    { 'content-type': 'application/vnd.api+json' },
    /^The answer from 127\.0\.0\.1:\d+ is not complete JSON \(200\)\.$/,
  ],
  [
    'JSON that is compressed in an unknown way',
    Buffer.from('KLUv/QQAEQAAe30', 'base64'),
    { 'content-encoding': 'zstd' },
    /is not UTF-8 text/,
  ],
  [
    'a page',
    '<html>',
    HTML,
    /^127\.0\.0\.1:\d+ answered with a web page instead of the API \(200\)\.$/,
  ],
  [
    'a type that is an attack',
    '<html>',
    { 'content-type': 'evil type' },
    /with something without a type/,
  ],
])('%s: a read is unexpected; a write is in doubt', async (_, body, headers, words) => {
  const { error } = await sendTo([[200, body, headers]], WHOAMI);
  expect(error).toMatchObject({
    code: 'unexpected',
    message: expect.stringMatching(words),
    details: { status: 200 },
  });
  expect(error.details.outcome).toBeUndefined();
  const { details } = (await sendTo([[200, body, headers]], RESTART)).error;
  // Whatever is wrong with the address, the change comes first.
  expect([details.outcome, details.hint]).toEqual(['unknown', undefined]);
});

test('a large answer that is passed on as it came is refused if it is cut', async () => {
  const cut = `{"points":[${'1,'.repeat(600_000)}`;

  const { error } = await sendTo([[200, cut, JSON_TYPE]], { ...WHOAMI, isText: true });

  expect(error.message).toContain('is not complete JSON');
});

const ANYTHING = { ...WHOAMI, accept: 'anything' } as const;

test.each([
  [
    'a byte order mark, any type',
    WHOAMI,
    `\uFEFF{"a":${deep(1)},"s":"[[{{\\"[["}`,
    TEXT,
    { a: [], s: '[[{{"[[' },
  ],
  ['an array where anything may come', ANYTHING, '[1]', JSON_TYPE, [1]],
  ['a page where anything may come', ANYTHING, '<html>', HTML, undefined],
])('%s is read', async (_what, call, body, headers, value) => {
  const { answer } = await sendTo([[200, body, headers]], call);
  expect([answer.text, answer.value]).toEqual([body.replace('\uFEFF', ''), value]);
});

test.each(['x-request-id', 'request-id', 'x-correlation-id'])(
  'an answer has the value, its unchanged text, and its %s',
  async (id) => {
    const text = '{"n": 5.00, "big": 12345678901234567890}';
    const { answer } = await sendTo([[503], [201, text, { [id]: 'r1' }]], WHOAMI);
    expect(answer).toMatchObject({
      status: 201,
      value: { n: 5 },
      text,
      requestId: 'r1',
      attempts: 2,
    });
  },
);

const MIB = 1024 * 1024;
const USUAL: Call = {
  operation: OPERATIONS.getMetricsHistory,
  path: { id: 's1' },
  accept: 'object_or_array',
};
const METRICS: Call = { ...USUAL, largeAnswerHint: 'Ask for less.' };

/** A JSON object of so many bytes. */
const objectOf = (bytes: number) => JSON.stringify({ points: 'x'.repeat(bytes - 13) });

/** Memory for answers of so many MiB together. */
const memoryOf = (megabytes: number, answers = 1) => ({
  memory: { heapLimit: () => megabytes * 4 * MIB, answers },
});

test.each<[what: string, call: Call, more: object, mib: number, hint: unknown]>([
  ['usual', USUAL, {}, 10, { run: ['svc doctor'] }],
  ['that may be large', METRICS, {}, 128, 'Ask for less.'],
  ['that may be large, for which memory is short', METRICS, memoryOf(2), 2, 'Ask for less.'],
  ['of many at a time', USUAL, memoryOf(2, 64), 1, expect.stringMatching(/--concurrency 1\.$/)],
])(
  'an answer %s is read up to its limit, and one byte more is an error',
  async (_what, call, more, mib, hint) => {
    const text = objectOf(mib * MIB);
    const { answer, client, wire } = await sendTo([[200, text]], call, more);
    expect(answer.text === text).toBe(true);
    wire.on('GET', '/v1/services/s1/metrics/history').reply(200, `${text} `);
    const message = expect.stringMatching(/is larger than \d+ (MiB|bytes)/);
    const error = await cliErrorOf(client.call(call));
    expect(error).toMatchObject({ code: 'unexpected', message, details: { hint, attempts: 1 } });
    await until(() => wire.openConnections() === 0);
  },
);

test('a compressed answer has the same limit, however small it came', async () => {
  const packed = gzipSync(objectOf(11 * MIB));
  const { error } = await sendTo([[200, packed, { 'content-encoding': 'gzip' }]], USUAL);
  expect(error.message).toContain('is larger than 10 MiB');
});
