import type { Readable, Writable } from 'node:stream';
import type { TimeZone } from './dates.ts';
import type { Text } from './screen.ts';

// The parts of the terminal; `createIo` (io.ts) makes them.

/** Colours an output may use: none, 16, 256 or 16 million. */
export type ColorLevel = 0 | 1 | 2 | 3;

/** How an output is laid out. */
export interface View {
  readonly columns: number;
  /** The rows; undefined or 0 if unknown. */
  readonly rows?: number;
  readonly colorLevel: ColorLevel;
  readonly unicode: boolean;
  /** Static lines in words, no drawings. */
  readonly accessible: boolean;
  readonly tty: boolean;
  /** Write links as OSC 8. */
  readonly links: boolean;
  /** Returns the dashboard's page of a text that is an id. */
  readonly pageOf?: ((text: string) => string | undefined) | undefined;
  /** Paths below it are shown with `~`. */
  readonly home?: string | undefined;
  /** Milliseconds since the epoch; dates are shown relative to it. */
  readonly now: number;
  readonly timeZone?: TimeZone;
  readonly zones?: Map<string, object>;
  /** Redacts text before it is shown. */
  readonly conceal: (text: string) => string;
}

/** The kind of what is written: text for people and spreadsheets, JSON, or data for another program. */
export type Form = 'text' | 'json' | 'raw';

/** A stream for output. */
export interface Output {
  readonly isTty: boolean;
  /** The columns for a layout: 80 if unknown. */
  readonly columns: number;
  /** The columns that the terminal reports, like `rows`; 0 if unknown. */
  readonly realColumns: number;
  readonly rows: number;
  readonly colorLevel: ColorLevel;
  readonly closed: boolean;
  /**
   * Resolves when the system has taken the bytes.
   * @param form how a CI runner is kept from finding a command in it
   * @throws OutputClosed if the reader has gone; CliError `unexpected` for any other write error,
   * such as a full disk.
   */
  write(chunk: string | Uint8Array, form?: Form): Promise<void>;
}

/** `process.stdout` or `process.stderr`. */
export type OutputStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly fd?: number;
};

/** The processes that a shell stops and continues together. */
export interface ShellJob {
  /**
   * Returns false if unknown. In the background the system stops a job that reads the terminal or changes
   * its mode.
   */
  isForeground(): Promise<boolean>;
  /** Sends a signal to all processes of the job, as the terminal does. */
  send(signal: 'SIGINT' | 'SIGQUIT' | 'SIGTSTP'): void;
  /**
   * Calls `leave` before Ctrl-Z stops the process, and `enter` when it continues, perhaps in the
   * background.
   */
  onStop(leave: () => void, enter: () => void): () => void;
}

/** `process.stdin`; only that of a terminal has a raw mode. */
export type TerminalInput = Readable & {
  readonly isTTY?: boolean;
  setRawMode?(on: boolean): unknown;
};

/** A drawing that has the whole terminal, as `top` has it. */
export interface FullScreen {
  /** Draws the content as it is now, if it has changed. */
  refresh(): Promise<void>;
  /** Restores the terminal; may be called more than once. */
  close(): void;
}

/** A function gives the text anew several times a second. */
export type ProgressText = string | (() => string);

/** The progress of some work. */
export interface Progress {
  /** Changes the text of a spinner; a line that is printed already stays. */
  update(text: ProgressText): void;
  /** May be called more than once. */
  stop(): void;
}

/** Shows progress on stderr, one at a time. */
export interface Progresses {
  /**
   * Shows a text; of several the last one. One `byDefault` gives way to any other until it is
   * updated, and is not printed as a line except with `ACCESSIBLE`.
   */
  progress(text: ProgressText, options?: { readonly byDefault?: boolean }): Progress;
  during<T>(text: string, work: () => Promise<T>): Promise<T>;
  /** Draws no progress while a question is open. */
  whileHidden<T>(question: () => Promise<T>): Promise<T>;
  /** Stops all progress and shows the cursor again, even in the middle of a prompt. */
  restoreTerminal(): void;
}

/** One answer of a question with several. */
export interface Choice<T extends string = string> {
  readonly value: T;
  /** Shown instead of the value. */
  readonly label?: string;
  readonly hint?: string;
}

/** How a question is confirmed; by default with `y` and Enter. */
export interface ConfirmOptions {
  /** Whether only the word `yes` confirms what cannot be undone, such as spending money. */
  readonly word?: boolean;
}

interface AskOptions {
  /** Whether Esc leads to the question before, which is then said. */
  readonly back?: boolean | undefined;
  readonly placeholder?: string;
  /** The choices of the question before, kept in sight. */
  readonly seen?: readonly string[] | undefined;
  /** Returns the reason to ask again. */
  readonly validate?: (answer: string) => string | undefined;
}

/**
 * Each throws CliError `interrupted` if it is cancelled, with `isBack` if by Esc, and `usage` if
 * nobody can be asked.
 */
export interface Prompts {
  /** Everything but a Yes is No; pasted text is no answer. */
  confirm(question: string, options?: ConfirmOptions): Promise<boolean>;
  select<T extends string>(
    question: string,
    choices: readonly Choice<T>[],
    options?: Pick<AskOptions, 'back'>,
  ): Promise<T>;
  ask(question: string, options?: AskOptions): Promise<string>;
  askSecret(question: string, options?: Pick<AskOptions, 'validate'>): Promise<string>;
}

/** Messages on stderr, in the order in which they were said. */
export interface Notes {
  /** Prints a line on stderr, except with `--json` or `--quiet`. */
  note(text: Text): Promise<void>;
  /**
   * Prints `Warning: …` on stderr, also with `--quiet`; with `--json` a line `{"warning", "code"}`.
   * @param lines details, one a line; a part of the warning in JSON
   */
  warn(text: Text, code: string, lines?: readonly Text[]): Promise<void>;
  /** Shows a text without secrets beside the step of GitHub Actions; elsewhere does nothing. */
  annotate(level: 'error' | 'warning', code: string, text: string): Promise<void>;
  said(): Promise<void>;
}

/** A program that runs command lines inside svc, and stands between svc and the person. */
export interface Host {
  /** Asks a person; undefined if nobody can be asked. Throws to end the command and ask later. */
  readonly confirm: ((question: string, details: string) => Promise<boolean>) | undefined;
  progress(text: string): void;
}
