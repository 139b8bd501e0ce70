import { ITEM_WORDS } from '../cli/define/command.ts';
import { CliError, listNames } from '../errors.ts';
import { groupBy } from '../group-by.ts';
import { formatCount, plural } from '../terminal/numbers.ts';
import { type Screen, state } from '../terminal/screen.ts';
import { type BatchEnd, countItems, describeCounts, type ItemEnd } from './end.ts';
import { planNextStep } from './next-step.ts';

const MAX_ALERTS = 100;

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
  const details = {
    ...describeDoubts(end),
    hint: planNextStep(end, left > 0),
    summary,
  };
  if (alerts > 0 && stopped?.code !== 'interrupted') {
    const all = ended.flatMap(({ item, alerts: own }) =>
      own.map((alert) => ({ item: item.id, ...alert })),
    );
    return new CliError('alert', counts, { ...details, alerts: all.slice(0, MAX_ALERTS) });
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

const MAX_ROWS = 100;

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
    screen.table({ head: [{ name: word, whole: true }, 'Alert'], rows: rows.slice(0, MAX_ROWS) });
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
    screen.table({ head, rows: rows.slice(0, MAX_ROWS) });
    screen.line();
  }

  const { failed, alerts, left, done } = countItems(end);
  // Otherwise the error says it.
  if (failed + alerts + left > 0) return;
  const counts = `${line.command.path}: ${describeCounts(end)}.`;
  if (done > 0) screen.success(counts);
  else screen.line(counts);
}

type Group<T> = readonly [T, ...T[]];

/** Groups what has the same key; the largest groups come first. */
export function groupItems<T>(
  all: readonly T[],
  getKey: (entry: T) => string,
): ReadonlyArray<Group<T>> {
  return [...groupBy(all, getKey).values()].sort((group, other) => other.length - group.length);
}

/** Lists the first ids, and how many more there are. */
export function listIds(ends: ReadonlyArray<Pick<ItemEnd, 'item'>>): string {
  return listNames(ends.map(({ item }) => item.id));
}

function getFailureKey(end: ItemEnd): string {
  return `${end.code} ${removeDetails(end)}`;
}

function describeGroup(group: Group<ItemEnd>): string {
  const [first] = group;
  const isSame = group.every(({ reason }) => reason === first.reason);
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
