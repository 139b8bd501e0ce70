import type { Needs } from '../cli/define/context.ts';
import type { LineOf } from '../contract/fields/documents.ts';
import { stringifyDocument } from '../terminal/safe-text.ts';
import { type BatchEnd, countItems, describeCounts } from './end.ts';
import type { Run } from './run-parts.ts';

/** Off a terminal: programs and people give up on work that says nothing for long. */
const SIGN_OF_LIFE_MS = 60_000;
const CHECK_MS = 200;

/** Shows how far a run is, on a terminal always, elsewhere once a minute. Returns how to end it. */
export function showProgress(run: Run, getEnd: () => BatchEnd): () => void {
  const { io } = run.context;
  const describe = () => describeProgress(run, getEnd());
  if (io.err.isTty || io.host !== undefined) return io.progress(describe).stop;

  let saidAtMs = 0;
  const timer = setInterval(() => {
    const end = getEnd();
    if (end.ms - saidAtMs < SIGN_OF_LIFE_MS) return;
    saidAtMs = end.ms;
    const said = io.json ? printCounts({ io }, end) : io.note(describe());
    void said.catch(() => undefined);
  }, CHECK_MS).unref();
  return () => clearInterval(timer);
}

function describeProgress({ line, context, pace, stops }: Run, end: BatchEnd): string {
  const counts = `${line.command.path}: ${describeCounts(end)}`;
  if (stops.stopSignal.aborted) return `${counts}, stopping`;
  const pauseSeconds = Math.ceil(pace.pauseMs(context.time.clock.monotonic()) / 1000);
  if (pauseSeconds <= 0) return counts;
  return `${counts}, the platform asks to wait ${pauseSeconds} s`;
}

/** Prints the counts as a line of JSON on stderr. */
export async function printCounts({ io }: Needs<'io'>, end: BatchEnd): Promise<void> {
  const line = { summary: countItems(end) } satisfies LineOf<'counted'>;
  await io.err.write(`${stringifyDocument(line)}\n`, 'json');
}
