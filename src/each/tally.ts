import type { Alert, CliError, ErrorCode } from '../errors.ts';
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
  /** The codes of the failed; what is in doubt counts as `unavailable`. */
  readonly codes: ReadonlySet<ErrorCode>;
  readonly reasons: readonly Reason[];
  readonly doubtful: readonly string[];
  /** The message of each item that alerts, by id. */
  readonly warned: ReadonlyMap<string, string>;
  readonly alerts: readonly Alert[];
}

/** Counts how items ended. Keeps only the first few of each kind, so that it stays small. */
export interface Tally {
  add(outcome: Pick<Outcome, 'item' | 'error' | 'isInDoubt'>): void;
  readonly done: number;
  readonly failed: number;
  counts(): Counts;
}

/** Creates a tally of nothing. */
export function createTally(): Tally {
  let [done, failed, alerting, inDoubt, withoutData] = [0, 0, 0, 0, 0];
  const reasons = createReasons();
  const codes = new Set<ErrorCode>();
  const doubtful: string[] = [];
  const warned = new Map<string, string>();
  const alerts: Alert[] = [];

  const addAlert = (id: string, { message, details }: CliError) => {
    alerting += 1;
    if (warned.size >= MAX_IDS) return;
    warned.set(id, message);
    alerts.push(...(details.alerts ?? []).map((alert) => ({ item: id, ...alert })));
  };
  const addFailure = (id: string, error: CliError, isInDoubt: boolean) => {
    failed += 1;
    codes.add(isInDoubt ? 'unavailable' : error.code);
    reasons.add(id, error);
    if (error.code === 'no_data') withoutData += 1;
    if (!isInDoubt) return;
    inDoubt += 1;
    if (doubtful.length < MAX_IDS) doubtful.push(id);
  };

  return {
    get done() {
      return done + alerting;
    },
    get failed() {
      return failed;
    },
    add({ item: { id }, error, isInDoubt }) {
      if (error === undefined) done += 1;
      else if (error.code === 'alert') addAlert(id, error);
      else addFailure(id, error, isInDoubt);
    },
    counts: () => ({
      done,
      failed,
      alerting,
      inDoubt,
      withoutData,
      codes,
      reasons: reasons.list(),
      doubtful,
      warned,
      alerts,
    }),
  };
}
