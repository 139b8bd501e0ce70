import { expect, test } from 'vitest';
import type { Call } from '../../src/service/call.ts';
import { OPERATIONS, type Operation } from '../../src/spec/operations.ts';
import { cliErrorOf, clientFor } from '../support/client.ts';
import { testWire } from '../support/wire.ts';

const whoami: Call = { operation: OPERATIONS.getUser };
const buy: Call = { operation: OPERATIONS.createOrder, body: { items: [{ planId: 'p' }] } };

const path = (id: string): Call => ({ operation: OPERATIONS.getDatabase, path: { id } });

test.each([
  ['', 'The value of id is empty.'],
  ['.', '"." cannot be the value of id.'],
  ['..', '".." cannot be the value of id.'],
  ['a\nb', 'The value of id must not contain control characters.'],
  ['a\u0085', 'The value of id must not contain control characters.'],
  ['a\u007f', 'The value of id must not contain control characters.'],
  ['caf\uFFFD', 'The value of id is not readable as UTF-8 text.'],
  ['\uD83D', 'The value of id is not readable as UTF-8 text.'],
])('the path value %j', async (value, message) => {
  const wire = await testWire();
  const error = await cliErrorOf(clientFor(wire.url).client.call(path(value)));
  expect([error.code, error.message]).toEqual(['usage', message]);
  expect(wire.connections()).toBe(0);
});

test.each([
  'v1/user',
  '/v1/../user',
  '/v1/%2e%2e/user',
  '/v1/{id}',
  '/v1/user?a=1',
  '/v1/user#x',
  '/v1\\user',
  '/v1/é',
  '/v1/a b',
  '',
])('the path %j, which would lead elsewhere than it says', async (text) => {
  const wire = await testWire();
  const operation: Operation = { ...OPERATIONS.getUser, path: text };
  const error = await cliErrorOf(clientFor(wire.url).client.call({ operation }));
  expect(error.code).toBe('usage');
  expect(wire.connections()).toBe(0);
});

test.each([
  ['authorization', 'Bearer x'],
  ['Cookie', 'a=b'],
  ['Host', 'evil.example'],
  ['Content-Length', '5'],
  ['Transfer-Encoding', 'chunked'],
  ['Upgrade', 'websocket'],
  ['Accept-Encoding', 'gzip'],
  ['X-A\r\nX-B', '1'],
  ['X Y', '1'],
  ['', '1'],
  ['X-A', '1\r\nX-B: 2'],
  ['X-A', 'é'],
  ['X-A', ''],
  ['X-A', ' 1'],
])('the header %j with the value %j', async (name, value) => {
  const wire = await testWire();
  const error = await cliErrorOf(clientFor(wire.url).client.call({ ...whoami, headers: { [name]: value } }));
  expect(error.code).toBe('usage');
  expect(wire.connections()).toBe(0);
});

test.each(['', 'é', 'a\nb', ' a', '\u200b'])('the organization %j', async (org) => {
  const wire = await testWire();
  expect((await cliErrorOf(clientFor(wire.url, { org }).client.call(whoami))).code).toBe('usage');
  expect(wire.connections()).toBe(0);
});

test('a call without any sign-in', async () => {
  const wire = await testWire();
  const error = await cliErrorOf(clientFor(wire.url, { credential: undefined }).client.call(whoami));
  expect(error).toMatchObject({ code: 'unauthenticated', message: `Not signed in to 127.0.0.1:${wire.port}.` });
  expect(wire.connections()).toBe(0);
});

test('a purchase with a dashboard session', async () => {
  const wire = await testWire();
  const credential = { kind: 'session', token: 'abc', source: 'SVC_SESSION_TOKEN' } as const;
  const error = await cliErrorOf(clientFor(wire.url, { credential }).client.call(buy));
  expect(error).toMatchObject({
    code: 'unauthenticated',
    message: 'This needs an API token; SVC_SESSION_TOKEN is a dashboard session.',
  });
  expect(wire.connections()).toBe(0);
});

test.each(['', 'svc_a b', 'svc_a\nb', 'svc_é', 'svc_a\u0000', `svc_${'a'.repeat(4093)}`])(
  'the damaged token %j',
  async (token) => {
    const wire = await testWire();
    const credential = { kind: 'bearer', token, source: 'SVC_TOKEN' } as const;
    const error = await cliErrorOf(clientFor(wire.url, { credential }).client.call(whoami));
    expect(error.code).toBe('unauthenticated');
    expect(error.message).toBe('The token from SVC_TOKEN is damaged: it cannot be sent.');
    expect(wire.connections()).toBe(0);
  },
);

test('a session that would add a second cookie', async () => {
  const wire = await testWire();
  const credential = { kind: 'session', token: 'abc;admin=1', source: 'SVC_SESSION_TOKEN' } as const;
  expect((await cliErrorOf(clientFor(wire.url, { credential }).client.call(whoami))).code).toBe('unauthenticated');
  expect(wire.connections()).toBe(0);
});

test('a sandbox token for another machine', async () => {
  const credential = { kind: 'bearer', token: 'svc_sandbox_1', source: 'SVC_TOKEN' } as const;
  const { client, sent } = clientFor('https://api.example.test', { credential });
  const error = await cliErrorOf(client.call(whoami));
  expect(error.code).toBe('unauthenticated');
  expect(error.message).toBe('The token from SVC_TOKEN is one of the sandbox; it stays on this machine.');
  expect(sent).toEqual([]);
});

test('a token over plain http to another machine, unless that is allowed', async () => {
  const { client, sent } = clientFor('http://api.nothing.invalid');
  expect((await cliErrorOf(client.call(whoami))).code).toBe('usage');
  expect(sent).toEqual([]);
  const allowed = clientFor('http://api.nothing.invalid', { allowHttp: true, retry: false });
  expect((await cliErrorOf(allowed.client.call(whoami))).code).toBe('unavailable');
  expect(allowed.sent).toHaveLength(1);
});
