import type { Readable } from 'node:stream';
import { CliError } from '../../errors.ts';
import type { OutputStream } from '../sink.ts';

/** One answer to choose. */
export interface Choice<T extends string = string> {
  readonly value: T;
  /** What people read; the value where absent. */
  readonly label?: string;
  readonly hint?: string;
}

/** How a text is asked for. */
export interface AskOptions {
  /** Shown while nothing is typed. */
  readonly placeholder?: string;
  /** The answer when nothing is typed. */
  readonly default?: string;
  /** Says what is wrong with an answer; `undefined` when nothing is. */
  readonly validate?: (answer: string) => string | undefined;
}

/** Questions to a person. Each throws CliError `interrupted` when the person leaves, `usage` where nobody is there. */
export interface Prompts {
  /** Yes or no; No unless told otherwise. */
  confirm(question: string, options?: { readonly default?: boolean }): Promise<boolean>;
  select<T extends string>(
    question: string,
    choices: readonly Choice<T>[],
    options?: { readonly default?: T },
  ): Promise<T>;
  ask(question: string, options?: AskOptions): Promise<string>;
  /** A text that is not shown while it is typed. */
  askSecret(question: string, options?: Pick<AskOptions, 'validate'>): Promise<string>;
}

/** Where and how questions are asked. */
export interface PromptOptions {
  readonly stdin: Readable;
  readonly stderr: OutputStream;
  /** Whether a person is there to answer. */
  readonly allowed: () => boolean;
  /** Whether the question may redraw itself; otherwise it is a line, and the answer is typed behind it. */
  readonly moves: () => boolean;
  readonly colors: () => boolean;
  /** Takes the question away; it then throws the signal's reason. */
  readonly signal: AbortSignal | undefined;
}

/** The person has left a question with Ctrl-C, Ctrl-D or Esc. */
export function cancelled(): CliError {
  return new CliError('interrupted', 'Cancelled.');
}
