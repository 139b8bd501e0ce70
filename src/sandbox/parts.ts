import type { Clock } from '../clock.ts';
import type { RateLimit } from './rules/rate-limit.ts';
import type { Store } from './state/store.ts';

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
