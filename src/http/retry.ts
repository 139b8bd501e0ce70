import type { RetryClass } from '../spec/operations.ts';
import type { FaultKind } from './send.ts';

/** Everything that can end an attempt and that a repetition could mend. */
export const OUTCOMES = [
  'not_sent',
  'tls',
  'reset',
  'timeout',
  '408',
  '409',
  '425',
  '429_retry_after',
  '429',
  '500',
  '502',
  '503',
  '504',
] as const;

/** One of {@link OUTCOMES}. */
export type Outcome = (typeof OUTCOMES)[number];

/** What follows an outcome. */
export interface Cell {
  /** How many more attempts there may be after the first. */
  readonly extra: number;
  /** What is known when they are used up: the request failed, or it may have been carried out. */
  readonly afterwards: 'fail' | 'unknown';
  /** The extra attempts are for answers with a `Retry-After` only: the service was there and refused. */
  readonly needsRetryAfter?: true;
}

const never: Cell = { extra: 0, afterwards: 'fail' };
const once: Cell = { extra: 1, afterwards: 'fail' };
const twice: Cell = { extra: 2, afterwards: 'fail' };
const unknown: Cell = { extra: 0, afterwards: 'unknown' };
const twiceThenUnknown: Cell = { extra: 2, afterwards: 'unknown' };
const ifAskedTo: Cell = { extra: 2, afterwards: 'unknown', needsRetryAfter: true };

type Row = Readonly<Record<Outcome, Cell>>;

const READ: Row = {
  not_sent: twice,
  tls: never,
  reset: twice,
  timeout: twice,
  408: twice,
  409: never,
  425: twice,
  '429_retry_after': twice,
  429: twice,
  500: twice,
  502: twice,
  503: twice,
  504: twice,
};

/** The device login repeats its requests by rules of its own. */
const LOGIN: Row = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, never])) as Row;

/**
 * What is repeated, and how often: a request that changes something only where it was surely not carried out, or where
 * its key keeps the service from doing it twice. Any other answer (400, 401, 403, 404, 422, a redirect) is final.
 */
export const RETRY_TABLE: Readonly<Record<RetryClass, Row>> = {
  start: LOGIN,
  poll: LOGIN,
  read: READ,
  // A scan works on the far side for a while; one that ran into the time limit would do so a third time.
  scan: { ...READ, timeout: once },
  // 409 is what services say while the first request with the same key still runs.
  keyed: {
    not_sent: twice,
    tls: never,
    reset: twiceThenUnknown,
    timeout: twiceThenUnknown,
    408: twiceThenUnknown,
    409: twiceThenUnknown,
    425: twice,
    '429_retry_after': twice,
    429: twice,
    500: twiceThenUnknown,
    502: twiceThenUnknown,
    503: twiceThenUnknown,
    504: twiceThenUnknown,
  },
  // A gateway's 502 or 504, and a late 408, may hide that the request was passed on and carried out.
  write: {
    not_sent: twice,
    tls: never,
    reset: unknown,
    timeout: unknown,
    408: unknown,
    409: never,
    425: once,
    '429_retry_after': twice,
    429: never,
    500: unknown,
    502: unknown,
    503: ifAskedTo,
    504: unknown,
  },
};

/** The outcome that a status stands for; `undefined` where the answer is final whatever was asked. */
export function outcomeOfStatus(status: number, hasRetryAfter: boolean): Outcome | undefined {
  if (status === 429) return hasRetryAfter ? '429_retry_after' : '429';
  const exact = OUTCOMES.find((outcome) => outcome === String(status));
  // The 5xx that have no row, such as a content network's 520 to 526, say as little as a 500.
  return exact ?? (status >= 500 ? '500' : undefined);
}

/** The outcome that a fault stands for. A proxy's refusal is final, and the service has seen nothing. */
export function outcomeOfFault(kind: FaultKind): Outcome | undefined {
  return kind === 'proxy' ? undefined : kind;
}
