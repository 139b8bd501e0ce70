import type { Context } from '../kit/context.ts';
import type { Command } from '../kit/define.ts';
import { formatDuration } from '../terminal/dates.ts';
import type { Progress } from '../terminal/io.ts';
import { formatCount } from '../terminal/numbers.ts';
import type { Run } from './item.ts';
import type { Tally } from './tally.ts';

interface Shown {
  readonly command: Command;
  readonly run: Run;
  readonly tally: Tally;
  readonly total: number;
  /** Milliseconds so far. */
  elapsed(): number;
}

/** Milliseconds after which the pace and the time left are shown. */
const FIRST_ESTIMATE_MS = 1_000;

/** Shows on a terminal how far the run is, how fast it goes, and how long it takes. */
export function showProgress(
  { io, system: { clock } }: Context,
  { command, run, tally, total, elapsed }: Shown,
): Progress {
  return io.progress(() => {
    const ended = tally.ended();
    const [failed, running] = [tally.failed(), tally.running()];
    const ms = elapsed();
    const pauseMs = run.pace.pauseMs(clock.monotonic());
    const left = ended === 0 ? '' : `, ${formatDuration((ms / ended) * (total - ended))} left`;
    return [
      `${command.path}  ${formatCount(ended)} of ${formatCount(total)}`,
      ...(running > 0 ? [`${formatCount(running)} still running`] : []),
      ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
      ...(run.stop.aborted ? ['stopping'] : []),
      ...(pauseMs > 0 ? [`the service asks to wait ${Math.ceil(pauseMs / 1000)} s`] : []),
      ...(ms >= FIRST_ESTIMATE_MS ? [`${rateOf(ended, ms)}${left}`] : []),
    ].join('  ');
  });
}

/** Items per second, for people. */
export function rateOf(count: number, ms: number): string {
  const perSecond = (count / ms) * 1000;
  return `${perSecond >= 10 ? Math.round(perSecond) : perSecond.toFixed(1)}/s`;
}
