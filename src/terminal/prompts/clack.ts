import { PassThrough, Writable } from 'node:stream';
import type { CommonOptions } from '@clack/prompts';
import { lazy } from '../../lazy.ts';
import { wrapWords } from '../safe-text.ts';
import { hideCursor, restoreCursor, withUsableColumns } from '../sink.ts';
import type { OutputStream } from '../terminal.ts';
import {
  listen,
  mayConfirm,
  PASTE_IGNORED,
  type Style,
  type StyleOptions,
  whyLeft,
} from './listen.ts';

type Clack = typeof import('@clack/prompts');

const MAX_CHOICES = 10;
const CTRL_C = '\u0003';
const ESC = '\u001b';

/** Questions that redraw themselves while they are answered. */
export function createClackStyle({ keys, stderr, hasColors, signal }: StyleOptions): Style {
  const asked = async <T>(
    question: (clack: Clack, common: CommonOptions, isRefused: boolean) => Promise<T | symbol>,
    isConfirmation = false,
  ): Promise<T> => {
    const clack = await lazy.prompts();
    tame(clack);
    const wide = withUsableColumns(stderr);
    const output = hasColors ? wide : withoutColors(wide);
    let input = createInput();
    let again = new AbortController();
    let refused = false;
    let isEsc = false;
    const refuse = () => {
      refused = true;
      again.abort();
    };
    const stop = await listen(keys, {
      typed(typed, isInSight) {
        isEsc = typed.at(-1) === ESC;
        if (isConfirmation && !mayConfirm(typed, isInSight)) refuse();
        else input.write(typed.join(''));
      },
      pasted: (text) => (isConfirmation ? refuse() : input.write(text)),
      left() {
        isEsc = false;
        input.write(CTRL_C);
      },
      stopped: () => restoreCursor(stderr),
      // After `fg` clack does not draw, so the question is asked again.
      continued: () => again.abort(),
    });
    if (stop === undefined) throw whyLeft(signal);
    try {
      for (;;) {
        hideCursor(stderr);
        const ends = AbortSignal.any([again.signal, signal].filter((one) => one !== undefined));
        const answer = await question(
          clack,
          { input, output, withGuide: true, signal: ends },
          refused,
        );
        if (!clack.isCancel(answer)) return answer as T;
        if (signal?.aborted || !again.signal.aborted) throw whyLeft(signal, isEsc);
        again = new AbortController();
        input = createInput();
      }
    } finally {
      stop();
      restoreCursor(stderr);
    }
  };
  /** Breaks a question where clack would leave it to the terminal, which does not indent. */
  const wrapped = (text: string) =>
    wrapWords(text, (stderr.columns || 80) - '◆  '.length).join('\n│  ');
  return {
    async read({ kind, message, placeholder = '', seen = [], check }) {
      const answer = await asked<string | undefined>((clack, common, isRefused) => {
        const said = [...(isRefused ? [PASTE_IGNORED] : []), message].map(wrapped).join('\n│  ');
        const lines = [said, ...seen.slice(0, MAX_CHOICES).map((one) => `│    ${one}`)].join('\n');
        const look = { ...common, message: lines, validate: (typed = '') => check(typed) };
        return kind === 'secret' ? clack.password(look) : clack.text({ ...look, placeholder });
      }, kind === 'confirmation');
      return answer ?? '';
    },
    choose: <T extends string>(
      message: string,
      choices: readonly { value: T; label: string; hint: string }[],
    ) =>
      asked<T>((clack, common) => {
        return clack.autocomplete<string>({
          ...common,
          message,
          options: [...choices],
          maxItems: MAX_CHOICES,
          validate: (value: unknown) =>
            value === undefined ? 'Nothing matches. Change the search.' : undefined,
        }) as Promise<T | symbol>;
      }),
  };
}

/** What clack reads instead of the terminal. */
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

/** Clack has no option for that. */
function withoutColors(stream: OutputStream): OutputStream {
  const plain = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      stream.write(String(chunk).replace(COLORS, ''), done);
    },
  });
  return Object.defineProperties(plain, {
    isTTY: { get: () => stream.isTTY },
    columns: { get: () => stream.columns },
    rows: { get: () => stream.rows },
  }) as OutputStream;
}
