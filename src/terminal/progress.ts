import type { Ora } from 'ora';
import type { Clock } from '../clock.ts';
import { lazy } from '../lazy.ts';
import { maskText } from './mask.ts';
import { hideCursor, restoreCursor, withUsableColumns } from './output.ts';
import { safeLine } from './safe-text.ts';
import type {
  Host,
  Io,
  Output,
  OutputStream,
  Progresses,
  ProgressText,
  ShellJob,
} from './terminal.ts';

/** Quicker work shows no progress. */
const DELAY_MS = 300;
/** People may then want to stop, and look away until it ends. */
const LONG_MS = 10_000;
const TICK_MS = 200;
/** Programs give up on work that says nothing for a minute. */
const TELL_MS = 2_000;

const BELL = '\u0007';

const DOTS = { interval: 80, frames: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] };
const ASCII_DOTS = { interval: 130, frames: ['-', '\\', '|', '/'] };

interface ProgressOptions {
  readonly stderr: OutputStream;
  readonly job?: ShellJob | undefined;
  readonly host?: Host | undefined;
}

/**
 * Draws a spinner on a terminal; elsewhere prints a line if it takes long. A host is told instead.
 */
export function createProgresses(
  options: ProgressOptions,
  io: () => Io,
  clock: Pick<Clock, 'monotonic'>,
): Progresses {
  const { stderr, host } = options;
  const telling = new Set<NodeJS.Timeout>();
  const running = new Set<{ text: ProgressText; byDefault: boolean }>();
  let startedAt = 0;
  let questions = 0;
  let drawing: Drawing | undefined;
  const concealed = (text: ProgressText) => {
    const { conceal = (said: string) => said } = io().view(io().err);
    return safeLine(maskText(conceal(typeof text === 'string' ? text : text())));
  };
  const isLong = () => clock.monotonic() - startedAt >= LONG_MS;
  const words = () => {
    const all = [...running];
    const text = concealed((all.findLast(({ byDefault }) => !byDefault) ?? all.at(-1))?.text ?? '');
    return isLong() && !text.includes('Ctrl-C') ? `${text}  Ctrl-C to stop` : text;
  };
  const settle = () => {
    if (running.size > 0 && questions === 0) {
      if (drawing !== undefined) return drawing.refresh();
      startedAt = clock.monotonic();
      drawing = io().spinner ? spin(words, options, io()) : printLine(words, io().err);
      return;
    }
    const rings = drawing !== undefined && isLong() && io().bell;
    drawing?.stop();
    drawing = undefined;
    if (rings) stderr.write(BELL);
  };
  const progress: Progresses['progress'] = (text, { byDefault = false } = {}) => {
    const { err, spinner, json, quiet, accessible } = io();
    const entry = { text, byDefault };
    const update = (next: ProgressText) =>
      void Object.assign(entry, { text: next, byDefault: false });
    if (host !== undefined) {
      const tell = () => entry.byDefault || host.progress(concealed(entry.text));
      const again = setInterval(tell, TELL_MS).unref();
      telling.add(again);
      tell();
      return {
        update(next) {
          update(next);
          tell();
        },
        stop: () => clearInterval(again),
      };
    }
    const takesLines = err.isTty && !json && !quiet && (!byDefault || accessible);
    if (!spinner && !takesLines) return { update() {}, stop() {} };
    running.add(entry);
    settle();
    return {
      update(next) {
        update(next);
        settle();
      },
      stop() {
        running.delete(entry);
        settle();
      },
    };
  };
  return {
    progress,
    async whileHidden(question) {
      questions += 1;
      settle();
      try {
        return await question();
      } finally {
        questions -= 1;
        settle();
      }
    },
    async during(text, work) {
      const { stop } = progress(text);
      return work().finally(stop);
    },
    restoreTerminal() {
      for (const again of telling) clearInterval(again);
      running.clear();
      settle();
      restoreCursor(stderr);
    },
  };
}

interface Drawing {
  refresh(): void;
  stop(): void;
}

function printLine(words: () => string, err: Output): Drawing {
  const timer = setTimeout(() => void err.write(`${words()}\n`).catch(() => {}), DELAY_MS);
  return { refresh() {}, stop: () => clearTimeout(timer) };
}

function spin(
  words: () => string,
  { stderr: stream, job }: ProgressOptions,
  { unicode, err }: Io,
): Drawing {
  let spinner: Ora | undefined;
  let ticker: NodeJS.Timeout | undefined;
  let stopped = false;
  const refresh = () => {
    if (spinner !== undefined) spinner.text = words();
  };
  const leave = () => {
    spinner?.clear();
    restoreCursor(stream);
  };
  const enter = async () => {
    if ((await job?.isForeground()) && spinner !== undefined) hideCursor(stream);
  };
  let forget: (() => void) | undefined;
  const start = async () => {
    const ora = await lazy.ora();
    if (stopped) return;
    forget = job?.onStop(leave, () => void enter());
    hideCursor(stream);
    spinner = ora({
      text: words(),
      stream: withUsableColumns(stream),
      spinner: unicode ? DOTS : ASCII_DOTS,
      color: err.colorLevel > 0 ? 'cyan' : false,
      isEnabled: true,
      // Ora's own cursor and key handling installs signal handlers and breaks Ctrl-C.
      hideCursor: false,
      discardStdin: false,
    }).start();
    ticker = setInterval(refresh, TICK_MS);
  };
  // A spinner that fails must not end the work.
  const timer = setTimeout(() => start().catch(() => {}), DELAY_MS);
  return {
    refresh,
    stop() {
      stopped = true;
      clearTimeout(timer);
      clearInterval(ticker);
      forget?.();
      if (spinner === undefined) return;
      spinner.stop();
      spinner = undefined;
      restoreCursor(stream);
    },
  };
}
