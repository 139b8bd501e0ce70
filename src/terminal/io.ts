import { usageError } from '../errors.ts';
import { createNotes } from './notes.ts';
import { ProgressDisplay } from './progress.ts';
import type { Style } from './prompts/listen.ts';
import { createPrompts } from './prompts/prompts.ts';
import { type Io, type IoFlags, type IoOptions, Terminal } from './streams.ts';

export { OutputClosed } from './output.ts';
export type { IoFlags } from './streams.ts';

/** Wraps the streams of a process. No flag is set until `configure` is called. */
export function createIo(options: IoOptions): Io & { configure(flags: IoFlags): void } {
  const io = new Terminal(options);
  const progresses = new ProgressDisplay(io, options);
  // Asks while nothing else draws or reads keys.
  const prompts = createPrompts((question) =>
    progresses.whileHidden(async () => question(await openQuestions(io))),
  );
  return Object.assign(io, createNotes(io, options.env), progresses, prompts, {
    restoreTerminal() {
      for (const screen of io.screens) screen.close();
      progresses.restoreTerminal();
      io.keys.close();
    },
  });
}

/** @throws CliError `usage` where nobody can be asked */
async function openQuestions(io: Terminal): Promise<Style> {
  if (!io.interactive) {
    throw usageError('This needs an answer, but svc cannot ask questions here.');
  }
  const { signal, stderr } = io.options;
  signal?.throwIfAborted();
  const { err, keys } = io;
  const options = { keys, stderr, signal, hasColors: err.colorLevel > 0 };
  if (io.unicode && io.canMove && err.realColumns > 0) {
    return (await import('./prompts/clack.ts')).createClackStyle(options);
  }
  return (await import('./prompts/line.ts')).createLineStyle(options);
}
