import { MAX_TIMER_MS, onAbort, systemClock } from '../clock.ts';
import type { HttpRequest } from './send.ts';
import { TransportError, type TransportStage, toTransportError } from './transport-error.ts';

/** One request under way, with its limits. */
export type Attempt = ReturnType<typeof startAttempt>;

/** Ends one request at its time limits or when the user interrupts. Throws if that has happened. */
export function startAttempt({ connectTimeoutMs, timeoutMs, signal, url: { host } }: HttpRequest) {
  signal.throwIfAborted();
  const startedAt = systemClock.monotonic();
  const controller = new AbortController();
  const leave = onAbort(signal, () => controller.abort(signal.reason));
  const limit = (ms: number, error: () => TransportError) =>
    setTimeout(() => controller.abort(error()), Math.min(ms, MAX_TIMER_MS));

  let peer = host;
  let stage: TransportStage = 'exchange';
  const notOpen = () => toTransportError({ code: 'CONNECT_TIMEOUT' }, 'connect', peer);
  let timer = limit(Math.min(connectTimeoutMs, timeoutMs), notOpen);

  const stop = () => {
    clearTimeout(timer);
    leave();
  };
  const fail = (error: unknown): unknown => {
    stop();
    const { aborted, reason } = controller.signal;
    return aborted ? reason : toTransportError(error, stage, host);
  };

  return {
    /** Aborted in both cases; the socket is then destroyed. */
    signal: controller.signal,
    /** Must be called before each connection: names what does not answer in time. */
    connecting(name: string): void {
      peer = name;
    },
    /** Must be called once it is open: from then on the platform may have received the request. */
    connected(): void {
      clearTimeout(timer);
      const leftMs = timeoutMs - (systemClock.monotonic() - startedAt);
      const words = `${host} did not answer within ${Math.ceil(timeoutMs / 1000)} s (ETIMEDOUT)`;
      timer = limit(Math.max(0, leftMs), () => new TransportError('timeout', 'ETIMEDOUT', words));
    },
    /** Must be called once a byte of the answer has arrived. */
    answering(): void {
      stage = 'answer';
    },
    fail,
    /** Yields the body under the limits; then tells `release` whether it was read to its end. */
    async *guard(
      body: AsyncIterable<Uint8Array>,
      release: (isWhole: boolean) => void,
    ): AsyncGenerator<Uint8Array> {
      stage = 'answer';
      let isWhole = false;
      try {
        yield* body;
        isWhole = true;
      } catch (error) {
        throw fail(error);
      } finally {
        stop();
        release(isWhole);
      }
    },
  };
}
