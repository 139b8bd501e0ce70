import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Clock } from '../clock.ts';
import type { Store } from './store.ts';

export type SandboxApp = Hono<{ Bindings: HttpBindings }>;
export type SandboxContext = Context<{ Bindings: HttpBindings }>;

/** Scans the real DNS. Resolves to the answer of operation 4, or to `undefined` if there is no such zone. */
export type DnsScan = (domain: string) => Promise<object | undefined>;

/** Everything that routes need. */
export interface Parts {
  readonly clock: Clock;
  readonly store: Store;
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** The first interval between two polls of a device login. */
  readonly intervalSeconds: number;
  readonly dnsScan: DnsScan | undefined;
  /** Counts a staging. Returns 0 if it is allowed, or else the whole seconds to wait without counting it. */
  secondsToWait(credentialId: string): number;
  /** Takes one line without secrets and phone numbers. */
  log(line: string): void;
  /** Aborted when the sandbox closes. */
  readonly closing: AbortSignal;
}

const MINUTE_MS = 60_000;
/** How many keys are remembered; the oldest goes first. */
const KEY_LIMIT = 1_000;

/** Limits the uses of each key within the last minute. */
export function rateLimit(clock: Clock, usesPerMinute: number): Parts['secondsToWait'] {
  const usesByKey = new Map<string, readonly number[]>();
  return (key) => {
    const now = clock.monotonic();
    const recent = (usesByKey.get(key) ?? []).filter((use) => now - use < MINUTE_MS);
    const [first] = recent;
    if (first !== undefined && recent.length >= usesPerMinute) return Math.ceil((first + MINUTE_MS - now) / 1_000);
    usesByKey.delete(key);
    usesByKey.set(key, [...recent, now]);
    const [oldest] = usesByKey.keys();
    if (usesByKey.size > KEY_LIMIT && oldest !== undefined) usesByKey.delete(oldest);
    return 0;
  };
}
