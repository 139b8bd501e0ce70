import type { Socket } from 'node:net';
import { systemClock } from '../clock.ts';

/** Limits on the way to an open connection. */
export interface ConnectLimits {
  /** When name lookup, TCP, tunnel and TLS must be done, in milliseconds of the machine's clock. */
  readonly until: number;
  readonly signal: AbortSignal;
}

/** The errors of a piece of work on a socket. */
export interface WorkErrors {
  /** Made when the time is over. */
  timedOut(): Error;
  /** What an error of the work itself means. */
  failed(error: unknown): Error;
}

/**
 * Does a piece of work on a socket, which is destroyed when the time is over, the signal aborts or the work fails.
 * Throws the reason of whatever came first.
 */
export async function withinLimits<T>(
  socket: Socket,
  limits: ConnectLimits,
  errors: WorkErrors,
  work: () => Promise<T>,
): Promise<T> {
  let stopped: { readonly reason: unknown } | undefined;
  const stop = (reason: unknown) => {
    stopped ??= { reason };
    socket.destroy(new Error('stopped'));
  };
  const interrupt = () => stop(limits.signal.reason);
  const timer = setTimeout(() => stop(errors.timedOut()), Math.max(0, limits.until - systemClock.monotonic()));
  limits.signal.addEventListener('abort', interrupt, { once: true });
  try {
    return await work();
  } catch (error) {
    socket.destroy();
    throw stopped === undefined ? errors.failed(error) : stopped.reason;
  } finally {
    clearTimeout(timer);
    limits.signal.removeEventListener('abort', interrupt);
  }
}
