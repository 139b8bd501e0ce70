import type { KeyListener, KeyReader } from './keys.ts';
import type { Output } from './output.ts';
import type { OutputStream } from './terminal.ts';

/** The terminal of a full screen. */
interface FullScreenTerminal {
  readonly keys: KeyReader;
  readonly options: { readonly stdout: OutputStream };
  readonly out: Output;
  /** Whether a drawing takes the place of the one before, or is printed below it. */
  readonly canMove: boolean;
}

/** A drawing that has the whole terminal, as `top` has it. */
export type FullScreen = ReturnType<typeof openFullScreen>;

/** The alternate screen, without a cursor and without wrapping. */
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l';

const TICK_MS = 1000;

/**
 * Takes the terminal until it is closed. Draws every second, when the size changes, and after `fg`.
 */
export function openFullScreen(
  { keys, options: { stdout }, out, canMove }: FullScreenTerminal,
  content: (hasKeys: boolean) => Promise<string>,
  onKey: (key: string) => void,
) {
  let drawing = Promise.resolve();
  let isOpen = true;
  let last: string | undefined;
  const draw = async () => {
    const text = (await content(canMove && keys.isAvailable)).trimEnd();
    if (!isOpen || (canMove && text === last)) return;
    last = text;
    await out.write(canMove ? toFrame(text.split('\n'), out.rows) : `${text}\n\n`);
  };
  /** Draws the content as it is now, if it has changed. */
  const refresh = (): Promise<void> => {
    drawing = drawing.then(draw);
    return drawing;
  };
  // The next refresh of the command reports a write error.
  const tick = () => void refresh().catch(() => undefined);
  const redraw = () => {
    last = undefined;
    tick();
  };
  const listener: KeyListener = {
    needsTerminal: true,
    onStart() {
      stdout.write(ENTER);
      redraw();
    },
    onSuspend: () => void stdout.write(LEAVE),
    onKey,
  };
  const ticks = canMove ? setInterval(tick, TICK_MS) : undefined;
  if (canMove) {
    void keys.addListener(listener);
    stdout.on('resize', redraw);
  }
  return {
    refresh,
    /** Restores the terminal; may be called more than once. */
    close(): void {
      if (!isOpen) return;
      isOpen = false;
      clearInterval(ticks);
      stdout.off('resize', redraw);
      keys.removeListener(listener);
      if (canMove) stdout.write(LEAVE);
    },
  };
}

/** Draws the lines from the top, without what does not fit above the last line. */
function toFrame(lines: readonly string[], rows: number): string {
  const fits = rows === 0 || lines.length <= rows;
  const shown = fits ? lines : [...lines.slice(0, rows - 1), ...lines.slice(-1)];
  // Cleared first: behind a line as wide as the terminal, the cursor stays on the last character.
  const cleared = shown.map((line, index) => {
    const isLast = index === shown.length - 1;
    return (isLast ? '\u001b[J' : '\u001b[K') + line;
  });
  return `\u001b[H${cleared.join('\n')}`;
}
