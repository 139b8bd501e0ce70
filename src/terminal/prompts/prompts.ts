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

/** Where a question stands among others. */
export interface SelectOptions {
  /** Whether Esc leads to a question before this one, which the question then says. */
  readonly back?: boolean | undefined;
}

interface AskOptions extends SelectOptions {
  /** Shown while nothing is typed. */
  readonly placeholder?: string;
  /** What could be chosen at the question before, kept in sight. */
  readonly seen?: readonly string[] | undefined;
  /** Returns the reason to ask again, or `undefined` for a valid answer. */
  readonly validate?: (answer: string) => string | undefined;
}

/**
 * Each method throws CliError `interrupted` if the prompt is cancelled, with `isBack` if by Esc, and `usage` if prompts are
 * not possible.
 */
export interface Prompts {
  /** Takes `y` and Enter, or only the word `yes` and Enter. Everything else is No; pasted text is no answer. */
  confirm(question: string, options?: ConfirmOptions): Promise<boolean>;
  select<T extends string>(question: string, choices: readonly Choice<T>[], options?: SelectOptions): Promise<T>;
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

/** Adds the key that goes back to a question that has one before it. */
export function withBack(question: string, { back = false }: SelectOptions = {}): string {
  return back ? `${question} (Esc: back)` : question;
}

/** The error of a prompt that was left: cancelled by Ctrl-C, Ctrl-D or Esc, otherwise the reason of the signal. */
export function whyLeft(signal: AbortSignal | undefined, isEsc = false): unknown {
  const isCtrlC = signal?.reason instanceof CliError && signal.reason.exitCode === EXIT_CODES.interrupted.exit;
  if (signal?.aborted && !isCtrlC) return signal.reason;
  return isEsc && !signal?.aborted ? cancelled('interrupted').with({ isBack: true }) : cancelled('interrupted');
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
