import { ONE } from '../cli/define/batch.ts';
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
import { type Screen, state } from '../terminal/screen.ts';
import type { Outcome } from './item.ts';
import type { BatchLine } from './list.ts';

/** See {@link endedOf}. */
export type Ended = ReturnType<typeof endedOf>;

/** What is kept of an outcome: its answer, and an error with its cause, may be large. */
export function endedOf({ item, how, isInDoubt = false, error, warnings }: Outcome) {
  const own = how === 'running' ? 'still_running' : error?.code;
  const code: ErrorCode | undefined = isInDoubt ? 'unavailable' : own;
  const { alerts = [], hint } = error?.details ?? {};
  return {
    item,
    how,
    isInDoubt,
    code,
    message: error?.message ?? '',
    alerts,
    next: stepOf(hint).run.at(-1),
    warnings,
  };
}

/** How a run ended, or how far it is. */
export interface End {
  readonly line: BatchLine;
  readonly total: number;
  /** Left out: the log says that they are done. */
  readonly skipped: number;
  readonly ended: readonly Ended[];
  readonly ms: number;
  /** Writes the line that goes on, with these words added; undefined without a log. */
  readonly again: ((...words: readonly string[]) => string) | undefined;
  /** Why nothing more was sent, if the run stopped: a CliError, or what no run expects. */
  readonly stopped: unknown;
}

export function countsOf({ total, skipped, ended, ms }: End): RunSummary {
  const counts: Partial<Record<Ended['how'] | 'noData' | 'inDoubt', number>> = {};
  for (const { how, code, isInDoubt } of ended) {
    const kinds = [how, code === 'no_data' && 'noData', isInDoubt && 'inDoubt'] as const;
    for (const kind of kinds) if (kind) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  const { done = 0, failed = 0, alerts = 0, ...more } = counts;
  const left = total - skipped - done - failed - alerts - (more.queued ?? 0);
  return { total, done, failed, alerts, left, skipped, seconds: Math.round(ms) / 1000, ...more };
}

/**
 * Says how far a run is, or how it ended: `2 of 6 services done, 1 failed, 3 not sent in 2s,
 * 1.5/s`.
 */
export function progressWords(end: End): string {
  const { line, ended, ms } = end;
  const {
    total,
    done,
    failed,
    alerts,
    left,
    skipped,
    noData = 0,
    running = 0,
    queued = 0,
  } = countsOf(end);
  const counts: ReadonlyArray<readonly [many: number, what: string]> = [
    [alerts, 'with an alarm'],
    [done, 'done'],
    [queued, 'queued'],
    [skipped, 'done before'],
    [failed - noData, 'failed'],
    [noData, 'could not be checked'],
    [running, 'still under way'],
    [left - running, 'not sent'],
  ];
  const said = counts.filter(
    ([many, what]) => many > 0 || (what === 'done' && alerts + queued === 0),
  );
  const [first = '', ...others] = said.map(([many, what], index) => {
    return `${formatCount(many)} ${index === 0 ? `of ${plural(total, ONE[line.batch.of])} ` : ''}${what}`;
  });
  const pace =
    ms >= 1000 ? ` in ${formatDuration(ms)}, ${((ended.length / ms) * 1000).toFixed(1)}/s` : '';
  return [first, ...others].join(', ') + pace;
}

const MAX_ALERTS = 100;

/**
 * Returns the error that ends a run, if there is one. Its code says the most urgent: that a person
 * ended it, else that something alerts, else the code that all items share, else `partial`.
 */
export function errorOf(end: End): CliError | undefined {
  const { ended } = end;
  const stopped = end.stopped instanceof CliError ? end.stopped : undefined;
  const summary = countsOf(end);
  const { total, failed, alerts, left, running = 0 } = summary;
  // A person, the disk or the reader ended it, even if nothing is left.
  const isInterrupted = stopped?.code === 'interrupted';
  const isStopped =
    stopped !== undefined && (left > 0 || isInterrupted || stopped.code === 'unexpected');
  if (failed + alerts + left === 0 && !isStopped) return undefined;
  const words = `${isStopped ? `${stopped.message} ` : ''}${progressWords(end)}.`;
  const details: ErrorDetails = { ...detailsOf(end, left), summary };
  if (alerts > 0 && !isInterrupted) {
    const all = ended.flatMap(({ item, alerts }) =>
      alerts.map((one) => ({ item: item.id, ...one })),
    );
    return new CliError('alert', words, { ...details, alerts: all.slice(0, MAX_ALERTS) });
  }
  if (isStopped) {
    // Otherwise failures ended it.
    const isOwn =
      failed === 0 || ['interrupted', 'unauthenticated', 'unexpected'].includes(stopped.code);
    const code = isOwn ? stopped.code : 'partial';
    return new CliError(code, words, { ...stopped.details, ...details, isCancelled: undefined });
  }
  const codes = new Set(ended.flatMap(({ code }) => code ?? []));
  const [code = 'partial'] = codes;
  const isCommon = codes.size === 1 && failed + running === total;
  const all =
    total === 1
      ? `${listed(ended.map(({ item }) => item.id))} failed.`
      : `All ${formatCount(total)} failed.`;
  return new CliError(
    isCommon ? code : 'partial',
    isCommon && running === 0 ? all : words,
    details,
  );
}

function detailsOf(end: End, left: number): ErrorDetails {
  const ids = end.ended.filter(({ isInDoubt }) => isInDoubt).map(({ item }) => item.id);
  const hint = nextOf(end, left > 0, ids.length > 0);
  if (ids.length === 0) return { hint };
  const many = plural(ids.length, ONE[end.line.batch.of]);
  const doubt = `${many} may have been carried out, but no answer says so: ${listed(ids)}. Check before you repeat.`;
  return { hint, lines: [doubt], outcome: 'unknown' };
}

const MAX_WAITS = 3;
/** Refused again if sent again. */
const REFUSED: ReadonlySet<ErrorCode | undefined> = new Set(['rejected', 'forbidden', 'not_found']);

/**
 * The command that gets further: for a person if only doubts are left, none if only refusals are.
 */
function nextOf(
  { ended, again, stopped: reason }: End,
  isLeft: boolean,
  hasDoubts: boolean,
): Hint | undefined {
  const hint = reason instanceof CliError ? reason.details.hint : undefined;
  if (again === undefined) {
    const waits = ended.flatMap(({ how, next }) => (how === 'running' ? (next ?? []) : []));
    if (waits.length > 0)
      return { say: 'Wait for what is under way:', run: waits.slice(0, MAX_WAITS) };
    return hint;
  }
  const isWorthIt = (one: Ended) =>
    one.how === 'failed' && !one.isInDoubt && !REFUSED.has(one.code);
  // First what ended the run, such as a refused token, is mended.
  if (isLeft || ended.some(isWorthIt))
    return { say: 'To go on:', run: [...stepOf(hint).run, again()] };
  const say = 'When you have checked those in doubt:';
  return hasDoubts ? { say, run: [again('--retry-unknown')], by: 'person' } : undefined;
}

const MAX_ROWS = 100;

/**
 * Shows what alarms and what was not done, grouped by reason. A run in which all was done has a
 * line.
 */
export function showEnding(screen: Screen, end: End): void {
  const { ended, line } = end;
  const one = ONE[line.batch.of];
  const { failed, alerts, left, done } = countsOf(end);
  const alarms = ended
    .filter(({ how }) => how === 'alerts')
    .map(({ item, message }) => [item.id, message]);
  if (alarms.length > 0) {
    screen.table({ head: [{ name: one, whole: true }, 'Alert'], rows: alarms.slice(0, MAX_ROWS) });
    screen.line();
  }
  const bad = ended.filter(({ how }) => how === 'failed' || how === 'running');
  if (bad.length > 0) {
    const head = [
      'Not done',
      { name: `${one}s`, align: 'right' as const },
      { name: 'Reason', wraps: true },
      { name: 'Which', wraps: true },
    ];
    const rows = groupsOf(bad, (one) => `${one.code} ${alike(one)}`).map(([first, ids]) => {
      return [state(first.code ?? ''), formatCount(ids.length), first.message, listed(ids)];
    });
    screen.table({ head, rows: rows.slice(0, MAX_ROWS) });
    screen.line();
  }
  // Otherwise the error says it.
  if (failed + alerts + left > 0) return;
  const words = `${line.command.path}: ${progressWords(end)}.`;
  if (done > 0) screen.success(words);
  else screen.line(words);
}

/**
 * The message without what differs between items that failed alike: their ids, numbers and times.
 */
function alike({ item, message }: Ended): string {
  return message.replaceAll(item.id, '').replaceAll(/\S*\d\S*/g, '');
}

/** Groups what has the same key, with the ids of its items; the largest groups come first. */
export function groupsOf<T extends Pick<Ended, 'item'>>(
  all: readonly T[],
  keyOf: (one: T) => string,
) {
  const groups = new Map<string, [first: T, ids: string[]]>();
  for (const one of all) {
    const group = groups.get(keyOf(one)) ?? [one, []];
    group[1].push(one.item.id);
    groups.set(keyOf(one), group);
  }
  return [...groups.values()].sort(([, ids], [, others]) => others.length - ids.length);
}
