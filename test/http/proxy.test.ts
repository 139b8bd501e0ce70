import { describe, expect, test } from 'vitest';
import { readProxies } from '../../src/http/address.ts';
import type { Send } from '../../src/http/send.ts';
import { CANARY, cliErrorOf, clientFor, RESTART, WHOAMI } from '../support/client.ts';
import { fakeClock } from '../support/clock.ts';
import { ENGINES } from '../support/engines.ts';
import { testProxy } from '../support/proxy.ts';
import { svc } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const P = 'http://proxy.example:3128';
const API = 'https://api.example.com';
const INTERIM = 'HTTP/1.1 102 Processing\r\nx-a: b\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n';
const chosen = (env: Record<string, string>, url: string) => readProxies(env)(new URL(url))?.href;

test.each<[env: Record<string, string>, url: string, proxy: string | undefined]>([
  [{ https_proxy: P, HTTPS_PROXY: 'http://other:1' }, API, `${P}/`],
  [{ HTTP_PROXY: P }, API, undefined],
  [{ HTTP_PROXY: P }, 'http://api.example.com', `${P}/`],
  [{ HTTPS_PROXY: P }, 'http://api.example.com', undefined],
  [{ HTTPS_PROXY: 'proxy.example:3128' }, API, `${P}/`],
  [{ HTTPS_PROXY: P, NO_PROXY: 'a.example:443' }, 'https://a.example', undefined],
  // An empty one hides nothing.
  [{ HTTPS_PROXY: P, no_proxy: '', NO_PROXY: 'example.com' }, API, undefined],
  [{ HTTPS_PROXY: P, no_proxy: ' ', NO_PROXY: 'example.com' }, API, undefined],
  [{ HTTPS_PROXY: 'http://proxy.example:3128/path' }, API, `${P}/`],
  // Loopback addresses never use one, not even an invalid one.
  ...['http://127.8.8.8', 'https://localhost', 'http://[::1]:1', 'http://api.localhost.'].map(
    (url): [Record<string, string>, string, undefined] => [
      { HTTP_PROXY: 'rubbish', HTTPS_PROXY: 'rubbish' },
      url,
      undefined,
    ],
  ),
])('with %j, %s goes through %s', (env, url, proxy) => {
  expect(chosen(env, url)).toBe(proxy);
});

test.each([
  [
    'spares',
    [
      'example.com',
      '.example.com',
      '*.example.com',
      'API.Example.COM',
      '*',
      'other.org, api.example.com',
      'other.org api.example.com:8443',
      '*:8443',
    ],
  ],
  [
    'does not spare',
    ['api.example.com:443', 'ample.com', '.api.example.com', 'other.org', '', ',', ':8443'],
  ],
])('NO_PROXY %s https://api.example.com:8443: %j', (verb, values) => {
  for (const [text, name] of values.flatMap(
    (value) =>
      [
        [value, 'NO_PROXY'],
        [value, 'no_proxy'],
      ] as const,
  )) {
    const proxy = chosen({ HTTPS_PROXY: P, [name]: text }, 'https://api.example.com:8443/v1');
    expect(proxy, text).toBe(verb === 'spares' ? undefined : `${P}/`);
  }
});

test.each<[exceptions: string, host: string, isSpared: boolean]>([
  ['fd00::1', '[fd00::1]', true],
  ['[fd00::1]', '[fd00::1]', true],
  ['[fd00::1]:443', '[fd00::1]', true],
  ['[fd00::1]:8443', '[fd00::1]', false],
  ['fd00::2', '[fd00::1]', false],
  ['2001:db8::52:0:1', '[2001:db8::52:0:1]', true],
  ['2001:DB8:0:0:0:52:0:1', '[2001:db8::52:0:1]', true],
  ['fd00::/8', '[fd12::1]', true],
  ['fd00::/8', '[fe12::1]', false],
  ['10.0.0.0/8', '10.20.30.40', true],
  ['10.0.0.0/8', '11.20.30.40', false],
  ['10.0.0.0/8', '[::ffff:10.1.2.3]', true],
  ['10.1.2.3', '10.1.2.3', true],
  ['10.1.2.3:443', '10.1.2.3', true],
  ['10.0.0.0/', '10.0.0.1', false],
  ['10.0.0.0/33', '10.0.0.1', false],
  ['0.0.0.0/0', 'api.example.test', false],
  ['1.2.3', '4.1.2.3', false],
  ['example.test', 'api.example.test.', true],
  ['api.example.test.', 'api.example.test', true],
  ['.example.test.', 'api.example.test.', true],
  ['.example.test', 'example.test', false],
  ['MÜLLER.example', 'api.müller.example', true],
  ['.müller.example', 'api.xn--mller-kva.example', true],
  ['xn--mller-kva.example', 'müller.example', true],
  ['example/test', 'example', false],
])('NO_PROXY=%s, for %s: spared is %s', (exceptions, host, isSpared) => {
  const proxy = chosen({ HTTPS_PROXY: P, NO_PROXY: exceptions }, `https://${host}`);
  expect(proxy === undefined).toBe(isSpared);
});

test.each([
  ['http://CORP\\user:p%40w@proxy.example:3128', 'CORP\\user', 'p@w'],
  ['http://CORP%5Cuser:p%40w@proxy.example:3128', 'CORP\\user', 'p@w'],
  ['http://user:p@w/x?#@proxy.example:3128', 'user', 'p@w/x?#'],
  ['HTTP://user:a:b@proxy.example:3128/', 'user', 'a:b'],
])('the proxy of %s has its user', (value, user, password) => {
  const proxy = readProxies({ HTTPS_PROXY: value })(new URL(API));
  expect(proxy?.host).toBe('proxy.example:3128');
  expect(decodeURIComponent(proxy?.username ?? '')).toBe(user);
  expect(decodeURIComponent(proxy?.password ?? '')).toBe(password);
});

test.each(['user:hunter2@proxy:3128', 'rubbish'])(
  'the example beside %s is whole',
  async (value) => {
    const env = { HTTPS_PROXY: value };
    const { stderr } = await svc(['whoami'], { url: API, env });
    expect(stderr).toContain('HTTPS_PROXY=http://proxy.example.com:3128');
    expect(stderr).toContain('<user>:<password>@');
    expect(stderr).not.toContain('***');
  },
);

test.each([
  ...[
    'rubbish',
    'ftp://proxy:1',
    'http://user:hunter2@',
    'http://user:%zz@proxy:3128',
    'user:hunter2@proxy:3128',
  ],
  'socks5h://user:hunter2@proxy:1080',
])('%s is refused without its password', (value) => {
  const refusal = { code: 'usage', stack: expect.not.stringContaining('hunter2') };
  expect(() => chosen({ HTTPS_PROXY: value }, API)).toThrow(expect.objectContaining(refusal));
});

describe.each(ENGINES)('through a proxy, %s', (_name, make) => {
  const client = (url: string, proxy: string, more: object = {}, connectTimeoutMs = 120_000) => {
    const send = make(readProxies({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy }));
    const patient: Send = (request) => send({ ...request, connectTimeoutMs });
    return clientFor(url, { allowHttp: true, retry: false, send: patient, ...more }).client;
  };

  test.each([
    ['us%65r:p%40ss', 'user:p@ss'],
    ['user', 'user:'],
  ])(
    'as %s, a request goes through a tunnel, and the proxy sees neither path nor token',
    async (own, pair) => {
      const wire = await testWire();
      wire.on('GET', '/v1/user').reply(200, { user: {} });
      const proxy = await testProxy({ to: wire.port, interim: INTERIM });
      const via = client('http://api.example.test', `http://${own}@127.0.0.1:${proxy.port}`);
      expect((await via.call(WHOAMI)).status).toBe(200);
      const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
      expect(proxy.asked).toEqual([{ target: 'api.example.test:80', authorization }]);
      expect(wire.requests[0]?.headers).toMatchObject({
        host: 'api.example.test',
        authorization: `Bearer ${CANARY}`,
      });
      expect(wire.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
    },
  );

  test.each([407, 302])('a %i of the proxy refuses the tunnel, and is final', async (answer) => {
    const proxy = await testProxy({ answer, interim: INTERIM });
    const through = `http://user:hunter2@127.0.0.1:${proxy.port}`;
    const error = await cliErrorOf(
      client('https://api.example.test', through, { retry: true }).call(RESTART),
    );
    const message = `The proxy 127.0.0.1:${proxy.port} refused the tunnel (${answer}).`;
    expect(error).toMatchObject({ code: 'unavailable', message, details: { attempts: 1 } });
    expect([error.details.outcome, proxy.asked.length]).toEqual([undefined, 1]);
  });

  test.each([
    [502, '7'],
    [503, '7'],
    [504, '7'],
    [503, 'Sun, 01 Mar 2026 12:00:07 GMT'],
  ])(
    'a %i of the proxy is passing: after a Retry-After of %s a change is sent',
    async (answer, retryAfter) => {
      const wire = await testWire();
      wire.on('POST', '/v1/services/s1/restart').reply(200, { success: true });
      const proxy = await testProxy({ to: wire.port, answer, times: 1, retryAfter });
      const through = `http://127.0.0.1:${proxy.port}`;
      const clock = fakeClock('2026-03-01T12:00:00.000Z');

      const via = client('http://api.example.test', through, { retry: true, clock });
      const { status, attempts } = await via.call(RESTART);

      expect(status).toBe(200);
      expect(attempts).toBe(2);
      expect(clock.waits).toEqual([7_000]);
    },
  );

  test('a proxy that stays busy is named, and nothing is in doubt', async () => {
    const proxy = await testProxy({ answer: 503 });
    const through = `http://127.0.0.1:${proxy.port}`;
    const via = client('https://api.example.test', through, { retry: true });

    const error = await cliErrorOf(via.call(RESTART));

    expect(error.message).toBe(
      `The proxy 127.0.0.1:${proxy.port} could not open the tunnel to api.example.test (503).`,
    );
    expect(error.code).toBe('unavailable');
    expect(error.details.outcome).toBeUndefined();
    expect(proxy.asked).toHaveLength(3);
  });

  test.each<[what: string, settings: Parameters<typeof testProxy>[0], message: RegExp]>([
    [
      'that says nothing',
      { answer: 'hang' },
      /^Cannot reach api\.example\.test through the proxy 127\.0\.0\.1:\d+: .*CONNECT_TIMEOUT/,
    ],
    [
      'whose head does not end',
      { interim: `HTTP/1.1 200 OK\r\nx-large: ${'x'.repeat(1_000_000)}`, answer: 502 },
      /HEAD_TOO_LARGE/,
    ],
    [
      'without a status',
      { interim: 'HTTP/1.1 fine\r\n\r\n', answer: 502 },
      /the answer is not HTTP/,
    ],
  ])('a proxy %s: the request was not sent', async (_what, settings, message) => {
    const { port } = await testProxy(settings);
    const limit = settings?.answer === 'hang' ? 300 : undefined;
    const error = await cliErrorOf(
      client('https://api.example.test', `http://127.0.0.1:${port}`, {}, limit).call(RESTART),
    );
    expect(error).toMatchObject({
      message: expect.stringMatching(message),
      cause: { kind: 'not_sent' },
    });
    expect(error.details.outcome).toBeUndefined();
  });
});
