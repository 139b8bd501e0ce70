import { PassThrough, Writable } from 'node:stream';
import type { CommonOptions } from '@clack/prompts';
import { lazy } from '../../lazy.ts';
import { wrap } from '../layout/text.ts';
import { hideCursor, restoreCursor } from '../output.ts';
import type { Terminal } from '../streams.ts';
import type { OutputStream } from '../terminal.ts';
import {
  type Choice,
  getLeaveReason,
  listen,
  PASTE_IGNORED,
  type Question,
  type Style,
} from './listen.ts';

type Clack = typeof import('@clack/prompts');

/** Draws a question; `note` says why it is asked again. */
type DrawQuestion = (
  clack: Clack,
  common: CommonOptions,
  note: string | undefined,
) => Promise<string | undefined | symbol>;

const MAX_CHOICES = 10;
const CTRL_C = '\u0003';
const ESC = '\u001b';

/** Creates questions that redraw themselves while they are answered. */
export function createClackStyle(io: Terminal): Style {
  /** Breaks a question where clack would leave it to the terminal, which does not indent. */
  const wrapped = (text: string) =>
    wrap(text, (io.options.stderr.columns || 80) - '◆  '.length).join('\n│  ');

  return {
    read({ kind, message, placeholder = '', seen = [], validate }) {
      const isConfirmation = kind === 'confirmation';
      const draw: DrawQuestion = (clack, common, note) => {
        const lines = [wrapped(message)];
        if (note !== undefined) lines.push(`│  ${BOLD}${wrapped(note)}${PLAIN}`);
        for (const choice of seen.slice(0, MAX_CHOICES)) lines.push(`│    ${choice}`);
        const look = {
          ...common,
          message: lines.join('\n'),
          validate: (typed = '') => (isConfirmation ? undefined : validate?.(typed)),
        };
        return kind === 'secret' ? clack.password(look) : clack.text({ ...look, placeholder });
      };
      return new Asking(io, draw, isConfirmation ? validate : undefined).ask();
    },
    choose<T extends string>(message: string, choices: readonly Required<Choice<T>>[]) {
      const draw: DrawQuestion = (clack, common) =>
        clack.autocomplete<string>({
          ...common,
          message,
          options: [...choices],
          maxItems: MAX_CHOICES,
          validate: (value) =>
            value === undefined ? 'Nothing matches. Change the search.' : undefined,
        });
      return new Asking(io, draw).ask() as Promise<T>;
    },
  };
}

/** One question, until there is an answer; asked again, it takes the place of the first. */
class Asking {
  readonly #io: Terminal;
  readonly #draw: DrawQuestion;
  /** The check of a confirmation; other questions have none, and take pasted text. */
  readonly #checkConfirmation: Question['validate'];
  readonly #box: QuestionBox;
  #input = createInput();
  #again = new AbortController();
  #note: string | undefined;
  #isEsc = false;

  constructor(io: Terminal, draw: DrawQuestion, check?: Question['validate']) {
    this.#io = io;
    this.#draw = draw;
    this.#checkConfirmation = check;
    this.#box = new QuestionBox(io.options.stderr, io.err.colorLevel > 0);
  }

  /** @throws CliError as {@link getLeaveReason} says */
  async ask(): Promise<string> {
    const { stderr, signal } = this.#io.options;
    const clack = await lazy.prompts();
    tame(clack);
    const stop = await this.#listen();
    if (stop === undefined) throw getLeaveReason(signal);

    try {
      for (;;) {
        const answer = await this.#askOnce(clack);
        if (typeof answer === 'symbol') {
          this.#requireAgain();
        } else {
          this.#note = this.#checkConfirmation?.(answer);
          if (this.#note === undefined) return answer;
        }
        this.#box.erase();
      }
    } finally {
      stop();
      this.#box.close();
      restoreCursor(stderr);
    }
  }

  async #askOnce(clack: Clack): Promise<string | symbol> {
    const { stderr, signal } = this.#io.options;
    this.#input = createInput();
    this.#again = new AbortController();
    hideCursor(stderr);
    this.#box.open();

    const common = {
      input: this.#input,
      output: this.#box,
      withGuide: true,
      signal: AbortSignal.any([this.#again.signal, signal]),
    };
    return (await this.#draw(clack, common, this.#note)) ?? '';
  }

  /** @throws CliError if the question was left, rather than refused or stopped. */
  #requireAgain(): void {
    const { signal } = this.#io.options;
    if (signal.aborted || !this.#again.signal.aborted) throw getLeaveReason(signal, this.#isEsc);
  }

  #listen() {
    return listen(this.#io.keys, {
      isConfirmation: this.#checkConfirmation !== undefined,
      onTyped: (typed) => {
        this.#isEsc = typed.at(-1) === ESC;
        this.#input.write(typed.join(''));
      },
      onPasted: (text) => this.#input.write(text),
      onRefused: () => {
        this.#note = PASTE_IGNORED;
        this.#again.abort();
      },
      onLeft: () => {
        this.#isEsc = false;
        this.#input.write(CTRL_C);
      },
      onSuspended: () => {
        this.#box.erase();
        restoreCursor(this.#io.options.stderr);
      },
      // What the shell has written stands where the question was, so it is asked again.
      onContinued: () => this.#again.abort(),
    });
  }
}

const BOLD = '\u001b[1m';
const PLAIN = '\u001b[22m';

/** Creates what clack reads instead of the terminal. */
function createInput(): PassThrough {
  const input = new PassThrough();
  return Object.assign(input, { isTTY: true, setRawMode: () => input });
}

/**
 * Letters are letters. By its name, Esc moves a choice before it cancels; by its character it does
 * not.
 */
function tame({ settings: { aliases } }: Clack): void {
  for (const name of ['escape', 'h', 'j', 'k', 'l']) aliases.delete(name);
  aliases.set(ESC, 'cancel');
}

const COLORS = /\u001b\[[\d;]*m/g;
/** A line feed, or a move of the cursor up or down. */
const MOVES = /\n|\u001b\[(\d+)([AB])/g;
/** The size that clack draws for where the terminal reports none. */
const USUAL_SIZE = { columns: 80, rows: 24 };

/**
 * The drawing of one question, and the stream that takes it. It counts its rows, so that it can be
 * taken away again.
 */
class QuestionBox extends Writable {
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
