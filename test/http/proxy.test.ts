import { describe, expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { readProxies } from '../../src/http/proxy.ts';
import { OPERATIONS } from '../../src/spec/operations.ts';
import { CANARY, cliErrorOf, clientFor, type TestClient } from '../support/client.ts';
import { ENGINES } from '../support/engines.ts';
import { testProxy } from '../support/proxy.ts';
import { closedPort, LOCALHOST_TLS } from '../support/tcp.ts';
import { testWire } from '../support/wire.ts';

const P = 'http://proxy.example:3128';

describe('which proxy', () => {
  const chosen = (env: Record<string, string>, url: string) => readProxies(env)(new URL(url))?.href;

  test.each([
    [{ HTTPS_PROXY: P }, 'https://api.example.com', `${P}/`],
    [{ https_proxy: P, HTTPS_PROXY: 'http://other:1' }, 'https://api.example.com', `${P}/`],
    [{ https_proxy: '', HTTPS_PROXY: P }, 'https://api.example.com', `${P}/`],
    [{ HTTP_PROXY: P }, 'https://api.example.com', undefined],
    [{ HTTP_PROXY: P }, 'http://api.example.com', `${P}/`],
    [{ HTTPS_PROXY: 'proxy.example:3128' }, 'https://api.example.com', `${P}/`],
    [{ HTTPS_PROXY: 'https://proxy.example' }, 'https://api.example.com', 'https://proxy.example/'],
    [{ ALL_PROXY: P }, 'https://api.example.com', undefined],
    [{}, 'https://api.example.com', undefined],
    [{ HTTPS_PROXY: ' ' }, 'https://api.example.com', undefined],
  ])('%j: %s goes through %s', (env, url, proxy) => {
    expect(chosen(env, url)).toBe(proxy);
  });

  test.each([
    ['api.example.com', true],
    ['example.com', true],
    ['.example.com', true],
    ['*.example.com', true],
    ['API.Example.COM', true],
    ['*', true],
    ['other.org, api.example.com', true],
    ['other.org api.example.com', true],
    ['api.example.com:8443', true],
    ['*:8443', true],
    ['.example.com:8443', true],
    ['api.example.com:443', false],
    ['*:443', false],
    ['ample.com', false],
    ['.api.example.com', false],
    ['pi.example.com', false],
    ['other.org', false],
    ['', false],
    [',', false],
    [':8443', false],
  ])('NO_PROXY=%j spares https://api.example.com:8443: %s', (noProxy, spared) => {
    for (const name of ['NO_PROXY', 'no_proxy']) {
      const proxy = chosen({ HTTPS_PROXY: P, [name]: noProxy }, 'https://api.example.com:8443/v1');
      expect(proxy).toBe(spared ? undefined : `${P}/`);
    }
  });

  test('the default port of the scheme applies', () => {
    expect(chosen({ HTTPS_PROXY: P, NO_PROXY: 'a.example:443' }, 'https://a.example')).toBeUndefined();
    expect(chosen({ HTTP_PROXY: P, NO_PROXY: 'a.example:80' }, 'http://a.example')).toBeUndefined();
  });

  test('loopback addresses never use a proxy, not even an invalid one', () => {
    const env = { HTTP_PROXY: 'rubbish', HTTPS_PROXY: 'rubbish' };
    for (const url of ['http://127.0.0.1:4750', 'http://127.8.8.8', 'https://localhost', 'http://[::1]:1']) {
      expect(chosen(env, url)).toBeUndefined();
    }
  });

  test.each([
    ['rubbish', 'HTTPS_PROXY is not the address of a proxy.'],
    ['ftp://proxy:1', 'HTTPS_PROXY is not the address of a proxy.'],
    ['http://', 'HTTPS_PROXY is not the address of a proxy.'],
    ['http://user:hunter2@', 'HTTPS_PROXY is not the address of a proxy.'],
    ['http://user:hunter2@proxy:99999', 'HTTPS_PROXY is not the address of a proxy.'],
    ['http://user:%zz@proxy:3128', 'HTTPS_PROXY is not the address of a proxy.'],
    ['user:hunter2@proxy:3128', 'HTTPS_PROXY is not the address of a proxy.'],
    ['socks://user:hunter2@proxy:1080', 'HTTPS_PROXY is a SOCKS proxy, which svc does not support.'],
    ['socks5h://proxy:1080', 'HTTPS_PROXY is a SOCKS proxy, which svc does not support.'],
  ])('%s is refused, and what may be a password is not repeated', (value, message) => {
    try {
      chosen({ HTTPS_PROXY: value }, 'https://api.example.com');
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      expect([error.code, error.message]).toEqual(['usage', message]);
      expect(error.details.hint).toBe('For example: HTTPS_PROXY=http://[user:password@]host[:port]');
      expect(String(error.stack)).not.toContain('hunter2');
      return;
    }
    throw new Error('it was not refused');
  });
});

describe.each(ENGINES)('through a proxy, %s', (_name, make) => {
  const whoami = { operation: OPERATIONS.getUser };
  const client = (url: string, proxy: string, retry = false): TestClient =>
    clientFor(url, {
      allowHttp: true,
      retry,
      send: make(readProxies({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy })),
      connectTimeoutMs: 300,
    });

  test('a request goes through a tunnel, and the proxy sees neither path nor token', async () => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(200, { user: {} });
    const proxy = await testProxy({ to: wire.port });
    const { client: via } = client('http://api.example.test', `http://us%65r:p%40ss@127.0.0.1:${proxy.port}`);
    expect((await via.call(whoami)).status).toBe(200);
    expect(proxy.asked).toEqual([
      { target: 'api.example.test:80', authorization: `Basic ${Buffer.from('user:p@ss').toString('base64')}` },
    ]);
    expect(wire.requests[0]?.headers).toMatchObject({ host: 'api.example.test', authorization: `Bearer ${CANARY}` });
    expect(wire.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
  });

  test.each([
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 102 Processing\r\nx-a: b\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n',
  ])('interim answers of the proxy are not its answer: %j', async (interim) => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(200, { user: {} });
    const proxy = await testProxy({ to: wire.port, interim });
    const { client: via } = client('http://api.example.test', `http://127.0.0.1:${proxy.port}`);
    expect((await via.call(whoami)).status).toBe(200);
    const refusing = await testProxy({ interim, answer: 407 });
    const { client: refused } = client('https://api.example.test', `http://127.0.0.1:${refusing.port}`);
    expect((await cliErrorOf(refused.call(whoami))).message).toContain('refused the tunnel (407)');
  });

  test('the certificate behind the tunnel is checked too', async () => {
    const wire = await testWire({ tls: LOCALHOST_TLS });
    const proxy = await testProxy({ to: wire.port });
    const { client: via } = client('https://api.example.test', `http://127.0.0.1:${proxy.port}`);
    const error = await cliErrorOf(via.call(whoami));
    expect(error.message).toMatch(/^No secure connection to api\.example\.test: .*\(DEPTH_ZERO_SELF_SIGNED_CERT\)$/);
    expect(proxy.asked[0]?.target).toBe('api.example.test:443');
    expect(wire.requests).toEqual([]);
  });

  test.each([407, 403, 502])(
    'a proxy that answers %i has refused the tunnel, and the platform saw nothing',
    async (status) => {
      const proxy = await testProxy({ answer: status });
      const { client: via } = client('https://api.example.test', `http://user:hunter2@127.0.0.1:${proxy.port}`, true);
      const error = await cliErrorOf(via.call({ operation: OPERATIONS.restartService, path: { id: 's1' } }));
      expect(error.code).toBe('unavailable');
      expect(error.message).toBe(`The proxy 127.0.0.1:${proxy.port} refused the tunnel (${status}).`);
      expect(error.details.outcome).toBeUndefined();
      expect(error.details.hint === 'svc doctor').toBe(status !== 407);
      expect([error.details.attempts, proxy.asked.length]).toEqual([1, 1]);
      expect(String(error.stack)).not.toContain('hunter2');
    },
  );

  test.each(['hang', 'hangUp'] as const)(
    'a proxy that gives no answer (%s): the request was not sent',
    async (answer) => {
      const proxy = await testProxy({ answer });
      const { client: via } = client('https://api.example.test', `http://127.0.0.1:${proxy.port}`);
      const error = await cliErrorOf(via.call({ operation: OPERATIONS.restartService, path: { id: 's1' } }));
      expect([error.code, error.details.outcome]).toEqual(['unavailable', undefined]);
      expect(error.cause).toMatchObject({ kind: 'not_sent' });
    },
  );

  test('an unreachable proxy: the request was not sent', async () => {
    const port = await closedPort();
    const { client: via } = client('https://api.example.test', `http://127.0.0.1:${port}`);
    const error = await cliErrorOf(via.call(whoami));
    expect(error.message).toBe(`Cannot reach the proxy 127.0.0.1:${port}: connection refused (ECONNREFUSED)`);
  });

  test('a variable that is no address of a proxy is a usage error, and nothing is tried', async () => {
    const { client: via, sent } = client('https://api.example.test', 'rubbish');
    const error = await cliErrorOf(via.call(whoami));
    expect([error.code, error.message]).toEqual(['usage', 'HTTPS_PROXY is not the address of a proxy.']);
    expect(sent).toHaveLength(1);
  });
});
