import type { Ora } from 'ora';
import { lazy } from '../lazy.ts';
import type { View } from './capabilities.ts';
import { maskText } from './mask-text.ts';
import { safeLine } from './safe-text.ts';
import { hideCursor, type OutputStream, restoreCursor, type Sink } from './sink.ts';
import { piecesOf, type Text } from './text.ts';

/** Says that something is going on. */
export interface Progress {
  /** Changes the words; a screen that does not move keeps the first ones. */
  update(text: string): void;
  /** Ends it; may be called again. */
  stop(): void;
}

/** How progress is shown. */
interface ProgressOptions {
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
function createProgress(text: string, options: ProgressOptions): Progress {
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

/** What a command says on stderr while it works. */
export interface Notes {
  /** A line on stderr for people; nothing with `--json` or `--quiet`. */
  note(text: Text): Promise<void>;
  /** `Warning: …` on stderr; nothing with `--json`. */
  warn(text: Text): Promise<void>;
}

/** What moves on stderr while a command works. */
export interface Progresses {
  /** Says on stderr that something is going on, until it is stopped. */
  progress(text: string): Progress;
  /** Stops all progress and shows the cursor again; for every end, also one in the middle of a question. */
  restoreCursor(): void;
}

/** What decides whether and how something is said; asked for each time, because the flags are known late. */
export interface Manner {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly unicode: boolean;
  /** Whether something that moves may be shown on stderr. */
  readonly spinner: boolean;
  /** How blocks look on an output at this moment. */
  view(sink: Sink): View;
}

/** Says things on stderr. If stderr cannot be written, they are lost: that must not end the work. */
export function createNotes(err: Sink, manner: () => Manner): Notes {
  const say = async (text: Text) => {
    // Most runs say nothing and do without the renderer.
    const { render } = await import('./render.ts');
    await err.write(await render([{ kind: 'line', text }], manner().view(err))).catch(() => {});
  };
  return {
    note: async (text) => {
      if (!manner().json && !manner().quiet) await say(text);
    },
    warn: async (text) => {
      if (!manner().json) await say([{ text: 'Warning:', tone: 'warn' }, ' ', ...piecesOf(text)]);
    },
  };
}

/** Shows progress on stderr, and stops all of it at every end of the process. */
export function createProgresses(stream: OutputStream, err: Sink, manner: () => Manner): Progresses {
  const running = new Set<Progress>();
  return {
    progress(text) {
      const { spinner, json, quiet, unicode, view } = manner();
      const mode = spinner ? 'spinner' : err.isTty && !json && !quiet ? 'line' : 'silent';
      const { conceal } = view(err);
      const progress = createProgress(text, { stream, mode, unicode, color: err.colorLevel > 0, conceal });
      running.add(progress);
      return progress;
    },
    restoreCursor() {
      for (const progress of running) progress.stop();
      restoreCursor(stream);
    },
  };
}
