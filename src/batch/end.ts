import { ITEM_WORDS } from '../cli/define/command.ts';
import {
  asOneLine,
  CliError,
  type Hint,
  listNames,
  type RunSummary,
  toNextStep,
} from '../errors.ts';
import { groupBy } from '../group-by.ts';
import { formatCount, formatDuration, plural } from '../terminal/format.ts';
import { type Screen, state } from '../terminal/screen.ts';
import type { BatchLine, Outcome } from './item.ts';

/** The kept parts of an outcome: its answer, and an error with its cause, may be large. */
export type ItemEnd = ReturnType<typeof toItemEnd>;

export function toItemEnd({ item, how, isInDoubt = false, error, warnings }: Outcome) {
  const { alerts = [], hint, lines } = error?.details ?? {};
  const code = how === 'running' ? 'still_running' : error?.code;
  return {
    item,
    how,
    isInDoubt,
    code: isInDoubt ? 'unavailable' : code,
    /** The message with its lines, such as the fields that the platform refused. */
    reason: error === undefined ? '' : asOneLine(error.message, lines),
    alerts,
    /** The command that looks at what is under way. */
    look: how === 'running' ? toNextStep(hint).run.at(-1) : undefined,
    warnings,
  };
}

/** How a batch ended, or how far it is. */
export interface BatchEnd {
  readonly line: BatchLine;
  readonly total: number;
  /** Those that the log says are done. */
  readonly skipped: number;
  readonly ended: readonly ItemEnd[];
  readonly ms: number;
  /** The line that goes on; undefined if no line can. */
  readonly again?: string | undefined;
  /** Why nothing more was sent, if the run stopped. */
  readonly stopped?: CliError | undefined;
}

export function countItems({ total, skipped, ended, ms }: BatchEnd): RunSummary {
  const counts: Partial<Record<ItemEnd['how'] | 'noData' | 'inDoubt', number>> = {};
  const count = (kind: keyof typeof counts) => {
    counts[kind] = (counts[kind] ?? 0) + 1;
  };
  for (const { how, code, isInDoubt } of ended) {
    count(how);
    if (code === 'no_data') count('noData');
    if (isInDoubt) count('inDoubt');
  }

  const { done = 0, failed = 0, alerts = 0, ...others } = counts;
  const left = total - skipped - done - failed - alerts - (others.queued ?? 0);
  return { total, done, failed, alerts, left, skipped, seconds: Math.round(ms) / 1000, ...others };
}

/**
 * Says how far a batch is, or how it ended: `2 of 6 services done, 1 failed, 3 not sent in 2s,
 * 1.5/s`.
 */
export function describeCounts(end: BatchEnd): string {
  const { line, ended, ms } = end;
  const summary = countItems(end);
  const { total, done, failed, alerts, left, skipped } = summary;
  const { noData = 0, running = 0, queued = 0 } = summary;
  const isNothingElse = alerts + queued === 0;
  const counts: ReadonlyArray<readonly [count: number, what: string, isShown?: boolean]> = [
    [alerts, 'with an alarm'],
    [done, 'done', isNothingElse],
    [queued, 'queued'],
    [skipped, 'done before'],
    [failed - noData, 'failed'],
    [noData, 'could not be checked'],
    [running, 'still under way'],
    [left - running, 'not sent'],
  ];

  const shown = counts.filter(([count, , isShown]) => count > 0 || isShown);
  const ofAll = ` of ${plural(total, ITEM_WORDS[line.batch.of])}`;
  const texts = shown.map(([count, what], index) => {
    const all = index === 0 ? ofAll : '';
    return `${formatCount(count)}${all} ${what}`;
  });
  const text = texts.join(', ');
  if (ms < 1000) return text;
  const perSecond = ((ended.length / ms) * 1000).toFixed(1);
  return `${text} in ${formatDuration(ms)}, ${perSecond}/s`;
}

/** The most alarms, and rows of a table. */
const MAX_SHOWN = 100;

/**
 * Returns the error that ends a batch, if there is one. Its code says the most urgent: that a
 * person ended it, else that something alerts, else the code that all items share, else `partial`.
 */
export function createBatchError(end: BatchEnd): CliError | undefined {
  const { ended, stopped } = end;
  const summary = countItems(end);
  const { failed, alerts, left } = summary;
  // These ended it, even if nothing is left.
  const isOwnEnd = ['interrupted', 'unexpected', 'unauthenticated'].includes(stopped?.code ?? '');
  const isStopped = stopped !== undefined && (left > 0 || isOwnEnd);
  if (failed + alerts + left === 0 && !isStopped) return undefined;

  const counts = `${describeCounts(end)}.`;
  const details = { ...describeDoubts(end), hint: planNextStep(end, left > 0), summary };
  if (alerts > 0 && stopped?.code !== 'interrupted') {
    const all = ended.flatMap(({ item, alerts: own }) =>
      own.map((alert) => ({ item: item.id, ...alert })),
    );
    return new CliError('alert', counts, { ...details, alerts: all.slice(0, MAX_SHOWN) });
  }
  if (isStopped) {
    // Otherwise failures ended it.
    const isOwnCode = isOwnEnd || stopped.code === 'still_running';
    const code = isOwnCode ? stopped.code : 'partial';
    const { status, requestId, retryAfterSeconds, lines = [], exitCode } = stopped.details;
    return new CliError(code, `${stopped.message} ${counts}`, {
      ...details,
      status,
      requestId,
      retryAfterSeconds,
      exitCode,
      lines: [...lines, ...details.lines],
    });
  }
  return createFailure(end, counts, details);
}

/** Makes the error of a batch that came to its end; the reason that all failures share is in it. */
function createFailure(
  { ended, total }: BatchEnd,
  counts: string,
  details: ReturnType<typeof describeDoubts>,
): CliError {
  const failures = ended.filter(isFailure);
  const codes = new Set(failures.map(({ code }) => code));
  const [code = 'partial'] = codes;
  const isCommon = codes.size === 1 && failures.length === total;
  const isRunning = code === 'still_running';

  const reasons = groupItems(failures, getFailureKey);
  const isShared = reasons.length === 1 && !isRunning && details.outcome === undefined;
  const lines = [...(isShared ? reasons.map(describeGroup) : []), ...details.lines];

  const who = total === 1 ? listIds(failures) : `All ${formatCount(total)}`;
  const message = isCommon && !isRunning ? `${who} failed.` : counts;
  return new CliError(isCommon ? code : 'partial', message, { ...details, lines });
}

function isFailure({ how }: ItemEnd): boolean {
  return how === 'failed' || how === 'running';
}

function describeDoubts({ ended, line }: BatchEnd) {
  const doubts = ended.filter(({ isInDoubt }) => isInDoubt);
  if (doubts.length === 0) return { lines: [] };
  const count = plural(doubts.length, ITEM_WORDS[line.batch.of]);
  const doubt = `${count} may have been carried out, but no answer says so: ${listIds(doubts)}. Check before you repeat.`;
  return { lines: [doubt], outcome: 'unknown' as const };
}

const MAX_LOOKS = 3;

/**
 * Returns the command that gets further: signing in, the same line if it may work now, a look at
 * what is under way, or what a person has to decide about doubts. None if all was refused.
 */
function planNextStep(end: BatchEnd, isLeft: boolean): Hint | undefined {
  const { stopped, again, ended } = end;
  if (stopped?.code === 'unauthenticated') return planSignIn(end, stopped);
  if (again === undefined || !hasLog(end)) {
    const looks = ended.flatMap(({ look }) => look ?? []).slice(0, MAX_LOOKS);
    if (looks.length === 0) return stopped?.details.hint;
    return { say: 'Wait for what is under way:', run: looks, kind: 'look' };
  }

  const hasFailedJobs = ended.some(({ code, isInDoubt }) => code === 'failed' && !isInDoubt);
  const isRetried = ended.some((itemEnd) => isTransient(itemEnd) || itemEnd.how === 'running');
  if (isLeft || isRetried || hasFailedJobs) {
    // Nobody wanted these stops. Whether to repeat what the platform could not do is for somebody
    // to decide.
    const isUnwanted =
      stopped === undefined || ['still_running', 'rate_limited'].includes(stopped.code);
    const kind = isUnwanted && !hasFailedJobs ? 'retry' : 'other';
    return { say: 'To go on:', run: [again], kind };
  }

  if (!ended.some(({ isInDoubt }) => isInDoubt)) return undefined;
  const say = 'When you have checked those in doubt:';
  return { say, run: [`${again} --retry-unknown`], by: 'person' };
}

/** Whether the line does nothing twice. */
function hasLog({ line }: BatchEnd): boolean {
  return line.texts.has('log');
}

/** Signs in first. The same line follows unless it could do something twice. */
function planSignIn(end: BatchEnd, stopped: CliError): Hint {
  const { again, ended, line } = end;
  const { say = 'Sign in, then go on:', run } = toNextStep(stopped.details.hint);
  const isNothingDone = ended.every(({ how, isInDoubt }) => how === 'failed' && !isInDoubt);
  const isRepeatable = hasLog(end) || line.command.effect === 'reads' || isNothingDone;
  return { say, run: again && isRepeatable ? [...run, again] : run, kind: 'sign_in' };
}

/** Whether a failure may end by itself. */
function isTransient({ how, code, isInDoubt }: ItemEnd): boolean {
  const isPassing = code === 'unavailable' || code === 'rate_limited';
  return how === 'failed' && !isInDoubt && isPassing;
}

/**
 * Shows what alarms and what was not done, grouped by reason. A batch in which all was done has a
 * line.
 */
export function showEnding(screen: Screen, end: BatchEnd): void {
  const { ended, line } = end;
  const word = ITEM_WORDS[line.batch.of];
  const alarms = ended.filter(({ how }) => how === 'alerts');
  if (alarms.length > 0) {
    const rows = alarms.map(({ item, reason }) => [item.id, reason]);
    screen.table({ head: [{ name: word, whole: true }, 'Alert'], rows: rows.slice(0, MAX_SHOWN) });
    screen.line();
  }

  const failures = ended.filter(isFailure);
  if (failures.length > 0) {
    const head = [
      'Not done',
      { name: `${word}s`, align: 'right' as const },
      { name: 'Reason', wraps: true },
      { name: 'Which', wraps: true },
    ];
    const rows = groupItems(failures, getFailureKey).map((group) => [
      state(group[0].code ?? ''),
      formatCount(group.length),
      describeGroup(group),
      listIds(group),
    ]);
    screen.table({ head, rows: rows.slice(0, MAX_SHOWN) });
    screen.line();
  }

  const { failed, alerts, left, done } = countItems(end);
  // Otherwise the error says it.
  if (failed + alerts + left > 0) return;
  const counts = `${line.command.path}: ${describeCounts(end)}.`;
  if (done > 0) screen.success(counts);
  else screen.line(counts);
}

/** Groups what has the same key; the largest groups come first. */
export function groupItems<T>(all: readonly T[], getKey: (entry: T) => string): [T, ...T[]][] {
  return [...groupBy(all, getKey).values()].sort((group, other) => other.length - group.length);
}

/** Lists the first ids, and how many more there are. */
export function listIds(ends: ReadonlyArray<Pick<ItemEnd, 'item'>>): string {
  return listNames(ends.map(({ item }) => item.id));
}

function getFailureKey(end: ItemEnd): string {
  return `${end.code} ${removeDetails(end)}`;
}

function describeGroup([first, ...others]: [ItemEnd, ...ItemEnd[]]): string {
  const isSame = others.every(({ reason }) => reason === first.reason);
  return isSame ? first.reason : removeDetails(first);
}

/** Writes `…` for ids, times, ages and numbers, so that what failed alike has one reason. */
function removeDetails({ reason, item: { id } }: ItemEnd): string {
  const words = reason.split(' ').map((word) => {
    const [core = ''] = /\w.*\w|\w/.exec(word) ?? [];
    return core === id || /\d/.test(core) ? word.replace(core, '…') : word;
  });
  return words.filter((word, index) => word !== '…' || words[index - 1] !== '…').join(' ');
}
