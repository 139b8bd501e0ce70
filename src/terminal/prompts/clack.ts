import { PassThrough } from 'node:stream';
import type { CommonOptions } from '@clack/prompts';
import { lazy } from '../../lazy.ts';
import { wrapWords } from '../safe-text.ts';
import { hideCursor, restoreCursor } from '../sink.ts';
import { QuestionBox } from './box.ts';
import {
  listen,
  mayConfirm,
  PASTE_IGNORED,
  type Style,
  type StyleOptions,
  whyLeft,
} from './listen.ts';

type Clack = typeof import('@clack/prompts');

/** Draws a question; `note` says why it is asked again. */
type DrawQuestion<T> = (
  clack: Clack,
  common: CommonOptions,
  note: string | undefined,
) => Promise<T | symbol>;

interface ConfirmationOptions<T> {
  /** Returns the reason to ask again, with an empty field. */
  readonly check: (answer: T) => string | undefined;
}

const MAX_CHOICES = 10;
const CTRL_C = '\u0003';
const ESC = '\u001b';

/** Questions that redraw themselves while they are answered. */
export function createClackStyle({ keys, stderr, hasColors, signal }: StyleOptions): Style {
  /** Asks until there is an answer; a question that is asked again takes the place of the first. */
  const ask = async <T>(
    question: DrawQuestion<T>,
    confirmation?: ConfirmationOptions<T>,
  ): Promise<T> => {
    const clack = await lazy.prompts();
    tame(clack);
    const box = new QuestionBox(stderr, hasColors);
    let input = createInput();
    let again = new AbortController();
    let note: string | undefined;
    let isEsc = false;

    const refuse = () => {
      note = PASTE_IGNORED;
      again.abort();
    };
    const stop = await listen(keys, {
      typed(typed, isInSight) {
        isEsc = typed.at(-1) === ESC;
        if (confirmation && !mayConfirm(typed, isInSight)) refuse();
        else input.write(typed.join(''));
      },
      pasted: (text) => (confirmation ? refuse() : input.write(text)),
      left() {
        isEsc = false;
        input.write(CTRL_C);
      },
      stopped() {
        box.erase();
        restoreCursor(stderr);
      },
      // What the shell has written stands where the question was, so it is asked again.
      continued: () => again.abort(),
    });
    if (stop === undefined) throw whyLeft(signal);

    try {
      for (;;) {
        hideCursor(stderr);
        box.open();
        const ends = AbortSignal.any([again.signal, signal].filter((one) => one !== undefined));
        const common = { input, output: box.output, withGuide: true, signal: ends };
        const answer = await question(clack, common, note);

        if (clack.isCancel(answer)) {
          if (signal?.aborted || !again.signal.aborted) throw whyLeft(signal, isEsc);
        } else {
          note = confirmation?.check(answer as T);
          if (note === undefined) return answer as T;
        }

        box.erase();
        again = new AbortController();
        input = createInput();
      }
    } finally {
      stop();
      box.close();
      restoreCursor(stderr);
    }
  };

  /** Breaks a question where clack would leave it to the terminal, which does not indent. */
  const wrapped = (text: string) =>
    wrapWords(text, (stderr.columns || 80) - '◆  '.length).join('\n│  ');

  return {
    async read({ kind, message, placeholder = '', seen = [], check }) {
      const isConfirmation = kind === 'confirmation';
      const answer = await ask<string | undefined>(
        (clack, common, note) => {
          const lines = [
            wrapped(message),
            ...(note === undefined ? [] : [`│  ${YELLOW}${wrapped(note)}${PLAIN}`]),
            ...seen.slice(0, MAX_CHOICES).map((one) => `│    ${one}`),
          ];
          const validate = (typed = '') => (isConfirmation ? undefined : check(typed));
          const look = { ...common, message: lines.join('\n'), validate };
          return kind === 'secret' ? clack.password(look) : clack.text({ ...look, placeholder });
        },
        isConfirmation ? { check: (typed = '') => check(typed) } : undefined,
      );
      return answer ?? '';
    },
    choose: <T extends string>(
      message: string,
      choices: readonly { value: T; label: string; hint: string }[],
    ) =>
      ask<T>((clack, common) => {
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

const YELLOW = '\u001b[33m';
const PLAIN = '\u001b[39m';

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
