import { Readable } from 'node:stream';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decompress } from '../../src/http/decompress.ts';
import { ENGINES, exchange, faultOf, requestTo, textOf } from '../support/engines.ts';
import { testWire } from '../support/wire.ts';
import type { WirePlan } from '../support/wire-plan.ts';

// What cuts or breaks an answer: test/trust/faults.ts.

const HEAD = 'HTTP/1.1 200 OK\r\n';
const TWICE =
  'Retry-After: 1\r\nRetry-After: 2\r\nset-cookie: a=1\r\nset-cookie: b=2\r\ncontent-length: 0\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const INTERIMS = [
  ['a 100 that nobody asked for', CONTINUE],
  ['a 100 with headers', 'HTTP/1.1 100 \r\nx-a: 1\r\n\r\n'],
  ['a 100 twice', CONTINUE + CONTINUE],
  ['a 103, then a 100', HINTS + CONTINUE],
  ['a 199', 'HTTP/1.1 199 Odd\r\n\r\n'],
] as const;
const RAW = deflateRawSync('{"a":1}');
const TEXT = JSON.stringify({ orderId: 'o1', pad: 'x'.repeat(5_000_000) });
const as = (encoding: string, packed: Buffer) => (plan: WirePlan) =>
  plan.reply(200, packed, { 'content-encoding': encoding });
const raw = (text: string) => (plan: WirePlan) => plan.raw(text);

const ANSWERS: ReadonlyArray<
  readonly [
    what: string,
    method: string,
    plan: (plan: WirePlan) => WirePlan,
    status: number,
    body: string,
  ]
> = [
  [
    'a chunked body arrives whole',
    'GET',
    raw(`${HEAD}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n`),
    200,
    'hello world',
  ],
  [
    'a body without a length ends with the connection',
    'GET',
    raw(`${HEAD}connection: close\r\n\r\nhello`),
    200,
    'hello',
  ],
  ['5 MB come through byte for byte', 'GET', (plan) => plan.reply(200, TEXT), 200, TEXT],
  [
    'early hints are not the answer',
    'GET',
    raw(`${HINTS}${HEAD}content-length: 2\r\nconnection: close\r\n\r\n{}`),
    200,
    '{}',
  ],
  ['a 204 has an empty body', 'GET', (plan) => plan.reply(204), 204, ''],
  [
    'a 307 is not followed',
    'POST',
    (plan) => plan.reply(307, {}, { location: '/elsewhere' }),
    307,
    '{}',
  ],
  [
    'an empty compressed body is empty',
    'GET',
    (plan) => plan.reply(200, '', { 'content-encoding': 'gzip' }),
    200,
    '',
  ],
  ['X-GZip, which svc never asks for, is read', 'GET', as('X-GZip', gzipSync(TEXT)), 200, TEXT],
  [
    'br around deflate is read',
    'GET',
    as('deflate, br', brotliCompressSync(deflateSync(TEXT))),
    200,
    TEXT,
  ],
  ['deflate without its frame is read', 'GET', as('deflate', deflateRawSync(TEXT)), 200, TEXT],
  ['a short text in deflate without its frame is read', 'GET', as('deflate', RAW), 200, '{"a":1}'],
  ...['UTF-8', 'none', 'utf-8, gzip', 'gzip', 'deflate', 'br', 'gzip, br'].map(
    (encoding) =>
      [
        `what is labelled ${encoding}, and is not compressed, is read as it is`,
        'GET',
        as(encoding, Buffer.from(TEXT)),
        200,
        TEXT,
      ] as const,
  ),
  ['gzip beside an unknown name is read', 'GET', as('UTF-8, gzip', gzipSync(TEXT)), 200, TEXT],
  ...['GET', 'POST'].flatMap((method) =>
    INTERIMS.map(
      ([what, interim]) =>
        [
          `${what} before the answer to a ${method} is left out`,
          method,
          raw(`${interim}${HEAD}content-length: 2\r\nconnection: close\r\n\r\n{}`),
          200,
          '{}',
        ] as const,
    ),
  ),
];

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
])('%s that comes byte by byte is read', async (encoding, compress) => {
  const headers = { 'content-encoding': encoding };
  const bytes = [...compress('{"a":1}')].map((byte) => Buffer.of(byte));

  const body = decompress(headers, Readable.from(bytes));

  expect(await textOf({ status: 200, headers, body })).toBe('{"a":1}');
});

describe.each(ENGINES)('%s', (_name, make) => {
  test.each(ANSWERS)('%s', async (_what, method, plan, status, body) => {
    const { wire, sent } = await exchange(make(), plan, { method });
    const answer = await sent;
    expect([answer.status, (await textOf(answer)) === body, wire.requests.length]).toEqual([
      status,
      true,
      1,
    ]);
  });

  test('a 100 that comes in pieces, for the second request of a connection, is left out', async () => {
    const send = make();
    const wire = await testWire();
    const pieces = [...`${CONTINUE}${HEAD}content-length: 2\r\n\r\n{}`];
    wire
      .on('GET', '/x')
      .reply(200, 'first')
      .act(async ({ socket }) => {
        for (const piece of pieces) {
          await new Promise((resolve) => socket.write(piece, resolve));
          await new Promise(setImmediate);
        }
        socket.end();
      });

    const first = await textOf(await send(requestTo(`${wire.url}/x`)));
    const second = await textOf(await send(requestTo(`${wire.url}/x`)));

    expect(first).toBe('first');
    expect(second).toBe('{}');
  });

  test('a change of the protocol is no answer, and is not waited on', async () => {
    const { sent } = await exchange(make(), (plan) =>
      plan.act(({ socket }) => {
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n',
        );
      }),
    );

    expect((await faultOf(sent)).kind).toBe('reset');
  });

  test('a connection that is kept is never used for another address', async () => {
    const send = make();
    const wires = [await testWire(), await testWire()];
    for (const [index, wire] of wires.entries()) wire.on('GET', '/x').reply(200, `wire ${index}`);

    const texts: string[] = [];
    for (const { url } of wires) texts.push(await textOf(await send(requestTo(`${url}/x`))));

    expect(texts).toEqual(['wire 0', 'wire 1']);
  });

  test('repeated headers are joined, of any name', async () => {
    const { headers } = await (await exchange(make(), raw(HEAD + TWICE))).sent;
    expect(headers).toMatchObject({ 'retry-after': '1, 2', 'set-cookie': 'a=1, b=2' });
  });
});
