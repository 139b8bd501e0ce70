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
  Progress,
  Progresses,
  ProgressText,
  ShellJob,
} from './terminal.ts';

/** Quicker work shows no progress. */
const DELAY_MS = 300;

/** People may want to stop work that lasts so long, or look away until it ends. */
const LONG_MS = 10_000;
const TICK_MS = 200;

/** Programs give up on work that says nothing for a minute. */
const HOST_TICK_MS = 2_000;

const BELL = '\u0007';

const DOTS = { interval: 80, frames: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] };
const ASCII_DOTS = { interval: 130, frames: ['-', '\\', '|', '/'] };

interface ProgressOptions {
  readonly stderr: OutputStream;
  readonly job?: ShellJob | undefined;
  readonly host?: Host | undefined;
}

/** Draws a spinner on a terminal; elsewhere prints a line if it takes long. A host is told. */
export function createProgresses(
  options: ProgressOptions,
  getIo: () => Io,
  clock: Pick<Clock, 'monotonic'>,
): Progresses {
  const display = new ProgressDisplay(options, getIo, clock);
  return {
    progress: (text, { byDefault = false } = {}) => display.add({ text, byDefault }),
    whileHidden: (question) => display.hideDuring(question),
    async during(text, work) {
      const { stop } = display.add({ text, byDefault: false });
      return work().finally(stop);
    },
    restoreTerminal: () => display.restoreTerminal(),
  };
}

/** A text of work that is under way; one `byDefault` gives way to any other. */
interface Entry {
  text: ProgressText;
  byDefault: boolean;
}

/** Shows one of the texts of what is under way. */
class ProgressDisplay {
  readonly #options: ProgressOptions;
  readonly #getIo: () => Io;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #entries = new Set<Entry>();
  #startedAt = 0;
  #questions = 0;
  #drawing: Drawing | undefined;

  constructor(options: ProgressOptions, getIo: () => Io, clock: Pick<Clock, 'monotonic'>) {
    this.#options = options;
    this.#getIo = getIo;
    this.#clock = clock;
  }

  add(entry: Entry): Progress {
    const { err, spinner, json, quiet, accessible } = this.#getIo();
    const takesLines = err.isTty && !json && !quiet && (!entry.byDefault || accessible);
    const isShown = spinner || takesLines || this.#options.host !== undefined;
    if (!isShown) return { update() {}, stop() {} };

    this.#entries.add(entry);
    this.#settle();
    return {
      update: (text) => {
        Object.assign(entry, { text, byDefault: false });
        this.#settle();
      },
      stop: () => {
        this.#entries.delete(entry);
        this.#settle();
      },
    };
  }

  async hideDuring<T>(question: () => Promise<T>): Promise<T> {
    this.#questions += 1;
    this.#settle();
    try {
      return await question();
    } finally {
      this.#questions -= 1;
      this.#settle();
    }
  }

  restoreTerminal(): void {
    this.#entries.clear();
    this.#settle();
    restoreCursor(this.#options.stderr);
  }

  /** Draws what is under way, or ends the drawing, after a long time with a bell. */
  #settle(): void {
    if (this.#findEntry() !== undefined && this.#questions === 0) {
      if (this.#drawing === undefined) this.#startedAt = this.#clock.monotonic();
      else this.#drawing.refresh();
      this.#drawing ??= this.#createDrawing();
      return;
    }

    const rings = this.#drawing !== undefined && this.#isLong() && this.#getIo().bell;
    this.#drawing?.stop();
    this.#drawing = undefined;
    if (rings) this.#options.stderr.write(BELL);
  }

  #createDrawing(): Drawing {
    const io = this.#getIo();
    const { host } = this.#options;
    const describe = () => this.#describe();
    if (host !== undefined) return tellHost(describe, host);
    return io.spinner ? new Spinner(describe, this.#options, io) : printLater(describe, io.err);
  }

  /** Finds the entry that is shown; a host hears of nothing that is so by default. */
  #findEntry(): Entry | undefined {
    const entries = [...this.#entries];
    const isAll = this.#options.host === undefined;
    return entries.findLast(({ byDefault }) => !byDefault) ?? (isAll ? entries.at(-1) : undefined);
  }

  #isLong(): boolean {
    return this.#clock.monotonic() - this.#startedAt >= LONG_MS;
  }

  #describe(): string {
    const io = this.#getIo();
    const { text = '' } = this.#findEntry() ?? {};
    const words = typeof text === 'string' ? text : text();
    const safe = safeLine(maskText(io.view(io.err).conceal?.(words) ?? words));
    const isStoppable = this.#isLong() && io.host === undefined && !safe.includes('Ctrl-C');
    return isStoppable ? `${safe}  Ctrl-C to stop` : safe;
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

class Spinner implements Drawing {
  readonly #describe: () => string;
  readonly #options: ProgressOptions;
  readonly #io: Io;
  // A spinner that fails must not end the work.
  readonly #timer = setTimeout(() => this.#start().catch(() => {}), DELAY_MS);
  #isStopped = false;
  #ora: Ora | undefined;
  #ticker: NodeJS.Timeout | undefined;
  #stopWatchingJob: (() => void) | undefined;

  constructor(describe: () => string, options: ProgressOptions, io: Io) {
    this.#describe = describe;
    this.#options = options;
    this.#io = io;
  }

  refresh(): void {
    if (this.#ora !== undefined) this.#ora.text = this.#describe();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    clearInterval(this.#ticker);
    this.#stopWatchingJob?.();
    if (this.#ora === undefined) return;
    this.#ora.stop();
    this.#ora = undefined;
    restoreCursor(this.#options.stderr);
  }

  async #start(): Promise<void> {
    const { stderr, job } = this.#options;
    const { unicode, err } = this.#io;
    const ora = await lazy.ora();
    if (this.#isStopped) return;

    this.#stopWatchingJob = job?.onStop(
      () => this.#suspend(),
      () => void this.#continue(),
    );
    hideCursor(stderr);
    this.#ora = ora({
      text: this.#describe(),
      stream: withUsableColumns(stderr),
      spinner: unicode ? DOTS : ASCII_DOTS,
      color: err.colorLevel > 0 ? 'cyan' : false,
      isEnabled: true,
      // Ora's own cursor and key handling installs signal handlers and breaks Ctrl-C.
      hideCursor: false,
      discardStdin: false,
    }).start();
    this.#ticker = setInterval(() => this.refresh(), TICK_MS);
  }

  #suspend(): void {
    this.#ora?.clear();
    restoreCursor(this.#options.stderr);
  }

  async #continue(): Promise<void> {
    const { stderr, job } = this.#options;
    if ((await job?.isForeground()) && this.#ora !== undefined) hideCursor(stderr);
  }
}
