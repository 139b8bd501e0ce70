import { restoreCursor } from './cursor.ts';
import { createProgress, type Progress } from './progress.ts';
import type { OutputStream, Sink } from './sink.ts';
import { piecesOf, type Text } from './text.ts';
import type { View } from './view.ts';

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
