import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Clock } from '../src/clock.ts';
import type { Catalog } from './data/catalog.ts';
import type { Store } from './store.ts';

/** The routes and pages of the sandbox. */
export type SandboxApp = Hono<{ Bindings: HttpBindings }>;
/** One request to the sandbox, and its connection. */
export type SandboxContext = Context<{ Bindings: HttpBindings }>;

/** Everything that routes need. */
export interface Parts {
  readonly clock: Clock;
  readonly store: Store;
  readonly catalog: Catalog;
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** The first interval between two polls of a device login. */
  readonly intervalSeconds: number;
  /**
   * Takes a request from the limit. Returns 0 if it is allowed, or else the whole seconds to wait.
   */
  secondsToPause(): number;
  /** Requests to documented operations since the start, and those of them above the limit. */
  readonly traffic: { requests: number; refused: number };
  /** Takes one line without secrets and phone numbers. */
  log(line: string): void;
  /** Aborted when the sandbox closes. */
  readonly closing: AbortSignal;
}
