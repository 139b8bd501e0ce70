import { CliError, cancelledError, EXIT_CODES } from '../../errors.ts';
import { KEY_PATTERN, type KeyListener, type KeyReader, PASTE_END, PASTE_START } from '../keys.ts';

/** A question for a text. */
export interface Question {
  /** A confirmation ignores pasted text, and a secret is not shown. */
  readonly kind: 'confirmation' | 'text' | 'secret';
  readonly message: string;
  readonly placeholder?: string;
  /** The choices of the question before, kept in sight. */
  readonly seen?: readonly string[] | undefined;
  /** Returns the reason to ask again. */
  readonly validate?: (answer: string) => string | undefined;
}

/** One answer of a question with several. */
export interface Choice<T extends string = string> {
  readonly value: T;
  /** Shown instead of the value. */
  readonly label?: string;
  readonly hint?: string;
}

/** How questions look. All texts are safe. */
export interface Style {
  read(question: Question): Promise<string>;
  choose<T extends string>(message: string, choices: readonly Required<Choice<T>>[]): Promise<T>;
}

/** Returns the error of a prompt that was left, by a key or by the signal. */
export function getLeaveReason({ aborted, reason }: AbortSignal, isEsc = false): unknown {
  const isCtrlC = reason instanceof CliError && reason.exitCode === EXIT_CODES.interrupted.exit;
  if (aborted && !isCtrlC) return reason;
  const error = cancelledError('interrupted');
  return isEsc && !aborted ? error.with({ isBack: true }) : error;
}

/**
 * Whether keys that came together may answer a confirmation: the word, to a question in sight and
 * without its Enter; or what says No.
 */
export function mayConfirm(keys: readonly string[], isInSight = false): boolean {
  const text = keys.join('');
  return keys.length === 1 || /^no?[\r\n]?$/i.test(text) || (isInSight && /^yes$/i.test(text));
}

/** The note when pasted text meets a confirmation. */
export const PASTE_IGNORED = 'Pasted text is ignored here. Type your answer.';

/** The events of a question. */
interface QuestionEvents {
  readonly isConfirmation: boolean;
  /**
   * Called with keys that came together: one that a person pressed, or several that were pasted
   * without a mark, or sent as a whole by dictation or a slow line.
   */
  onTyped(keys: readonly string[]): void;
  /**
   * Called with text that the terminal marks as pasted, without control characters: a pasted Enter
   * answers nothing.
   */
  onPasted(text: string): void;
  /** Called in place of both for what may not answer a confirmation. */
  onRefused(): void;
  onLeft(): void;
  onSuspended?(): void;
  /** Called when `fg` has continued svc, and the terminal shows the shell's text. */
  onContinued(): void;
}

/**
 * Listens for one question. First reads and drops what was typed before, which no question may take
 * for its answer. Resolves with a function that stops it, or with undefined if the terminal has no
 * more keys.
 */
export async function listen(
  keys: KeyReader,
  events: QuestionEvents,
): Promise<(() => void) | undefined> {
  const listener = new QuestionListener(events);
  const isReading = keys.isAvailable && (await keys.addListener(listener));
  if (isReading) await listener.waitForQuiet();

  const stop = () => {
    listener.stop();
    keys.removeListener(listener);
  };
  // The terminal may have gone meanwhile.
  if (isReading && keys.isAvailable) {
    listener.open();
    return stop;
  }
  stop();
  return undefined;
}

/** Some terminals hand over pasted text key by key, within this time of each other. */
const TOGETHER_MS = 10;

/** A person has seen a question after this time. */
const IN_SIGHT_MS = 500;

/** Text that was typed ahead has arrived if nothing came for this time. */
const QUIET_MS = 20;

/** Pasted text with its marks; the second one may be yet to come. */
const PASTED = /(\u001b\[200~.*?(?:\u001b\[201~|$))/s;
const CONTROL = /\p{Cc}/gu;
const CTRL_C = '\u0003';
const LEAVES = /[\u0003\u0004]/;

/** Collects what arrives for a question, and tells it apart. */
class QuestionListener implements KeyListener {
  readonly needsTerminal = true;
  readonly #events: QuestionEvents;
  #isOpen = false;
  #isSuspended = false;
  #readings = 0;
  #buffer = '';
  #timer: NodeJS.Timeout | undefined;
  #inSight: AbortSignal | undefined;

  constructor(events: QuestionEvents) {
    this.#events = events;
  }

  /** Waits until what was typed ahead has arrived. */
  async waitForQuiet(): Promise<void> {
    const before = this.#readings;
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    // A late timer comes before what has arrived in the meantime.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#readings !== before) await this.waitForQuiet();
  }

  open(): void {
    this.#isOpen = true;
    this.#inSight = AbortSignal.timeout(IN_SIGHT_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  onText(text: string): void {
    this.#readings += 1;
    if (!this.#isOpen) return;
    this.#buffer += text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#flush(), TOGETHER_MS);
  }

  onEnd(): void {
    if (this.#isOpen) this.#events.onLeft();
  }

  onSuspend(): void {
    this.#isSuspended = true;
    this.#events.onSuspended?.();
  }

  /** Called twice for each stop. */
  onStart(): void {
    if (this.#isOpen && this.#isSuspended) this.#events.onContinued();
    this.#isSuspended = false;
  }

  /** Hands on what has come together, but for a paste that has not ended. */
  #flush(): void {
    const parts = this.#buffer.split(PASTED).filter((part) => part !== '');
    const last = parts.at(-1);
    const isUnfinished = last?.startsWith(PASTE_START) && !last.endsWith(PASTE_END);
    this.#buffer = (isUnfinished && parts.pop()) || '';
    if (this.#buffer.includes(CTRL_C)) {
      this.#events.onLeft();
      return;
    }

    for (const part of parts) this.#handOn(part);
  }

  /** Hands on a paste, or what was typed. A paste never confirms. */
  #handOn(part: string): void {
    const events = this.#events;
    const keys = part.match(KEY_PATTERN) ?? [];
    const isPasted = part.startsWith(PASTE_START);
    if (!isPasted && LEAVES.test(part)) {
      events.onLeft();
    } else if (events.isConfirmation && (isPasted || !mayConfirm(keys, this.#inSight?.aborted))) {
      events.onRefused();
    } else if (isPasted) {
      const text = part.slice(PASTE_START.length, -PASTE_END.length);
      events.onPasted(text.replace(CONTROL, ' ').trim());
    } else {
      events.onTyped(keys);
    }
  }
}
