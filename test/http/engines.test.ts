import { describe, expect, onTestFinished, test } from 'vitest';
import { createDirectSend } from '../../src/http/direct.ts';
import { Fault, type Send, type WireAnswer, type WireRequest } from '../../src/http/send.ts';
import { createUndiciSend } from '../../src/http/undici.ts';
import { closedPort, LOCALHOST_TLS, testFullPort, testTcp } from '../support/tcp.ts';
import { testWire } from '../support/wire.ts';

const ENGINES: ReadonlyArray<readonly [name: string, make: () => Send]> = [
  ['direct', () => createDirectSend()],
  ['undici', () => undiciForTest(false)],
  ['undici with fresh connections', () => undiciForTest(true)],
];

function undiciForTest(reset: boolean): Send {
  const { send, close } = createUndiciSend({ reset });
  onTestFinished(close);
  return send;
}

function requestTo(url: string, more: Partial<WireRequest> = {}): WireRequest {
  return {
    method: 'GET',
    url: new URL(url),
    headers: { accept: 'application/json' },
    connectTimeoutMs: 5_000,
    timeoutMs: 5_000,
    signal: new AbortController().signal,
    ...more,
  };
}

async function textOf(answer: WireAnswer): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}

async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const error = await work.then(
    () => 'an answer',
    (reason) => reason,
  );
  if (error instanceof Fault) return error;
  throw new Error(`expected a fault, got ${error}`, { cause: error });
}

describe.each(ENGINES)('%s', (name, make) => {
  test('a request goes out as it was given, and the answer comes back whole', async () => {
    const wire = await testWire();
    wire.on('POST', '/base/v1/checkout?a=1&b=%20').reply(201, { orderId: 'o1' }, { 'x-request-id': 'r1' });
    const answer = await make()(
      requestTo(`${wire.url}/base/v1/checkout?a=1&b=%20`, {
        method: 'POST',
        headers: { 'idempotency-key': 'k1', 'content-type': 'application/json' },
        body: Buffer.from('{"é":1}'),
      }),
    );
    expect([answer.status, answer.headers['x-request-id'], await textOf(answer)]).toEqual([
      201,
      'r1',
      '{"orderId":"o1"}',
    ]);
    const [request] = wire.requests;
    expect(request?.body).toBe('{"é":1}');
    expect(Object.keys(request?.headers ?? {}).sort()).toEqual(
      ['connection', 'content-length', 'content-type', 'host', 'idempotency-key'].sort(),
    );
    expect(request?.headers).toMatchObject({ host: `127.0.0.1:${wire.port}`, 'content-length': '8' });
  });

  test.each(['POST', 'PUT', 'PATCH'])('a %s without a body says that its length is 0', async (method) => {
    const wire = await testWire();
    wire.on(method, '/x').reply(200, {});
    await textOf(await make()(requestTo(`${wire.url}/x`, { method })));
    expect(wire.requests[0]?.headers).toMatchObject({ 'content-length': '0' });
    expect(wire.requests[0]?.headers).not.toHaveProperty('transfer-encoding');
  });

  test.each(['DELETE', 'OPTIONS', 'GET'])('a %s with a body carries it', async (method) => {
    const wire = await testWire();
    wire.on(method, '/x').reply(200, {});
    await textOf(await make()(requestTo(`${wire.url}/x`, { method, body: Buffer.from('{"a":1}') })));
    expect(wire.requests[0]?.json).toEqual({ a: 1 });
  });

  test.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ])('a %s answered with %i has an empty body', async (method, status) => {
    const wire = await testWire();
    wire.on(method, '/x').reply(status, undefined, { 'content-type': 'application/json' });
    const answer = await make()(requestTo(`${wire.url}/x`, { method }));
    expect([answer.status, await textOf(answer)]).toEqual([status, '']);
  });

  test.each([301, 302, 303, 307, 308])(
    'a redirect (%i) is an answer like any other and is not followed',
    async (status) => {
      const wire = await testWire();
      wire.on('POST', '/x').reply(status, {}, { location: `${wire.url}/elsewhere` });
      const answer = await make()(requestTo(`${wire.url}/x`, { method: 'POST', body: Buffer.from('{}') }));
      await textOf(answer);
      expect(answer.status).toBe(status);
      expect(wire.requests).toHaveLength(1);
    },
  );

  test('a header that comes several times is joined, whichever it is', async () => {
    const { port } = await testTcp((socket) => {
      socket.once('data', () =>
        socket.end(
          'HTTP/1.1 200 OK\r\nRetry-After: 1\r\nRetry-After: 2\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nX-One: 1\r\ncontent-length: 0\r\n\r\n',
        ),
      );
    });
    const answer = await make()(requestTo(`http://127.0.0.1:${port}/`));
    expect(answer.headers).toMatchObject({ 'retry-after': '1, 2', 'set-cookie': 'a=1, b=2', 'x-one': '1' });
    expect(await textOf(answer)).toBe('');
  });

  test('a chunked body arrives whole', async () => {
    const wire = await testWire();
    wire
      .on('GET', '/x')
      .raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n');
    expect(await textOf(await make()(requestTo(`${wire.url}/x`)))).toBe('hello world');
  });

  test('a body without a length ends with the connection', async () => {
    const wire = await testWire();
    wire.on('GET', '/x').raw('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhello');
    expect(await textOf(await make()(requestTo(`${wire.url}/x`)))).toBe('hello');
  });

  test('5 MB come through byte for byte', async () => {
    const wire = await testWire();
    const body = Buffer.alloc(5_000_000, 'abcdefghij');
    wire.on('GET', '/x').reply(200, body);
    expect((await textOf(await make()(requestTo(`${wire.url}/x`)))) === body.toString('latin1')).toBe(true);
  });

  test('early hints before the answer do not count as the answer', async () => {
    const wire = await testWire();
    wire
      .on('GET', '/x')
      .raw(
        'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}',
      );
    const answer = await make()(requestTo(`${wire.url}/x`));
    expect([answer.status, await textOf(answer)]).toEqual([200, '{}']);
  });

  test('a port that nothing listens on: the request was not sent', async () => {
    const fault = await faultOf(make()(requestTo(`http://127.0.0.1:${await closedPort()}/`)));
    expect(fault).toMatchObject({ kind: 'not_sent', code: 'ECONNREFUSED' });
    expect(fault.message).toContain('connection refused (ECONNREFUSED)');
  });

  test('a name that does not exist: the request was not sent', async () => {
    const fault = await faultOf(make()(requestTo('http://nothing.invalid/')));
    expect(fault.kind).toBe('not_sent');
    expect(['ENOTFOUND', 'EAI_AGAIN']).toContain(fault.code);
  });

  test('a connection that never comes about ends at the connect timeout: the request was not sent', async () => {
    const port = await testFullPort();
    const fault = await faultOf(make()(requestTo(`http://127.0.0.1:${port}/`, { connectTimeoutMs: 100 })));
    expect(fault).toMatchObject({ kind: 'not_sent', code: 'CONNECT_TIMEOUT' });
  });

  test('a handshake that never ends is cut at the connect timeout', async () => {
    const { port, sockets } = await testTcp((socket) => socket.resume());
    const fault = await faultOf(make()(requestTo(`https://127.0.0.1:${port}/`, { connectTimeoutMs: 100 })));
    expect(fault.kind).toBe('timeout');
    await expect.poll(() => sockets.size).toBe(0);
  });

  test('a certificate that nobody vouches for is refused, and nothing is sent', async () => {
    const wire = await testWire({ tls: LOCALHOST_TLS });
    const fault = await faultOf(make()(requestTo(`${wire.url}/`)));
    expect(fault).toMatchObject({ kind: 'tls', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(wire.requests).toEqual([]);
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

  test.each([
    ['known length', 'content-length: 50\r\n\r\n{"a":'],
    ['chunks', 'transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n'],
  ])('a body of %s that ends in good order but too early is a reset as well', async (_what, rest) => {
    const wire = await testWire();
    wire.on('GET', '/x').raw(`HTTP/1.1 200 OK\r\n${rest}`);
    expect((await faultOf(make()(requestTo(`${wire.url}/x`)).then(textOf))).kind).toBe('reset');
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

  test('no answer ends at the time limit, and the connection with it', async () => {
    const wire = await testWire();
    wire.on('GET', '/x').hang();
    const fault = await faultOf(make()(requestTo(`${wire.url}/x`, { timeoutMs: 100 })));
    expect(fault).toMatchObject({ kind: 'timeout', code: 'ETIMEDOUT' });
    await expect.poll(() => wire.openConnections()).toBe(0);
  });

  test('a body that drips is cut at the time limit, however lively it is', async () => {
    const wire = await testWire();
    wire.on('GET', '/x').drip(200, { text: 'x'.repeat(1_000) }, 10);
    const answer = await make()(requestTo(`${wire.url}/x`, { timeoutMs: 200 }));
    expect((await faultOf(textOf(answer))).kind).toBe('timeout');
    await expect.poll(() => wire.openConnections()).toBe(0);
  });

  test('the time that a slow reader takes does not count', async () => {
    const wire = await testWire();
    const body = Buffer.alloc(3_000_000, 'x');
    wire.on('GET', '/x').reply(200, body);
    const answer = await make()(requestTo(`${wire.url}/x`, { timeoutMs: 500 }));
    let length = 0;
    let slowed = false;
    for await (const chunk of answer.body) {
      length += chunk.length;
      if (!slowed) await new Promise((resolve) => setTimeout(resolve, 700));
      slowed = true;
    }
    expect(length).toBe(body.length);
  });

  test('an interrupt before the request throws its reason, and nothing is sent', async () => {
    const wire = await testWire();
    const stop = new Error('stop');
    await expect(make()(requestTo(`${wire.url}/x`, { signal: AbortSignal.abort(stop) }))).rejects.toBe(stop);
    expect(wire.connections()).toBe(0);
  });

  test('an interrupt while connecting throws its reason at once', async () => {
    const port = await testFullPort();
    const controller = new AbortController();
    const stop = new Error('stop');
    const sent = make()(requestTo(`http://127.0.0.1:${port}/`, { signal: controller.signal }));
    setTimeout(() => controller.abort(stop), 20);
    await expect(sent).rejects.toBe(stop);
  });

  test('an interrupt while the answer is awaited throws its reason and closes the connection', async () => {
    const wire = await testWire();
    wire.on('GET', '/x').hang();
    const controller = new AbortController();
    const stop = new Error('stop');
    const sent = make()(requestTo(`${wire.url}/x`, { signal: controller.signal }));
    void wire.nextRequest().then(() => controller.abort(stop));
    await expect(sent).rejects.toBe(stop);
    await expect.poll(() => wire.openConnections()).toBe(0);
  });

  test('an interrupt within the body throws its reason and closes the connection', async () => {
    const wire = await testWire();
    wire.on('GET', '/x').drip(200, { text: 'x'.repeat(1_000) }, 10);
    const controller = new AbortController();
    const stop = new Error('stop');
    const answer = await make()(requestTo(`${wire.url}/x`, { signal: controller.signal }));
    setTimeout(() => controller.abort(stop), 30);
    await expect(textOf(answer)).rejects.toBe(stop);
    await expect.poll(() => wire.openConnections()).toBe(0);
  });

  test('leaving the body early closes the connection', async () => {
    const wire = await testWire();
    wire.on('GET', '/x').drip(200, { text: 'x'.repeat(1_000) }, 10);
    const answer = await make()(requestTo(`${wire.url}/x`));
    for await (const _chunk of answer.body) break;
    await expect.poll(() => wire.openConnections()).toBe(0);
  });

  test('fresh connections are closed after the answer; kept ones serve the next request', async () => {
    const wire = await testWire();
    wire.on('GET', '/x').reply(200, {}).reply(200, {}).reply(200, {});
    wire.on('POST', '/x').reply(200, {});
    const send = make();
    for (let count = 0; count < 3; count += 1) await textOf(await send(requestTo(`${wire.url}/x`)));
    const keeps = name === 'undici';
    expect(wire.connections()).toBe(keeps ? 1 : 3);
    if (!keeps) await expect.poll(() => wire.openConnections()).toBe(0);
    await textOf(await send(requestTo(`${wire.url}/x`, { method: 'POST' })));
    expect(wire.connections()).toBe(keeps ? 2 : 4);
  });

  test('requests side by side do not wait for each other', async () => {
    const wire = await testWire();
    wire.on('GET', '/slow').hang();
    wire.on('GET', '/quick').reply(200, {});
    const send = make();
    const slow = faultOf(send(requestTo(`${wire.url}/slow`, { timeoutMs: 500 })));
    await textOf(await send(requestTo(`${wire.url}/quick`, { timeoutMs: 400 })));
    expect((await slow).kind).toBe('timeout');
  });
});

test('a kept connection that the service has closed is replaced', async () => {
  const wire = await testWire();
  wire.on('GET', '/x').reply(200, {}, { 'keep-alive': 'timeout=600' }).reply(200, {});
  const { send, close } = createUndiciSend();
  onTestFinished(close);
  await textOf(await send(requestTo(`${wire.url}/x`)));
  wire.dropConnections();
  await expect.poll(() => wire.openConnections()).toBe(0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await textOf(await send(requestTo(`${wire.url}/x`)));
  expect(wire.connections()).toBe(2);
});
