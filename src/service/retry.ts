import { asSentence, CliError, type ErrorCode } from '../errors.ts';
import type { TransportErrorKind } from '../http/transport-error.ts';
import type { RetryClass } from '../spec/operations.ts';

// Decides after a failed attempt: whether the request is sent again, and after which wait.

/** Whether the same request may succeed later. */
export function isTransient(status: number): boolean {
  return status >= 500 || [408, 425, 429].includes(status);
}

/** Returns the error code of an answer that is not 2xx. */
export function codeOfStatus(status: number): ErrorCode {
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limited';
  if (status === 408 || status >= 500) return 'unavailable';
  return status >= 400 ? 'rejected' : 'unexpected';
}

/** Failures after which a request may be sent again. */
export type Outcome =
  | Exclude<TransportErrorKind, 'proxy'>
  | ('408' | '409' | '425' | '429_retry_after' | '429' | '500' | '502' | '503' | '504');

export interface Cell {
  /** Attempts after the first, at most. */
  readonly extra: number;
  /** `unknown`: the request may have been carried out. */
  readonly afterwards: 'fail' | 'unknown';
  /** Repeats only after an answer with `Retry-After`: then the service itself has refused the request. */
  readonly needsRetryAfter?: true;
}

const never: Cell = { extra: 0, afterwards: 'fail' };
const once: Cell = { extra: 1, afterwards: 'fail' };
const twice: Cell = { extra: 2, afterwards: 'fail' };
const unknown: Cell = { extra: 0, afterwards: 'unknown' };
const twiceThenUnknown: Cell = { extra: 2, afterwards: 'unknown' };
const twiceIfAsked: Cell = { extra: 2, afterwards: 'unknown', needsRetryAfter: true };

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

export const OUTCOMES = Object.keys(READ) as readonly Outcome[];

/** src/login/poll-answer.ts has retry rules of its own. */
const POLL: Row = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, never])) as Row;

/**
 * Says how often a request is repeated. A change is repeated only if it was surely not carried out, or if its key keeps
 * the service from doing it twice. Answers without a column (400, 401, 403, 404, 422, redirects) are final.
 */
export const RETRY_TABLE: Readonly<Record<RetryClass, Row>> = {
  // A second start only leaves a code that nobody approves.
  start: READ,
  poll: POLL,
  read: READ,
  // A scan is slow work for the service: one that timed out twice would time out again.
  scan: { ...READ, timeout: once },
  keyed: {
    ...READ,
    reset: twiceThenUnknown,
    timeout: twiceThenUnknown,
    408: twiceThenUnknown,
    // Services answer 409 while the first request with the same key is still running.
    409: twiceThenUnknown,
    500: twiceThenUnknown,
    502: twiceThenUnknown,
    503: twiceThenUnknown,
    504: twiceThenUnknown,
  },
  // After a gateway's 502 or 504, or a late 408, the request may still have been passed on and carried out.
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
    503: twiceIfAsked,
    504: unknown,
  },
};

/** Returns undefined if the answer is final for every request. */
export function outcomeOfStatus(status: number, hasRetryAfter: boolean): Outcome | undefined {
  if (status === 429) return hasRetryAfter ? '429_retry_after' : '429';
  const exact = OUTCOMES.find((outcome) => outcome === String(status));
  // Other 5xx, such as a content network's 520 to 526, count as 500.
  return exact ?? (isTransient(status) ? '500' : undefined);
}

export interface FailedAttempt {
  /** The column of the retry table; `undefined` if the answer is final. */
  readonly outcome?: Outcome | undefined;
  readonly retryAfterMs?: number | undefined;
  /** Overrides the table: the request may have been carried out, as its answer came but cannot be used. */
  readonly outcomeUnknown?: boolean;
}

interface Step {
  /** Milliseconds until the request is sent again; `undefined` if it is not. */
  readonly waitMs: number | undefined;
  /** Attempts of the call, at most. */
  readonly attempts: number;
  /** Whether the failed attempt may have been carried out. */
  readonly outcomeUnknown: boolean;
}

interface RetryState {
  readonly retryClass: RetryClass;
  /** False for exactly one request. */
  readonly retry: boolean;
  /** Requests sent so far. */
  readonly attempts: number;
  /** Time left for the command. */
  readonly remainingMs: number;
  /** Waits between attempts in the command so far. */
  readonly waitedMs: number;
  readonly random: () => number;
}

/** Limits the waits between attempts in one command, whatever the service asks for. */
const LONGEST_WAIT_MS = 60_000;
const BASE_MS = 500;
/** The base after an answer that says the service is busy. */
const BUSY_BASE_MS = 1_000;
const LONGEST_BACKOFF_MS = 5_000;
/** The share added to `Retry-After`, at most, so that not all clients come back at once. */
const RETRY_AFTER_JITTER = 0.1;

export function nextStep(failed: FailedAttempt, state: RetryState): Step {
  const { outcome, retryAfterMs } = failed;
  const cell = outcome === undefined ? undefined : RETRY_TABLE[state.retryClass][outcome];
  const outcomeUnknown = failed.outcomeUnknown === true || cell?.afterwards === 'unknown';
  const stop: Step = { waitMs: undefined, attempts: state.attempts, outcomeUnknown };
  if (outcome === undefined || cell === undefined || !state.retry || state.attempts > cell.extra) return stop;
  if (cell.needsRetryAfter && retryAfterMs === undefined) return stop;
  const waitMs = waitBefore(state.attempts - 1, outcome, retryAfterMs, state.random);
  const longestMs = Math.min(state.remainingMs, LONGEST_WAIT_MS - state.waitedMs);
  if ((retryAfterMs ?? waitMs) >= longestMs) return stop;
  // The service itself refused the request, so it was not carried out.
  const isUnknown = outcomeUnknown && !cell.needsRetryAfter;
  return { waitMs: Math.min(waitMs, longestMs), attempts: cell.extra + 1, outcomeUnknown: isUnknown };
}

/** Says to people why a request is sent again, in how many milliseconds, and which attempt that is. */
export function retryText({ message, details }: CliError, waitMs: number, attempt: number, attempts: number): string {
  const { status } = details;
  const isBusy = status === 429 || status === 503;
  const why =
    status === undefined || status < 400
      ? asSentence(message)
      : `The service ${isBusy ? 'is busy' : 'has a problem'} (${status}).`;
  const seconds = Math.round(waitMs / 1000);
  return `${why} Retrying${seconds > 0 ? ` in ${seconds} s` : ''} (${attempt} of ${attempts})`;
}

/**
 * Adds up to a tenth to `Retry-After`; otherwise takes 50 to 100 % of a back-off that doubles. `Retry-After: 0` gets the
 * back-off too, or all clients would come back at once.
 */
function waitBefore(repeats: number, outcome: Outcome, retryAfterMs: number | undefined, random: () => number): number {
  if (retryAfterMs !== undefined && retryAfterMs > 0) return retryAfterMs * (1 + RETRY_AFTER_JITTER * random());
  const busy = outcome === '429' || outcome === '429_retry_after' || outcome === '503';
  const fullMs = Math.min(LONGEST_BACKOFF_MS, (busy ? BUSY_BASE_MS : BASE_MS) * 2 ** repeats);
  return fullMs * (0.5 + 0.5 * random());
}

/**
 * Reads `Retry-After` (RFC 9110, 10.2.3) in milliseconds: 1 to 9 digits, or an IMF-fixdate, counted from the answer's own
 * `Date` so that a wrong local clock does not matter. Returns undefined for any other form.
 */
export function parseRetryAfter(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const untilMs = parseHttpDate(text);
  if (untilMs === undefined) return undefined;
  return Math.max(0, untilMs - (parseHttpDate(headers['date']) ?? nowMs));
}

/** The date form that RFC 9110 prefers (5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`. */
const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Returns milliseconds since the epoch, or undefined for anything but an IMF-fixdate of a day that exists. */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !IMF_FIXDATE.test(text)) return undefined;
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toUTCString() === text ? ms : undefined;
}

/** Whether a loop that waits or watches asks again after this error. */
export function isTransientError(error: unknown): error is CliError {
  return error instanceof CliError && (error.code === 'unavailable' || error.code === 'rate_limited');
}

/** Returns the milliseconds until such a loop asks again: its own pause, or the service's `Retry-After` if longer. */
export function pauseAfter(error: CliError | undefined, pauseMs: number): number {
  return Math.max(pauseMs, (error?.details.retryAfterSeconds ?? 0) * 1000);
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Puts a wait into words: `text` follows "asks to wait", `whenOver` follows a suggestion. From two days on it names the day
 * (UTC) on which the wait ends.
 */
export function waitInWords(seconds: number, nowMs: number): { readonly text: string; readonly whenOver: string } {
  if (seconds < 2 * DAY) {
    const text = lengthInWords(seconds);
    return { text, whenOver: `in ${text}` };
  }
  const day = new Date(nowMs + seconds * 1000).toISOString().slice(0, 10);
  return { text: `until ${day}`, whenOver: `after ${day}: the service asks to wait until then` };
}

function lengthInWords(seconds: number): string {
  if (seconds < 2 * MINUTE) return `${seconds} s`;
  if (seconds < 2 * HOUR) return `${Math.ceil(seconds / MINUTE)} minutes`;
  return `${Math.ceil(seconds / HOUR)} hours`;
}
