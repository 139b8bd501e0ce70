import type { Readable } from 'node:stream';

/** `process.stdin`; only that of a terminal has a raw mode. */
export type TerminalInput = Readable & { readonly isTTY?: boolean; setRawMode?(on: boolean): unknown };

const CTRL_C = '\u0003';
const CTRL_Z = '\u001a';
const ESCAPE = '\u001b';

/**
 * Reads single keys without showing them. Ctrl-C and Ctrl-Z keep working. Returns a function that stops reading.
 */
export function readKeys(
  stdin: TerminalInput,
  raise: (signal: 'SIGINT' | 'SIGTSTP') => void,
  act: (key: string) => void,
): () => void {
  const raw = (on: boolean) => void stdin.setRawMode?.(on);
  const suspend = () => {
    raw(false);
    raise('SIGTSTP');
    // The process stops before the next turn of the event loop.
    setImmediate(() => isOver || raw(true));
  };
  const read = (chunk: Buffer | string) => {
    const keys = String(chunk);
    // Arrow keys and the like send several characters.
    if (keys.startsWith(ESCAPE)) return;
    for (const key of keys) {
      if (key === CTRL_C) raise('SIGINT');
      else if (key === CTRL_Z) suspend();
      else act(key);
    }
  };
  const ignore = () => {};
  let isOver = false;
  raw(true);
  // A closed terminal reports an error here; the signal that comes with it ends the command.
  stdin.on('data', read).on('error', ignore).resume();
  return () => {
    if (isOver) return;
    isOver = true;
    stdin.off('data', read).pause();
    raw(false);
  };
}
