import { CliError, cancelled, EXIT_CODES } from '../../errors.ts';
import { KEY, type KeyListener, type Keys } from '../keys.ts';
import type { Choice, OutputStream } from '../terminal.ts';

/** What questions need of the terminal. */
export interface StyleOptions {
  readonly keys: Keys;
  readonly stderr: OutputStream;
  readonly hasColors: boolean;
  /** Ends a question; see {@link getLeaveReason}. */
  readonly signal: AbortSignal | undefined;
}

interface Question {
  /** A confirmation ignores pasted text, and a secret is not shown. */
  readonly kind: 'confirmation' | 'text' | 'secret';
  readonly message: string;
  readonly placeholder?: string;
  readonly seen?: readonly string[];
  /** Returns the reason to ask again. */
  readonly check: (answer: string) => string | undefined;
}

/** How questions look. All texts are safe. */
export interface Style {
  read(question: Question): Promise<string>;
  choose<T extends string>(message: string, choices: readonly Required<Choice<T>>[]): Promise<T>;
}

/** The error of a prompt that was left, by a key or by the signal. */
export function getLeaveReason(signal: AbortSignal | undefined, isEsc = false): unknown {
  const isCtrlC =
    signal?.reason instanceof CliError && signal.reason.exitCode === EXIT_CODES.interrupted.exit;
  if (signal?.aborted && !isCtrlC) return signal.reason;
  return isEsc && !signal?.aborted
    ? cancelled('interrupted').with({ isBack: true })
    : cancelled('interrupted');
}

/**
 * Whether keys that came together may answer a confirmation: the word, to a question in sight and
 * without its Enter; or what says No.
 */
export function mayConfirm(keys: readonly string[], isInSight: boolean): boolean {
  const text = keys.join('');
  return keys.length === 1 || /^no?[\r\n]?$/i.test(text) || (isInSight && /^yes$/i.test(text));
}

/** Said when pasted text meets a confirmation. */
export const PASTE_IGNORED = 'Pasted text is ignored here. Type your answer.';

interface Ears {
  /**
   * Keys that came together: one that a person pressed, or several that were pasted without a mark,
   * or sent as a whole by dictation or a slow line. `isInSight` says whether the question has been
   * there long enough to be read.
   */
  typed(keys: readonly string[], isInSight: boolean): void;
  /**
   * Text that the terminal marks as pasted, without control characters: a pasted Enter answers
   * nothing.
   */
  pasted(text: string): void;
  left(): void;
  stopped?(): void;
  /** `fg` continued svc, and the terminal shows the shell's text. */
  continued(): void;
}

/** Some terminals hand over pasted text key by key, within this time of each other. */
const TOGETHER_MS = 10;
/** A person has seen a question after this time. */
const IN_SIGHT_MS = 500;
/** What was typed ahead has arrived if nothing came for this time. */
const QUIET_MS = 20;

const PASTE_START = '\u001b[200~';
const PASTE_END = '\u001b[201~';
/** Without its end if that is yet to come. */
const PASTED = /(\u001b\[200~.*?(?:\u001b\[201~|$))/s;
const CONTROL = /\p{Cc}/gu;
const CTRL_C = '\u0003';
const LEAVES = /[\u0003\u0004]/;

/**
 * Listens for one question. First reads and drops what was typed before, which no question may take
 * for its answer. Resolves with a function that stops it, or with undefined if the terminal has no
 * more keys.
 */
export async function listen(keys: Keys, ears: Ears): Promise<(() => void) | undefined> {
  let isOpen = false;
  let readings = 0;
  let isStopped = false;
  let buffer = '';
  let timer: NodeJS.Timeout | undefined;
  let inSight: AbortSignal | undefined;
  const hear = () => {
    const parts = buffer.split(PASTED).filter((part) => part !== '');
    const last = parts.at(-1);
    buffer = last?.startsWith(PASTE_START) && !last.endsWith(PASTE_END) ? last : '';
    if (buffer.includes(CTRL_C)) return ears.left();
    for (const part of buffer === '' ? parts : parts.slice(0, -1)) {
      if (part.startsWith(PASTE_START)) {
        ears.pasted(part.slice(PASTE_START.length, -PASTE_END.length).replace(CONTROL, ' ').trim());
      } else if (LEAVES.test(part)) ears.left();
      else ears.typed(part.match(KEY) ?? [], inSight?.aborted === true);
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

async function quiet(count: () => number): Promise<void> {
  const before = count();
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  // A late timer comes before what has arrived in the meantime.
  await new Promise((resolve) => setImmediate(resolve));
  if (count() !== before) await quiet(count);
}
