import type { Readable } from 'node:stream';

/** The bytes that come over a connection, taken as they are asked for; nothing is read ahead of that. */
export interface Arriving {
  /** The next bytes, at most so many; `undefined` once the other side has ended. Throws when the connection breaks. */
  take(atMost?: number): Promise<Buffer | undefined>;
  /**
   * The next line without its CRLF, one character a byte.
   * @param atMost bytes that it may have
   * @param start what it must begin with: another beginning is not waited out
   */
  line(atMost: number, start?: string): Promise<string>;
  /** Bytes that were taken, to be taken again. */
  putBack(piece: Buffer): void;
  /** Leaves the connection to another reader, with the bytes that nobody has taken. */
  leave(): void;
}

/** What came is not what HTTP/1.1 allows; the code tells it from a connection that broke. */
export class MalformedAnswer extends Error {
  readonly code: 'NOT_HTTP' | 'HEAD_TOO_LARGE';

  constructor(code: 'NOT_HTTP' | 'HEAD_TOO_LARGE' = 'NOT_HTTP') {
    super(code);
    this.name = 'MalformedAnswer';
    this.code = code;
  }
}

/** The other side ended before it had said everything. */
export class CutShort extends Error {
  readonly code = 'ECONNRESET';
}

/** Starts to read a connection. */
export function arriving(connection: Readable): Arriving {
  const pieces = new Pieces(connection);

  async function line(atMost: number, start = ''): Promise<string> {
    let held: Buffer = Buffer.alloc(0);
    for (;;) {
      const piece = await pieces.next();
      if (piece === undefined) throw new CutShort('closed within a line');
      held = held.length === 0 ? piece : Buffer.concat([held, piece]);
      const begin = held.toString('latin1', 0, start.length);
      if (!start.startsWith(begin)) throw new MalformedAnswer();
      const end = held.indexOf('\r\n');
      if (end > atMost || (end < 0 && held.length > atMost + 1)) throw new MalformedAnswer('HEAD_TOO_LARGE');
      if (end < 0) continue;
      pieces.putBack(held.subarray(end + 2));
      return held.toString('latin1', 0, end);
    }
  }

  async function take(atMost = Number.POSITIVE_INFINITY): Promise<Buffer | undefined> {
    const piece = await pieces.next();
    if (piece === undefined || piece.length <= atMost) return piece;
    pieces.putBack(piece.subarray(atMost));
    return piece.subarray(0, atMost);
  }

  return { take, line, putBack: (piece) => pieces.putBack(piece), leave: () => pieces.leave() };
}

/** The `data` events of a connection, one at a time. */
class Pieces {
  readonly #connection: Readable;
  readonly #held: Buffer[] = [];
  #end: { readonly error?: unknown } | undefined;
  #wake = (): void => {};
  readonly #listeners = [
    ['data', (piece: Buffer) => this.#arrived(piece)],
    ['end', () => this.#stop({})],
    ['error', (error: unknown) => this.#stop({ error })],
    ['close', () => this.#stop({ error: new CutShort('closed') })],
  ] as const;

  constructor(connection: Readable) {
    this.#connection = connection;
    for (const [event, listener] of this.#listeners) connection.on(event, listener);
  }

  async next(): Promise<Buffer | undefined> {
    while (this.#held.length === 0) {
      if (this.#end !== undefined) {
        if ('error' in this.#end) throw this.#end.error;
        return undefined;
      }
      const arrival = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#connection.resume();
      await arrival;
    }
    return this.#held.shift();
  }

  putBack(piece: Buffer): void {
    if (piece.length > 0) this.#held.unshift(piece);
  }

  leave(): void {
    this.#connection.pause();
    for (const [event, listener] of this.#listeners) this.#connection.off(event, listener);
    for (const piece of this.#held.splice(0).reverse()) this.#connection.unshift(piece);
  }

  #arrived(piece: Buffer): void {
    this.#held.push(piece);
    this.#connection.pause();
    this.#wake();
  }

  #stop(end: { readonly error?: unknown }): void {
    this.#end ??= end;
    this.#wake();
  }
}
