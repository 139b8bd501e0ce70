import type { Ora } from 'ora';
import { lazy } from '../lazy.ts';
import { maskText } from './mask.ts';
import { hideCursor, type Output, restoreCursor, withUsableColumns } from './output.ts';
import { safeLine } from './safe-text.ts';
import type { Terminal } from './streams.ts';
import type { Host } from './terminal.ts';
import { WindowStatus } from './window.ts';

/** Quicker work shows no progress. */
const DELAY_MS = 300;

/** People may want to stop work that lasts so long, or look away until it ends. */
const LONG_MS = 10_000;
const TICK_MS = 200;

/** Programs give up on work that says nothing for a minute. */
const HOST_TICK_MS = 2_000;

const BELL = '\u0007';

/** The end of the text of long work. */
const STOPPABLE = '  Ctrl-C to stop';

const DOTS = { interval: 80, frames: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] };
const ASCII_DOTS = { interval: 130, frames: ['-', '\\', '|', '/'] };

/** A function gives the text anew several times a second. */
type ProgressText = string | (() => string);

/** A text of work that is under way; one `byDefault` gives way to any other. */
interface Entry {
  text: ProgressText;
  byDefault: boolean;
}

/**
 * Shows one of the texts of what is under way: draws a spinner on a terminal; elsewhere prints a
 * line if it takes long. A host is told.
 */
export class ProgressDisplay {
  readonly #io: Terminal;
  readonly #entries = new Set<Entry>();
  #startedAt = 0;
  #questions = 0;
  #drawing: Drawing | undefined;

  constructor(io: Terminal) {
    this.#io = io;
  }

  /**
   * Shows a text; of several the last one. One `byDefault` gives way to any other until it is
   * updated, and is not printed as a line except with `ACCESSIBLE`. A line that is printed already
   * stays.
   */
  readonly progress = (text: ProgressText, { byDefault = false } = {}) => {
    const { err, spinner, json, quiet, accessible, host } = this.#io;
    const takesLines = err.isTty && !json && !quiet && (!byDefault || accessible);
    const isShown = spinner || takesLines || host !== undefined;
    const entry: Entry = { text, byDefault };
    if (isShown) this.#entries.add(entry);
    this.#settle();

    return {
      update: (newText: ProgressText) => {
        Object.assign(entry, { text: newText, byDefault: false });
        this.#settle();
      },
      stop: () => {
        this.#entries.delete(entry);
        this.#settle();
      },
    };
  };

  readonly during = async <T>(text: string, work: () => Promise<T>): Promise<T> => {
    const { stop } = this.progress(text);
    return work().finally(stop);
  };

  /** Draws no progress while a question is open. */
  readonly whileHidden = async <T>(question: () => Promise<T>): Promise<T> => {
    this.#questions += 1;
    this.#settle();
    return question().finally(() => {
      this.#questions -= 1;
      this.#settle();
    });
  };

  /** Ends the drawing for good, and shows the cursor. */
  readonly restoreTerminal = (): void => {
    this.#entries.clear();
    this.#settle();
    restoreCursor(this.#io.options.stderr);
  };

  /** Draws what is under way, or ends the drawing, after a long time with a bell. */
  #settle(): void {
    if (this.#findEntry() !== undefined && this.#questions === 0) {
      if (this.#drawing === undefined) this.#startedAt = this.#io.options.clock.monotonic();
      else this.#drawing.refresh();
      this.#drawing ??= this.#createDrawing();
      return;
    }

    const rings = this.#drawing !== undefined && this.#isLong() && this.#io.bell;
    this.#drawing?.stop();
    this.#drawing = undefined;
    if (rings) this.#io.options.stderr.write(BELL);
  }

  #createDrawing(): Drawing {
    const { host, spinner, err } = this.#io;
    const describe = () => this.#describe();
    if (host !== undefined) return tellHost(describe, host);
    return spinner ? startSpinner(describe, this.#io) : printLater(describe, err);
  }

  /** Finds the entry that is shown; a host hears of nothing that is so by default. */
  #findEntry(): Entry | undefined {
    const entries = [...this.#entries];
    const isAll = this.#io.host === undefined;
    return entries.findLast(({ byDefault }) => !byDefault) ?? (isAll ? entries.at(-1) : undefined);
  }

  #isLong(): boolean {
    return this.#io.options.clock.monotonic() - this.#startedAt >= LONG_MS;
  }

  #describe(): string {
    const { text = '' } = this.#findEntry() ?? {};
    const words = typeof text === 'string' ? text : text();
    const safe = safeLine(maskText(this.#io.view(this.#io.err).conceal(words)));
    const isStoppable = this.#isLong() && this.#io.host === undefined && !safe.includes('Ctrl-C');
    return isStoppable ? `${safe}${STOPPABLE}` : safe;
  }
}

interface Drawing {
  refresh(): void;
  stop(): void;
}

function tellHost(describe: () => string, host: Host): Drawing {
  const refresh = () => host.progress(describe());
  const timer = setInterval(refresh, HOST_TICK_MS).unref();
  refresh();
  return { refresh, stop: () => clearInterval(timer) };
}

function printLater(describe: () => string, err: Output): Drawing {
  const timer = setTimeout(() => void err.write(`${describe()}\n`).catch(() => {}), DELAY_MS);
  return { refresh() {}, stop: () => clearTimeout(timer) };
}

function startSpinner(describe: () => string, { options, unicode, err }: Terminal): Drawing {
  const { stderr, job } = options;
  const window = new WindowStatus(options);
  let spinner: Ora | undefined;
  let isStopped = false;
  const refresh = () => {
    if (spinner === undefined) return;
    const text = describe();
    spinner.text = text;
    // Who looks away from long work still sees the window.
    if (text.endsWith(STOPPABLE)) window.show(text.slice(0, -STOPPABLE.length));
  };
  const start = async () => {
    const ora = await lazy.ora();
    if (isStopped) return;
    hideCursor(stderr);
    spinner = ora({
      text: describe(),
      stream: withUsableColumns(stderr),
      spinner: unicode ? DOTS : ASCII_DOTS,
      color: err.colorLevel > 0 ? 'cyan' : false,
      isEnabled: true,
      // Ora's own cursor and key handling installs signal handlers and breaks Ctrl-C.
      hideCursor: false,
      discardStdin: false,
    }).start();
  };
  // A spinner that fails must not end the work.
  const timer = setTimeout(() => start().catch(() => {}), DELAY_MS);
  const ticker = setInterval(refresh, TICK_MS);
  const stopWatchingJob = job?.onStop(
    () => {
      spinner?.clear();
      window.restore();
      restoreCursor(stderr);
    },
    async () => {
      if ((await job.isForeground()) && spinner !== undefined) hideCursor(stderr);
    },
  );
  return {
    refresh,
    stop() {
      isStopped = true;
      clearTimeout(timer);
      clearInterval(ticker);
      stopWatchingJob?.();
      spinner?.stop();
      spinner = undefined;
      window.restore();
      restoreCursor(stderr);
    },
  };
}
