import { Writable } from 'node:stream';
import type { OutputStream } from '../terminal.ts';

const COLORS = /\u001b\[[\d;]*m/g;
/** A line feed, or a move of the cursor up or down. */
const MOVES = /\n|\u001b\[(\d+)([AB])/g;
/** The size that clack draws for where the terminal reports none. */
const USUAL_SIZE = { columns: 80, rows: 24 };

/** The drawing of one question. It counts its rows, so that it can be taken away again. */
export class QuestionBox {
  readonly output: OutputStream;
  readonly #stream: OutputStream;
  readonly #hasColors: boolean;
  #rowsAbove = 0;
  #isOpen = false;

  constructor(stream: OutputStream, hasColors: boolean) {
    this.#stream = stream;
    this.#hasColors = hasColors;
    this.output = this.#createOutput();
  }

  open(): void {
    this.#isOpen = true;
    this.#rowsAbove = 0;
    this.#stream.on('resize', this.#resize);
  }

  /** Leaves the drawing on the terminal, and draws nothing more. */
  close(): void {
    this.#isOpen = false;
    this.#stream.off('resize', this.#resize);
  }

  /** Closes, and puts the cursor where the drawing began. */
  erase(): void {
    if (!this.#isOpen) return;
    const up = this.#rowsAbove === 0 ? '' : `\u001b[${this.#rowsAbove}A`;
    this.#stream.write(`\r${up}\u001b[J`);
    this.close();
  }

  readonly #resize = () => void this.output.emit('resize');

  #createOutput(): OutputStream {
    const stream = this.#stream;
    const output = new Writable({
      decodeStrings: false,
      write: (chunk, _encoding, done) => {
        this.#draw(String(chunk));
        done();
      },
    });
    return Object.defineProperties(output, {
      isTTY: { get: () => stream.isTTY },
      columns: { get: () => stream.columns || USUAL_SIZE.columns },
      rows: { get: () => stream.rows || USUAL_SIZE.rows },
    }) as OutputStream;
  }

  #draw(text: string): void {
    if (!this.#isOpen) return;
    for (const [, count = '1', way] of text.matchAll(MOVES)) {
      if (way === 'A') this.#rowsAbove = Math.max(0, this.#rowsAbove - Number(count));
      else this.#rowsAbove += Number(count);
    }
    this.#stream.write(this.#hasColors ? text : text.replace(COLORS, ''));
  }
}
