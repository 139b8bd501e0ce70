import { LONGEST_TIMER_MS, systemClock } from '../clock.ts';
import type { HttpRequest } from './send.ts';
import { attemptTimeoutError, connectTimeoutError, TransportError, toTransportError } from './transport-error.ts';

/** The life of one request: its time limit, the user's interrupt, and the error that either of them means. */
export interface Attempt {
  /** Aborted when the time is over or the user interrupts; the engine then destroys its socket. */
  readonly signal: AbortSignal;
  /** The connection stands: from now on the service may have seen something. */
  connected(): void;
  /** Ends the attempt and answers what to throw: the reason of the abort, else the transport error that the error means. */
  fail(error: unknown): unknown;
  /** The body with both limits; `release` is told at its end whether the connection may be used again. */
  guard(body: AsyncIterable<Uint8Array>, release: (whole: boolean) => void): AsyncIterable<Uint8Array>;
}

/** Starts the clock of an attempt. Throws the signal's reason where it is aborted already. */
export function startAttempt(request: HttpRequest): Attempt {
  request.signal.throwIfAborted();
  const { host } = request.url;
  const controller = new AbortController();
  const interrupt = () => controller.abort(request.signal.reason);
  let stands = false;
  const timer = stopwatch(request.timeoutMs, () =>
    controller.abort(stands ? attemptTimeoutError(host) : connectTimeoutError(host)),
  );
  const stop = () => {
    timer.pause();
    request.signal.removeEventListener('abort', interrupt);
  };
  request.signal.addEventListener('abort', interrupt, { once: true });
  timer.run();

  const fail = (error: unknown): unknown => {
    stop();
    if (controller.signal.aborted) return controller.signal.reason;
    return error instanceof TransportError ? error : toTransportError(error, 'exchange', host);
  };
  return {
    signal: controller.signal,
    connected() {
      stands = true;
    },
    fail,
    async *guard(body, release) {
      let whole = false;
      try {
        for await (const chunk of body) {
          // The time that a slow reader of our output takes is not the service's.
          timer.pause();
          yield chunk;
          timer.run();
        }
        whole = true;
      } catch (error) {
        throw fail(error);
      } finally {
        stop();
        release(whole);
      }
    },
  };
}

function stopwatch(limitMs: number, expire: () => void) {
  let remainingMs = Math.min(limitMs, LONGEST_TIMER_MS);
  let startedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    run() {
      startedAt = systemClock.monotonic();
      timer = setTimeout(expire, remainingMs);
    },
    pause() {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      remainingMs -= systemClock.monotonic() - startedAt;
    },
  };
}
