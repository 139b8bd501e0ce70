import { restoreCursor } from './cursor.ts';
import type { Io } from './io.ts';
import { createProgress, type Progress } from './progress.ts';
import type { OutputStream, Sink } from './sink.ts';
import { piecesOf, type Text } from './text.ts';

/** What is said on the way. It must not end the work, so it is lost where stderr cannot be written. */
export function createNotes(err: Sink, io: () => Io): Pick<Io, 'note' | 'warn'> {
  const say = async (text: Text) => {
    // Most runs say nothing and do without the renderer.
    const { render } = await import('./render.ts');
    await err.write(await render([{ kind: 'line', text }], io().view(err))).catch(() => {});
  };
  return {
    note: async (text) => {
      if (!io().json && !io().quiet) await say(text);
    },
    warn: async (text) => {
      if (!io().json) await say([{ text: 'Warning:', tone: 'warn' }, ' ', ...piecesOf(text)]);
    },
  };
}

/** Progress on stderr, and a way to stop all of it; for every end of the process. */
export function createProgresses(stream: OutputStream, io: () => Io): Pick<Io, 'progress' | 'restoreCursor'> {
  const running = new Set<Progress>();
  return {
    progress(text) {
      const { spinner, err, json, quiet, unicode, view } = io();
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
