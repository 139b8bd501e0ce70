import type { Readable, Writable } from 'node:stream';
import type { TimeZone } from './format.ts';

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
  /** Redacts text before it is shown. */
  readonly conceal: (text: string) => string;
}

/** `process.stdout` or `process.stderr`. */
export type OutputStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly fd?: number;
};

/** `process.stdin`; only that of a terminal has a raw mode. */
export type TerminalInput = Readable & {
  readonly isTTY?: boolean;
  setRawMode?(on: boolean): unknown;
};

/** A program that runs command lines inside svc, and stands between svc and the person. */
export interface Host {
  /** Asks a person; undefined if nobody can be asked. Throws to end the command and ask later. */
  readonly confirm: ((question: string, details: string) => Promise<boolean>) | undefined;
  progress(text: string): void;
}
