import type { Socket } from 'node:net';

const STATUS_LINE = 'HTTP/1.x 1xx';
/** The head of an interim answer, except that of a change of protocol. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d/;
const HEAD_END = '\r\n\r\n';
const MAX_HEAD_BYTES = 16 * 1024;

/**
 * Leaves out the interim answers (1xx) that a connection brings. A client must read any, also one
 * that it did not ask for (RFC 9110, 15.2), but undici ends the connection at a `100 Continue`.
 */
export class InterimFilter {
  readonly #onByte: () => void;
  #held = Buffer.alloc(0);
  #isFinal = false;

  /** @param onByte is called with each piece that arrives */
  constructor(socket: Socket, onByte: () => void) {
    this.#onByte = onByte;
    // undici takes what has arrived with `read`.
    const read = socket.read.bind(socket);
    socket.read = (size) => this.#filter(read(size));
  }

  /** Must be called before each request. */
  expectAnswer(): void {
    this.#isFinal = false;
  }

  #filter(chunk: Buffer | null): Buffer | null {
    if (chunk === null) return null;
    this.#onByte();
    if (this.#isFinal) return chunk;

    this.#held = Buffer.concat([this.#held, chunk]);
    while (INTERIM.test(this.#held.toString('latin1', 0, STATUS_LINE.length))) {
      const end = this.#held.indexOf(HEAD_END);
      if (end < 0) return this.#held.length > MAX_HEAD_BYTES ? this.#release() : null;
      this.#held = this.#held.subarray(end + HEAD_END.length);
    }
    return this.#held.length < STATUS_LINE.length ? null : this.#release();
  }

  #release(): Buffer {
    const bytes = this.#held;
    this.#held = Buffer.alloc(0);
    this.#isFinal = true;
    return bytes;
  }
}
