import { PassThrough, Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arriving } from '../../src/http/arriving.ts';
import { readMessage, writeRequest } from '../../src/http/message.ts';
import { requestTo, textOf } from '../support/engines.ts';

/** Reads what comes in these pieces, and then ends. */
async function read(pieces: readonly string[], method = 'GET') {
  const connection = Readable.from(pieces.map((piece) => Buffer.from(piece, 'latin1')));
  const answer = await readMessage(connection, method);
  return { ...answer, body: await textOf(answer) };
}

const codeOf = (pieces: readonly string[], method?: string) =>
  read(pieces, method).then(
    () => 'an answer',
    (error) => error.code,
  );

const WHOLE: ReadonlyArray<readonly [what: string, text: string]> = [
  ['a length', 'HTTP/1.1 200 OK\r\nContent-Length: 11\r\nX-A:  b \t\r\n\r\nhello world'],
  [
    'chunks',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\nx-a: b\r\n\r\n5;a=b\r\nhello\r\n06 \r\n world\r\n0\r\n\r\n',
  ],
  ['trailers', 'HTTP/1.1 200\r\ntransfer-encoding: chunked\r\nx-a: b\r\n\r\nb\r\nhello world\r\n0\r\nx-t: 1\r\n\r\n'],
  [
    'interim answers',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 11\r\nx-a: b\r\n\r\nhello world',
  ],
];

test.each(WHOLE)('an answer with %s is the same in whatever pieces it comes', async (_what, text) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: text.length - 1 }), { maxLength: 20 }), async (cuts) => {
      const ends = [...new Set(cuts)].sort((a, b) => a - b);
      const pieces = [0, ...ends].map((start, index) => text.slice(start, ends[index]));
      expect(await read(pieces)).toMatchObject({ status: 200, headers: { 'x-a': 'b' }, body: 'hello world' });
    }),
  );
});

test.each(WHOLE)('an answer with %s that ends early is never taken for a whole one', async (_what, text) => {
  for (let length = 0; length < text.length; length += 1) {
    expect(await codeOf([text.slice(0, length)])).toBe('ECONNRESET');
  }
});

test('what comes behind the answer is no part of it', async () => {
  expect(await read(['HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n'])).toMatchObject({
    body: '{}',
  });
});

test.each([
  ['two lengths', 'content-length: 2\r\ncontent-length: 2\r\n\r\n{}'],
  ['a length and chunks', 'content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['a coding that nobody asked for', 'transfer-encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
  ['a signed length', 'content-length: +2\r\n\r\n{}'],
  ['a length beyond all bounds', 'content-length: 99999999999999999999\r\n\r\n{}'],
  ['a folded header', 'x-a: b\r\n c\r\ncontent-length: 2\r\n\r\n{}'],
  ['a space before the colon', 'content-length : 2\r\n\r\n{}'],
  ['a header without a colon', 'content-length\r\n\r\n{}'],
  ['a control character', 'x-a: b\u0000c\r\ncontent-length: 2\r\n\r\n{}'],
  ['a lone line feed', 'x-a: b\ncontent-length: 2\r\n\r\n{}'],
  ['a chunk of no length', 'transfer-encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n'],
  ['a chunk that is longer than it says', 'transfer-encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n'],
])('an answer with %s is not HTTP', async (_what, rest) => {
  expect(await codeOf([`HTTP/1.1 200 OK\r\n${rest}`])).toMatch(/NOT_HTTP|HEAD_TOO_LARGE/);
});

test.each([
  'HTTP/2 200\r\n\r\n',
  'HTTP/1.1 20 OK\r\n\r\n',
  'HTTP/1.1 2000 OK\r\n\r\n',
  'HTTP/1.1 099 Odd\r\n\r\n',
  'ICY 200 OK\r\n\r\n',
])('%j is no status line', async (text) => {
  expect(await codeOf([text])).toBe('NOT_HTTP');
});

test('a greeting in another protocol is not waited out', async () => {
  const connection = new PassThrough();
  connection.write('J\u0000\u0000\u0000\n8.0.36');
  await expect(readMessage(connection, 'GET')).rejects.toMatchObject({ code: 'NOT_HTTP' });
});

test.each([
  ['one long header', `x-a: ${'b'.repeat(20_000)}\r\n`],
  ['many headers', 'x-a: b\r\n'.repeat(3_000)],
  ['interim answers without end', '\r\n'.concat('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000))],
  ['trailers without end', `transfer-encoding: chunked\r\n\r\n0\r\n${'x-a: b\r\n'.repeat(3_000)}`],
])('%s: the head is too large', async (_what, rest) => {
  expect(await codeOf([`HTTP/1.1 ${rest.startsWith('\r\n') ? '103' : '200'}\r\n${rest}`])).toBe('HEAD_TOO_LARGE');
});

test('a header that is named like something of JavaScript is a header', async () => {
  const { headers } = await read(['HTTP/1.1 200 OK\r\n__proto__: a\r\nconstructor: b\r\ncontent-length: 0\r\n\r\n']);
  expect(Object.entries(headers)).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
    ['content-length', '0'],
  ]);
});

test.each(['a\r\nx-b: c', 'a\n', 'a\u0000', 'aλ'])('a request with the header %j is not written', async (value) => {
  const connection = new PassThrough();
  expect(() => writeRequest(connection, requestTo('http://127.0.0.1/', { headers: { 'x-a': value } }))).toThrow(
    TypeError,
  );
  expect(connection.read()).toBe(null);
});

test('another protocol is no answer, whatever follows', async () => {
  const switched = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n';
  expect(await codeOf([`${switched}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}`])).toBe('NOT_HTTP');
});

test.each([
  ['HEAD', 200],
  ['GET', 204],
  ['GET', 304],
])('the answer to %s with %i has no body, whatever length it gives', async (method, status) => {
  const head = `HTTP/1.1 ${status} X\r\ncontent-length: 5\r\n\r\n`;
  expect(await read([head], method)).toMatchObject({ status, body: '' });
});

test.each([
  ['a status line', 'HTTP/1.1 200 '],
  ['a header', 'HTTP/1.1 200 OK\r\nx: '],
  ['a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;'],
])('%s that never ends is not collected', async (_what, beginning) => {
  let given = 0;
  const endless = Readable.from(
    (function* () {
      yield Buffer.from(beginning);
      for (; given < 1_000; given += 1) yield Buffer.alloc(1024, 'a');
    })(),
  );
  const reading = readMessage(endless, 'GET').then(textOf);
  await expect(reading).rejects.toMatchObject({ code: 'HEAD_TOO_LARGE' });
  expect(given).toBeLessThan(50);
});

test('what is not asked for stays on the other side', async () => {
  let given = 0;
  const much = Readable.from(
    (function* () {
      yield Buffer.from('HTTP/1.1 200 OK\r\n\r\n');
      for (; given < 1_000; given += 1) yield Buffer.alloc(64 * 1024, 'a');
    })(),
    { highWaterMark: 1 },
  );
  const { body } = await readMessage(much, 'GET');
  const first = await body[Symbol.asyncIterator]().next();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([first.done, given < 50]).toEqual([false, true]);
  much.destroy();
});

test('chunks of a byte are handed on in the pieces in which they arrive', async () => {
  const piece = Buffer.from('1\r\nx\r\n'.repeat(10_000));
  const connection = Readable.from([
    Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'),
    piece,
    piece.subarray(0, -1),
    Buffer.from('\n0\r\n\r\n'),
  ]);
  const { body } = await readMessage(connection, 'GET');
  const lengths: number[] = [];
  for await (const data of body) lengths.push(data.length);
  expect(lengths).toEqual([10_000, 10_000]);
});

test('the line before a chunk may come byte by byte, up to a limit', async () => {
  const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
  const extension = (length: number) => `2;${'x'.repeat(length)}\r\n{}\r\n0\r\n\r\n`;
  expect((await read([head, ...extension(3_000)])).body).toBe('{}');
  expect(await codeOf([head, ...extension(17_000)])).toBe('HEAD_TOO_LARGE');
});

test.each(['2\r\n{}\rX0\r\n\r\n', '2\r\n{}X\n0\r\n\r\n', '02\n\r\n', '2\r\n{}0\r\n\r\n'])(
  'a chunk with a wrong end is malformed: %j',
  async (body) => {
    expect(await codeOf([`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${body}`])).toBe('NOT_HTTP');
  },
);

test('a reader that leaves a connection leaves what it has not read', async () => {
  const connection = new PassThrough();
  const bytes = arriving(connection);
  connection.write('one\r\ntwo');
  expect(await bytes.line(10)).toBe('one');
  bytes.leave();
  connection.end(' three');
  const left: Buffer[] = [];
  for await (const piece of connection) left.push(piece);
  expect(Buffer.concat(left).toString()).toBe('two three');
});
