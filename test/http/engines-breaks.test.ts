import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startAttempt } from '../../src/http/connect.ts';
import { createCodedError, type TransportStage, toTransportError } from '../../src/http/send.ts';
import { ENGINES, exchange, faultOf, requestTo, textOf } from '../support/engines.ts';
import { closedPort, LOCALHOST_TLS, testFullPort, testTcp } from '../support/tcp.ts';
import { until } from '../support/until.ts';
import { testWire } from '../support/wire.ts';
import { FAULTS } from '../trust/faults.ts';

/** Whatever breaks the answer to a request. */
const BREAKS = FAULTS.filter(({ column, slow }) => column === 'reset' && !slow);

const https = async (act: (socket: Socket) => void) =>
  `https://127.0.0.1:${(await testTcp(act)).port}/`;
const silent = () => https((socket) => socket.resume());

describe.each(ENGINES)('%s', (_name, make) => {
  test.each(BREAKS)('$name is a reset, for a read and for a change', async ({ does }) => {
    for (const more of [{}, { method: 'POST', body: Buffer.from('{}') }]) {
      const { wire, sent } = await exchange(make(), does, more);
      expect((await faultOf(sent.then(textOf))).kind).toBe('reset');
      expect(wire.requests).toHaveLength(1);
    }
  });

  test.each([
    [
      'a closed port',
      async () => `http://127.0.0.1:${await closedPort()}/`,
      {},
      'not_sent',
      /\(ECONNREFUSED\)/,
    ],
    [
      'a name that does not exist',
      async () => 'http://nothing.invalid/',
      {},
      'not_sent',
      /\((?:ENOTFOUND|EAI_AGAIN)\)/,
    ],
    [
      'a connection that never opens',
      async () => `http://127.0.0.1:${await testFullPort()}/`,
      { connectTimeoutMs: 250 },
      'not_sent',
      /\(CONNECT_TIMEOUT\)/,
    ],
    [
      'a handshake beyond the connect timeout',
      silent,
      { connectTimeoutMs: 250 },
      'not_sent',
      /\(CONNECT_TIMEOUT\)/,
    ],
    [
      'a handshake beyond the time of the attempt',
      silent,
      { timeoutMs: 250 },
      'not_sent',
      /\(CONNECT_TIMEOUT\)/,
    ],
    [
      'an http server behind an https address',
      () => https((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
      {},
      'tls',
      /^No secure/,
    ],
  ])('%s: nothing was sent', async (_what, urlOf, limits, kind, message) => {
    const fault = await faultOf(make()(requestTo(await urlOf(), limits)));
    expect(fault).toMatchObject({ kind, message: expect.stringMatching(message) });
  });

  test.each(['localhost', 'api.localhost', 'API.a.LOCALHOST.'])(
    '%s is this machine, which no resolver is asked for',
    async (host) => {
      const wire = await testWire();
      wire.on('GET', '/x').reply(200, {});

      const answer = await make()(requestTo(`http://${host}:${wire.port}/x`));

      expect(answer.status).toBe(200);
      await textOf(answer);
    },
  );

  test('a name that only ends like localhost is another machine', async () => {
    const fault = await faultOf(make()(requestTo('http://mylocalhost:1/')));
    expect(fault.code).toMatch(/ENOTFOUND|EAI_AGAIN/);
  });

  test('TLS names the host, and a handshake that is given up leaves no connection', async () => {
    const { port, sockets } = await testTcp(() => {});
    const asked = faultOf(
      make()(requestTo(`https://localhost:${port}/`, { connectTimeoutMs: 1_000 })),
    );
    await until(() => sockets.size === 1);
    const [hello] = (await once([...sockets][0] as Socket, 'data')) as [Buffer];
    expect(hello.toString('latin1')).toContain('localhost');
    expect((await asked).code).toBe('CONNECT_TIMEOUT');
    await until(() => sockets.size === 0);
  });

  // Which authorities both engines trust: test/e2e/runtime.test.ts.
  test('certificates are checked even with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    const wire = await testWire({ tls: LOCALHOST_TLS });
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const fault = await faultOf(make()(requestTo(`${wire.url}/v1/user`)));
    expect(fault).toMatchObject({ kind: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(wire.requests).toEqual([]);
  });
});

test.each<[code: string, stage: TransportStage, kind: string]>([
  ['ETIMEDOUT', 'tls', 'not_sent'],
  ['ECONNRESET', 'connect', 'not_sent'],
  ['EHOSTUNREACH', 'exchange', 'reset'],
  ['ETIMEDOUT', 'exchange', 'timeout'],
  ['__proto__', 'connect', 'not_sent'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'exchange', 'tls'],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'exchange', 'tls'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'exchange', 'tls'],
  ['ERR_SSL_TLSV1_ALERT_ACCESS_DENIED', 'exchange', 'tls'],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'exchange', 'tls'],
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'exchange', 'tls'],
  // A part of the answer has arrived, so the request had, too; or the alert may be of later.
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'answer', 'reset'],
  ['ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', 'exchange', 'reset'],
  ['ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC', 'exchange', 'reset'],
])('%s while in %s is %s', (code, stage, kind) => {
  expect(toTransportError({ code }, stage, 'H').kind).toBe(kind);
});

test('after the first byte of an answer a server that refuses svc has had the request', () => {
  const attempt = startAttempt(requestTo('https://api.example.com/x'));
  attempt.connected();
  attempt.answering();

  const code = 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED';
  expect(attempt.fail(createCodedError(code))).toMatchObject({ kind: 'reset', code });
});
