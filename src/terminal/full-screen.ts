import type { KeyListener, KeyReader } from './keys.ts';
import type { FullScreen, Output, OutputStream } from './terminal.ts';

interface FullScreenOptions {
  readonly keys: KeyReader;
  readonly stdout: OutputStream;
  readonly output: Output;
  /** Whether a drawing takes the place of the one before, or is printed below it. */
  readonly canMove: boolean;
  readonly onKey: (key: string) => void;
}

/** The alternate screen, without a cursor and without wrapping. */
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l';

const TICK_MS = 1000;

/**
 * Takes the terminal until it is closed. Draws every second, when the size changes, and after `fg`.
 */
export function openFullScreen(
  content: (hasKeys: boolean) => Promise<string>,
  { keys, stdout, output, canMove, onKey }: FullScreenOptions,
): FullScreen {
  let drawing = Promise.resolve();
  let isOpen = true;
  let last: string | undefined;
  const draw = async () => {
    const text = (await content(canMove && keys.isAvailable)).trimEnd();
    if (!isOpen || (canMove && text === last)) return;
    last = text;
    await output.write(canMove ? toFrame(text.split('\n'), output.rows) : `${text}\n\n`);
  };
  const refresh = () => {
    drawing = drawing.then(draw);
    return drawing;
  };
  if (!canMove) {
    return {
      refresh,
      close() {
        isOpen = false;
      },
    };
  }

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
  const ticks = setInterval(tick, TICK_MS);
  void keys.addListener(listener);
  stdout.on('resize', redraw);
  return {
    refresh,
    close() {
      if (!isOpen) return;
      isOpen = false;
      clearInterval(ticks);
      stdout.off('resize', redraw);
      keys.removeListener(listener);
      stdout.write(LEAVE);
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
