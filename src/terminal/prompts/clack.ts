import { Writable } from 'node:stream';
import type { CommonOptions } from '@clack/prompts';
import { lazy } from '../../lazy.ts';
import { noteHiddenCursor, type OutputStream, restoreCursor } from '../sink.ts';
import { type Choice, type PromptOptions, type Prompts, whyLeft } from './prompts.ts';

type Clack = typeof import('@clack/prompts');

const MAX_CHOICES = 10;

/** Prompts that redraw themselves while they are answered. */
export function createClackPrompts({ stdin, stderr, colors, signal }: PromptOptions): Prompts {
  const asked = async <T>(question: (clack: Clack, common: CommonOptions) => Promise<T | symbol>): Promise<T> => {
    const clack = await lazy.prompts();
    const output = colors() ? stderr : withoutColors(stderr);
    noteHiddenCursor(stderr);
    try {
      const answer = await question(clack, { input: stdin, output, withGuide: true, ...(signal && { signal }) });
      if (!clack.isCancel(answer)) return answer as T;
      throw whyLeft(signal);
    } finally {
      restoreCursor(stderr);
    }
  };
  return {
    confirm: (message, { default: initialValue = false } = {}) =>
      asked<boolean>((clack, common) => clack.confirm({ ...common, message, initialValue })),
    select: <T extends string>(message: string, choices: readonly Choice<T>[], given: { readonly default?: T } = {}) =>
      asked<T>((clack, common) => {
        const list = choices.map(({ value, label = value, hint }) => ({
          value: value as string,
          label,
          ...(hint && { hint }),
        }));
        const initial = given.default === undefined ? {} : { initialValue: given.default as string };
        const look = { maxItems: MAX_CHOICES, showInstructions: false };
        return clack.select({ ...common, ...initial, ...look, message, options: list }) as Promise<T | symbol>;
      }),
    ask: (message, { placeholder, default: defaultValue, validate } = {}) =>
      asked<string>((clack, common) => {
        const hints = { ...(placeholder && { placeholder }), ...(defaultValue && { defaultValue }) };
        return clack.text({
          ...common,
          ...hints,
          message,
          validate: (answer) => validate?.(answer || defaultValue || ''),
        });
      }),
    askSecret: (message, { validate } = {}) =>
      asked<string>((clack, common) =>
        clack.password({ ...common, message, validate: (answer) => validate?.(answer ?? '') }),
      ),
  };
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
