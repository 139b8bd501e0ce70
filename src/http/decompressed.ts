import { pipeline, Readable } from 'node:stream';
import type { BrotliDecompress, Gunzip, Inflate } from 'node:zlib';
import { codeOf } from '../errors.ts';
import type { HttpResponse } from './send.ts';

type Headers = HttpResponse['headers'];
type Zlib = typeof import('node:zlib');

/** The compressions of RFC 9110 that svc reads. */
const STREAMS: ReadonlyMap<string, (zlib: Zlib) => Gunzip | Inflate | BrotliDecompress> = new Map([
  ['gzip', (zlib) => zlib.createGunzip()],
  ['x-gzip', (zlib) => zlib.createGunzip()],
  ['deflate', (zlib) => zlib.createInflate()],
  ['br', (zlib) => zlib.createBrotliDecompress()],
]);

/** Whether svc can read a body with these headers, although it asks for none that is compressed. */
export function isKnownEncoding(headers: Headers): boolean {
  return encodingsOf(headers).every((name) => STREAMS.has(name));
}

/** Yields a body without its compression, or as it is if svc does not know that. Throws the errors of zlib. */
export async function* decompressed(headers: Headers, body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const names = isKnownEncoding(headers) ? encodingsOf(headers) : [];
  if (names.length === 0) {
    yield* body;
    return;
  }
  const zlib = await import('node:zlib');
  let size = 0;
  let decoded: Readable = Readable.from(counted(body, (length) => (size += length)));
  // What was applied last comes off first.
  for (const name of names.toReversed()) {
    const stream = STREAMS.get(name)?.(zlib);
    if (stream !== undefined) decoded = pipeline(decoded, stream, () => undefined);
  }
  try {
    yield* decoded;
  } catch (error) {
    // An empty body needs no compression.
    if (size > 0 || codeOf(error) !== 'Z_BUF_ERROR') throw error;
  }
}

async function* counted(body: AsyncIterable<Uint8Array>, count: (length: number) => void): AsyncIterable<Uint8Array> {
  for await (const chunk of body) {
    count(chunk.length);
    yield chunk;
  }
}

function encodingsOf(headers: Headers): readonly string[] {
  const names = (headers['content-encoding'] ?? '').toLowerCase().split(',');
  return names.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity');
}
