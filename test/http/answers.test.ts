import { expect, test } from 'vitest';
import { cliErrorOf, clientFor, RESTART, sendTo, WHOAMI } from '../support/client.ts';
import { testWire } from '../support/wire.ts';

const HTML = { 'content-type': 'text/html' };
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

// biome-ignore format: a table
const UNREADABLE: ReadonlyArray<readonly [what: string, body: string | Buffer, headers: Record<string, string>, words: RegExp]> = [
  ['nothing', '', {}, /is empty/],
  ['half of an object', '{"user":', {}, /is not complete JSON/],
  ['two objects', '{}{}', {}, /is not complete JSON/],
  ['an array', '[]', {}, /not the object that was expected/],
  ['a text', '"hello"', {}, /not the object that was expected/],
  ['null', 'null', {}, /not the object that was expected/],
  ['broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), {}, /is not UTF-8/],
  ['201 levels', `{"a":${deep(200)}}`, {}, /nested deeper than 200 levels/],
  ['compressed JSON', '{}', { 'content-encoding': 'zstd' }, /came compressed in a way that svc does not know/],
  ['a page', '<html>', HTML, /^127\.0\.0\.1:\d+ answered with a web page instead of the API \(200\)\.$/],
  ['a page without a type', '<html>', { 'content-type': '' }, /answered with something without a type/],
  ['a type that is an attack', '<html>', { 'content-type': 'evil type' }, /with something without a type/],
];

test.each(UNREADABLE)(
  '%s: a read is unexpected, asked for once; a write is in doubt',
  async (_, body, headers, words) => {
    const read = await sendTo([[200, body, headers]], WHOAMI);
    expect(read.error).toMatchObject({ code: 'unexpected', details: { status: 200, attempts: 1 } });
    expect(read.error.message).toMatch(words);
    expect(read.error.details.outcome).toBeUndefined();
    const write = await sendTo([[200, body, headers]], RESTART);
    expect(write.error).toMatchObject({
      code: 'unavailable',
      exitCode: 8,
      details: { outcome: 'unknown', attempts: 1 },
    });
    expect(write.error.details.lines?.at(-1)).toContain('Check before you repeat it');
    // Whatever is wrong with the address, the change comes first.
    expect(write.error.details.hint).toBeUndefined();
  },
);

test.each([
  [200, 'text/html', /Wi-Fi has a login page/],
  [200, 'text/plain', /^Check the address/],
  [404, 'text/html', /^Check the address/],
])('a %i of %s leads to what may be in the way', async (status, type, say) => {
  const { error } = await sendTo([[status, '<html>', { 'content-type': type }]], WHOAMI);
  expect(error.details.hint).toMatchObject({ say: expect.stringMatching(say), run: ['svc doctor'] });
});

const ANYTHING = { ...WHOAMI, accept: 'anything' } as const;
const JSON_TYPE = { 'content-type': 'application/json' };
const TEXT = { 'content-type': 'text/plain' };

// biome-ignore format: a table
test.each([
  ['what is not compressed, in any letters', WHOAMI, '{"user":{}}', { 'content-encoding': 'Identity' }, { user: {} }],
  ['200 levels, a byte order mark, any type', WHOAMI, `\uFEFF{"a":${deep(1)},"s":"[[{{\\"[["}`, TEXT, { a: [], s: '[[{{"[[' }],
  ['200 levels', WHOAMI, `{"a":${deep(199)}}`, TEXT, { a: expect.anything() }],
  ['an object where anything may come', ANYTHING, '{"a":1}', JSON_TYPE, { a: 1 }],
  ['an array where anything may come', ANYTHING, '[1]', JSON_TYPE, [1]],
  ['a text where anything may come', ANYTHING, '"x"', JSON_TYPE, 'x'],
  ['nothing where anything may come', ANYTHING, '', JSON_TYPE, undefined],
  ['words where anything may come', ANYTHING, 'plain words', TEXT, undefined],
  ['a page where anything may come', ANYTHING, '<html>', HTML, undefined],
  ['JSON of another type where anything may come', ANYTHING, '{"a":1}', TEXT, { a: 1 }],
])('%s is read', async (_what, call, body, headers, value) => {
  const { answer } = await sendTo([[200, body, headers]], call);
  expect([answer.text, answer.value]).toEqual([body.replace('\uFEFF', ''), value]);
});

test('with accept: anything, a body labelled JSON must still be complete', async () => {
  expect((await sendTo([[200, '{"a":']], ANYTHING)).error.code).toBe('unexpected');
});

test('an answer has the value, its unchanged text, and status and headers', async () => {
  const text = '{"n": 5.00, "big": 12345678901234567890}';
  const { answer } = await sendTo([[503], [201, text, { 'x-request-id': 'r1' }]], WHOAMI);
  expect(answer).toMatchObject({ status: 201, value: { n: 5 }, text, requestId: 'r1', attempts: 2 });
});

test('a read whose answer is cut is sent again, and the complete answer counts', async () => {
  const wire = await testWire();
  const user = wire.on('GET', '/v1/user');
  user.cut(200, { user: { email: 'a@example.com' } }, 8).reply(200, { user: {} });
  expect(await clientFor(wire.url).client.call(WHOAMI)).toMatchObject({ attempts: 2, value: { user: {} } });
});

test('an answer that never ends is cut at the limit', async () => {
  const long: [number, object] = [200, { text: 'x'.repeat(2_000) }];
  const { error, wire, client } = await sendTo([long], { ...WHOAMI, maxBytes: 2_000 });
  expect(error.message).toContain('is larger than 2000 bytes');
  wire.on('GET', '/v1/user').reply(...long);
  expect((await client.call({ ...WHOAMI, maxBytes: 2_011 })).status).toBe(200);
  wire.on('GET', '/v1/user').reply(...long);
  await cliErrorOf(client.call({ ...WHOAMI, maxBytes: 2_010 }));
});
