import type { LineOf } from '../contract/fields/documents.ts';
import { formatDuration } from '../terminal/dates.ts';
import { formatCount } from '../terminal/numbers.ts';
import { stringifyDocument } from '../terminal/safe-text.ts';
import { countsOf, type End, rateOf } from './ending.ts';
import type { Run } from './one.ts';

const FIRST_ESTIMATE_MS = 1_000;
/** Off a terminal: programs and people give up on work that says nothing for long. */
const SIGN_OF_LIFE_MS = 60_000;
const CHECK_MS = 200;

/**
 * Shows how far the run is, how fast it goes, and how long it takes: on a terminal always,
 * elsewhere once a minute.
 */
export function showProgress(run: Run, soFar: () => End): { stop(): void } {
  const { io } = run.context;
  const words = () => progressText(run, soFar());
  if (io.err.isTty || io.host !== undefined) return io.progress(words);
  let saidAt = 0;
  const check = () => {
    const end = soFar();
    if (end.ms - saidAt < SIGN_OF_LIFE_MS) return;
    saidAt = end.ms;
    const line = { summary: countsOf(end) } satisfies LineOf<'counted'>;
    void (io.json ? io.err.write(`${stringifyDocument(line)}\n`, 'json') : io.note(words())).catch(
      () => undefined,
    );
  };
  const timer = setInterval(check, CHECK_MS).unref();
  return { stop: () => clearInterval(timer) };
}

function progressText({ context, pace, stops }: Run, end: End): string {
  const { line, total, doneBefore, ms } = end;
  const { failed, running = 0 } = countsOf(end);
  const ended = end.ended.length;
  const pauseMs = pace.pauseMs(context.time.clock.monotonic());
  const left = formatDuration(
    Math.ceil(((ms / ended) * (total - doneBefore - ended)) / 1000) * 1000,
  );
  const parts: ReadonlyArray<readonly [isShown: boolean, text: string]> = [
    [true, `${line.command.path}  ${formatCount(doneBefore + ended)} of ${formatCount(total)}`],
    [running > 0, `${formatCount(running)} still running`],
    [failed > 0, `${formatCount(failed)} failed`],
    [stops.stop.aborted, 'stopping'],
    [pauseMs > 0, `the platform asks to wait ${Math.ceil(pauseMs / 1000)} s`],
    [ms >= FIRST_ESTIMATE_MS && ended > 0, `${rateOf(ended, ms)}, ${left} left`],
  ];
  return parts.flatMap(([isShown, text]) => (isShown ? [text] : [])).join('  ');
}
