import { describeWait, parseRetryAfter } from '../api/retry.ts';
import { getFailureRule } from '../api/statuses.ts';
import type { Clock } from '../clock.ts';
import { CliError } from '../errors.ts';
import type { Poll, PollResult } from './exchange.ts';
import { judgePoll, type PollVerdict, parseAnswerBody } from './judge.ts';
import { getPollDelay, type PollState, planNextPoll, updatePollState } from './poll-schedule.ts';
import { getErrorDetails, getHost, loginExpiredError } from './refusal.ts';
import type { StartedLogin } from './start.ts';
import type { IssuedToken } from './token.ts';

/** A poll under way gets so long to answer after an interrupt: its answer may have the token. */
const GRACE_MS = 2_000;
/** Each wait is up to so much longer, so that not all clients poll at the same moment. */
const MAX_JITTER_MS = 300;
/** The countdown on the screen moves so often. */
const COUNTDOWN_STEP_MS = 1_000;
/** The login ends after so many answers in a row from something other than the API. */
const MAX_FOREIGN_ANSWERS = 3;

/** An event to show while the login waits; `answer` is for `--debug`. */
export type PollEvent =
  | {
      readonly kind: 'waiting';
      /** How long the code still lives; undefined if the platform did not say. */
      readonly remainingSeconds: number | undefined;
      readonly problem: string | undefined;
    }
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'answer'; readonly verdict: string; readonly nextInSeconds: number };

/** The login, and the world outside: tests decide time, chance and the network. */
export interface PollOptions<Kept = unknown> {
  readonly login: StartedLogin;
  readonly poll: Poll;
  readonly clock: Clock;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
  /** Aborted by a signal; a poll under way then gets two more seconds. */
  readonly signal: AbortSignal;
  /** Aborted by a second Ctrl-C, which ends the two seconds. */
  readonly forceQuitSignal?: AbortSignal;
  report(event: PollEvent): void;
  /** Puts the token on disk, before anything else is done with it. Must not throw. */
  keep(issued: IssuedToken): Kept;
}

/**
 * Polls until the login is approved: one poll at a time, never more often than the platform allows,
 * and not for ever. If an interrupt comes just before the token, the token is kept, and the login
 * ends with the exit code of `interruptedBy`.
 * @throws CliError if the login is refused, expired or cancelled, or its answer was lost.
 */
export async function pollForToken<Kept>(options: PollOptions<Kept>) {
  const { login, clock, signal } = options;
  const age = trackAge(login, clock);
  let state: PollState = {
    intervalSeconds: login.intervalSeconds,
    retryAfterMs: 0,
    problemCount: 0,
    tokenMayBeLost: false,
  };

  for (let isFirst = true; ; isFirst = false) {
    const { waitMs, isLast } = planNextPoll(state, {
      lifeSeconds: login.lifeSeconds,
      remainingMs: age.getRemaining(),
      jitterMs: Math.ceil(options.random() * MAX_JITTER_MS),
      isFirst,
    });
    await waitVisibly(waitMs, age, state, options);
    const answer = await pollOnce(options, age.getRemaining());
    if (answer === undefined) throw createCancelledError(options, true);

    const verdict = judgePoll(answer, login.apiUrl, clock.now());
    if (verdict.kind === 'token') {
      return { kept: options.keep(verdict.issued), interruptedBy: findInterruption(signal) };
    }
    if (signal.aborted) {
      const isLost = 'isLost' in verdict && verdict.isLost;
      throw createCancelledError(options, state.tokenMayBeLost || isLost);
    }
    if (verdict.kind === 'stop') {
      // A refusal is sure: no token was issued, not even in an answer that was lost.
      throw addLostTokenWarning(verdict.error, !verdict.isSure && state.tokenMayBeLost, login);
    }

    state = updatePollState(state, verdict, parseRetryAfter(answer.headers, clock.now()));
    const moment = { ageMs: age.getMonotonic(), isLast };
    const end = findEnd(answer, verdict, { ...state, ...moment }, options);
    if (end !== undefined) throw addLostTokenWarning(end, state.tokenMayBeLost, login);

    options.report({
      kind: 'answer',
      verdict: verdict.kind,
      nextInSeconds: getPollDelay(state, age.getRemaining()) / 1000,
    });
  }
}

function trackAge({ startedAtMs, lifeSeconds }: StartedLogin, clock: Clock) {
  const startMs = clock.monotonic() - Math.max(0, clock.now() - startedAtMs);
  const getMonotonic = (): number => clock.monotonic() - startMs;
  return {
    /** Milliseconds since the start, by a clock that stops while the machine is suspended. */
    getMonotonic,
    /** Milliseconds that the code still lives, by the clock that shows less. */
    getRemaining: () => lifeSeconds * 1000 - Math.max(getMonotonic(), clock.now() - startedAtMs),
  };
}

/** Waits, and moves the countdown meanwhile. */
async function waitVisibly(
  waitMs: number,
  age: ReturnType<typeof trackAge>,
  { shownProblem, tokenMayBeLost }: PollState,
  options: PollOptions,
): Promise<void> {
  const { login, clock, signal } = options;
  const endMs = clock.monotonic() + waitMs;
  try {
    signal.throwIfAborted();
    for (let leftMs = waitMs; leftMs > 0; leftMs = endMs - clock.monotonic()) {
      const secondsToLive = Math.max(0, Math.ceil(age.getRemaining() / 1000));
      const remainingSeconds = login.isLifeKnown ? secondsToLive : undefined;
      options.report({ kind: 'waiting', remainingSeconds, problem: shownProblem });
      await clock.sleep(Math.min(COUNTDOWN_STEP_MS, leftMs), signal);
    }
  } catch (error) {
    throw signal.aborted ? createCancelledError(options, tokenMayBeLost) : error;
  }
}

/**
 * Sends one poll and waits for its answer, even if the code expires meanwhile. Returns undefined if
 * an interrupt came, and no answer within the grace after it.
 */
async function pollOnce(options: PollOptions, remainingMs: number) {
  const request = new AbortController();
  const settled = new AbortController();
  const answer = options.poll(options.login.deviceCode, request.signal, remainingMs);
  try {
    const first = await Promise.race([answer, waitForEndOfGrace(options, settled.signal)]);
    // A connection that stays open would keep the process running.
    if (first === undefined) request.abort();
    return first;
  } finally {
    settled.abort();
    answer.catch(() => undefined);
  }
}

/** Resolves some time after an interrupt; `settled` ends the wait of a poll that was answered. */
async function waitForEndOfGrace(
  { clock, signal, forceQuitSignal, report }: PollOptions,
  settled: AbortSignal,
): Promise<undefined> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { signal: settled });
  });
  report({ kind: 'notice', text: 'Cancelling… waiting 2 s for the answer.' });
  const endsEarly = forceQuitSignal ? AbortSignal.any([settled, forceQuitSignal]) : settled;
  await clock.sleep(GRACE_MS, endsEarly).catch(() => undefined);
}

/** Returns the error that ends the login after an answer, or undefined if svc polls again. */
function findEnd(
  answer: PollResult,
  verdict: PollVerdict,
  state: PollState & Readonly<{ ageMs: number; isLast: boolean }>,
  { login, clock }: PollOptions,
): CliError | undefined {
  const { problemCount, shownProblem, retryAfterMs, intervalSeconds } = state;
  if (verdict.kind === 'foreign' && problemCount === MAX_FOREIGN_ANSWERS) return verdict.error;

  const remainingMs = login.lifeSeconds * 1000 - state.ageMs;
  // One interval more than the code lives: the platform's clock decides, and it may be behind.
  const isOver = state.isLast || -remainingMs >= intervalSeconds * 1000;
  const isAskedToWait = retryAfterMs > 0 && retryAfterMs >= remainingMs;
  if (isOver || (isAskedToWait && remainingMs <= 0)) return loginExpiredError(shownProblem);
  if (!isAskedToWait || !('status' in answer)) return undefined;

  // svc never polls earlier than it was asked to.
  const retryAfterSeconds = Math.ceil(retryAfterMs / 1000);
  const wait = describeWait(retryAfterSeconds, clock.now()).text;
  const isRateLimited = getFailureRule(answer.status).code === 'rate_limited';
  return new CliError(
    isRateLimited ? 'rate_limited' : 'unavailable',
    `${getHost(login.apiUrl)} asks to wait ${wait}, which is longer than this login lives.`,
    {
      ...getErrorDetails(answer, parseAnswerBody(answer)),
      retryAfterSeconds,
      lines: ['Start again after that time.'],
      hint: 'svc login',
    },
  );
}

/** Puts a token that may exist before the reason of the end: it matters more. */
function addLostTokenWarning(
  error: CliError,
  tokenMayBeLost: boolean,
  { clientName }: StartedLogin,
): CliError {
  if (!tokenMayBeLost) return error;
  const lost = 'The login may have been approved, but its answer was lost or could not be read.';
  return new CliError(
    'failed',
    `${lost} A ${describeLostToken(clientName)}, then run svc login again.`,
    { lines: [`Last: ${error.message}`] },
  );
}

/** Creates the error of an interrupted login. */
function createCancelledError({ login, signal }: PollOptions, tokenMayBeLost: boolean): CliError {
  const { userCode, clientName } = login;
  const code = userCode === undefined ? 'the login in the browser' : `code ${userCode}`;
  return new CliError('interrupted', `Login cancelled. Do not approve ${code}.`, {
    lines: tokenMayBeLost
      ? [`If it was approved already, a ${describeLostToken(clientName)}.`]
      : undefined,
    exitCode: findInterruption(signal)?.exitCode,
  });
}

function describeLostToken(clientName: string): string {
  return `token named "${clientName}" may exist: revoke it in Settings > API tokens`;
}

/** Returns the reason of a signal, which has the exit code of what interrupted svc. */
function findInterruption({ aborted, reason }: AbortSignal): CliError | undefined {
  if (!aborted) return undefined;
  return reason instanceof CliError ? reason : new CliError('interrupted', 'Interrupted.');
}
