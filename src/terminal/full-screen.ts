import type { KeyListener, Keys } from './keys.ts';
import type { FullScreen, Io, Output, OutputStream } from './terminal.ts';

interface FullScreenOptions {
  readonly keys: Keys;
  readonly stdout: OutputStream;
  readonly sink: Output;
  /** Without movement each drawing is printed below the one before. */
  readonly moves: boolean;
  readonly press: NonNullable<KeyListener['press']>;
}

/** The alternate screen, without a cursor and without wrapping. */
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l';

const TICK_MS = 1000;

/**
 * Takes the terminal until it is closed. Draws every second, when the size changes, and after `fg`.
 */
export function openFullScreen(
  content: Parameters<Io['fullScreen']>[0],
  options: FullScreenOptions,
): FullScreen {
  const { keys, stdout, sink, moves, press } = options;
  let drawing = Promise.resolve();
  let isOpen = true;
  let shown: string | undefined;
  const draw = async () => {
    const text = (await content(moves && keys.available)).trimEnd();
    if (!isOpen || (moves && text === shown)) return;
    shown = text;
    await sink.write(moves ? frameOf(text.split('\n'), sink.rows) : `${text}\n\n`);
  };
  const refresh = () => {
    drawing = drawing.then(draw);
    return drawing;
  };
  // The next refresh of the command reports a write error.
  const tick = () => void refresh().catch(() => undefined);
  const redraw = () => {
    shown = undefined;
    tick();
  };
  const listener: KeyListener = {
    needsTerminal: true,
    enter() {
      stdout.write(ENTER);
      redraw();
    },
    leave: () => void stdout.write(LEAVE),
    press,
  };
  const ticks = moves ? setInterval(tick, TICK_MS) : undefined;
  if (moves) {
    void keys.add(listener);
    stdout.on('resize', redraw);
  }
  return {
    refresh,
    close() {
      if (isOpen && moves) {
        clearInterval(ticks);
        stdout.off('resize', redraw);
        keys.remove(listener);
        stdout.write(LEAVE);
      }
      isOpen = false;
    },
  };
}

/** Leaves out what does not fit above the last line. */
function frameOf(lines: readonly string[], rows: number): string {
  const fits = rows === 0 || lines.length <= rows;
  const shown = fits ? lines : [...lines.slice(0, rows - 1), ...lines.slice(-1)];
  // Cleared first: behind a line as wide as the terminal, the cursor stays on the last character.
  const clear = (index: number) => `\u001b[${index === shown.length - 1 ? 'J' : 'K'}`;
  return `\u001b[H${shown.map((line, index) => `${clear(index)}${line}`).join('\n')}`;
}
