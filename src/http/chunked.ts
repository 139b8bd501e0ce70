import { type Arriving, CutShort, MalformedAnswer } from './arriving.ts';

/** Bytes that the line before a chunk may have. */
const MAX_LINE_BYTES = 16 * 1024;

const CHUNK_LINE = /^([\da-f]{1,8})[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i;

const CR = 0x0d;
const LF = 0x0a;

/**
 * The data of a chunked body (RFC 9112, 7.1), up to its trailer fields. What arrives together is handed on together: a
 * chunk may be as short as a byte, and each piece costs its readers time.
 * @throws MalformedAnswer, CutShort, and what breaks the connection.
 */
export async function* chunked(bytes: Arriving): AsyncGenerator<Buffer> {
  const chunks = new Chunks();
  while (!chunks.ended) {
    const piece = await bytes.take();
    if (piece === undefined) throw new CutShort('closed within the body');
    const { data, rest } = chunks.read(piece);
    bytes.putBack(rest);
    if (data.length > 0) yield data;
  }
}

/** Where in a chunked body the next byte stands. */
type Place = 'line' | 'data' | 'data end' | 'end';

class Chunks {
  #place: Place = 'line';
  /** The beginning of a line whose end has not come yet, one character a byte. */
  #line = '';
  /** Bytes that the chunk still lacks, those of its CRLF while it ends. */
  #left = 0;

  get ended(): boolean {
    return this.#place === 'end';
  }

  /** The data in a piece, and what follows the last chunk. */
  read(piece: Buffer): { data: Buffer; rest: Buffer } {
    const data = Buffer.allocUnsafe(piece.length);
    let length = 0;
    let at = 0;
    while (at < piece.length && this.#place !== 'end') {
      if (this.#place === 'line') at = this.#readLine(piece, at);
      else if (this.#place === 'data end') at = this.#readDataEnd(piece, at);
      else {
        const end = Math.min(piece.length, at + this.#left);
        length += piece.copy(data, length, at, end);
        this.#left -= end - at;
        if (this.#left === 0) this.#go('data end', 2);
        at = end;
      }
    }
    return { data: data.subarray(0, length), rest: piece.subarray(at) };
  }

  #readLine(piece: Buffer, at: number): number {
    const end = piece.indexOf(LF, at);
    this.#line += piece.toString('latin1', at, end < 0 ? piece.length : end);
    if (this.#line.length > MAX_LINE_BYTES + 1) throw new MalformedAnswer('HEAD_TOO_LARGE');
    if (end < 0) return piece.length;
    if (!this.#line.endsWith('\r')) throw new MalformedAnswer();
    const [, digits] = CHUNK_LINE.exec(this.#line.slice(0, -1)) ?? [];
    if (digits === undefined) throw new MalformedAnswer();
    const length = Number.parseInt(digits, 16);
    this.#line = '';
    this.#go(length === 0 ? 'end' : 'data', length);
    return end + 1;
  }

  #readDataEnd(piece: Buffer, at: number): number {
    if (piece[at] !== (this.#left === 2 ? CR : LF)) throw new MalformedAnswer();
    this.#left -= 1;
    if (this.#left === 0) this.#go('line', 0);
    return at + 1;
  }

  #go(place: Place, left: number): void {
    this.#place = place;
    this.#left = left;
  }
}
