import { pipeline, Readable } from 'node:stream';
import type { HttpResponse } from './send.ts';

type Headers = HttpResponse['headers'];
type Zlib = typeof import('node:zlib');
type Bytes = AsyncIterable<Uint8Array>;

/** Says by its first bytes how a body is compressed; undefined if it is not. */
type Detect = (first: Uint8Array) => keyof Zlib | undefined;

/**
 * The compressions of RFC 9110 (8.4.1) that svc reads, by the name in the header. Some services
 * label what is not compressed.
 */
const DETECTORS: Readonly<Record<string, Detect>> = {
  gzip: findGzip,
  'x-gzip': findGzip,
  deflate: findDeflate,
  br: ([byte]) => (byte === BRACE ? undefined : 'createBrotliDecompress'),
};

/** The first byte of a JSON object, with which no Brotli stream begins. */
const BRACE = 0x7b;

/**
 * Yields a body without its compression, although svc never asks for one; of an unknown one the
 * bytes as they are. Throws the errors of zlib.
 */
export async function* decompress(headers: Headers, body: Bytes): Bytes {
  // What was applied last comes off first.
  const names = getEncodings(headers).toReversed();
  let bytes = body;
  for (const name of names) {
    const detect = Object.hasOwn(DETECTORS, name) ? DETECTORS[name] : undefined;
    if (detect !== undefined) bytes = removeLayer(bytes, detect);
  }
  yield* bytes;
}

/** As many bytes as tell a compression. */
const FIRST_BYTES = 2;

async function* removeLayer(body: Bytes, detect: Detect): Bytes {
  const chunks = body[Symbol.asyncIterator]();
  let first: Uint8Array = new Uint8Array();
  let isOver = false;
  while (first.length < FIRST_BYTES && !isOver) {
    const { value, done } = await chunks.next();
    isOver = done === true;
    if (value !== undefined) first = Buffer.concat([first, value]);
  }

  const whole = continueWith(first, chunks);
  const make = first.length === 0 ? undefined : detect(first);
  if (make === undefined) return yield* whole;
  yield* inflate(whole, make);
}

async function* continueWith(first: Uint8Array, chunks: AsyncIterator<Uint8Array>): Bytes {
  try {
    yield first;
    yield* { [Symbol.asyncIterator]: () => chunks };
  } finally {
    await chunks.return?.();
  }
}

async function* inflate(body: Bytes, make: keyof Zlib): Bytes {
  const zlib = await import('node:zlib');
  const create = zlib[make] as typeof zlib.createGunzip;
  yield* pipeline(Readable.from(body), create(), () => undefined);
}

function findGzip([first, second]: Uint8Array): keyof Zlib | undefined {
  return first === 0x1f && second === 0x8b ? 'createGunzip' : undefined;
}

/** `deflate` has the frame of RFC 1950; some servers send it without, as RFC 1951. */
function findDeflate([first = 0, second = 0]: Uint8Array): keyof Zlib | undefined {
  const hasFrame = (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
  if (hasFrame) return 'createInflate';
  // With these, no text that is compressed without a frame begins: a text that is not compressed.
  const isText = /[\s{["]/.test(String.fromCharCode(first));
  return isText ? undefined : 'createInflateRaw';
}

function getEncodings(headers: Headers): readonly string[] {
  const names = (headers['content-encoding'] ?? '').toLowerCase().split(',');
  return names.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity');
}
