import { expect, test } from 'vitest';
import type { Call } from '../../src/service/call.ts';
import { OPERATIONS } from '../../src/spec/operations.ts';
import { cliErrorOf, clientFor } from '../support/client.ts';
import { testWire } from '../support/wire.ts';

const whoami: Call = { operation: OPERATIONS.getUser };
const restart: Call = { operation: OPERATIONS.restartService, path: { id: 's1' } };

const UNREADABLE: ReadonlyArray<readonly [string, string | Buffer, Record<string, string>, RegExp]> = [
  ['nothing', '', {}, /is empty/],
  ['half of an object', '{"user":', {}, /is not complete JSON/],
  ['two objects', '{}{}', {}, /is not complete JSON/],
  ['an array', '[]', {}, /not the object that was expected/],
  ['a text', '"hello"', {}, /not the object that was expected/],
  ['null', 'null', {}, /not the object that was expected/],
  ['broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), {}, /is not UTF-8/],
  ['201 levels', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`, {}, /nested deeper than 200 levels/],
  ['compressed JSON', '{}', { 'content-encoding': 'zstd' }, /came compressed in a way that svc does not know/],
  [
    'a page',
    '<html>',
    { 'content-type': 'text/html' },
    /^127\.0\.0\.1:\d+ answered with a web page instead of the API \(200\)\.$/,
  ],
  ['a page without a type', '<html>', { 'content-type': '' }, /answered with something without a type/],
  ['a type that is an attack', '<html>', { 'content-type': 'evil type' }, /with something without a type/],
];

test.each(UNREADABLE)(
  '%s in answer to a read is unexpected, and asked for once',
  async (_what, body, headers, words) => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(200, body, headers);
    const error = await cliErrorOf(clientFor(wire.url).client.call(whoami));
    expect(error).toMatchObject({ code: 'unexpected', details: { status: 200, attempts: 1 } });
    expect(error.message).toMatch(words);
    expect(error.details.outcome).toBeUndefined();
  },
);

test.each([
  [200, 'text/html', /Wi-Fi has a login page/],
  [200, 'text/plain', /^Check the address/],
  [404, 'text/html', /^Check the address/],
])('a %i of %s leads to what may be in the way', async (status, type, say) => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(status, '<html>', { 'content-type': type });
  const { details } = await cliErrorOf(clientFor(wire.url).client.call(whoami));
  expect(details.hint).toMatchObject({ say: expect.stringMatching(say), run: ['svc doctor'] });
});

test.each(UNREADABLE)('%s in answer to a write leaves its outcome unknown', async (_what, body, headers) => {
  const wire = await testWire();
  wire.on('POST', '/v1/services/s1/restart').reply(200, body, headers);
  const error = await cliErrorOf(clientFor(wire.url).client.call(restart));
  expect(error).toMatchObject({ code: 'unavailable', exitCode: 8, details: { outcome: 'unknown', attempts: 1 } });
  expect(error.details.lines?.at(-1)).toContain('Check before you repeat it');
  // Whatever is wrong with the address, the change comes first.
  expect(error.details.hint).toBeUndefined();
});

test('an answer that says that it is not compressed is read, in any letters', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(200, '{"user":{}}', { 'content-encoding': 'Identity' });
  const answer = await clientFor(wire.url).client.call(whoami);
  expect(answer.value).toEqual({ user: {} });
});

test('200 levels, a byte order mark and any type of content are read', async () => {
  const wire = await testWire();
  const deep = `\uFEFF{"a":${'['.repeat(199)}${']'.repeat(199)},"s":"[[{{\\"[["}`;
  wire.on('GET', '/v1/user').reply(200, deep, { 'content-type': 'text/plain' });
  const answer = await clientFor(wire.url).client.call<{ s: string }>(whoami);
  expect(answer.value.s).toBe('[[{{"[[');
});

test('an answer has the value, its unchanged text, and status and headers', async () => {
  const wire = await testWire();
  wire
    .on('GET', '/v1/user')
    .reply(503)
    .reply(201, '{"n": 5.00, "big": 12345678901234567890}', { 'x-request-id': 'r1' });
  const answer = await clientFor(wire.url).client.call(whoami);
  expect(answer).toMatchObject({
    status: 201,
    value: { n: 5 },
    text: '{"n": 5.00, "big": 12345678901234567890}',
    requestId: 'r1',
    attempts: 2,
  });
});

test.each([
  ['{"a":1}', 'application/json', { a: 1 }],
  ['[1]', 'application/json', [1]],
  ['"x"', 'application/json', 'x'],
  ['', 'application/json', undefined],
  ['plain words', 'text/plain', undefined],
  ['<html>', 'text/html', undefined],
  ['{"a":1}', 'text/plain', { a: 1 }],
])('where anything may come, %j of %s is taken as it is', async (body, type, value) => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(200, body, { 'content-type': type });
  const answer = await clientFor(wire.url).client.call({ ...whoami, accept: 'anything' });
  expect([answer.text, answer.value]).toEqual([body, value]);
});

test('with accept: anything, a body labelled JSON must still be complete', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(200, '{"a":');
  const error = await cliErrorOf(clientFor(wire.url).client.call({ ...whoami, accept: 'anything' }));
  expect(error.code).toBe('unexpected');
});

test('a read whose answer is cut is sent again, and the complete answer counts', async () => {
  const wire = await testWire();
  wire
    .on('GET', '/v1/user')
    .cut(200, { user: { email: 'a@example.com' } }, 8)
    .reply(200, { user: {} });
  const answer = await clientFor(wire.url).client.call(whoami);
  expect([answer.attempts, answer.value]).toEqual([2, { user: {} }]);
});

test('an answer that never ends is cut at the limit', async () => {
  const wire = await testWire();
  wire
    .on('GET', '/v1/user')
    .reply(200, { text: 'x'.repeat(2_000) })
    .reply(200, { text: 'x'.repeat(2_000) });
  const { client } = clientFor(wire.url);
  const error = await cliErrorOf(client.call({ ...whoami, maxBytes: 2_000 }));
  expect(error.message).toContain('is larger than 2000 bytes');
  expect((await client.call({ ...whoami, maxBytes: 2_011 })).status).toBe(200);
});
