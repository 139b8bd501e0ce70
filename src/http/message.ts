import type { Readable, Writable } from 'node:stream';
import { type Arriving, arriving, CutShort, MalformedAnswer } from './arriving.ts';
import { chunked } from './chunked.ts';
import type { WireAnswer, WireRequest } from './send.ts';

/** Bytes that the head of an answer may have, interim answers included; as much as Node's own HTTP takes. */
const MAX_HEAD_BYTES = 16 * 1024;

const STATUS_LINE = /^HTTP\/1\.[01] ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const FIELD_LINE = /^([!#$%&'*+.^_`|~\w-]+):([\t\x20-\x7e\x80-\xff]*)$/;

type Headers = Readonly<Record<string, string>>;

/**
 * Writes a request on a connection of its own (RFC 9112): HTTP/1.1, and closed after the answer.
 * @throws TypeError for a head that would not be one request; the client has checked every part of it before.
 */
export function writeRequest(connection: Writable, { method, url, headers, body }: WireRequest): void {
  const carriesBody = body !== undefined || ['POST', 'PUT', 'PATCH'].includes(method);
  const fields = Object.entries({
    host: url.host,
    ...headers,
    ...(carriesBody ? { 'content-length': String(body?.length ?? 0) } : {}),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  const lines = [`${method} ${url.pathname}${url.search} HTTP/1.1`, ...fields];
  if (!lines.every((line) => /^[\t\x20-\x7e\x80-\xff]+$/.test(line))) throw new TypeError('not a request');
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  connection.write(body === undefined ? head : Buffer.concat([head, body]));
}

/**
 * Reads the answer to a request (RFC 9112), with the strictness that leaves no doubt where it ends: what could be read
 * in two ways is not HTTP.
 * @throws MalformedAnswer, CutShort, and what breaks the connection; also from the body.
 */
export async function readMessage(connection: Readable, method: string): Promise<WireAnswer> {
  const bytes = arriving(connection);
  const { status, headers } = await readHead(bytes);
  return { status, headers, body: bodyOf(bytes, method, status, headers) };
}

/**
 * The head of the final answer; interim ones (1xx) are passed by.
 * @throws as {@link readMessage} does.
 */
export async function readHead(bytes: Arriving): Promise<Pick<WireAnswer, 'status' | 'headers'>> {
  const left = { bytes: MAX_HEAD_BYTES };
  for (;;) {
    const [, digits] = STATUS_LINE.exec(await lineOf(bytes, left, 'HTTP/1.')) ?? [];
    if (digits === undefined) throw new MalformedAnswer();
    const headers = await readFields(bytes, left);
    const status = Number(digits);
    // Nobody asked for another protocol; what else is below 200 comes before the answer.
    if (status === 101) throw new MalformedAnswer();
    if (status >= 200) return { status, headers };
  }
}

async function lineOf(bytes: Arriving, left: { bytes: number }, start?: string): Promise<string> {
  const line = await bytes.line(left.bytes, start);
  left.bytes -= line.length + 2;
  return line;
}

/** Header or trailer fields, to the empty line behind them; one that comes several times is joined. */
async function readFields(bytes: Arriving, left: { bytes: number }): Promise<Headers> {
  const fields: Record<string, string> = Object.create(null);
  for (;;) {
    const line = await lineOf(bytes, left);
    if (line === '') return fields;
    const [, givenName, padded] = FIELD_LINE.exec(line) ?? [];
    if (givenName === undefined || padded === undefined) throw new MalformedAnswer();
    const name = givenName.toLowerCase();
    const value = padded.replaceAll(/^[\t ]+|(?<![\t ])[\t ]+$/g, '');
    fields[name] = name in fields ? `${fields[name]}, ${value}` : value;
  }
}

/** Where the body ends (RFC 9112, 6.3). */
function bodyOf(bytes: Arriving, method: string, status: number, headers: Headers): AsyncGenerator<Buffer> {
  if (method === 'HEAD' || status === 204 || status === 304) return exactly(bytes, 0);
  const { 'transfer-encoding': coding, 'content-length': length } = headers;
  if (coding !== undefined) {
    if (length !== undefined || coding.toLowerCase() !== 'chunked') throw new MalformedAnswer();
    return chunkedAndTrailers(bytes);
  }
  if (length === undefined) return toTheEnd(bytes);
  // Two lengths were joined with a comma.
  if (!/^\d{1,15}$/.test(length)) throw new MalformedAnswer();
  return exactly(bytes, Number(length));
}

async function* exactly(bytes: Arriving, length: number): AsyncGenerator<Buffer> {
  for (let left = length; left > 0; ) {
    const piece = await bytes.take(left);
    if (piece === undefined) throw new CutShort('closed within the body');
    left -= piece.length;
    yield piece;
  }
}

async function* toTheEnd(bytes: Arriving): AsyncGenerator<Buffer> {
  for (let piece = await bytes.take(); piece !== undefined; piece = await bytes.take()) yield piece;
}

async function* chunkedAndTrailers(bytes: Arriving): AsyncGenerator<Buffer> {
  yield* chunked(bytes);
  await readFields(bytes, { bytes: MAX_HEAD_BYTES });
}
