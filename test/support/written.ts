import type { Readable } from 'node:stream';

/** All that was written to a stream so far; since Node 26, one `read` gives one piece of it. */
export function written(stream: Readable): string {
  let text = '';
  for (let piece = stream.read(); piece !== null; piece = stream.read()) text += String(piece);
  return text;
}
