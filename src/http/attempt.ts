import { MAX_TIMER_MS, systemClock } from '../clock.ts';
import type { HttpRequest } from './send.ts';
import { attemptTimeoutError, connectTimeoutError, TransportError, toTransportError } from './transport-error.ts';

/** See {@link startAttempt}. */
export type Attempt = ReturnType<typeof startAttempt>;

/**
 * Ends one request at its time limit or when the user interrupts. Throws the signal's reason if it is already aborted.
 */
export function startAttempt(request: HttpRequest) {
  request.signal.throwIfAborted();
  const { host } = request.url;
  const controller = new AbortController();
  const interrupt = () => controller.abort(request.signal.reason);
  let isOpen = false;
  const timer = stopwatch(request.timeoutMs, () =>
    controller.abort(isOpen ? attemptTimeoutError(host, request.timeoutMs) : connectTimeoutError(host)),
  );
  const stop = () => {
    timer.pause();
    request.signal.removeEventListener('abort', interrupt);
  };
  request.signal.addEventListener('abort', interrupt, { once: true });
  timer.run();

  /** Ends the attempt and returns the error to throw: the reason of the abort, or else a `TransportError`. */
  const fail = (error: unknown): unknown => {
    stop();
    if (controller.signal.aborted) return controller.signal.reason;
    return error instanceof TransportError ? error : toTransportError(error, 'exchange', host);
  };
  return {
    /** Aborted in both cases; the engine then destroys its socket. */
    signal: controller.signal,
    /** Must be called once the connection is open: from then on the platform may have received the request. */
    connected(): void {
      isOpen = true;
    },
    fail,
    /** Yields the body under both limits; then tells `release` whether it was read to its end. */
    async *guard(body: AsyncIterable<Uint8Array>, release: (whole: boolean) => void): AsyncGenerator<Uint8Array> {
      let whole = false;
      try {
        for await (const chunk of body) {
          // A slow reader of our output must not use up the time of the platform.
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
  let remainingMs = Math.min(limitMs, MAX_TIMER_MS);
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
