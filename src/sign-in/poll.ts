import type { Clock } from '../clock.ts';
import { CliError } from '../errors.ts';
import type { LoginAnswer, Poll } from './exchange.ts';
import { askedPause, bodyOf, judgePoll } from './judge.ts';
import {
  type Age,
  ageOf,
  delaySeconds,
  ending,
  firstPace,
  nextPace,
  type PollPace,
  planTurn,
  waitForTurn,
} from './pace.ts';
import { detailsOf } from './refusal.ts';
import type { StartedLogin } from './start.ts';
import { expired, loginCancelled, pauseTooLong } from './texts.ts';
import type { IssuedToken } from './token.ts';

/** Milliseconds that a request may still take after an interrupt: its answer may have the token. */
const GRACE_MS = 2_000;
/** The largest random addition to a delay, in milliseconds. */
const JITTER_MS = 300;

/** An event to show while the login waits. */
export type PollEvent =
  /** About once a second. `remainingSeconds` is absent if the platform did not say how long the attempt lives. */
  | { readonly kind: 'waiting'; readonly remainingSeconds: number | undefined; readonly problem: string | undefined }
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
  /** Aborted by the first Ctrl-C or another signal; a request under way then gets two more seconds. */
  readonly signal: AbortSignal;
  /** Aborted by a second Ctrl-C, which ends the two seconds. */
  readonly hurry?: AbortSignal | undefined;
  report(event: PollEvent): void;
  /** Puts the token on disk. Called before anything else is done with it, and must not throw. */
  keep(issued: IssuedToken): Kept;
}

/** The result of an approved login. */
export interface PollResult<Kept> {
  readonly issued: IssuedToken;
  /** What `keep` returned. */
  readonly kept: Kept;
  /** The interrupt just before the token arrived: store the token, then exit with this error's code. */
  readonly interruptedBy: CliError | undefined;
}

/**
 * Polls until the login is approved: one poll at a time, never more often than the platform allows, and not for ever.
 * @throws CliError if the login is refused, expired or cancelled, or its answer was lost.
 */
export async function pollForToken<Kept>(given: PollOptions<Kept>): Promise<PollResult<Kept>> {
  const options = { ...given, report: quietly(given.report) };
  const { login, clock, signal, report } = options;
  const age = ageOf(login, clock);
  let pace = firstPace(login.intervalSeconds);
  let pauseMs = 0;
  for (let isFirst = true; ; isFirst = false) {
    const delayMs = delaySeconds(pace, age.remainingMs()) * 1000 + Math.ceil(options.random() * JITTER_MS);
    const { intervalSeconds } = pace;
    const turn = planTurn(age, { delayMs, pauseMs, intervalSeconds, lifeSeconds: login.lifeSeconds, isFirst });
    await wait(turn.waitMs, age, pace, options);
    const answer = await askOnce(options, age);
    if (answer === undefined) throw stopped(pace, true, options);
    const verdict = judgePoll(answer, login, clock.now());
    if (verdict.kind === 'token') {
      const kept = options.keep(verdict.issued);
      return { issued: verdict.issued, kept, interruptedBy: signal.aborted ? interruption(signal.reason) : undefined };
    }
    if (signal.aborted) throw stopped(pace, 'isLost' in verdict && verdict.isLost, options);
    const next = nextPace(pace, verdict, login);
    if (turn.isLastLook) await wait(age.remainingMs(), age, next, options);
    const isOver = age.monotonicMs() >= (login.lifeSeconds + intervalSeconds) * 1000;
    if (turn.isLastLook || isOver) throw ending(next, expired(next.problem), login);
    pauseMs = askedPause(answer, clock.now());
    const end = endOfPause(pauseMs, answer, age.monotonicMs(), next, options);
    if (end !== undefined) throw ending(next, end, login);
    const nextInSeconds = Math.max(delaySeconds(next, age.remainingMs()), pauseMs / 1000);
    report({ kind: 'answer', verdict: verdict.kind, nextInSeconds });
    pace = next;
  }
}

/** The error of an interrupt. `isLost`: the last answer may have had a token, besides those before it. */
function stopped({ maybeLost }: PollPace, isLost: boolean, { login, signal }: PollOptions): CliError {
  return loginCancelled(login, signal.reason, maybeLost || isLost);
}

/** Ignores errors of the report: a closed terminal must not lose the token. */
function quietly(report: (event: PollEvent) => void): (event: PollEvent) => void {
  return (event) => {
    try {
      report(event);
    } catch {
      // The polling continues without it.
    }
  };
}

async function wait(waitMs: number, age: Age, pace: PollPace, options: PollOptions): Promise<void> {
  const { login, clock, signal, report } = options;
  const tick = (): void => {
    const remainingSeconds = login.isLifeKnown ? Math.max(0, Math.ceil(age.remainingMs() / 1000)) : undefined;
    report({ kind: 'waiting', remainingSeconds, problem: pace.problem });
  };
  try {
    await waitForTurn(waitMs, clock, signal, tick);
  } catch (error) {
    throw signal.aborted ? stopped(pace, false, options) : error;
  }
}

/**
 * Sends one poll and waits for its answer, even past the end of the attempt's life and for two seconds after an
 * interrupt. Returns undefined if the answer took longer.
 */
async function askOnce(options: PollOptions, age: Age): Promise<LoginAnswer | undefined> {
  const { login, poll, clock, signal, hurry, report } = options;
  const giveUp = new AbortController();
  const over = new AbortController();
  const answer = poll(login.deviceCode, giveUp.signal, age.remainingMs());
  const inTime = await unlessAborted(answer, signal);
  if (inTime !== undefined) return inTime;
  report({ kind: 'notice', text: 'Cancelling… waiting 2 s for the answer.' });
  const grace = clock.sleep(GRACE_MS, AbortSignal.any([over.signal, ...(hurry ? [hurry] : [])]));
  try {
    const late = (await Promise.race([answer, grace.catch(() => undefined)])) ?? undefined;
    // An open connection would keep the process running.
    if (late === undefined) giveUp.abort();
    return late;
  } finally {
    over.abort();
    answer.catch(() => undefined);
  }
}

/** Resolves with the result of the work, or with undefined as soon as the signal aborts; the work continues. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** The error for a pause that outlasts the attempt: svc never polls earlier than asked. */
function endOfPause(pauseMs: number, answer: LoginAnswer, ageMs: number, { problem }: PollPace, options: PollOptions) {
  const { login, clock } = options;
  const remainingMs = login.lifeSeconds * 1000 - ageMs;
  if (pauseMs === 0 || pauseMs < remainingMs || answer.kind === 'fault') return undefined;
  if (remainingMs <= 0) return expired(problem);
  const tooLong = pauseTooLong(login, answer.status, Math.ceil(pauseMs / 1000), clock.now());
  return tooLong.with(detailsOf(answer, bodyOf(answer)));
}

function interruption(reason: unknown): CliError {
  return reason instanceof CliError ? reason : new CliError('interrupted', 'Interrupted.');
}
