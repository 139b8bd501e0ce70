import { type Alert, type CliError, type ErrorCode, stepOf } from '../errors.ts';
import type { Warning } from '../kit/result.ts';
import { plainOf } from '../terminal/screen.ts';
import type { Outcome } from './item.ts';
import { createReasons, MAX_IDS, type Reason } from './reasons.ts';

/** How items ended, in numbers, and the first few of each kind. */
export interface Counts {
  readonly done: number;
  readonly failed: number;
  readonly alerting: number;
  /** Those of the failed that may have been carried out. */
  readonly inDoubt: number;
  /** Those of the failed that could not be checked for want of data. */
  readonly withoutData: number;
  /** Those of the done whose error counts as done. */
  readonly accepted: number;
  /** Those that are under way, such as a job that still runs. They are neither done nor failed. */
  readonly running: number;
  /** The codes of the failed and the running; what is in doubt counts as `unavailable`. */
  readonly codes: ReadonlySet<ErrorCode>;
  readonly reasons: readonly Reason[];
  readonly doubtful: readonly string[];
  /** The message of each item that alerts, by id. */
  readonly warned: ReadonlyMap<string, string>;
  readonly alerts: readonly Alert[];
  readonly warnings: readonly Warned[];
  /** The commands that wait for the first of the running. */
  readonly waits: readonly string[];
}

/** What several are warned of. */
interface Warned {
  readonly warning: Warning;
  /** The first of them. */
  readonly ids: readonly string[];
}

/** Counts how items ended. Keeps only the first few of each kind, so that it stays small. */
export interface Tally {
  add(outcome: Pick<Outcome, 'item' | 'error' | 'isInDoubt' | 'jobId' | 'accepted' | 'warnings'>): void;
  counts(): Counts;
  /** Those that failed, and those whose wait ended before their job. */
  failures(): number;
}

/** Whether it goes on without svc: a job after the wait for it, or a move that svc looked at. */
function isUnderWay({ code }: CliError, isInDoubt: boolean, jobId: string | undefined): boolean {
  return (code === 'still_running' && !isInDoubt) || (code === 'interrupted' && jobId !== undefined);
}

const MAX_WAITS = 3;

/** Creates a tally of nothing. */
export function createTally(): Tally {
  const counts = { done: 0, failed: 0, inDoubt: 0, withoutData: 0, accepted: 0, running: 0 };
  const reasons = createReasons();
  const codes = new Set<ErrorCode>();
  const doubtful: string[] = [];
  const alerts = createAlerts();
  const warnings = createWarnings();
  const waits: string[] = [];

  const addFailure = (id: string, error: CliError, isInDoubt: boolean) => {
    counts.failed += 1;
    codes.add(isInDoubt ? 'unavailable' : error.code);
    reasons.add(id, error);
    if (error.code === 'no_data') counts.withoutData += 1;
    if (!isInDoubt) return;
    counts.inDoubt += 1;
    if (doubtful.length < MAX_IDS) doubtful.push(id);
  };
  const addRunning = (id: string, error: CliError) => {
    counts.running += 1;
    codes.add('still_running');
    reasons.add(id, error);
    if (waits.length < MAX_WAITS) waits.push(...stepOf(error.details.hint).run.slice(-1));
  };

  return {
    add({ item: { id }, error, isInDoubt, jobId, accepted, warnings: own = [] }) {
      for (const warning of own) warnings.add(id, warning);
      if (accepted !== undefined) counts.accepted += 1;
      if (error === undefined) counts.done += 1;
      else if (error.code === 'alert') alerts.add(id, error);
      else if (isUnderWay(error, isInDoubt, jobId)) addRunning(id, error);
      else addFailure(id, error, isInDoubt);
    },
    counts: () => ({
      ...counts,
      ...alerts.list(),
      codes,
      reasons: reasons.list(),
      doubtful,
      waits,
      warnings: warnings.list(),
    }),
    failures: () => counts.failed + counts.running,
  };
}

function createAlerts() {
  let alerting = 0;
  const warned = new Map<string, string>();
  const alerts: Alert[] = [];
  return {
    add(id: string, { message, details }: CliError) {
      alerting += 1;
      if (warned.size >= MAX_IDS) return;
      warned.set(id, message);
      alerts.push(...(details.alerts ?? []).map((alert) => ({ item: id, ...alert })));
    },
    list: () => ({ alerting, warned, alerts }),
  };
}

function createWarnings() {
  const warnings = new Map<string, { readonly warning: Warning; readonly ids: string[] }>();
  return {
    add(id: string, warning: Warning) {
      const key = `${warning.code} ${plainOf(warning.text)}`;
      const { ids } = warnings.get(key) ?? { ids: [] as string[] };
      if (warnings.size < MAX_IDS) warnings.set(key, { warning, ids });
      if (ids.length < MAX_IDS) ids.push(id);
    },
    list: () => [...warnings.values()],
  };
}
