import type { Clock } from '../clock.ts';
import { OPERATIONS } from '../spec/operations.ts';
import type { DeviceLogin } from './device-start.ts';
import { exchange, type LoginWire } from './exchange.ts';
import { judgeStart } from './start-answer.ts';

/** Seconds before the second and the third try. */
const PAUSES_SECONDS = [1, 2];
/** Longest pause that the service may ask for here, in seconds. */
const LONGEST_PAUSE_SECONDS = 30;

/** How a login is started. */
export interface StartOptions extends LoginWire {
  readonly clientName: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Whether a start that failed for a passing reason is tried again, up to twice. */
  readonly retry: boolean;
  /** Milliseconds for all tries together. */
  readonly timeoutMs: number;
}

/**
 * Operation 1: starts a login. A start that is repeated leaves nothing behind but a code that nobody approves.
 * @throws CliError: `unavailable` where nobody answered in three tries or in time, else as the answer says.
 */
export async function startDeviceLogin(options: StartOptions): Promise<DeviceLogin> {
  const { clientName, clock, signal } = options;
  const until = clock.monotonic() + options.timeoutMs;
  for (let tries = 1; ; tries += 1) {
    const answer = await exchange(
      options,
      OPERATIONS.startDeviceLogin,
      { clientName },
      { signal, timeoutMs: until - clock.monotonic() },
    );
    const start = judgeStart(answer, options, clock.now());
    if (start.kind === 'started') return start.login;
    const pauseSeconds = PAUSES_SECONDS[tries - 1];
    const asked = start.error.details.retryAfterSeconds ?? 0;
    const isWorthATry = start.mayPass && options.retry && asked <= LONGEST_PAUSE_SECONDS;
    const pauseMs = Math.max(pauseSeconds ?? 0, asked) * 1000;
    const isInTime = clock.monotonic() + pauseMs < until;
    if (pauseSeconds === undefined || !isWorthATry || !isInTime) throw start.error.with({ attempts: tries });
    await clock.sleep(pauseMs, signal);
  }
}
