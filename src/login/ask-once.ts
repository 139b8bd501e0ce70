import type { Clock } from '../clock.ts';
import type { LoginAnswer, Poll } from './exchange.ts';

/** Milliseconds that an answer on its way is given when the user interrupts: it may hold the token. */
const GRACE_MS = 2_000;

/** What one poll needs. */
export interface AskOptions {
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
export async function askOnce(options: AskOptions): Promise<LoginAnswer | undefined> {
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
