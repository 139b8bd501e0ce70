import type { OutputStream } from './sink.ts';

const hidden = new WeakSet<OutputStream>();

/** Hides the cursor of a terminal. */
export function hideCursor(stream: OutputStream): void {
  noteHiddenCursor(stream);
  stream.write('\u001b[?25l');
}

/** Remembers that somebody else hides the cursor of a terminal. */
export function noteHiddenCursor(stream: OutputStream): void {
  hidden.add(stream);
}

/** Shows the cursor of a terminal again, where it was hidden. */
export function restoreCursor(stream: OutputStream): void {
  if (hidden.delete(stream)) stream.write('\u001b[?25h');
}
