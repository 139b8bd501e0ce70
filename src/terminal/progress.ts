import type { Ora } from 'ora';
import type { Clock } from '../clock.ts';
import { lazy } from '../lazy.ts';
import { maskText } from './mask.ts';
import { safeLine } from './safe-text.ts';
import { hideCursor, restoreCursor } from './sink.ts';
import type { OutputMode, OutputStream, Progresses, ProgressText, ShellJob, Sink } from './terminal.ts';

/** Quicker work shows no progress and loads no spinner. */
const DELAY_MS = 300;
/** From then on people may want to stop, and have looked away when it ends. */
const LONG_MS = 10_000;
const TICK_MS = 200;
/** Programs give up on work that says nothing for long, many after a minute. */
const TELL_MS = 2_000;

const BELL = '\u0007';

const DOTS = { interval: 80, frames: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] };
const ASCII_DOTS = { interval: 130, frames: ['-', '\\', '|', '/'] };

/** Draws a spinner on a terminal; elsewhere prints a line if it takes long. */
export function createProgresses(
  stream: OutputStream,
  err: Sink,
  mode: () => OutputMode,
  clock: Pick<Clock, 'monotonic'>,
  job: ShellJob | undefined,
  tell?: (text: string) => void,
): Progresses {
  const telling = new Set<NodeJS.Timeout>();
  const running = new Set<{ text: ProgressText; byDefault: boolean }>();
  let startedAt = 0;
  let drawing: Drawing | undefined;
  const concealed = (text: ProgressText) => {
    const { conceal = (said: string) => said } = mode().view(err);
    return safeLine(maskText(conceal(typeof text === 'string' ? text : text())));
  };
  const words = () => {
    const all = [...running];
    const text = (all.findLast(({ byDefault }) => !byDefault) ?? all.at(-1))?.text ?? '';
    const safe = concealed(text);
    const isLong = clock.monotonic() - startedAt >= LONG_MS && !safe.includes('Ctrl-C');
    return isLong ? `${safe}  Ctrl-C to stop` : safe;
  };
  let questions = 0;
  const settle = () => {
    if (running.size > 0 && questions === 0) {
      if (drawing !== undefined) return drawing.refresh();
      startedAt = clock.monotonic();
      const { spinner, unicode } = mode();
      drawing = spinner ? spin(words, stream, err, unicode, job) : printLine(words, err);
      return;
    }
    const wasLong = drawing !== undefined && clock.monotonic() - startedAt >= LONG_MS;
    drawing?.stop();
    drawing = undefined;
    if (wasLong && mode().bell) stream.write(BELL);
  };
  const progress: Progresses['progress'] = (text, { byDefault = false } = {}) => {
    if (tell !== undefined) {
      let latest = text;
      let isTold = !byDefault;
      const say = () => isTold && tell(concealed(latest));
      say();
      const again = setInterval(say, TELL_MS).unref();
      telling.add(again);
      const update = (next: ProgressText) => {
        latest = next;
        isTold = true;
        say();
      };
      return { update, stop: () => clearInterval(again) };
    }
    const { spinner, json, quiet, accessible } = mode();
    const takesLines = err.isTty && !json && !quiet && (!byDefault || accessible);
    if (!spinner && !takesLines) return { update() {}, stop() {} };
    const entry = { text, byDefault };
    running.add(entry);
    settle();
    return {
      update(next) {
        Object.assign(entry, { text: next, byDefault: false });
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
    async aside(question) {
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
      restoreCursor(stream);
    },
  };
}

interface Drawing {
  refresh(): void;
  stop(): void;
}

/** For terminals that cannot show a spinner. */
function printLine(words: () => string, err: Sink): Drawing {
  const timer = setTimeout(() => void err.write(`${words()}\n`).catch(() => {}), DELAY_MS);
  return { refresh() {}, stop: () => clearTimeout(timer) };
}

function spin(
  words: () => string,
  stream: OutputStream,
  err: Sink,
  unicode: boolean,
  job: ShellJob | undefined,
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
      stream,
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
