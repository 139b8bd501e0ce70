import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ENGINES, faultOf, requestTo, textOf } from '../support/engines.ts';
import { closedPort, LOCALHOST_TLS, testFullPort, testTcp } from '../support/tcp.ts';
import { until } from '../support/until.ts';
import { testWire } from '../support/wire.ts';
import { resetConnection } from '../support/wire-plan.ts';

describe.each(ENGINES)('%s', (_name, make) => {
  test('a closed port: the request was not sent', async () => {
    const fault = await faultOf(make()(requestTo(`http://127.0.0.1:${await closedPort()}/`)));
    expect(fault).toMatchObject({ kind: 'not_sent', code: 'ECONNREFUSED' });
    expect(fault.message).toContain('connection refused (ECONNREFUSED)');
  });

  test('a name that does not exist: the request was not sent', async () => {
    const fault = await faultOf(make()(requestTo('http://nothing.invalid/')));
    expect(fault.kind).toBe('not_sent');
    expect(['ENOTFOUND', 'EAI_AGAIN']).toContain(fault.code);
  });

  test('a connection that never opens ends at the connect timeout: the request was not sent', async () => {
    const port = await testFullPort();
    const fault = await faultOf(make()(requestTo(`http://127.0.0.1:${port}/`, { connectTimeoutMs: 250 })));
    expect(fault).toMatchObject({ kind: 'not_sent', code: 'CONNECT_TIMEOUT' });
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

  test('an http server behind an https address is a TLS fault', async () => {
    const wire = await testWire();
    const fault = await faultOf(make()(requestTo(wire.url.replace('http:', 'https:'))));
    expect(fault.kind).toBe('tls');
  });

  test('a connection that breaks within the handshake is a TLS fault', async () => {
    const { port } = await testTcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect((await faultOf(make()(requestTo(`https://127.0.0.1:${port}/`)))).kind).toBe('tls');
  });

  test.each(['reset', 'hangUp'] as const)('a connection that ends before the head (%s) is a reset', async (how) => {
    const wire = await testWire();
    wire.on('POST', '/x')[how]();
    const fault = await faultOf(make()(requestTo(`${wire.url}/x`, { method: 'POST', body: Buffer.from('{}') })));
    expect(fault.kind).toBe('reset');
    expect(wire.requests).toHaveLength(1);
  });

  test.each([
    ['a body of known length', {}],
    ['a chunked body', { chunked: true }],
  ])('%s that is cut is a reset, thrown from the body', async (_what, options) => {
    const wire = await testWire();
    wire.on('GET', '/x').cut(200, { name: 'something longer than five bytes' }, 5, options);
    const answer = await make()(requestTo(`${wire.url}/x`));
    expect(answer.status).toBe(200);
    expect((await faultOf(textOf(answer))).kind).toBe('reset');
  });

  test('a connection that is reset within the body is a reset, thrown from the body', async () => {
    const wire = await testWire();
    let reset = () => {};
    wire.on('GET', '/x').act(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"a":');
      reset = () => resetConnection(socket);
    });
    const answer = await make()(requestTo(`${wire.url}/x`));
    const reading = (async () => {
      for await (const _chunk of answer.body) reset();
    })();
    expect(await faultOf(reading)).toMatchObject({
      kind: 'reset',
      code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/),
    });
  });

  test.each([
    ['SSH', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['noise', '\u0000\u0001\u0002\u0003\r\n\r\n'],
  ])('%s in place of HTTP is a reset that says so', async (_what, bytes) => {
    const wire = await testWire();
    wire.on('GET', '/x').raw(bytes);
    const fault = await faultOf(make()(requestTo(`${wire.url}/x`)).then(textOf));
    expect(fault.kind).toBe('reset');
    expect(fault.message).toMatch(/not HTTP/);
  });

  test.each([
    ['a broken chunk', 'transfer-encoding: chunked\r\n\r\nZZ\r\nhello\r\n'],
    ['two lengths', 'content-length: 2\r\ncontent-length: 3\r\n\r\n{}'],
  ])('an answer with %s is a reset', async (_what, rest) => {
    const wire = await testWire();
    wire.on('GET', '/x').raw(`HTTP/1.1 200 OK\r\n${rest}`);
    expect((await faultOf(make()(requestTo(`${wire.url}/x`)).then(textOf))).kind).toBe('reset');
  });

  test('an answer that switches to another protocol is a reset', async () => {
    const wire = await testWire();
    wire.on('GET', '/x').raw('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n');
    expect((await faultOf(make()(requestTo(`${wire.url}/x`)))).kind).toBe('reset');
  });

  test('a head that is far too large is a reset', async () => {
    const wire = await testWire();
    wire.on('GET', '/x').raw(`HTTP/1.1 200 OK\r\nx-large: ${'x'.repeat(100_000)}\r\n\r\n`);
    const fault = await faultOf(make()(requestTo(`${wire.url}/x`)).then(textOf));
    expect(fault.kind).toBe('reset');
    expect(fault.message).toContain('head of the answer is too large');
  });
});
