import { hrtime } from 'node:process';

/** Time as the program sees it. Tests pass a clock that never waits. */
export interface Clock {
  /** Wall time, in milliseconds since the epoch. */
  now(): number;
  /** Monotonic time, in milliseconds; for deadlines and waits. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason if it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** The most milliseconds to wait for another svc; unless set, each wait has its own limit. */
  readonly patienceMs?: number;
}

/** The longest delay that `setTimeout` takes, in milliseconds; above it Node fires after 1 ms. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** The clock of this machine. `monotonic` is in milliseconds and stops while the machine is suspended. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // `performance` would be loaded for this alone.
  monotonic: () => Number(hrtime.bigint()) / 1e6,
  async sleep(ms, signal) {
    let remainingMs = Math.max(0, ms);
    do {
      const stepMs = Math.min(remainingMs, MAX_TIMER_MS);
      await wait(stepMs, signal);
      remainingMs -= stepMs;
    } while (remainingMs > 0);
  },
};

/** Returns a clock whose sleeps end with `signal` unless they are given another, so that Ctrl-C ends every wait. */
export function clockOfRun(clock: Clock, signal: AbortSignal, patienceMs: number): Clock {
  return { ...clock, sleep: (ms, own = signal) => clock.sleep(ms, own), patienceMs };
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      leave?.();
      resolve();
    }, ms);
    const leave = signal && onAbort(signal, stop);
  });
}

const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `act` when the signal is aborted, until the function that it returns is called. For a signal that outlives
 * thousands of requests: the listeners of an EventTarget are a chain, in which those that left keep later ones in memory.
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
