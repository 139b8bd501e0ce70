import { CliError, cancelled, EXIT_CODES } from '../../errors.ts';
import type { Keys } from '../keys.ts';
import type { ConfirmOptions, OutputStream, SelectOptions } from '../terminal.ts';

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

/** How a confirmation is asked, which typed answers are a Yes, and what is said of the first one that is nearly a Yes. */
export function confirmation(question: string, { word = false }: ConfirmOptions = {}) {
  let isAskedAgain = false;
  return {
    question: word ? `${question} Type yes to confirm` : `${question} [y/N]`,
    isYes: (typed: string) => (word ? /^yes$/i : /^y(es)?$/i).test(typed.trim()),
    findFault(typed: string): string | undefined {
      if (isAskedAgain || !word || !/^y$/i.test(typed.trim())) return undefined;
      isAskedAgain = true;
      return 'Type yes, or press Esc.';
    },
  };
}

/**
 * Whether keys that came together may answer a confirmation. A word of an answer may come as a whole to a question that
 * was in sight, and its Enter after it; what says No needs neither.
 */
export function mayConfirm(keys: readonly string[], isInSight: boolean): boolean {
  const text = keys.join('');
  return keys.length === 1 || /^no?[\r\n]?$/i.test(text) || (isInSight && /^yes$/i.test(text));
}

/** Said when pasted text meets a confirmation. */
export const PASTE_IGNORED = 'Pasted text is ignored here. Type your answer.';
