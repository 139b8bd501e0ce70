import { waitInWords } from '../api/retry.ts';
import { ruleOf } from '../api/statuses.ts';
import type { Clock } from '../clock.ts';
import { CliError } from '../errors.ts';
import type { Poll, PollResult } from './exchange.ts';
import { getRetryAfterMs, judgePoll, type PollVerdict, parseAnswerBody } from './judge.ts';
import { getErrorDetails, getHost, loginExpiredError } from './refusal.ts';
import type { StartedLogin } from './start.ts';
import type { IssuedToken } from './token.ts';

/** For a request after an interrupt: its answer may have the token. */
const GRACE_MS = 2_000;
/** At most. */
const JITTER_MS = 300;
/** To move the countdown. */
const TICK_MS = 1_000;
/** Before the end of an attempt. */
const LAST_LOOK_MS = 2_000;
/** A longer interval may skip the end of the attempt, so the last poll comes before it. */
const LONG_INTERVAL_SECONDS = 60;
/** By each `slow_down`, for good. */
const SLOWER_BY_SECONDS = 5;
/** A longer interval stays. */
const MAX_BACKOFF_SECONDS = 30;
const MAX_FOREIGN = 3;
/** Problems in a row; the first is often the only one. */
const SHOWN_FROM = 2;

/** To show while the login waits. */
export type PollEvent =
  /** About once a second; `remainingSeconds` if it is known how long the attempt lives. */
  | {
      readonly kind: 'waiting';
      readonly remainingSeconds: number | undefined;
      readonly problem: string | undefined;
    }
  | { readonly kind: 'notice'; readonly text: string }
  /** For `--debug`. */
  | { readonly kind: 'answer'; readonly verdict: string; readonly nextInSeconds: number };

/** What polling needs, apart from the terminal. */
export interface PollOptions<Kept = unknown> {
  readonly login: StartedLogin;
  readonly poll: Poll;
  readonly clock: Clock;
  /** Between 0 and 1. */
  readonly random: () => number;
  /** Aborted by a signal; a request under way then gets two more seconds. */
  readonly signal: AbortSignal;
  /** Ends the two seconds. */
  readonly hurry?: AbortSignal | undefined;
  report(event: PollEvent): void;
  /** Puts the token on disk, before anything else is done with it. Must not throw. */
  keep(issued: IssuedToken): Kept;
}

/**
 * Polls until the login is approved: one poll at a time, never more often than the platform allows,
 * and not for ever.
 * @throws CliError if the login is refused, expired or cancelled, or its answer was lost.
 */
export async function pollForToken<Kept>(options: PollOptions<Kept>) {
  const { login, clock, signal, report } = options;
  const age = ageOf(login, clock);
  let pace: Pace = {
    ...NO_TROUBLE,
    intervalSeconds: login.intervalSeconds,
    pauseMs: 0,
    maybeLost: false,
  };
  for (let isFirst = true; ; isFirst = false) {
    const remainingMs = age.remainingMs();
    const delayMs = delayOf(pace, remainingMs) + Math.ceil(options.random() * JITTER_MS);
    const { waitMs, isLastLook } = planTurn(pace, login.lifeSeconds, delayMs, remainingMs, isFirst);
    await wait(waitMs, age.remainingMs, pace, options);
    const answer = await askOnce(options, age.remainingMs());
    if (answer === undefined) throw cancelled(options, true);
    const verdict = judgePoll(answer, login.apiUrl, clock.now());
    if (verdict.kind === 'token') {
      const kept = options.keep(verdict.issued);
      // After an interrupt just before the token arrived, it is stored, and the login ends with
      // this error's code.
      return { kept, interruptedBy: signal.aborted ? interruption(signal.reason) : undefined };
    }
    if (signal.aborted) {
      throw cancelled(options, pace.maybeLost || ('isLost' in verdict && verdict.isLost));
    }
    const next = nextPace(pace, verdict, getRetryAfterMs(answer, clock.now()), login);
    if (isLastLook) await wait(age.remainingMs(), age.remainingMs, next, options);
    const isOver =
      isLastLook || age.monotonicMs() >= (login.lifeSeconds + pace.intervalSeconds) * 1000;
    const end = isOver
      ? loginExpiredError(next.problem)
      : endOfPause(answer, next, age.monotonicMs(), options);
    if (end !== undefined) throw ending(next, end, login);
    report({
      kind: 'answer',
      verdict: verdict.kind,
      nextInSeconds: delayOf(next, age.remainingMs()) / 1000,
    });
    pace = next;
  }
}

function ageOf({ startedAtMs, lifeSeconds }: StartedLogin, clock: Clock) {
  const startedMs = clock.monotonic() - Math.max(0, clock.now() - startedAtMs);
  const monotonicMs = (): number => clock.monotonic() - startedMs;
  return {
    /** This clock stops while the machine is suspended. */
    monotonicMs,
    /** By the clock that shows less. */
    remainingMs: () => lifeSeconds * 1000 - Math.max(monotonicMs(), clock.now() - startedAtMs),
  };
}

interface Pace {
  /** Never decreases. */
  readonly intervalSeconds: number;
  readonly pauseMs: number;
  /** What the last answers had in common. */
  readonly streak: { readonly of: string; readonly count: number };
  readonly problem: string | undefined;
  /** An answer was lost that may have had the token. */
  readonly maybeLost: boolean;
}

const NO_TROUBLE = { streak: { of: '', count: 0 }, problem: undefined };

function delayOf(
  { intervalSeconds, pauseMs, streak: { count } }: Pace,
  remainingMs: number,
): number {
  const backoffMs =
    count === 0 ? 0 : Math.min(intervalSeconds * 2 ** count, MAX_BACKOFF_SECONDS) * 1000;
  return Math.max(intervalSeconds * 1000, pauseMs, Math.min(backoffMs, remainingMs - LAST_LOOK_MS));
}

/**
 * If the wait would outlast the attempt, the first poll, or one with a very long interval, comes
 * two seconds before its end.
 */
function planTurn(
  { intervalSeconds, pauseMs }: Pace,
  life: number,
  delayMs: number,
  leftMs: number,
  isFirst: boolean,
) {
  const isLong = intervalSeconds > Math.min(LONG_INTERVAL_SECONDS, life);
  const comesSooner = leftMs > 0 && delayMs >= leftMs && (isLong || isFirst);
  if (!comesSooner) return { waitMs: delayMs, isLastLook: false };
  return { waitMs: Math.max(pauseMs, leftMs - LAST_LOOK_MS, leftMs / 2), isLastLook: isLong };
}

async function wait(
  waitMs: number,
  remainingMs: () => number,
  { problem, maybeLost }: Pace,
  options: PollOptions,
) {
  const { login, clock, signal, report } = options;
  const dueMs = clock.monotonic() + waitMs;
  try {
    signal.throwIfAborted();
    for (let leftMs = waitMs; leftMs > 0; leftMs = dueMs - clock.monotonic()) {
      const remainingSeconds = login.isLifeKnown
        ? Math.max(0, Math.ceil(remainingMs() / 1000))
        : undefined;
      report({ kind: 'waiting', remainingSeconds, problem });
      await clock.sleep(Math.min(TICK_MS, leftMs), signal);
    }
  } catch (error) {
    throw signal.aborted ? cancelled(options, maybeLost) : error;
  }
}

/** Waits even past the attempt's life. Returns undefined if it took too long after an interrupt. */
async function askOnce(
  { login, poll, clock, signal, hurry, report }: PollOptions,
  remainingMs: number,
) {
  const giveUp = new AbortController();
  const over = new AbortController();
  const grace = async (): Promise<undefined> => {
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { signal: over.signal });
    });
    report({ kind: 'notice', text: 'Cancelling… waiting 2 s for the answer.' });
    const ends = hurry === undefined ? over.signal : AbortSignal.any([over.signal, hurry]);
    await clock.sleep(GRACE_MS, ends).catch(() => undefined);
  };
  const answer = poll(login.deviceCode, giveUp.signal, remainingMs);
  try {
    const inTime = await Promise.race([answer, grace()]);
    // An open connection would keep the process running.
    if (inTime === undefined) giveUp.abort();
    return inTime;
  } finally {
    over.abort();
    answer.catch(() => undefined);
  }
}

function nextPace(
  pace: Pace,
  verdict: Exclude<PollVerdict, { kind: 'token' }>,
  pauseMs: number,
  login: StartedLogin,
): Pace {
  const calm = { ...pace, ...NO_TROUBLE, pauseMs };
  if (verdict.kind === 'pending') return calm;
  // A refusal is sure: no token was issued, not even in an answer that was lost.
  if (verdict.kind === 'stop') {
    throw verdict.isSure ? verdict.error : ending(pace, verdict.error, login);
  }
  if (verdict.kind === 'slow_down') {
    const intervalSeconds = Math.max(
      pace.intervalSeconds + SLOWER_BY_SECONDS,
      verdict.intervalSeconds ?? 0,
    );
    return { ...calm, intervalSeconds };
  }
  const { from, problem, isLost, error } = verdict;
  const count = pace.streak.of === from ? pace.streak.count + 1 : 1;
  const troubled = {
    ...calm,
    streak: { of: from, count },
    problem: count < SHOWN_FROM ? undefined : problem,
    maybeLost: pace.maybeLost || isLost,
  };
  if (error !== undefined && count === MAX_FOREIGN) throw ending(troubled, error, login);
  return troubled;
}

/** An answer that may have had the token matters more than the reason of the end. */
function ending({ maybeLost }: Pace, error: CliError, { clientName }: StartedLogin): CliError {
  if (!maybeLost) return error;
  const lost = 'The login may have been approved, but its answer was lost or could not be read.';
  const message = `${lost} A ${mayExist(clientName)}, then run svc login again.`;
  return new CliError('failed', message, { lines: [`Last: ${error.message}`] });
}

/** For a pause that outlasts the attempt: svc never polls earlier than asked. */
function endOfPause(
  answer: PollResult,
  { pauseMs, problem }: Pace,
  ageMs: number,
  { login, clock }: PollOptions,
) {
  const remainingMs = login.lifeSeconds * 1000 - ageMs;
  if (!('status' in answer) || pauseMs === 0 || pauseMs < remainingMs) return undefined;
  if (remainingMs <= 0) return loginExpiredError(problem);
  const retryAfterSeconds = Math.ceil(pauseMs / 1000);
  const wait = waitInWords(retryAfterSeconds, clock.now()).text;
  const message = `${getHost(login.apiUrl)} asks to wait ${wait}, which is longer than this login lives.`;
  const code = ruleOf(answer.status).code === 'rate_limited' ? 'rate_limited' : 'unavailable';
  const details = { ...getErrorDetails(answer, parseAnswerBody(answer)), retryAfterSeconds };
  return new CliError(code, message, {
    ...details,
    lines: ['Start again after that time.'],
    hint: 'svc login',
  });
}

/** `isLost`: a lost answer may have had a token. */
function cancelled(
  { login: { userCode, clientName }, signal }: PollOptions,
  isLost: boolean,
): CliError {
  const code = userCode === undefined ? 'the login in the browser' : `code ${userCode}`;
  const warning = `If it was approved already, a ${mayExist(clientName)}.`;
  const { exitCode } = interruption(signal.reason);
  const lines = isLost ? [warning] : undefined;
  return new CliError('interrupted', `Login cancelled. Do not approve ${code}.`, {
    lines,
    exitCode,
  });
}

function mayExist(clientName: string): string {
  return `token named "${clientName}" may exist: revoke it in Settings > API tokens`;
}

function interruption(reason: unknown): CliError {
  return reason instanceof CliError ? reason : new CliError('interrupted', 'Interrupted.');
}
