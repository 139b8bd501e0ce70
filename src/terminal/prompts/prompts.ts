import { CliError, cancelled, EXIT_CODES } from '../../errors.ts';
import { KEY, type KeyListener, type Keys } from '../keys.ts';
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

interface Ears {
  /**
   * Keys that came together: one for a key that a person pressed; several for text that was pasted without a mark, or sent
   * as a whole by dictation or a slow line. `isInSight` says whether the question has been there long enough to be read.
   */
  typed(keys: readonly string[], isInSight: boolean): void;
  /** Text that the terminal marks as pasted, without control characters: a pasted Enter answers nothing. */
  pasted(text: string): void;
  left(): void;
  stopped?(): void;
  /** `fg` continued svc, and the terminal shows the shell's text. */
  continued(): void;
}

/** What arrives within this time of each other came together: some terminals hand over pasted text key by key. */
const TOGETHER_MS = 10;
/** A person has seen a question after this time. */
const IN_SIGHT_MS = 500;
/** What was typed ahead has arrived if nothing came for this time. */
const QUIET_MS = 20;

const PASTE = { start: '\u001b[200~', end: '\u001b[201~' } as const;
const CONTROL = /\p{Cc}/gu;
const CTRL_C = '\u0003';
const LEAVES = /[\u0003\u0004]/;

/**
 * Listens for one question. First reads and drops what was typed before, which no question may take for its answer.
 * Resolves with a function that stops it, or with undefined if the terminal has no more keys.
 */
export async function listen(keys: Keys, ears: Ears): Promise<(() => void) | undefined> {
  let isOpen = false;
  let readings = 0;
  let isStopped = false;
  let buffer = '';
  let timer: NodeJS.Timeout | undefined;
  let inSight: AbortSignal | undefined;
  const hear = () => {
    const { heard, rest } = split(buffer);
    buffer = rest;
    if (rest.includes(CTRL_C)) return ears.left();
    for (const { text, isPasted } of heard) {
      if (isPasted) ears.pasted(text.replace(CONTROL, ' ').trim());
      else if (LEAVES.test(text)) ears.left();
      else ears.typed(text.match(KEY) ?? [], inSight?.aborted === true);
    }
  };
  const listener: KeyListener = {
    needsTerminal: true,
    read(text) {
      readings += 1;
      if (!isOpen) return;
      buffer += text;
      clearTimeout(timer);
      timer = setTimeout(hear, TOGETHER_MS);
    },
    end: () => isOpen && ears.left(),
    leave() {
      isStopped = true;
      ears.stopped?.();
    },
    enter() {
      // Called twice for each stop.
      if (isOpen && isStopped) ears.continued();
      isStopped = false;
    },
  };
  const isRead = keys.available && (await keys.add(listener));
  if (isRead) await quiet(() => readings);
  // The terminal may have gone meanwhile.
  isOpen = isRead && keys.available;
  inSight = AbortSignal.timeout(IN_SIGHT_MS);
  const stop = () => {
    clearTimeout(timer);
    keys.remove(listener);
  };
  if (isOpen) return stop;
  stop();
  return undefined;
}

/** Waits until a count stays as it is. */
async function quiet(count: () => number): Promise<void> {
  const before = count();
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  // A late timer comes before what has arrived in the meantime.
  await new Promise((resolve) => setImmediate(resolve));
  if (count() !== before) await quiet(count);
}

/** Separates pasted text from typed keys. The rest is pasted text whose end is yet to come. */
function split(buffer: string) {
  const heard: { readonly text: string; readonly isPasted: boolean }[] = [];
  let from = 0;
  while (from < buffer.length) {
    const start = buffer.indexOf(PASTE.start, from);
    const typed = buffer.slice(from, start === -1 ? undefined : start);
    if (typed !== '') heard.push({ text: typed, isPasted: false });
    if (start === -1) break;
    const end = buffer.indexOf(PASTE.end, start);
    if (end === -1) return { heard, rest: buffer.slice(start) };
    heard.push({ text: buffer.slice(start + PASTE.start.length, end), isPasted: true });
    from = end + PASTE.end.length;
  }
  return { heard, rest: '' };
}
