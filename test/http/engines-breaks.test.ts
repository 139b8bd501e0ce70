import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ENGINES, exchange, faultOf, requestTo, textOf } from '../support/engines.ts';
import { builtProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/svc.ts';
import { closedPort, LOCALHOST_TLS, testFullPort, testTcp } from '../support/tcp.ts';
import { until } from '../support/until.ts';
import { testWire } from '../support/wire.ts';
import { resetConnection } from '../support/wire-plan.ts';
import { FAULTS } from '../trust/faults.ts';

/** Whatever breaks the answer to a request. */
const BREAKS = FAULTS.filter(({ column, slow }) => column === 'reset' && !slow);

describe.each(ENGINES)('%s', (_name, make) => {
  test.each(BREAKS)('$name is a reset, for a read and for a change', async ({ does }) => {
    for (const more of [{}, { method: 'POST', body: Buffer.from('{}') }]) {
      const { wire, sent } = await exchange(make(), does, more);
      expect((await faultOf(sent.then(textOf))).kind).toBe('reset');
      expect(wire.requests).toHaveLength(1);
    }
  });

  test('a connection that is reset within the body is a reset, thrown from the body', async () => {
    let reset = () => {};
    const { sent } = await exchange(make(), (plan) =>
      plan.act(({ socket }) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"a":');
        reset = () => resetConnection(socket);
      }),
    );
    const answer = await sent;
    const reading = (async () => {
      for await (const _chunk of answer.body) reset();
    })();
    const code = expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/);
    expect(await faultOf(reading)).toMatchObject({ kind: 'reset', code });
  });

  // biome-ignore format: a table
  test.each([
    ['a closed port', async () => `http://127.0.0.1:${await closedPort()}/`, {}, /connection refused \(ECONNREFUSED\)/],
    ['a name that does not exist', async () => 'http://nothing.invalid/', {}, /\((?:ENOTFOUND|EAI_AGAIN)\)/],
    ['a connection that never opens', async () => `http://127.0.0.1:${await testFullPort()}/`, { connectTimeoutMs: 250 }, /\(CONNECT_TIMEOUT\)/],
  ])('%s: the request was not sent', async (_what, urlOf, limits, message) => {
    const fault = await faultOf(make()(requestTo(await urlOf(), limits)));
    expect(fault).toMatchObject({ kind: 'not_sent', message: expect.stringMatching(message) });
  });

  test.each([
    ['the connect timeout', { connectTimeoutMs: 250 }],
    ['the time limit of the attempt', { connectTimeoutMs: 2_000, timeoutMs: 250 }],
    ['both at once', { connectTimeoutMs: 250, timeoutMs: 250 }],
  ])('a handshake that never ends is cut at %s: the request was not sent', async (_title, limits) => {
    const { port, sockets } = await testTcp((socket) => socket.resume());
    const fault = await faultOf(make()(requestTo(`https://127.0.0.1:${port}/`, limits)));
    expect(fault).toMatchObject({ kind: 'not_sent', code: 'CONNECT_TIMEOUT' });
    await until(() => sockets.size === 0);
  });

  test('TLS names the host, so a server of many names presents the right certificate', async () => {
    const { port, sockets } = await testTcp(() => {});
    const asked = faultOf(make()(requestTo(`https://localhost:${port}/`)));
    await until(() => sockets.size === 1);
    const [socket] = sockets;
    const [hello] = (await once(socket as Socket, 'data')) as [Buffer];
    expect(hello.toString('latin1')).toContain('localhost');
    socket?.destroy();
    await asked;
  });

  test.each<[what: string, act: (socket: Socket) => void]>([
    ['an http server behind an https address', (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['a break within the handshake', (socket) => void socket.once('data', () => socket.resetAndDestroy())],
  ])('%s is a TLS fault', async (_what, act) => {
    const { port } = await testTcp(act);
    expect((await faultOf(make()(requestTo(`https://127.0.0.1:${port}/`)))).kind).toBe('tls');
  });
});

// Which authorities both engines trust: test/e2e/runtime.test.ts.
test.each(ENGINES)('%s checks certificates even with NODE_TLS_REJECT_UNAUTHORIZED=0', async (_, make) => {
  const wire = await testWire({ tls: LOCALHOST_TLS });
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
  const fault = await faultOf(make()(requestTo(`${wire.url}/v1/user`)));
  expect(fault).toMatchObject({ kind: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  expect(wire.requests).toEqual([]);
});

test.each(['whoami --json', 'whoami'])(
  'with NODE_TLS_REJECT_UNAUTHORIZED=0, svc %s checks the certificate, and stderr has its error alone',
  async (line) => {
    const wire = await testWire({ tls: LOCALHOST_TLS });
    const [node, script] = (await builtProgram()).command;
    const env = {
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      SVC_API_URL: wire.url,
      SVC_TOKEN: 'svc_test',
      SVC_NO_RETRY: '1',
      HOME: await temporaryFolder(),
    };
    const run = promisify(execFile)(node, [script, ...line.split(' ')], { env });
    const { code, stderr } = await run.catch((error) => error);
    expect(code).toBe(8);
    expect(stderr).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(stderr).not.toContain('NODE_TLS_REJECT_UNAUTHORIZED');
    if (line.endsWith('--json')) expect(JSON.parse(stderr)).toMatchObject({ code: 'unavailable' });
    expect(wire.requests).toEqual([]);
  },
);
