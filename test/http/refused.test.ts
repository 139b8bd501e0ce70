import { expect, test } from 'vitest';
import type { Call, ClientOptions } from '../../src/api/call.ts';
import { OPERATIONS, type Operation } from '../../src/contract/operations.ts';
import { parseBaseUrl } from '../../src/http/address.ts';
import { BUY, cliErrorOf, clientFor, WHOAMI } from '../support/client.ts';
import { testWire } from '../support/wire.ts';

/** Nothing may be sent: a wire on which a call is refused. */
async function refused(call: Call, more: Partial<ClientOptions> = {}) {
  const wire = await testWire();
  const { code, message } = await cliErrorOf(clientFor(wire.url, more).client.call(call));
  expect(wire.connections()).toBe(0);
  return { code, message };
}

const at = (id: string): Call => ({ operation: OPERATIONS.getDatabase, path: { id } });
const to = (path: string): Call => ({
  operation: { ...OPERATIONS.getUser, path } satisfies Operation,
});
const withHeader = (name: string, value: string): Call => ({
  ...WHOAMI,
  headers: { [name]: value },
});

test.each<[what: string, message: RegExp, calls: Call[]]>([
  ['an empty value of the path', /^The value of id is empty\.$/, [at('')]],
  ['dots as a value of the path', /cannot be the value of id\.$/, ['.', '..'].map(at)],
  [
    'controls in the path',
    /^The value of id must not contain control characters\.$/,
    ['a\nb', 'a\u0085', 'a\u007f'].map(at),
  ],
  [
    'broken text',
    /^The value of id is not readable as UTF-8 text\.$/,
    ['caf\uFFFD', '\uD83D'].map(at),
  ],
  [
    'a path that leads elsewhere than it says',
    /cannot be sent as it is written/,
    ['v1/user', '/v1/%2e%2e/user', '/v1/{id}', '/v1/user#x', '/v1\\user', '/v1/é', ''].map(to),
  ],
  [
    'a header of svc itself',
    /is set by svc itself/,
    ['authorization', 'Cookie', 'Host', 'Transfer-Encoding'].map((name) => withHeader(name, 'x')),
  ],
  [
    'a header that is none',
    /cannot be the name of a header/,
    ['X-A\r\nX-B', ''].map((name) => withHeader(name, '1')),
  ],
  [
    'a header with another inside',
    /^The header X-A must be printable ASCII/,
    ['1\r\nX-B: 2', 'é'].map((value) => withHeader('X-A', value)),
  ],
])('%s', async (_what, message, calls) => {
  for (const call of calls)
    expect(await refused(call)).toEqual({ code: 'usage', message: expect.stringMatching(message) });
});

test.each(['', 'a\nb', ' a'])('the organization %j', async (org) => {
  expect(await refused(WHOAMI, { org })).toMatchObject({ code: 'usage' });
});

const session = (token: string) =>
  ({ kind: 'session', token, source: 'SVC_SESSION_TOKEN' }) as const;
const bearer = (token: string) => ({ kind: 'bearer', token, source: 'SVC_TOKEN' }) as const;

test.each<[what: string, call: Call, credentials: ClientOptions['credential'][], message: RegExp]>([
  ['no sign-in', WHOAMI, [undefined], /^Not signed in/],
  [
    'a dashboard session for a purchase',
    BUY,
    [session('abc')],
    /SVC_SESSION_TOKEN is a dashboard session/,
  ],
  [
    'a damaged token',
    WHOAMI,
    [session('abc;admin=1'), ...['', 'svc_a\nb', 'svc_é', `svc_${'a'.repeat(4093)}`].map(bearer)],
    /is damaged/,
  ],
])('%s', async (_what, call, credentials, message) => {
  for (const credential of credentials) {
    expect(await refused(call, { credential })).toEqual({
      code: 'unauthenticated',
      message: expect.stringMatching(message),
    });
  }
});

test.each([
  ['a sandbox token for another machine', 'svc_sandbox_1', true, 'unauthenticated'],
  ['a token over plain http to another machine', 'svc_1', false, 'usage'],
])('%s is not sent', async (_what, token, allowHttp, code) => {
  const { client, sent } = clientFor('http://api.nothing.invalid', {
    credential: bearer(token),
    allowHttp,
  });
  expect((await cliErrorOf(client.call(WHOAMI))).code).toBe(code);
  expect(sent).toEqual([]);
});

test.each([
  ['  HTTPS://API.Example.COM:443/base/path// ', 'https://api.example.com/base/path'],
  ['http://127.9.8.7:4750/', 'http://127.9.8.7:4750'],
  ['http://[::1]:80', 'http://[::1]'],
])('%s becomes %s', (text, expected) => {
  expect([text, expected].map((one) => parseBaseUrl(one))).toEqual([expected, expected]);
});

test.each([
  ['is empty', ['   ']],
  ['must start with https://', ['api.example.com', 'ftp://example.com']],
  ['must not contain a user name or password', ['https://user:hunter2@example.com']],
  ['must not contain more than two slashes', ['https:///user:hunter2@example.com']],
  ['must not contain a query', ['https://example.com/?a=1']],
  [
    'must not contain spaces, backslashes or control characters',
    ['https://example.com\\@evil.example', 'https://exa\tmple.com'],
  ],
  ['is not an address', ['https://example.com:99999']],
  [
    'is plain http',
    [
      'http://example.com',
      'http://localhost.example.com',
      'http://0.0.0.0',
      'http://[::]',
      'http://1127.0.0.1.example',
      'http://127.0.0.1.example',
    ],
  ],
])('what %s is refused: %j', (reason, texts) => {
  for (const text of texts) {
    expect(() => parseBaseUrl(text)).toThrow(reason);
    expect(() => parseBaseUrl(text)).not.toThrow('hunter2');
  }
});
