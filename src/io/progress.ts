import type { OutputStream } from './sink.ts';

/** Says that something is going on. */
export interface Progress {
  /** Changes the words; a screen that does not move keeps the first ones. */
  update(text: string): void;
  /** Ends it; may be called again. */
  stop(): void;
}

/** How progress is shown. */
export interface ProgressOptions {
  readonly stream: OutputStream;
  /** Something that moves, one line of words, or nothing. */
  readonly mode: 'spinner' | 'line' | 'silent';
  readonly unicode: boolean;
  readonly color: boolean;
}

/** Starts to say `text`, after a moment: quick work says nothing. */
export function createProgress(_text: string, _options: ProgressOptions): Progress {
  return { update() {}, stop() {} };
}

/** Shows the cursor of a terminal again. */
export function restoreCursor(_stream: OutputStream): void {}
