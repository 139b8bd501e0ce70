import type { Clock } from '../clock.ts';
import { CliError } from '../errors.ts';
import type { LoginAnswer, Poll } from './exchange.ts';
import { type Age, ageOf, delaySeconds, firstPace, nextPace, type Pace, planTurn, waitForTurn } from './pace.ts';
import { askedPause, bodyOf, judge, mayHaveHeldToken } from './poll-answer.ts';
import { saidWith } from './refusal.ts';
import type { DeviceLogin } from './start.ts';
import { answerLost, cancelled, expired, pauseTooLong } from './texts.ts';
import type { IssuedToken } from './token.ts';

/** Milliseconds that an answer on its way is given when the user interrupts: it may hold the token. */
const GRACE_MS = 2_000;

/** What one poll needs. */
interface AskOptions {
  readonly poll: Poll;
  readonly deviceCode: string;
  readonly clock: Clock;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
  /** Aborted when the user interrupts once more. */
  readonly hurry?: AbortSignal | undefined;
  /** Told when the user interrupts while an answer is on its way. */
  onGrace(): void;
}

/**
 * Sends one poll and waits for its answer, which no local reason cuts short: neither the end of the attempt's life nor,
 * for two seconds, an interrupt. `undefined` where nobody could wait any longer.
 */
async function askOnce(options: AskOptions): Promise<LoginAnswer | undefined> {
  const giveUp = new AbortController();
  const answer = options.poll(options.deviceCode, giveUp.signal);
  const inTime = await unlessAborted(answer, options.signal);
  if (inTime !== undefined) return inTime;
  options.onGrace();
  const late = await Promise.race([answer, grace(options, answer)]);
  // Nobody reads it any more; an open connection would keep the process alive.
  if (late === undefined) giveUp.abort();
  answer.catch(() => {});
  return late;
}

/** The result of the work, or `undefined` as soon as the signal is aborted; the work goes on. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(undefined);
    const done = (): void => signal.removeEventListener('abort', stop);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    work.then(resolve, reject).finally(done);
  });
}

/** Resolves after the grace, or at once when the user interrupts again; leaves no timer behind an answer. */
async function grace(options: AskOptions, answer: Promise<unknown>): Promise<undefined> {
  const over = new AbortController();
  const end = (): void => over.abort();
  answer.then(end, end);
  const signal = options.hurry === undefined ? over.signal : AbortSignal.any([over.signal, options.hurry]);
  await options.clock.sleep(GRACE_MS, signal).catch(() => {});
  return undefined;
}

/** Most that is added to a delay by chance, in milliseconds. */
const JITTER_MS = 300;
/** An interval from which on the user is told that it is the service's wish. */
const NOTABLE_INTERVAL_SECONDS = 60;

/** What the user may be shown while the login waits. */
export type PollEvent =
  /** About once a second. `remainingSeconds` is absent where the service did not say how long the attempt lives. */
  | { readonly kind: 'waiting'; readonly remainingSeconds: number | undefined; readonly problem: string | undefined }
  | { readonly kind: 'notice'; readonly text: string }
  /** For `--debug`. */
  | { readonly kind: 'answer'; readonly verdict: string; readonly nextInSeconds: number };

/** What the polling needs. */
export interface PollOptions {
  readonly login: DeviceLogin;
  readonly poll: Poll;
  readonly clock: Clock;
  /** Between 0 and 1. */
  readonly random: () => number;
  /** Aborted by Ctrl-C and the like; an answer on its way is given two seconds more. */
  readonly signal: AbortSignal;
  /** Aborted by a second Ctrl-C: no more waiting. */
  readonly hurry?: AbortSignal | undefined;
  report(event: PollEvent): void;
}

/** The end of a login that succeeded. */
export interface PollResult {
  readonly issued: IssuedToken;
  /** The interrupt that came just before the token: store it all the same, then end with this exit code. */
  readonly interruptedBy: CliError | undefined;
}

/**
 * Polls until the login is approved: one poll at a time, never more often than the service allows, and not without end.
 * @throws CliError when the login is refused, over, cancelled, or its answer lost.
 */
export async function pollForToken(options: PollOptions): Promise<PollResult> {
  const { login, clock, signal } = options;
  const report = quietly(options.report);
  const age = ageOf(login, clock);
  let pace = firstPace(login.intervalSeconds);
  let pauseMs = 0;
  if (pace.intervalSeconds >= NOTABLE_INTERVAL_SECONDS)
    report({ kind: 'notice', text: slowText(pace.intervalSeconds) });
  for (let isFirst = true; ; isFirst = false) {
    const delayMs = delaySeconds(pace) * 1000 + Math.ceil(options.random() * JITTER_MS);
    const turn = planTurn(age, { delayMs, pauseMs, intervalSeconds: pace.intervalSeconds, isFirst });
    await wait(turn.waitMs, age, pace, { ...options, report });
    const answer = await askOnce({ ...options, deviceCode: login.deviceCode, onGrace: () => report(GRACE) });
    if (answer === undefined) throw cancelled(login, signal.reason, true);
    const verdict = judge(answer, login, clock.now());
    if (verdict.kind === 'token') return { issued: verdict.issued, interruptedBy: interruption(signal) };
    if (signal.aborted) throw cancelled(login, signal.reason, pace.maybeLost || mayHaveHeldToken(verdict));
    const next = nextPace(pace, verdict, login);
    const isOver = age.monotonicMs() >= (login.lifeSeconds + pace.intervalSeconds) * 1000;
    if (turn.isLastLook || isOver) throw ending(next, expired(next.problem), login);
    pauseMs = askedPause(answer, clock.now());
    checkPause(pauseMs, answer, age, next, { login, nowMs: clock.now() });
    report({ kind: 'answer', verdict: verdict.kind, nextInSeconds: Math.max(delaySeconds(next), pauseMs / 1000) });
    pace = next;
  }
}

const GRACE: PollEvent = { kind: 'notice', text: 'Cancelling; an answer is on its way and gets 2 s to arrive.' };

async function wait(waitMs: number, age: Age, pace: Pace, options: PollOptions): Promise<void> {
  const { login, clock, signal, report } = options;
  const tick = (): void => {
    const remainingSeconds = login.isLifeKnown ? Math.max(0, Math.ceil(age.remainingMs() / 1000)) : undefined;
    report({ kind: 'waiting', remainingSeconds, problem: pace.problem });
  };
  try {
    await waitForTurn(waitMs, age, clock, signal, tick);
  } catch (error) {
    throw signal.aborted ? cancelled(login, signal.reason, pace.maybeLost) : error;
  }
}

/** Telling the user must not end the polling: a closed terminal is no reason to lose the token. */
function quietly(report: (event: PollEvent) => void): (event: PollEvent) => void {
  return (event) => {
    try {
      report(event);
    } catch {
      // Nobody is left to be told.
    }
  };
}

/** Stops where the service asks for a pause that the attempt does not live through; it is never asked earlier. */
function checkPause(
  pauseMs: number,
  answer: LoginAnswer,
  age: Age,
  pace: Pace,
  { login, nowMs }: { readonly login: DeviceLogin; readonly nowMs: number },
): void {
  const remainingMs = login.lifeSeconds * 1000 - age.monotonicMs();
  if (pauseMs === 0 || pauseMs < remainingMs || answer.kind === 'fault') return;
  const tooLong = pauseTooLong(login, answer.status, Math.ceil(pauseMs / 1000), nowMs);
  throw ending(pace, remainingMs > 0 ? tooLong.with(saidWith(answer, bodyOf(answer))) : expired(pace.problem), login);
}

/** What ends the login, unless an answer that may have held the token was lost: then that is what the user must know. */
function ending(pace: Pace, error: CliError, login: DeviceLogin): CliError {
  return pace.maybeLost ? answerLost(login, error.message) : error;
}

function interruption(signal: AbortSignal): CliError | undefined {
  if (!signal.aborted) return undefined;
  return signal.reason instanceof CliError ? signal.reason : new CliError('interrupted', 'Interrupted.');
}

function slowText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return `The server asks to wait ${minutes} min between checks.`;
}
