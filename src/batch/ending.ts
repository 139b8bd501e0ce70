import { KINDS } from '../cli/define/each.ts';
import type { Warning } from '../cli/define/result.ts';
import {
  CliError,
  type ErrorCode,
  type ErrorDetails,
  type Hint,
  listed,
  type RunSummary,
  stepOf,
} from '../errors.ts';
import { formatDuration } from '../terminal/dates.ts';
import { formatCount, plural } from '../terminal/numbers.ts';
import { plainOf, type Screen, state } from '../terminal/screen.ts';
import type { RunLine } from './items.ts';
import type { Outcome } from './one.ts';
import type { Plan } from './plan.ts';

/** See {@link endedOf}. */
export type Ended = ReturnType<typeof endedOf>;

/** How a run ended, or how far it is. */
export interface End extends Pick<Plan, 'total' | 'doneBefore'> {
  readonly line: RunLine;
  readonly ended: readonly Ended[];
  readonly ms: number;
  /** The command that goes on; undefined without a log. */
  readonly resume: string | undefined;
  /** Why nothing more was sent, if the run stopped. */
  readonly stopped: CliError | undefined;
}

/** Leaves out the answer, which may be large. */
export function endedOf({ item: { id }, error, isInDoubt, jobId, accepted, warnings }: Outcome) {
  // It goes on without svc: a job after the wait for it, or a move that svc looked at.
  const isRunning =
    (error?.code === 'still_running' && !isInDoubt) ||
    (error?.code === 'interrupted' && jobId !== undefined);
  const failed = error?.code === 'alert' ? 'alerts' : 'failed';
  return {
    id,
    how: error === undefined ? 'done' : (isRunning && 'running') || failed,
    code: isInDoubt ? 'unavailable' : error?.code,
    message: error?.message ?? '',
    alerts: error?.details.alerts ?? [],
    /** The last command that the error proposes. */
    next: stepOf(error?.details.hint).run.at(-1),
    isInDoubt,
    isAccepted: accepted !== undefined,
    warnings,
  } as const;
}

export function countsOf({ total, doneBefore, ended, ms }: End): RunSummary {
  const count = (test: (one: Ended) => boolean) => ended.filter(test).length;
  const done = count(({ how }) => how === 'done');
  const failed = count(({ how }) => how === 'failed');
  const alerts = count(({ how }) => how === 'alerts');
  const more = {
    noData: count(({ code }) => code === 'no_data'),
    inDoubt: count(({ isInDoubt }) => isInDoubt),
    running: count(({ how }) => how === 'running'),
    accepted: count(({ isAccepted }) => isAccepted),
  };
  const left = total - doneBefore - done - failed - alerts;
  const seconds = Math.round(ms) / 1000;
  const some = Object.fromEntries(Object.entries(more).filter(([, many]) => many > 0));
  return { total, done, failed, alerts, left, skipped: doneBefore, seconds, ...some };
}

function wordsOf({ line: { each }, ms }: End, summary: RunSummary): string {
  const {
    total,
    done,
    failed,
    alerts,
    left,
    skipped,
    noData = 0,
    running = 0,
    accepted = 0,
  } = summary;
  const others: ReadonlyArray<readonly [count: number, what: string]> = [
    [accepted, 'of them not found'],
    [skipped, 'done before'],
    [failed - noData, alerts > 0 ? 'could not be read' : 'failed'],
    [noData, 'could not be checked'],
    [running, each === 'domain' ? 'still under way' : 'still running'],
    [left - running, 'not sent'],
  ];
  const parts = others
    .filter(([many]) => many > 0)
    .map(([many, what]) => `${formatCount(many)} ${what}`);
  const verb = alerts === 1 ? 'alarms' : 'alarm';
  const head = `${formatCount(alerts || done)} of ${plural(total, KINDS[each].one)} ${alerts > 0 ? verb : 'done'}`;
  const pace = ms >= 1000 ? ` in ${formatDuration(ms)}, ${rateOf(done + failed + alerts, ms)}` : '';
  return [head, ...parts].join(', ') + pace;
}

export function rateOf(count: number, ms: number): string {
  const perSecond = (count / ms) * 1000;
  return `${perSecond >= 10 ? Math.round(perSecond) : perSecond.toFixed(1)}/s`;
}

/** Nobody's failure. */
const ASKED_FOR: ReadonlySet<ErrorCode> = new Set(['interrupted', 'still_running']);
const MAX_ALERTS = 100;

/**
 * Returns the error that ends a run, if there is one. Its code says the most urgent: that a person
 * ended it, else that something alerts, else the code that all items share, else `partial`.
 */
export function errorOf(end: End): CliError | undefined {
  const { ended, stopped } = end;
  const summary = countsOf(end);
  const { total, failed, alerts, left, running = 0 } = summary;
  if (failed + alerts + left === 0) return undefined;
  const isInterrupted = stopped?.code === 'interrupted';
  const isStopped = stopped !== undefined && (left > 0 || isInterrupted);
  const words = `${isStopped ? `${stopped.message} ` : ''}${wordsOf(end, summary)}.`;
  const details: ErrorDetails = { ...detailsOf(end, summary), summary };
  if (alerts > 0 && !isInterrupted) {
    const each = ended.flatMap(({ id, alerts }) => alerts.map((alert) => ({ item: id, ...alert })));
    return new CliError('alert', words, { ...details, alerts: each.slice(0, MAX_ALERTS) });
  }
  if (isStopped) {
    const code = ASKED_FOR.has(stopped.code) || failed === 0 ? stopped.code : 'partial';
    return new CliError(code, words, { ...stopped.details, ...details, isCancelled: undefined });
  }
  const codes = new Set(
    ended.flatMap(({ how, code = [] }) => (how === 'running' ? 'still_running' : code)),
  );
  const [code = 'partial'] = codes;
  const isCommon = codes.size === 1 && failed + running === total;
  const all =
    total === 1
      ? `${listed(ended.map(({ id }) => id))} failed.`
      : `All ${formatCount(total)} failed.`;
  return new CliError(
    isCommon ? code : 'partial',
    isCommon && running === 0 ? all : words,
    details,
  );
}

const MAX_WAITS = 3;

function detailsOf(end: End, { left, inDoubt = 0 }: RunSummary): ErrorDetails {
  const { line, ended, resume } = end;
  const waits = ended
    .flatMap(({ how, next }) => (how === 'running' ? (next ?? []) : []))
    .slice(0, MAX_WAITS);
  const wait = waits.length > 0 ? { say: 'Wait for what is under way:', run: waits } : undefined;
  const hint = resume === undefined ? wait : goingOn(end, resume, left);
  if (inDoubt === 0) return { hint };
  const ids = ended.filter(({ isInDoubt }) => isInDoubt).map(({ id }) => id);
  const doubt = `${plural(inDoubt, KINDS[line.each].one)} may have been carried out, but no answer says so: ${listed(ids)}.`;
  return { hint, lines: [`${doubt} Check before you repeat.`], outcome: 'unknown' };
}

/** Refused again if sent again. */
const REFUSED: ReadonlySet<ErrorCode | undefined> = new Set(['rejected', 'forbidden', 'not_found']);

/**
 * The command that gets further: for a person if only doubts are left, none if only refusals are.
 */
function goingOn({ ended }: End, resume: string, left: number): Hint | undefined {
  const again = ended.some(
    ({ how, code, isInDoubt }) => how === 'failed' && !isInDoubt && !REFUSED.has(code),
  );
  if (left > 0 || again) return resume;
  const say = 'When you have checked those in doubt:';
  const hasDoubts = ended.some(({ isInDoubt }) => isInDoubt);
  return hasDoubts ? { say, run: [`${resume} --retry-unknown`], by: 'person' } : undefined;
}

const MAX_ROWS = 100;

export function showEnding(screen: Screen, end: End): void {
  const { ended, line } = end;
  const { one, several } = KINDS[line.each];
  const summary = countsOf(end);
  const alerts = ended
    .filter(({ how }) => how === 'alerts')
    .map(({ id, message }) => [id, message]);
  if (alerts.length > 0) {
    screen.table({ head: [{ name: one, whole: true }, 'Alert'], rows: alerts.slice(0, MAX_ROWS) });
    screen.line();
  }
  const bad = reasonsOf(ended.filter(({ how }) => how === 'failed' || how === 'running'));
  if (bad.length > 0) {
    const head = [
      summary.running === undefined ? 'Failed' : 'Not done',
      { name: several, align: 'right' as const },
      { name: 'Reason', wraps: true },
      { name: 'Which', wraps: true },
    ];
    const rows = bad.map(({ code, message, ids }) => [
      state(code),
      formatCount(ids.length),
      message,
      listed(ids),
    ]);
    screen.table({ head, rows: rows.slice(0, MAX_ROWS) });
    screen.line();
  }
  // Otherwise the error says it.
  const isFine = summary.failed + summary.alerts + summary.left === 0;
  if (isFine) screen.success(`${line.command.path}: ${wordsOf(end, summary)}.`);
}

function reasonsOf(bad: readonly Ended[]) {
  const reasons = new Map<
    string,
    { readonly code: string; message: string; readonly ids: string[] }
  >();
  for (const { id, code = '', message } of bad) {
    const alike = withoutDetails(message, id);
    const reason = found(reasons, `${code} ${alike}`, { code, message, ids: [] });
    if (reason.message !== message) reason.message = alike;
    reason.ids.push(id);
  }
  return [...reasons.values()].sort((first, second) => second.ids.length - first.ids.length);
}

/** Ids, times, ages and numbers become `…`, so that items which failed alike have one message. */
function withoutDetails(message: string, id: string): string {
  const words = message.split(' ').map((word) => {
    const [core = ''] = /\w.*\w|\w/.exec(word) ?? [];
    return core === id || /\d/.test(core) ? word.replace(core, '…') : word;
  });
  return words.filter((word, index) => word !== '…' || words[index - 1] !== '…').join(' ');
}

export function warningsOf(ended: readonly Ended[]) {
  const warnings = new Map<string, { readonly warning: Warning; readonly ids: string[] }>();
  for (const { id, warnings: own } of ended) {
    for (const warning of own) {
      found(warnings, `${warning.code} ${plainOf(warning.text)}`, { warning, ids: [] }).ids.push(
        id,
      );
    }
  }
  return [...warnings.values()];
}

function found<T>(groups: Map<string, T>, key: string, fresh: T): T {
  const group = groups.get(key) ?? fresh;
  groups.set(key, group);
  return group;
}
