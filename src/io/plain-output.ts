import { Writable } from 'node:stream';
import type { OutputStream } from './sink.ts';

const COLORS = /\u001b\[[\d;]*m/g;

/** A terminal that shows the same without colours, for packages that cannot be told so. */
export function withoutColors(stream: OutputStream): OutputStream {
  const plain = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      stream.write(String(chunk).replace(COLORS, ''), done);
    },
  });
  return Object.defineProperties(plain, {
    isTTY: { get: () => stream.isTTY },
    columns: { get: () => stream.columns },
    rows: { get: () => ('rows' in stream ? stream.rows : undefined) },
  }) as OutputStream;
}
