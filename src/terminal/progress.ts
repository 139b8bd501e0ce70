import type { Ora } from 'ora';
import { lazy } from '../lazy.ts';
import type { View } from './capabilities.ts';
import { maskText } from './mask-text.ts';
import { safeLine } from './safe-text.ts';
import { hideCursor, type OutputStream, restoreCursor, type Sink } from './sink.ts';
import { piecesOf, type Text } from './text.ts';

export interface Notes {
  /** Prints a line on stderr, except with `--json` or `--quiet`. */
  note(text: Text): Promise<void>;
  /** Prints `Warning: …` on stderr, except with `--json`. */
  warn(text: Text): Promise<void>;
}

export interface Progress {
  /** Changes the text of a spinner; a line that is printed already stays. */
  update(text: string): void;
  /** May be called more than once. */
  stop(): void;
}

export interface Progresses {
  /** Shows on stderr that something is in progress, until it is stopped. */
  progress(text: string): Progress;
  /** Stops all progress and shows the cursor again; called at every exit, even in the middle of a prompt. */
  restoreCursor(): void;
}

/** Decides how messages appear; read for each message, because flags are parsed after the streams are set up. */
export interface OutputMode {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly unicode: boolean;
  /** Whether stderr may show a spinner. */
  readonly spinner: boolean;
  view(sink: Sink): View;
}

/** Prints messages on stderr. Write errors are ignored: they must not end the command. */
export function createNotes(err: Sink, mode: () => OutputMode): Notes {
  const print = async (text: Text) => {
    // Most runs print no messages and need no renderer.
    const { render } = await import('./render.ts');
    const view = mode().view(err);
    // A message that is searched with `grep` stays on one line.
    const columns = view.tty ? view.columns : Number.POSITIVE_INFINITY;
    await err.write(await render([{ kind: 'line', text }], { ...view, columns })).catch(() => {});
  };
  return {
    note: async (text) => {
      if (!mode().json && !mode().quiet) await print(text);
    },
    warn: async (text) => {
      if (!mode().json) await print([{ text: 'Warning:', tone: 'warn' }, ' ', ...piecesOf(text)]);
    },
  };
}

/** Quicker work shows no progress and loads no spinner. */
const DELAY_MS = 150;

const DOTS = { interval: 80, frames: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] };
const ASCII_DOTS = { interval: 130, frames: ['-', '\\', '|', '/'] };

export function createProgresses(stream: OutputStream, err: Sink, mode: () => OutputMode): Progresses {
  const running = new Set<Progress>();
  return {
    progress(text) {
      const progress = startProgress(text, stream, err, mode());
      running.add(progress);
      return progress;
    },
    restoreCursor() {
      for (const progress of running) progress.stop();
      restoreCursor(stream);
    },
  };
}

/** Shows a spinner, or one line on a terminal that cannot show one. */
function startProgress(first: string, stream: OutputStream, err: Sink, mode: OutputMode): Progress {
  if (!mode.spinner && (!err.isTty || mode.json || mode.quiet)) return { update() {}, stop() {} };
  const { conceal = (said: string) => said } = mode.view(err);
  const safe = (said: string) => safeLine(maskText(conceal(said)));
  let text = safe(first);
  let spinner: Ora | undefined;
  let stopped = false;
  const spin = async () => {
    const ora = await lazy.ora();
    if (stopped) return;
    hideCursor(stream);
    spinner = ora({
      text,
      stream,
      spinner: mode.unicode ? DOTS : ASCII_DOTS,
      color: err.colorLevel > 0 ? 'cyan' : false,
      isEnabled: true,
      // Ora's own cursor and key handling installs signal handlers and breaks Ctrl-C.
      hideCursor: false,
      discardStdin: false,
    }).start();
  };
  const begin = () => {
    if (!mode.spinner) stream.write(`${text}\n`);
    // A spinner that fails must not end the work.
    else spin().catch(() => {});
  };
  const timer = setTimeout(begin, DELAY_MS);
  return {
    update(next) {
      text = safe(next);
      if (spinner !== undefined) spinner.text = text;
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
