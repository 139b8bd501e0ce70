import { MAX_TIMER_MS, onAbort } from '../clock.ts';
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
  const expire = () =>
    controller.abort(isOpen ? attemptTimeoutError(host, request.timeoutMs) : connectTimeoutError(host));
  const timer = setTimeout(expire, Math.min(request.timeoutMs, MAX_TIMER_MS));
  const stop = () => {
    clearTimeout(timer);
    leave();
  };
  const leave = onAbort(request.signal, interrupt);

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
        yield* body;
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
