import { Writable } from 'node:stream';
import type { CommonOptions } from '@clack/prompts';
import { lazy } from '../../lazy.ts';
import { noteHiddenCursor, type OutputStream, restoreCursor } from '../sink.ts';
import { type Choice, type PromptOptions, type Prompts, whyLeft } from './prompts.ts';

type Clack = typeof import('@clack/prompts');

const MAX_CHOICES = 10;

/** Prompts that redraw themselves while they are answered. */
export function createClackPrompts({ stdin, stderr, colors, signal, job }: PromptOptions): Prompts {
  const asked = async <T>(question: (clack: Clack, common: CommonOptions) => Promise<T | symbol>): Promise<T> => {
    const clack = await lazy.prompts();
    escapeOnlyCancels(clack);
    const output = colors() ? stderr : withoutColors(stderr);
    let isStopped = false;
    let continued = new AbortController();
    const leave = () => {
      isStopped = true;
      restoreCursor(stderr);
    };
    const enter = async () => {
      // Called twice for each stop, and also in the background.
      if (!(await job?.isForeground()) || !isStopped) return;
      isStopped = false;
      continued.abort();
    };
    const forget = job?.onStop(leave, () => void enter());
    try {
      for (;;) {
        continued = new AbortController();
        const ends = AbortSignal.any([continued.signal, ...(signal ? [signal] : [])]);
        noteHiddenCursor(stderr);
        const answer = await question(clack, { input: stdin, output, withGuide: true, signal: ends });
        if (!clack.isCancel(answer)) return answer as T;
        // After `fg`, clack neither reads the keys nor draws, so the question is asked again.
        if (signal?.aborted || !continued.signal.aborted) throw whyLeft(signal);
      }
    } finally {
      forget?.();
      restoreCursor(stderr);
    }
  };
  return {
    confirm: (message) => asked<boolean>((clack, common) => clack.confirm({ ...common, message, initialValue: false })),
    select: <T extends string>(message: string, choices: readonly Choice<T>[]) =>
      asked<T>((clack, common) => {
        const list = choices.map(({ value, label = value, hint }) => ({
          value: value as string,
          label,
          ...(hint && { hint }),
        }));
        const look = { maxItems: MAX_CHOICES, showInstructions: false };
        return clack.select({ ...common, ...look, message, options: list }) as Promise<T | symbol>;
      }),
    ask: (message, { placeholder, validate } = {}) =>
      asked<string>((clack, common) => {
        const check = (answer = '') => validate?.(answer);
        return clack.text({ ...common, ...(placeholder && { placeholder }), message, validate: check });
      }),
    askSecret: (message, { validate } = {}) =>
      asked<string>((clack, common) =>
        clack.password({ ...common, message, validate: (answer) => validate?.(answer ?? '') }),
      ),
  };
}

/** By its name, Esc moves the choice of a question before it cancels, so that "Yes" is shown; by its character it does not. */
function escapeOnlyCancels({ settings: { aliases } }: Clack): void {
  aliases.delete('escape');
  aliases.set('\u001b', 'cancel');
}

const COLORS = /\u001b\[[\d;]*m/g;

/** Strips colours, because clack has no option for that. */
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
    rows: { get: () => ('rows' in stream ? stream.rows : undefined) },
  }) as OutputStream;
}
