import { CliError, type ErrorCode, type ErrorDetails, listed, type RunSummary } from '../errors.ts';
import type { Command } from '../kit/define.ts';
import { KINDS } from '../kit/each.ts';
import { formatDuration } from '../terminal/dates.ts';
import { formatCount } from '../terminal/numbers.ts';
import { type Screen, state } from '../terminal/screen.ts';
import type { Counts } from './tally.ts';

/** How a run ended. */
export interface End {
  readonly command: Command;
  readonly counts: Counts;
  /** Items of this run, with those that were done before. */
  readonly total: number;
  readonly doneBefore: number;
  readonly ms: number;
  /** The command that goes on; undefined without a log. */
  readonly resume: string | undefined;
  /** Why nothing more was sent, if the run stopped. */
  readonly stopped: CliError | undefined;
}

/** Items that are not done yet: nothing was sent for them, or their job still runs. */
function leftOf({ total, doneBefore, counts: { done, failed, alerting } }: End): number {
  return total - doneBefore - done - failed - alerting;
}

/** The counts of a run, for scripts. */
export function runSummaryOf(end: End): RunSummary {
  const { done, failed, alerting, withoutData, inDoubt, running, accepted } = end.counts;
  return {
    total: end.total,
    done,
    failed,
    alerts: alerting,
    left: leftOf(end),
    skipped: end.doneBefore,
    seconds: Math.round(end.ms) / 1000,
    ...(withoutData > 0 && { noData: withoutData }),
    ...(inDoubt > 0 && { inDoubt }),
    ...(running > 0 && { running }),
    ...(accepted > 0 && { accepted }),
  };
}

/** The counts of a run, for people. */
function countsOf(end: End): string {
  const { counts, total, doneBefore, ms } = end;
  const { done, failed, alerting, withoutData, accepted, running } = counts;
  const others: ReadonlyArray<readonly [count: number, what: string]> = [
    [accepted, 'of them not found'],
    [doneBefore, 'done before'],
    [failed - withoutData, alerting > 0 ? 'could not be read' : 'failed'],
    [withoutData, 'could not be checked'],
    [running, end.command.each === 'domain' ? 'still under way' : 'still running'],
    [leftOf(end) - running, 'not sent'],
  ];
  const first =
    alerting > 0
      ? `${formatCount(alerting)} of ${named(total, end)} ${alerting === 1 ? 'alarms' : 'alarm'}`
      : `${formatCount(done)} of ${named(total, end)} done`;
  const parts = others.filter(([count]) => count > 0).map(([count, what]) => `${formatCount(count)} ${what}`);
  const pace = ms >= 1000 ? ` in ${formatDuration(ms)}, ${rateOf(done + failed + alerting, ms)}` : '';
  return [first, ...parts].join(', ') + pace;
}

function named(count: number, { command: { each = 'service' } }: End): string {
  const { one, several } = KINDS[each];
  return `${formatCount(count)} ${count === 1 ? one : several}`;
}

/**
 * Returns the error that ends a run, if there is one. Its code says the most urgent: that a person ended it, else that
 * something alerts, else the code that all items share, else `partial`.
 */
export function errorOfRun(end: End): CliError | undefined {
  const { counts, stopped } = end;
  const left = leftOf(end);
  const isBad = counts.failed + counts.alerting + left > 0;
  if (!isBad) return undefined;
  const summary = runSummaryOf(end);
  if (stopped !== undefined && (left > 0 || stopped.code === 'interrupted')) return stoppedWith(stopped, end, summary);
  if (counts.alerting > 0) return alertOf(end, `${countsOf(end)}.`, summary);
  const [code] = counts.codes;
  const isCommon = counts.codes.size === 1 && counts.failed + counts.running === end.total && code !== undefined;
  const message = isCommon && counts.running === 0 ? allFailed(end) : `${countsOf(end)}.`;
  return new CliError(isCommon ? code : 'partial', message, {
    ...detailsOf(end),
    summary,
  });
}

/** Reasons to stop that are nobody's failure. */
const ASKED_FOR: ReadonlySet<ErrorCode> = new Set(['interrupted', 'still_running']);

/** The error of a run that did not come to its end. */
function stoppedWith(stopped: CliError, end: End, summary: RunSummary): CliError {
  const { failed, alerting } = end.counts;
  const message = `${stopped.message} ${countsOf(end)}.`;
  if (stopped.code !== 'interrupted' && alerting > 0) return alertOf(end, message, summary);
  const code: ErrorCode = ASKED_FOR.has(stopped.code) || failed === 0 ? stopped.code : 'partial';
  return new CliError(code, message, { ...stopped.details, ...detailsOf(end), isCancelled: undefined, summary });
}

function alertOf(end: End, message: string, summary: RunSummary): CliError {
  return new CliError('alert', message, { ...detailsOf(end), alerts: end.counts.alerts, summary });
}

function allFailed({ total }: End): string {
  return total === 1 ? 'The one failed.' : `All ${formatCount(total)} failed.`;
}

/** What is in doubt, and the command that goes on. */
function detailsOf(end: End): ErrorDetails {
  const { failed, inDoubt, doubtful, waits } = end.counts;
  const wait = waits.length > 0 ? { say: 'Wait for what is under way:', run: waits } : undefined;
  const hint = failed + leftOf(end) > 0 ? (end.resume ?? wait) : undefined;
  if (inDoubt === 0) return { hint };
  const doubt = `${named(inDoubt, end)} may have been carried out, but no answer says so: ${listed(doubtful)}.`;
  return { hint, lines: [`${doubt} Check before you repeat.`], outcome: 'unknown' };
}

/** Shows alerts and failures by their reason, or that all is done. */
export function showEnding(screen: Screen, end: End): void {
  const { command, counts } = end;
  const { one, several } = KINDS[command.each ?? 'service'];
  if (counts.warned.size > 0) {
    screen.table({ head: [{ name: capital(one), whole: true }, 'Alert'], rows: [...counts.warned] });
    screen.line();
  }
  if (counts.reasons.length > 0) {
    const head = [
      'Not done',
      { name: capital(several), align: 'right' as const },
      { name: 'Reason', below: true },
      { name: 'Which', below: true },
    ];
    const rows = counts.reasons.map(({ code, message, count, ids }) => [
      state(code),
      formatCount(count),
      message,
      listed(ids),
    ]);
    screen.table({ head, rows });
    screen.line();
  }
  // Otherwise the error says it.
  const isFine = counts.failed + counts.alerting + leftOf(end) === 0;
  if (isFine) screen.success(`${command.path}: ${countsOf(end)}.`);
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Items per second, for people. */
export function rateOf(count: number, ms: number): string {
  const perSecond = (count / ms) * 1000;
  return `${perSecond >= 10 ? Math.round(perSecond) : perSecond.toFixed(1)}/s`;
}
