import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ENGINES, requestTo, textOf } from '../support/engines.ts';
import { testTcp } from '../support/tcp.ts';
import { testWire } from '../support/wire.ts';

describe.each(ENGINES)('%s', (_name, make) => {
  test('a request is sent unchanged, and its answer comes back complete', async () => {
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

  test.each<[encoding: string, pack: (text: string) => Buffer]>([
    ['gzip', gzipSync],
    ['X-GZip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity, gzip', gzipSync],
    ['deflate, br', (text) => brotliCompressSync(deflateSync(text))],
  ])(
    'an answer in %s, which svc asks for never, is read all the same, and the next one too',
    async (encoding, pack) => {
      const wire = await testWire();
      const text = JSON.stringify({ orderId: 'o1', pad: 'x'.repeat(100_000) });
      wire.on('GET', '/x').always(200, pack(text), { 'content-encoding': encoding });
      const send = make();
      for (const _ of [1, 2]) expect(await textOf(await send(requestTo(`${wire.url}/x`)))).toBe(text);
    },
  );

  test.each<[what: string, body: Buffer]>([
    ['damaged', Buffer.from('{"orderId":"o1"}')],
    ['not complete', gzipSync('{"orderId":"o1"}').subarray(0, -9)],
  ])('a compressed answer that is %s is one that was cut', async (_what, body) => {
    const wire = await testWire();
    wire.on('GET', '/x').reply(200, body, { 'content-encoding': 'gzip' });
    const answer = await make()(requestTo(`${wire.url}/x`));
    await expect(textOf(answer)).rejects.toMatchObject({
      kind: 'reset',
      message: expect.stringContaining('what is compressed is damaged'),
    });
  });

  test('a compressed answer that ends with its connection is cut, and an empty one is empty', async () => {
    const wire = await testWire();
    const packed = gzipSync('x'.repeat(1000));
    wire.on('GET', '/x').cut(200, packed, 12, { headers: { 'content-encoding': 'gzip' } });
    await expect(textOf(await make()(requestTo(`${wire.url}/x`)))).rejects.toMatchObject({ kind: 'reset' });
    wire.on('GET', '/y').reply(200, '', { 'content-encoding': 'gzip' });
    expect(await textOf(await make()(requestTo(`${wire.url}/y`)))).toBe('');
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

  test('repeated headers are joined, of any name', async () => {
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
});
