import type { RetryClass } from '../spec/operations.ts';
import type { Budget } from './budget.ts';
import type { Failure } from './failure.ts';
import { type Cell, type Outcome, RETRY_TABLE } from './retry.ts';

/** What follows a failed attempt. */
export type Step =
  | { readonly kind: 'again'; readonly waitMs: number; readonly inDoubt: boolean }
  | { readonly kind: 'stop'; readonly inDoubt: boolean };

/** What the decision rests on, beside the failure. */
export interface PlanInput {
  readonly retryClass: RetryClass;
  /** False for exactly one request. */
  readonly retry: boolean;
  /** How often the request was sent so far. */
  readonly attempts: number;
  readonly budget: Budget;
  readonly random: () => number;
}

/** The base of the back-off, in milliseconds. */
const BASE_MS = 500;
/** The base after an answer that says that the service has too much to do. */
const BUSY_BASE_MS = 1_000;
const LONGEST_BACKOFF_MS = 5_000;
/** How much is added to what the service asks for, at most, so that not all come back at once. */
const RETRY_AFTER_JITTER = 0.1;

/** Whether the request is sent again, and after which wait; `inDoubt` says that this attempt may have been carried out. */
export function nextStep(failure: Failure, input: PlanInput): Step {
  const { outcome, retryAfterMs } = failure;
  const cell = outcome === undefined ? undefined : RETRY_TABLE[input.retryClass][outcome];
  const inDoubt = failure.carriedOut === true || cell?.afterwards === 'unknown';
  if (outcome === undefined || cell === undefined || !mayRepeat(cell, failure, input)) return { kind: 'stop', inDoubt };
  const waitMs = waitBefore(input.attempts - 1, outcome, retryAfterMs, input.random);
  const waitableMs = input.budget.waitableMs();
  if ((retryAfterMs ?? waitMs) >= waitableMs) return { kind: 'stop', inDoubt };
  // An attempt that is repeated only because the service refused it in so many words leaves no doubt.
  return { kind: 'again', waitMs: Math.min(waitMs, waitableMs), inDoubt: inDoubt && !cell.needsRetryAfter };
}

function mayRepeat(cell: Cell, failure: Failure, { retry, attempts }: PlanInput): boolean {
  if (!retry || attempts > cell.extra) return false;
  return !cell.needsRetryAfter || failure.retryAfterMs !== undefined;
}

/**
 * What the service asks for and up to a tenth more, else 50 to 100 % of a back-off that doubles: also where it asks for no
 * time at all, since all who are told so would come back at once.
 */
function waitBefore(repeats: number, outcome: Outcome, retryAfterMs: number | undefined, random: () => number): number {
  if (retryAfterMs !== undefined && retryAfterMs > 0) return retryAfterMs * (1 + RETRY_AFTER_JITTER * random());
  const busy = outcome === '429' || outcome === '429_retry_after' || outcome === '503';
  const fullMs = Math.min(LONGEST_BACKOFF_MS, (busy ? BUSY_BASE_MS : BASE_MS) * 2 ** repeats);
  return fullMs * (0.5 + 0.5 * random());
}
