import { hrtime } from 'node:process';

/** Time as the program sees it. Tests pass a clock that never waits. */
export interface Clock {
  /** Wall time, in milliseconds since the epoch. */
  now(): number;
  /** Monotonic time, in milliseconds; for deadlines and waits. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason if it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** The most milliseconds to wait for another svc, if not the limit of each wait. */
  readonly patienceMs?: number | undefined;
}

/** The longest delay of `setTimeout`, in ms; above it Node fires after 1 ms. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** `monotonic` stops while the machine is suspended. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // `performance` would be loaded for this alone.
  monotonic: () => Number(hrtime.bigint()) / 1e6,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(
        () => {
          leave?.();
          resolve();
        },
        Math.min(ms, MAX_TIMER_MS),
      );
      const leave = signal && onAbort(signal, stop);
    }),
};

/** Makes a clock whose sleeps end with `signal` unless given another: Ctrl-C ends every wait. */
export function createRunClock(
  clock: Clock,
  signal: AbortSignal,
  patienceMs = clock.patienceMs,
): Clock {
  return { ...clock, sleep: (ms, own = signal) => clock.sleep(ms, own), patienceMs };
}

const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Listens until the returned function is called. An EventTarget would keep the listeners of
 * thousands of requests.
 */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  const acts = listeners.get(signal) ?? new Set();
  if (!listeners.has(signal)) {
    listeners.set(signal, acts);
    const all = () => {
      for (const one of acts) one();
    };
    signal.addEventListener('abort', all, { once: true });
  }
  acts.add(act);
  return () => void acts.delete(act);
}
