import type { Readable } from 'node:stream';
import { CliError, cancelled, EXIT_CODES } from '../../errors.ts';
import type { Job } from '../job.ts';
import type { OutputStream } from '../sink.ts';

export interface Choice<T extends string = string> {
  readonly value: T;
  /** Shown instead of the value. */
  readonly label?: string;
  readonly hint?: string;
}

export interface AskOptions {
  /** Shown while nothing is typed. */
  readonly placeholder?: string;
  /** Returns the reason to ask again, or `undefined` for a valid answer. */
  readonly validate?: (answer: string) => string | undefined;
}

/** Each method throws CliError `interrupted` if the prompt is cancelled, and `usage` if prompts are not possible. */
export interface Prompts {
  /** The default is No. */
  confirm(question: string): Promise<boolean>;
  select<T extends string>(question: string, choices: readonly Choice<T>[]): Promise<T>;
  ask(question: string, options?: AskOptions): Promise<string>;
  /** Does not show the answer while it is typed. */
  askSecret(question: string, options?: Pick<AskOptions, 'validate'>): Promise<string>;
}

export interface PromptOptions {
  readonly stdin: Readable;
  readonly stderr: OutputStream;
  readonly allowed: () => boolean;
  /** Prompts may redraw themselves; otherwise they are single lines. */
  readonly moves: () => boolean;
  readonly colors: () => boolean;
  /** Ends the prompt; see {@link whyLeft}. */
  readonly signal: AbortSignal | undefined;
  readonly job: Job | undefined;
  /** Asks while nothing else draws or reads keys. */
  aside<T>(question: () => Promise<T>): Promise<T>;
}

/** The error of a prompt that was left: cancelled by Ctrl-C, Ctrl-D or Esc, otherwise the reason of the signal. */
export function whyLeft(signal: AbortSignal | undefined): unknown {
  const isCtrlC = signal?.reason instanceof CliError && signal.reason.exitCode === EXIT_CODES.interrupted;
  return signal?.aborted && !isCtrlC ? signal.reason : cancelled('interrupted');
}
