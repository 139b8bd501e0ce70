import { pipeline, Readable } from 'node:stream';
import type { HttpResponse } from './send.ts';

type Zlib = typeof import('node:zlib');
type Bytes = AsyncIterable<Uint8Array>;

/**
 * Yields a body without its compression, although svc never asks for one; of an unknown one the
 * bytes as they are. Throws the errors of zlib.
 */
export async function* decompress(headers: HttpResponse['headers'], body: Bytes): Bytes {
  const encodings = (headers['content-encoding'] ?? '').toLowerCase().split(',');
  let bytes = body;
  // What was applied last comes off first.
  for (const encoding of encodings.toReversed()) bytes = removeLayer(bytes, encoding.trim());
  yield* bytes;
}

/** The bytes that tell a compression. */
const FIRST_BYTES = 2;

async function* removeLayer(body: Bytes, encoding: string): Bytes {
  const chunks = body[Symbol.asyncIterator]();
  let first: Uint8Array = new Uint8Array();
  let isOver = false;
  while (first.length < FIRST_BYTES && !isOver) {
    const { value, done } = await chunks.next();
    isOver = done === true;
    if (value !== undefined) first = Buffer.concat([first, value]);
  }

  const whole = continueWith(first, chunks);
  const name = first.length === 0 ? undefined : findDecoder(encoding, first);
  if (name === undefined) return yield* whole;
  const zlib = await import('node:zlib');
  const create = zlib[name] as typeof zlib.createGunzip;
  yield* pipeline(Readable.from(whole), create(), () => undefined);
}

async function* continueWith(first: Uint8Array, chunks: AsyncIterator<Uint8Array>): Bytes {
  try {
    yield first;
    yield* { [Symbol.asyncIterator]: () => chunks };
  } finally {
    await chunks.return?.();
  }
}

/** The first byte of a JSON object, with which no Brotli stream begins. */
const BRACE = 0x7b;

/**
 * Finds the decoder of a compression of RFC 9110 (8.4.1) by its name and first bytes: some services
 * label what is not compressed.
 */
function findDecoder(
  encoding: string,
  [first = 0, second = 0]: Uint8Array,
): keyof Zlib | undefined {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return first === 0x1f && second === 0x8b ? 'createGunzip' : undefined;
    case 'br':
      return first === BRACE ? undefined : 'createBrotliDecompress';
    case 'deflate':
      return findDeflate(first, second);
    default:
      return undefined;
  }
}

/** `deflate` has the frame of RFC 1950; some servers send it without, as RFC 1951. */
function findDeflate(first: number, second: number): keyof Zlib | undefined {
  const hasFrame = (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
  if (hasFrame) return 'createInflate';
  // With these, no text that is compressed without a frame begins: a text that is not compressed.
  const isText = /[\s{["]/.test(String.fromCharCode(first));
  return isText ? undefined : 'createInflateRaw';
}
