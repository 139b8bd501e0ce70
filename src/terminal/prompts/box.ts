import { Writable } from 'node:stream';
import type { OutputStream } from '../terminal.ts';

const COLORS = /\u001b\[[\d;]*m/g;
/** A line feed, or a move of the cursor up or down. */
const MOVES = /\n|\u001b\[(\d+)([AB])/g;
/** The size that clack draws for where the terminal reports none. */
const USUAL_SIZE = { columns: 80, rows: 24 };

/**
 * The drawing of one question, and the stream that takes it. It counts its rows, so that it can be
 * taken away again.
 */
export class QuestionBox extends Writable {
  readonly #stream: OutputStream;
  readonly #hasColors: boolean;
  #rowsAbove = 0;
  #isOpen = false;

  constructor(stream: OutputStream, hasColors: boolean) {
    super({ decodeStrings: false });
    this.#stream = stream;
    this.#hasColors = hasColors;
  }

  get isTTY(): boolean {
    return this.#stream.isTTY === true;
  }

  get columns(): number {
    return this.#stream.columns || USUAL_SIZE.columns;
  }

  get rows(): number {
    return this.#stream.rows || USUAL_SIZE.rows;
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

  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    if (this.#isOpen) this.#draw(String(chunk));
    done();
  }

  readonly #resize = () => void this.emit('resize');

  #draw(text: string): void {
    for (const [, count = '1', way] of text.matchAll(MOVES)) {
      if (way === 'A') this.#rowsAbove = Math.max(0, this.#rowsAbove - Number(count));
      else this.#rowsAbove += Number(count);
    }
    this.#stream.write(this.#hasColors ? text : text.replace(COLORS, ''));
  }
}
