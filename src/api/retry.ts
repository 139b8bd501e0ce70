import type { RetryClass } from '../contract/operations.ts';
import { asSentence, CliError } from '../errors.ts';
import { parseStrictInstant } from '../json/values.ts';
import { type FailureKind, getFailureRule, getMaxRepeats, leavesDoubt } from './statuses.ts';

/** A failure, as far as it decides when a request is sent again; statuses.ts says how often. */
export interface FailedAttempt {
  /** The status or the fault; absent for a 2xx that cannot be used. */
  readonly kind?: FailureKind;
  readonly retryAfterMs?: number | undefined;
  /** Whether an answer came that cannot be used, whatever the kind says. */
  readonly outcomeUnknown?: boolean;
}

interface RetryState {
  readonly retryClass: RetryClass;
  readonly retry: boolean;
  readonly attempts: number;
  readonly remainingMs: number;
  readonly waitedMs: number;
  readonly random: () => number;
}

const MAX_WAIT_MS = 60_000;
const BASE_MS = 500;
/** The base after an answer that says the platform is busy. */
const BUSY_BASE_MS = 1_000;
const MAX_BACKOFF_MS = 5_000;
/** Added to `Retry-After`, so that not all clients come back at once. */
const RETRY_AFTER_JITTER = 0.1;

/**
 * Plans what follows a failure. Without `waitMs` the request is not sent again; `attempts` is how
 * often it is at most.
 */
export function planRetry(
  { kind, retryAfterMs, outcomeUnknown = false }: FailedAttempt,
  state: RetryState,
) {
  const rule = kind === undefined ? undefined : getFailureRule(kind);
  const inDoubt = outcomeUnknown || (rule !== undefined && leavesDoubt(rule, state.retryClass));
  const stop = { waitMs: undefined, attempts: state.attempts, outcomeUnknown: inDoubt };
  if (rule === undefined || !state.retry) return stop;

  const repeats = getMaxRepeats(rule, state.retryClass, retryAfterMs !== undefined);
  if (state.attempts > repeats) return stop;

  const waitMs = getWait(state, rule.isBusy, retryAfterMs);
  const longestMs = Math.min(state.remainingMs, MAX_WAIT_MS - state.waitedMs);
  if ((retryAfterMs ?? waitMs) >= longestMs) return stop;

  // A write is repeated only if the platform itself refused it: then it was not carried out.
  return {
    waitMs: Math.min(waitMs, longestMs),
    attempts: repeats + 1,
    outcomeUnknown: inDoubt && state.retryClass !== 'write',
  };
}

/** Describes why a request is sent again, and when. */
export function describeRetry(
  { message, details }: CliError,
  waitMs: number,
  attempt: number,
  attempts: number,
): string {
  const { status = 0 } = details;
  const state = getFailureRule(status).isBusy ? 'is busy' : 'has a problem';
  const why = status < 400 ? asSentence(message) : `The platform ${state} (${status}).`;
  const seconds = Math.round(waitMs / 1000);
  const when = seconds > 0 ? ` in ${seconds} s` : '';
  return `${why} Retrying${when} (${attempt} of ${attempts})`;
}

/**
 * Returns up to a tenth more than `Retry-After`; without one, or if it is 0, 50 to 100 % of a
 * back-off that doubles.
 */
function getWait({ attempts, random }: RetryState, isBusy = false, retryAfterMs = 0): number {
  if (retryAfterMs > 0) return retryAfterMs * (1 + RETRY_AFTER_JITTER * random());
  const baseMs = isBusy ? BUSY_BASE_MS : BASE_MS;
  const fullMs = Math.min(MAX_BACKOFF_MS, baseMs * 2 ** (attempts - 1));
  return fullMs * (0.5 + 0.5 * random());
}

/**
 * Reads `Retry-After` (RFC 9110, 10.2.3) in milliseconds: seconds, of which a fraction is rounded
 * up, or a date, counted from the answer's own `Date` so that a wrong local clock does not matter.
 * Of several, which proxies add, the longest counts.
 */
export function parseRetryAfter(
  headers: Readonly<Record<string, string>>,
  nowMs: number,
): number | undefined {
  const serverMs = parseHttpDate(headers['date']) ?? nowMs;
  const waits = (headers['retry-after'] ?? '').split(BETWEEN_WAITS).flatMap((wait) => {
    const text = wait.trim();
    if (/^\d{1,9}(?:\.\d{0,9})?$/.test(text)) return [Math.ceil(Number(text)) * 1000];
    const untilMs = parseHttpDate(text);
    return untilMs === undefined ? [] : [Math.max(0, untilMs - serverMs)];
  });
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** A comma divides headers that came several times. It also stands behind the day of a date. */
const BETWEEN_WAITS = /(?<!\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?),/i;

/**
 * Reads what time it is for the platform, by the `Date` of its answer, in milliseconds since the
 * epoch: `nowMs`, the clock of this machine, if the two are within five minutes, or it names none.
 */
export function readPlatformTime(
  headers: Readonly<Record<string, string>> | undefined,
  nowMs: number,
): number {
  const serverMs = parseHttpDate(headers?.['date']) ?? nowMs;
  return Math.abs(serverMs - nowMs) > TOLERATED_DIFFERENCE_MS ? serverMs : nowMs;
}

/** The difference of clocks that is not worth a note: tokens are renewed days before they end. */
const TOLERATED_DIFFERENCE_MS = 5 * 60_000;

/** Whether a loop asks again after this error. */
export function isTransientError(error: unknown): error is CliError {
  return (
    error instanceof CliError && (error.code === 'unavailable' || error.code === 'rate_limited')
  );
}

/**
 * Returns the milliseconds until a loop asks again: its own pause, or the platform's `Retry-After`
 * if longer.
 */
export function getPauseAfter(error: CliError | undefined, pauseMs: number): number {
  return Math.max(pauseMs, (error?.details.retryAfterSeconds ?? 0) * 1000);
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * Describes a wait: `text` follows "asks to wait", `whenOver` a suggestion. From two days on both
 * name the day (UTC).
 */
export function describeWait(
  seconds: number,
  nowMs: number,
): { readonly text: string; readonly whenOver: string } {
  if (seconds >= 48 * HOUR) {
    const day = new Date(nowMs + seconds * 1000).toISOString().slice(0, 10);
    return { text: `until ${day}`, whenOver: `after ${day}: the platform asks to wait until then` };
  }
  const text = describeSeconds(seconds);
  return { text, whenOver: `in ${text}` };
}

function describeSeconds(seconds: number): string {
  if (seconds < 2 * MINUTE) return `${seconds} s`;
  if (seconds < 2 * HOUR) return `${Math.ceil(seconds / MINUTE)} minutes`;
  return `${Math.ceil(seconds / HOUR)} hours`;
}

/** The year of RFC 850 has two digits; those from here on are of the last century. */
const LAST_CENTURY = 70;

const RFC_850 = /^(\w{3})\w{3,6}, (\d\d-\w{3}-)(\d\d)(?= )/;
const ASCTIME = /^(\w{3}) (\w{3}) {1,2}(\d{1,2}) (\d\d:\d\d:\d\d) (\d{4})$/;

/**
 * Reads the date of a header, of a day that exists, in milliseconds since the epoch: the three forms
 * of RFC 9110 (5.6.7), of which the first is the date of mail.
 */
export function parseHttpDate(text = ''): number | undefined {
  const mailDate = text
    .replace(RFC_850, (_, weekday, dayAndMonth, year) => {
      const century = Number(year) < LAST_CENTURY ? '20' : '19';
      return `${weekday}, ${dayAndMonth.replaceAll('-', ' ')}${century}${year}`;
    })
    .replace(ASCTIME, '$1, $3 $2 $5 $4 GMT');
  const instant = parseStrictInstant(mailDate);
  if (typeof instant !== 'number') return undefined;

  const weekday = new Date(instant).toUTCString().slice(0, 3);
  return mailDate.startsWith(weekday) ? instant : undefined;
}
