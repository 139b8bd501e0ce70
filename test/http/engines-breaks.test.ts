import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ENGINES, exchange, faultOf, requestTo, textOf } from '../support/engines.ts';
import { closedPort, LOCALHOST_TLS, testFullPort, testTcp } from '../support/tcp.ts';
import { until } from '../support/until.ts';
import { testWire } from '../support/wire.ts';
import { resetConnection, type WirePlan } from '../support/wire-plan.ts';

const HEAD = 'HTTP/1.1 200 OK\r\n';
const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n';
const NAME = { name: 'something longer than five bytes' };

// biome-ignore format: a table
const RESETS: ReadonlyArray<readonly [what: string, plan: (plan: WirePlan) => WirePlan, words: string]> = [
  ['a connection that is reset before the head', (plan) => plan.reset(), ''],
  ['a connection that ends before the head', (plan) => plan.hangUp(), ''],
  ['a body of known length that is cut', (plan) => plan.cut(200, NAME, 5), ''],
  ['a chunked body that is cut', (plan) => plan.cut(200, NAME, 5, { chunked: true }), ''],
  ['SSH in place of HTTP', (plan) => plan.raw('SSH-2.0-OpenSSH_9.6\r\n'), 'not HTTP'],
  ['noise in place of HTTP', (plan) => plan.raw('\u0000\u0001\u0002\u0003\r\n\r\n'), 'not HTTP'],
  ['a broken chunk', (plan) => plan.raw(`${HEAD}transfer-encoding: chunked\r\n\r\nZZ\r\nhello\r\n`), ''],
  ['an answer of two lengths', (plan) => plan.raw(`${HEAD}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`), ''],
  ['a switch to another protocol', (plan) => plan.raw(UPGRADE), ''],
  ['a head that is far too large', (plan) => plan.raw(`${HEAD}x-large: ${'x'.repeat(100_000)}\r\n\r\n`), 'head of the answer is too large'],
];

describe.each(ENGINES)('%s', (_name, make) => {
  test.each(RESETS)('%s is a reset', async (_what, plan, words) => {
    const { wire, sent } = await exchange(make(), plan, { method: 'POST', body: Buffer.from('{}') });
    expect(await faultOf(sent.then(textOf))).toMatchObject({ kind: 'reset', message: expect.stringContaining(words) });
    expect(wire.requests).toHaveLength(1);
    // undici takes the reads.
    const read = await exchange(make(), plan);
    expect(await faultOf(read.sent.then(textOf))).toMatchObject({
      kind: 'reset',
      message: expect.stringContaining(words),
    });
  });

  test('a connection that is reset within the body is a reset, thrown from the body', async () => {
    let reset = () => {};
    const { sent } = await exchange(make(), (plan) =>
      plan.act(({ socket }) => {
        socket.write(`${HEAD}content-length: 50\r\n\r\n{"a":`);
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

  test('an untrusted certificate is refused, and nothing is sent', async () => {
    const wire = await testWire({ tls: LOCALHOST_TLS });
    const fault = await faultOf(make()(requestTo(`${wire.url}/`)));
    expect(fault).toMatchObject({ kind: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(wire.requests).toEqual([]);
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

  test('an http server behind an https address, and a break within the handshake, are TLS faults', async () => {
    const wire = await testWire();
    expect((await faultOf(make()(requestTo(wire.url.replace('http:', 'https:'))))).kind).toBe('tls');
    const { port } = await testTcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect((await faultOf(make()(requestTo(`https://127.0.0.1:${port}/`)))).kind).toBe('tls');
  });
});
