import { CliError, type ErrorCode } from '../errors.ts';
import type { TransportErrorKind } from '../http/transport-error.ts';
import type { RetryClass } from '../spec/operations.ts';

// What follows a failed attempt: which statuses pass by themselves, what is sent again, and after which wait.

/** Statuses that pass by themselves, beside every 5xx. */
const TRANSIENT: readonly number[] = [408, 425, 429];

/** Whether the same request may succeed later without anyone changing anything. */
export function isTransient(status: number): boolean {
  return status >= 500 || TRANSIENT.includes(status);
}

/** The error code of an answer that is not 2xx. */
export function codeOfStatus(status: number): ErrorCode {
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limited';
  if (status === 408 || status >= 500) return 'unavailable';
  return status >= 400 ? 'rejected' : 'unexpected';
}

const TRANSIENT_CODES: readonly ErrorCode[] = ['unavailable', 'rate_limited'];

/** Whether a loop that waits or watches asks again after this error. */
export function isTransientError(error: unknown): error is CliError {
  return error instanceof CliError && TRANSIENT_CODES.includes(error.code);
}

/** Milliseconds until such a loop asks again: its own pause, or what the service asked for if that is longer. */
export function pauseAfter(error: CliError | undefined, pauseMs: number): number {
  return Math.max(pauseMs, (error?.details.retryAfterSeconds ?? 0) * 1000);
}

/** Everything that can end an attempt and that a repetition could mend. */
export type Outcome =
  | Exclude<TransportErrorKind, 'proxy'>
  | ('408' | '409' | '425' | '429_retry_after' | '429' | '500' | '502' | '503' | '504');

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

/** All outcomes. */
export const OUTCOMES = Object.keys(READ) as readonly Outcome[];

/** The device login has rules of its own: src/login/start.ts and src/login/poll-answer.ts. */
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
  keyed: {
    ...READ,
    reset: twiceThenUnknown,
    timeout: twiceThenUnknown,
    408: twiceThenUnknown,
    // What services say while the first request with the same key still runs.
    409: twiceThenUnknown,
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
  return exact ?? (isTransient(status) ? '500' : undefined);
}

/** The outcome that a transport error stands for. A proxy's refusal is final, and the service has seen nothing. */
export function outcomeOfTransportError(kind: TransportErrorKind): Outcome | undefined {
  return kind === 'proxy' ? undefined : kind;
}

/** How an attempt failed. */
export interface FailedAttempt {
  /** The column of the retry table; `undefined` where the answer is final. */
  readonly outcome?: Outcome | undefined;
  /** Milliseconds that the service asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /** The request may have been carried out, whatever the table says: its answer came but cannot be used. */
  readonly outcomeUnknown?: boolean;
}

/** What follows a failed attempt. */
export interface Step {
  /** Milliseconds until the request is sent again; `undefined` if it is not. */
  readonly waitMs: number | undefined;
  /** This attempt may have been carried out. */
  readonly outcomeUnknown: boolean;
}

/** What the decision rests on, beside the failure. */
export interface RetryState {
  readonly retryClass: RetryClass;
  /** False for exactly one request. */
  readonly retry: boolean;
  /** How often the request was sent so far. */
  readonly attempts: number;
  /** Milliseconds that the command has left. */
  readonly remainingMs: number;
  /** Milliseconds that the command has waited between attempts so far. */
  readonly waitedMs: number;
  readonly random: () => number;
}

/** How long svc waits between attempts in one command, in milliseconds, whatever the service asks for. */
const LONGEST_WAIT_MS = 60_000;
/** The base of the back-off, in milliseconds. */
const BASE_MS = 500;
/** The base after an answer that says that the service has too much to do. */
const BUSY_BASE_MS = 1_000;
const LONGEST_BACKOFF_MS = 5_000;
/** How much is added to what the service asks for, at most, so that not all come back at once. */
const RETRY_AFTER_JITTER = 0.1;

/** Whether the request is sent again, and after which wait. */
export function nextStep(failed: FailedAttempt, state: RetryState): Step {
  const { outcome, retryAfterMs } = failed;
  const cell = outcome === undefined ? undefined : RETRY_TABLE[state.retryClass][outcome];
  const outcomeUnknown = failed.outcomeUnknown === true || cell?.afterwards === 'unknown';
  const stop: Step = { waitMs: undefined, outcomeUnknown };
  if (outcome === undefined || cell === undefined || !state.retry || state.attempts > cell.extra) return stop;
  if (cell.needsRetryAfter && retryAfterMs === undefined) return stop;
  const waitMs = waitBefore(state.attempts - 1, outcome, retryAfterMs, state.random);
  const longestMs = Math.min(state.remainingMs, LONGEST_WAIT_MS - state.waitedMs);
  if ((retryAfterMs ?? waitMs) >= longestMs) return stop;
  // An attempt that is repeated only because the service refused it in so many words leaves no doubt.
  return { waitMs: Math.min(waitMs, longestMs), outcomeUnknown: outcomeUnknown && !cell.needsRetryAfter };
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

/** The form of a date that RFC 9110 prefers (5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`. */
const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The milliseconds that a `Retry-After` asks to wait (RFC 9110, 10.2.3): 1 to 9 digits, or a date in the preferred
 * form, counted from the answer's own `Date` so that a wrong local clock does not matter.
 * `undefined` without the header, and where it is written any other way.
 */
export function parseRetryAfter(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const text = headers['retry-after'];
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const untilMs = parseHttpDate(text);
  if (untilMs === undefined) return undefined;
  return Math.max(0, untilMs - (parseHttpDate(headers['date']) ?? nowMs));
}

/** The instant of an IMF-fixdate, in milliseconds since the epoch; `undefined` for anything else, also a date that does not exist. */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !IMF_FIXDATE.test(text)) return undefined;
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toUTCString() === text ? ms : undefined;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * A wait that the service asks for, as people say it: `text` follows "asks to wait", and `whenOver` follows what to do when it
 * is over. A wait of days is the day (UTC) on which it ends.
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
