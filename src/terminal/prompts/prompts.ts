import { CliError, cancelled, EXIT_CODES } from '../../errors.ts';
import type { Keys } from '../keys.ts';
import type { OutputStream } from '../sink.ts';

/** One answer of a question with several. */
export interface Choice<T extends string = string> {
  readonly value: T;
  /** Shown instead of the value. */
  readonly label?: string;
  readonly hint?: string;
}

/** How a question is confirmed; without options with `y` and Enter. */
export interface ConfirmOptions {
  /** Takes nothing but the word `yes`: for what cannot be undone, such as spending money. */
  readonly word?: boolean;
}

interface AskOptions {
  /** Shown while nothing is typed. */
  readonly placeholder?: string;
  /** Returns the reason to ask again, or `undefined` for a valid answer. */
  readonly validate?: (answer: string) => string | undefined;
}

/** Each method throws CliError `interrupted` if the prompt is cancelled, and `usage` if prompts are not possible. */
export interface Prompts {
  /** Takes `y` and Enter, or only the word `yes` and Enter. Everything else is No; pasted text is no answer. */
  confirm(question: string, options?: ConfirmOptions): Promise<boolean>;
  select<T extends string>(question: string, choices: readonly Choice<T>[]): Promise<T>;
  ask(question: string, options?: AskOptions): Promise<string>;
  /** Does not show the answer while it is typed. */
  askSecret(question: string, options?: Pick<AskOptions, 'validate'>): Promise<string>;
}

/** What prompts need of the terminal. */
export interface PromptOptions {
  readonly keys: Keys;
  readonly stderr: OutputStream;
  readonly allowed: () => boolean;
  /** Prompts may redraw themselves; otherwise they are single lines. */
  readonly moves: () => boolean;
  readonly colors: () => boolean;
  /** Ends the prompt; see {@link whyLeft}. */
  readonly signal: AbortSignal | undefined;
  /** Asks while nothing else draws or reads keys. */
  aside<T>(question: () => Promise<T>): Promise<T>;
}

/** The error of a prompt that was left: cancelled by Ctrl-C, Ctrl-D or Esc, otherwise the reason of the signal. */
export function whyLeft(signal: AbortSignal | undefined): unknown {
  const isCtrlC = signal?.reason instanceof CliError && signal.reason.exitCode === EXIT_CODES.interrupted.exit;
  return signal?.aborted && !isCtrlC ? signal.reason : cancelled('interrupted');
}

/** How a confirmation is asked, and which typed answers are a Yes. */
export function confirmation(question: string, { word = false }: ConfirmOptions = {}) {
  return {
    question: word ? `${question} Type yes to confirm` : `${question} [y/N]`,
    isYes: (typed: string) => (word ? /^yes$/i : /^y(es)?$/i).test(typed.trim()),
  };
}

/** Said when pasted text meets a confirmation. */
export const PASTE_IGNORED = 'Pasted text is ignored here. Type your answer.';
