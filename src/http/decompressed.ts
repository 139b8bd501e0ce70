import { pipeline, Readable } from 'node:stream';
import { codeOf } from '../errors.ts';
import type { HttpResponse } from './send.ts';

type Headers = HttpResponse['headers'];

/** The compressions of RFC 9110 that svc reads, with the maker of zlib. */
const MAKERS = {
  gzip: 'createGunzip',
  'x-gzip': 'createGunzip',
  deflate: 'createInflate',
  br: 'createBrotliDecompress',
} as const;

const isKnown = (name: string): name is keyof typeof MAKERS => Object.hasOwn(MAKERS, name);

/** Of a body that is compressed although svc never asks for that. */
export function isKnownEncoding(headers: Headers): boolean {
  return encodingsOf(headers).every(isKnown);
}

/** As the body is, if svc does not know its compression. Throws the errors of zlib. */
export async function* decompressed(
  headers: Headers,
  body: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  const names = encodingsOf(headers);
  if (names.length === 0 || !names.every(isKnown)) {
    yield* body;
    return;
  }
  const zlib = await import('node:zlib');
  // What was applied last comes off first.
  const streams = names.toReversed().map((name) => zlib[MAKERS[name]]());
  try {
    yield* streams.reduce(
      (from: Readable, stream) => pipeline(from, stream, () => undefined),
      Readable.from(body),
    );
  } catch (error) {
    // An empty body needs no compression.
    if (streams[0]?.bytesWritten !== 0 || codeOf(error) !== 'Z_BUF_ERROR') throw error;
  }
}

function encodingsOf(headers: Headers): readonly string[] {
  const names = (headers['content-encoding'] ?? '').toLowerCase().split(',');
  return names.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity');
}
