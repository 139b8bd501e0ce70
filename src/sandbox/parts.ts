import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Clock } from '../clock.ts';
import type { Store } from './store.ts';

/** Allows so many uses per minute for each key. */
interface RateLimit {
  /** Counts one use. Answers 0 where it is allowed, else the whole seconds to wait; a refused use is not counted. */
  secondsToWait(key: string): number;
}

const MINUTE_MS = 60_000;
/** Keys that are remembered at once; beyond it the oldest is forgotten. */
const KEY_LIMIT = 1_000;

/** A limit that slides with the clock. */
export function rateLimit(clock: Clock, usesPerMinute: number): RateLimit {
  const usesByKey = new Map<string, readonly number[]>();
  return {
    secondsToWait(key) {
      const now = clock.monotonic();
      const recent = (usesByKey.get(key) ?? []).filter((use) => now - use < MINUTE_MS);
      const [first] = recent;
      if (first !== undefined && recent.length >= usesPerMinute) return Math.ceil((first + MINUTE_MS - now) / 1_000);
      usesByKey.delete(key);
      usesByKey.set(key, [...recent, now]);
      const [oldest] = usesByKey.keys();
      if (usesByKey.size > KEY_LIMIT && oldest !== undefined) usesByKey.delete(oldest);
      return 0;
    },
  };
}

/** The router, with Node's own view of each request. */
export type SandboxApp = Hono<{ Bindings: HttpBindings }>;
/** One request, as the router hands it over. */
export type SandboxContext = Context<{ Bindings: HttpBindings }>;

/** Probes the real DNS for a zone; resolves with what operation 4 answers, or with `undefined` where there is none. */
export type DnsScan = (domain: string) => Promise<object | undefined>;

/** What the routes work with. */
export interface Parts {
  readonly clock: Clock;
  readonly store: Store;
  /** `http://127.0.0.1:<port>`, for the addresses in answers. */
  readonly origin: string;
  /** Seconds between two polls of a device login, at its start. */
  readonly intervalSeconds: number;
  readonly dnsScan: DnsScan | undefined;
  /** How often records may be staged. */
  readonly stagingLimit: RateLimit;
  /** Takes one line about what happened; it never holds a secret or a phone number. */
  log(line: string): void;
  /** Aborted when the sandbox closes. */
  readonly closing: AbortSignal;
}
