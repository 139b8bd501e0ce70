import { ITEM_WORDS } from '../cli/define/command.ts';
import type { Result, Warning } from '../cli/define/define.ts';
import {
  asOneLine,
  type CliError,
  type ErrorCode,
  type RunSummary,
  toNextStep,
} from '../errors.ts';
import { formatDuration } from '../terminal/dates.ts';
import { formatCount, plural } from '../terminal/numbers.ts';
import type { BatchLine, Item } from './item.ts';

/** The outcome of an item. */
export interface Outcome {
  readonly item: Pick<Item, 'index' | 'id' | 'given' | 'org'>;
  /** The state of a job: `queued` if nobody waits for it, `running` if its end was not seen. */
  readonly how: 'done' | 'queued' | 'running' | 'alerts' | 'failed';
  /** The result; undefined if the command failed without one. */
  readonly result?: Result<unknown> | undefined;
  readonly error?: CliError | undefined;
  /** Whether it may have been carried out although no answer says so. */
  readonly isInDoubt?: boolean;
  readonly warnings: readonly Warning[];
  readonly attempts: number;
  /** The time from the first request to the end, in milliseconds. */
  readonly ms: number;
}

/** The kept parts of an outcome: its answer, and an error with its cause, may be large. */
export type ItemEnd = ReturnType<typeof toItemEnd>;

/** Shared by all: thousands of empty lists take megabytes. */
const NONE: readonly never[] = [];

export function toItemEnd(outcome: Outcome) {
  const { item, how, isInDoubt = false, error, warnings } = outcome;
  const code: ErrorCode | undefined = how === 'running' ? 'still_running' : error?.code;
  const { alerts = NONE, hint, lines } = error?.details ?? {};
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
    warnings: warnings.length > 0 ? warnings : NONE,
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
  /** Writes the line that goes on, with these words added; undefined if no line can. */
  readonly again?: ((...words: readonly string[]) => string) | undefined;
  /** Whether a log makes the line do nothing twice. */
  readonly hasLog: boolean;
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
  const counts: ReadonlyArray<readonly [count: number, what: string]> = [
    [alerts, 'with an alarm'],
    [done, 'done'],
    [queued, 'queued'],
    [skipped, 'done before'],
    [failed - noData, 'failed'],
    [noData, 'could not be checked'],
    [running, 'still under way'],
    [left - running, 'not sent'],
  ];

  const isNothingElse = alerts + queued === 0;
  const said = counts.filter(([count, what]) => count > 0 || (what === 'done' && isNothingElse));
  const ofAll = ` of ${plural(total, ITEM_WORDS[line.batch.of])}`;
  const texts = said.map(([count, what], index) => {
    const all = index === 0 ? ofAll : '';
    return `${formatCount(count)}${all} ${what}`;
  });
  if (ms < 1000) return texts.join(', ');
  const perSecond = ((ended.length / ms) * 1000).toFixed(1);
  return `${texts.join(', ')} in ${formatDuration(ms)}, ${perSecond}/s`;
}
