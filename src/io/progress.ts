import type { Ora } from 'ora';
import { lazy } from '../lazy.ts';
import { hideCursor, restoreCursor } from './cursor.ts';
import { maskText } from './mask-text.ts';
import { safeLine } from './safe-text.ts';
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
  /** Takes out of the words what must not be shown. */
  readonly conceal?: ((text: string) => string) | undefined;
}

/** Work that ends sooner says nothing, and loads no spinner. */
const QUIET_MS = 150;

const DOTS = { interval: 80, frames: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] };
const ASCII_DOTS = { interval: 130, frames: ['-', '\\', '|', '/'] };

/** Starts to say `text`, after a moment: quick work says nothing. */
export function createProgress(text: string, options: ProgressOptions): Progress {
  const { stream, mode, conceal = (words: string) => words } = options;
  const shown = (said: string) => safeLine(maskText(conceal(said)));
  if (mode === 'silent') return { update() {}, stop() {} };
  let words = shown(text);
  let spinner: Ora | undefined;
  let stopped = false;

  const spin = async () => {
    const ora = await lazy.ora();
    if (stopped) return;
    hideCursor(stream);
    spinner = ora({
      text: words,
      stream,
      spinner: options.unicode ? DOTS : ASCII_DOTS,
      color: options.color ? 'cyan' : false,
      isEnabled: true,
      // Its own ways to hide the cursor and to swallow keys install signal handlers and break Ctrl-C.
      hideCursor: false,
      discardStdin: false,
    }).start();
  };
  const begin = () => {
    if (mode === 'line') stream.write(`${words}\n`);
    // A spinner that cannot be shown must not end the work that it stands for.
    else spin().catch(() => {});
  };
  const timer = setTimeout(begin, QUIET_MS);

  return {
    update(next) {
      words = shown(next);
      if (spinner !== undefined) spinner.text = words;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      if (spinner === undefined) return;
      spinner.stop();
      spinner = undefined;
      restoreCursor(stream);
    },
  };
}
