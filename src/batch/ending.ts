import { ITEM_WORDS } from '../cli/define/batch.ts';
import { CliError, type ErrorDetails, listNames } from '../errors.ts';
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
  const details: ErrorDetails = {
    ...describeDoubts(end),
    hint: planNextStep(end, left > 0),
    summary,
  };
  if (alerts > 0 && stopped?.code !== 'interrupted') {
    return new CliError('alert', counts, { ...details, alerts: listAlerts(ended) });
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
      lines: [...lines, ...(details.lines ?? [])],
    });
  }
  return createFailure(end, counts, details);
}

function listAlerts(ended: readonly ItemEnd[]): NonNullable<ErrorDetails['alerts']> {
  const all = ended.flatMap(({ item, alerts }) =>
    alerts.map((alert) => ({ item: item.id, ...alert })),
  );
  return all.slice(0, MAX_ALERTS);
}

/** Makes the error of a batch that came to its end; the reason that all failures share is in it. */
function createFailure(end: BatchEnd, counts: string, details: ErrorDetails): CliError {
  const { ended, total } = end;
  const failures = ended.filter(({ how }) => how === 'failed' || how === 'running');
  const codes = new Set(failures.map(({ code }) => code));
  const [code = 'partial'] = codes;
  const isCommon = codes.size === 1 && failures.length === total;
  const isRunning = code === 'still_running';

  const reasons = groupItems(failures, getFailureKey);
  const [reason] = reasons;
  const isShared = reasons.length === 1 && reason !== undefined && details.outcome === undefined;
  const shared = isShared && !isRunning ? [describeGroup(reason)] : [];
  const lines = [...shared, ...(details.lines ?? [])];

  if (!isCommon) return new CliError('partial', counts, { ...details, lines });
  if (isRunning) return new CliError(code, counts, { ...details, lines });
  const ids = listNames(failures.map(({ item }) => item.id));
  const all = total === 1 ? `${ids} failed.` : `All ${formatCount(total)} failed.`;
  return new CliError(code, all, { ...details, lines });
}

function describeDoubts({ ended, line }: BatchEnd): ErrorDetails {
  const ids = ended.filter(({ isInDoubt }) => isInDoubt).map(({ item }) => item.id);
  if (ids.length === 0) return {};
  const count = plural(ids.length, ITEM_WORDS[line.batch.of]);
  const doubt = `${count} may have been carried out, but no answer says so: ${listNames(ids)}. Check before you repeat.`;
  return { lines: [doubt], outcome: 'unknown' };
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

  const failures = ended.filter(({ how }) => how === 'failed' || how === 'running');
  if (failures.length > 0) {
    const head = [
      'Not done',
      { name: `${word}s`, align: 'right' as const },
      { name: 'Reason', wraps: true },
      { name: 'Which', wraps: true },
    ];
    const rows = groupItems(failures, getFailureKey).map((group) => {
      const { first, ids } = group;
      return [
        state(first.code ?? ''),
        formatCount(ids.length),
        describeGroup(group),
        listNames(ids),
      ];
    });
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

interface Group<T> {
  readonly first: T;
  readonly ids: readonly string[];
  readonly reasons: ReadonlySet<string>;
}

/** Groups what has the same key, with the ids of its items; the largest groups come first. */
export function groupItems<T extends { readonly item: { readonly id: string } }>(
  all: readonly T[],
  getKey: (entry: T) => string,
): ReadonlyArray<Group<T>> {
  const groups = new Map<string, { first: T; ids: string[]; reasons: Set<string> }>();
  for (const entry of all) {
    const key = getKey(entry);
    const group = groups.get(key) ?? { first: entry, ids: [], reasons: new Set<string>() };
    group.ids.push(entry.item.id);
    if ('reason' in entry) group.reasons.add(String(entry.reason));
    groups.set(key, group);
  }
  return [...groups.values()].sort((group, other) => other.ids.length - group.ids.length);
}

function getFailureKey(end: ItemEnd): string {
  return `${end.code} ${removeDetails(end)}`;
}

function describeGroup({ first, reasons }: Group<ItemEnd>): string {
  return reasons.size === 1 ? first.reason : removeDetails(first);
}

/** Writes `…` for ids, times, ages and numbers, so that what failed alike has one reason. */
function removeDetails({ reason, item: { id } }: ItemEnd): string {
  const words = reason.split(' ').map((word) => {
    const [core = ''] = /\w.*\w|\w/.exec(word) ?? [];
    return core === id || /\d/.test(core) ? word.replace(core, '…') : word;
  });
  return words.filter((word, index) => word !== '…' || words[index - 1] !== '…').join(' ');
}
