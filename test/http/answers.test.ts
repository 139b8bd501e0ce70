import { expect, test } from 'vitest';
import { RESTART, sendTo, WHOAMI } from '../support/client.ts';

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

test.each(UNREADABLE)('%s: a read is unexpected; a write is in doubt', async (_, body, headers, words) => {
  const { error } = await sendTo([[200, body, headers]], WHOAMI);
  expect(error).toMatchObject({ code: 'unexpected', details: { status: 200 } });
  expect([error.message, error.details.outcome]).toEqual([expect.stringMatching(words), undefined]);
  const { details } = (await sendTo([[200, body, headers]], RESTART)).error;
  expect([details.outcome, details.lines?.at(-1)]).toEqual(['unknown', expect.stringContaining('Check before')]);
  // Whatever is wrong with the address, the change comes first.
  expect(details.hint).toBeUndefined();
});

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

test('a body labelled JSON must be complete, whatever may come', async () => {
  expect((await sendTo([[200, '{"a":']], ANYTHING)).error.code).toBe('unexpected');
});

test('an answer has the value, its unchanged text, and status and headers', async () => {
  const text = '{"n": 5.00, "big": 12345678901234567890}';
  const { answer } = await sendTo([[503], [201, text, { 'x-request-id': 'r1' }]], WHOAMI);
  expect(answer).toMatchObject({ status: 201, value: { n: 5 }, text, requestId: 'r1', attempts: 2 });
});
