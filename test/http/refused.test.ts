import { expect, test } from 'vitest';
import type { Call, ClientOptions } from '../../src/service/call.ts';
import { OPERATIONS, type Operation } from '../../src/spec/operations.ts';
import { BUY, cliErrorOf, clientFor, WHOAMI } from '../support/client.ts';
import { testWire } from '../support/wire.ts';

/** Nothing may be sent: a wire on which a call is refused. */
async function refused(call: Call, more: Partial<ClientOptions> = {}) {
  const wire = await testWire();
  const { code, message } = await cliErrorOf(clientFor(wire.url, more).client.call(call));
  expect(wire.connections()).toBe(0);
  return { code, message: message.replace(`127.0.0.1:${wire.port}`, 'HOST') };
}

test.each([
  ['', 'The value of id is empty.'],
  ['.', '"." cannot be the value of id.'],
  ['..', '".." cannot be the value of id.'],
  ['a\nb', 'The value of id must not contain control characters.'],
  ['a\u0085', 'The value of id must not contain control characters.'],
  ['a\u007f', 'The value of id must not contain control characters.'],
  ['caf\uFFFD', 'The value of id is not readable as UTF-8 text.'],
  ['\uD83D', 'The value of id is not readable as UTF-8 text.'],
])('the path value %j', async (id, message) => {
  expect(await refused({ operation: OPERATIONS.getDatabase, path: { id } })).toEqual({ code: 'usage', message });
});

// biome-ignore format: a table
test.each([
  'v1/user', '/v1/../user', '/v1/%2e%2e/user', '/v1/{id}', '/v1/user?a=1', '/v1/user#x', '/v1\\user', '/v1/é', '/v1/a b', '',
])('the path %j, which would lead elsewhere than it says', async (path) => {
  const operation: Operation = { ...OPERATIONS.getUser, path };
  expect(await refused({ operation })).toMatchObject({ code: 'usage' });
});

// biome-ignore format: a table
test.each([
  ['authorization', 'Bearer x'], ['Cookie', 'a=b'], ['Host', 'evil.example'], ['Content-Length', '5'],
  ['Transfer-Encoding', 'chunked'], ['Upgrade', 'websocket'], ['Accept-Encoding', 'gzip'], ['X-A\r\nX-B', '1'],
  ['X Y', '1'], ['', '1'], ['X-A', '1\r\nX-B: 2'], ['X-A', 'é'], ['X-A', ''], ['X-A', ' 1'],
])('the header %j with the value %j', async (name, value) => {
  expect(await refused({ ...WHOAMI, headers: { [name]: value } })).toMatchObject({ code: 'usage' });
});

test.each(['', 'é', 'a\nb', ' a', '\u200b'])('the organization %j', async (org) => {
  expect(await refused(WHOAMI, { org })).toMatchObject({ code: 'usage' });
});

const DAMAGED = 'is damaged: it cannot be sent.';

// biome-ignore format: a table
test.each<[what: string, call: Call, credential: ClientOptions['credential'], message: string]>([
  ['no sign-in', WHOAMI, undefined, 'Not signed in to HOST.'],
  ['a dashboard session for a purchase', BUY, session('abc'), 'This needs an API token; SVC_SESSION_TOKEN is a dashboard session.'],
  ['a session that would add a second cookie', WHOAMI, session('abc;admin=1'), `The token from SVC_SESSION_TOKEN ${DAMAGED}`],
  ...['', 'svc_a b', 'svc_a\nb', 'svc_é', 'svc_a\u0000', `svc_${'a'.repeat(4093)}`].map(
    (token): [string, Call, ClientOptions['credential'], string] => [`the token ${JSON.stringify(token)}`, WHOAMI, bearer(token), `The token from SVC_TOKEN ${DAMAGED}`],
  ),
])('%s', async (_what, call, credential, message) => {
  expect(await refused(call, { credential })).toEqual({ code: 'unauthenticated', message });
});

function session(token: string) {
  return { kind: 'session', token, source: 'SVC_SESSION_TOKEN' } as const;
}

function bearer(token: string) {
  return { kind: 'bearer', token, source: 'SVC_TOKEN' } as const;
}

test('a sandbox token for another machine', async () => {
  const { client, sent } = clientFor('https://api.example.test', {
    credential: bearer('svc_sandbox_1'),
    allowHttp: true,
  });
  const message = 'The token from SVC_TOKEN is one of the sandbox; it stays on this machine.';
  expect(await cliErrorOf(client.call(WHOAMI))).toMatchObject({ code: 'unauthenticated', message });
  expect(sent).toEqual([]);
});

test('a token over plain http to another machine, unless that is allowed', async () => {
  const { client, sent } = clientFor('http://api.nothing.invalid');
  expect((await cliErrorOf(client.call(WHOAMI))).code).toBe('usage');
  expect(sent).toEqual([]);
  const allowed = clientFor('http://api.nothing.invalid', { allowHttp: true, retry: false });
  expect((await cliErrorOf(allowed.client.call(WHOAMI))).code).toBe('unavailable');
  expect(allowed.sent).toHaveLength(1);
});
