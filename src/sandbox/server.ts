import type { Server } from 'node:http';
import { type Clock, systemClock } from '../clock.ts';
import { usageError } from '../errors.ts';
import { createApp } from './app.ts';
import { PLANS, STUDIO } from './data/people.ts';
import { DATABASES, DEPLOYMENTS, SERVICES } from './data/services.ts';
import { ZONES } from './data/zones.ts';
import { decideLogin, pendingUserCodes } from './device-login.ts';
import { type Fault, planFaults } from './faults.ts';
import { type DnsScan, type Parts, rateLimit } from './parts.ts';
import { mint } from './secrets.ts';
import type { State } from './state.ts';
import { openStore, type Store } from './store.ts';
import { closeServer, LIMITS, type Limits, listen, serve } from './web/listen.ts';

/** What `svc sandbox start --json` prints: where the sandbox is, how to sign in, and the ids to try. */
export interface Listing {
  readonly url: string;
  readonly token: string;
  readonly services: ReadonlyArray<{ readonly id: string; readonly kind: string; readonly name: string }>;
  /** `service` is the id of the service. */
  readonly deployments: ReadonlyArray<{ readonly id: string; readonly service: string }>;
  /** The first is that of an organization whose owner the user is; the user's second organization sees it as well. */
  readonly databases: ReadonlyArray<{ readonly id: string; readonly engine: string }>;
  readonly plans: ReadonlyArray<{ readonly id: string; readonly free: boolean }>;
  /** Domains that can be scanned. */
  readonly domains: readonly string[];
}

/** The listing of a sandbox that is ready. */
function listingOf(url: string, token: string): Listing {
  return {
    url,
    token,
    services: SERVICES.map(({ id, kind, name }) => ({ id, kind, name })),
    deployments: DEPLOYMENTS.map(({ id, serviceId }) => ({ id, service: serviceId })),
    databases: DATABASES.map(({ id, engine }) => ({ id, engine })),
    plans: PLANS.map(({ id, usdCents }) => ({ id, free: usdCents === 0 })),
    domains: ZONES.map(({ apex }) => apex),
  };
}

export type { Fault } from './faults.ts';
export { parseFault } from './faults.ts';

export type { DnsScan } from './parts.ts';

/** How to start a sandbox. Everything may be left out. */
export interface SandboxOptions {
  /** The port on 127.0.0.1; 4750 unless told otherwise, 0 for a free one. */
  readonly port?: number;
  /** The file that keeps the state; without one it ends with the sandbox. */
  readonly dataFile?: string;
  /** Asked before each write of the data file: whether it still is this sandbox's alone. */
  readonly mayWrite?: () => boolean;
  /** What goes wrong on purpose; see `parseFault`. */
  readonly faults?: readonly Fault[];
  /** Seconds between two polls of a device login, 1 to 3600; 5 unless told otherwise. */
  readonly intervalSeconds?: number;
  readonly clock?: Clock;
  /** Asked for every domain before the built-in zones; where it answers `undefined`, they are looked at. */
  readonly dnsScan?: DnsScan;
  /** Takes one line for each request and decision. Lines hold no secret and no phone number. */
  readonly log?: (line: string) => void;
  readonly limits?: Partial<Limits>;
}

/** A sandbox that answers requests. */
export interface Sandbox {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** An API token that is signed in; it starts with `svc_sandbox_` and is of no use anywhere else. */
  readonly token: string;
  /** The value of a dashboard session's cookie. */
  readonly sessionToken: string;
  /** The slug of the organization that every service belongs to. */
  readonly organization: string;
  readonly listing: Listing;
  /** Everything that requests have changed so far. */
  snapshot(): State;
  /** The user codes that wait for a decision, the oldest first. */
  pendingLogins(): readonly string[];
  /** Approves a login as the page does. Answers `false` where none waits for this code. */
  approve(userCode: string): boolean;
  /** Denies a login as the page does. Answers `false` where none waits for this code. */
  deny(userCode: string): boolean;
  /** Ends it within a second, open connections included. */
  close(): Promise<void>;
}

const DEFAULT_PORT = 4750;
const DEFAULT_INTERVAL_SECONDS = 5;
const STAGINGS_PER_MINUTE = 30;

/**
 * Starts the service in small on 127.0.0.1.
 * @throws CliError `usage` when the port is taken, or the data file cannot be used.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { server, port } = await listen(options.port ?? DEFAULT_PORT, { ...LIMITS, ...options.limits });
  try {
    return open(server, port, options);
  } catch (error) {
    await closeServer(server);
    throw error;
  }
}

function open(server: Server, port: number, options: SandboxOptions): Sandbox {
  const { clock = systemClock, log = () => {} } = options;
  const store = openStore(options.dataFile, clock.now(), options.mayWrite);
  const closing = new AbortController();
  const parts: Parts = {
    clock,
    store,
    log,
    origin: `http://127.0.0.1:${port}`,
    intervalSeconds: checkedInterval(options.intervalSeconds ?? DEFAULT_INTERVAL_SECONDS),
    dnsScan: options.dnsScan,
    stagingLimit: rateLimit(clock, STAGINGS_PER_MINUTE),
    closing: closing.signal,
  };
  const token = signIn(store, 'token', clock);
  const sessionToken = signIn(store, 'session', clock);
  serve(server, port, createApp(parts, planFaults(options.faults ?? [])), parts);
  return {
    url: parts.origin,
    token,
    sessionToken,
    organization: STUDIO.slug,
    listing: listingOf(parts.origin, token),
    snapshot: () => store.state,
    pendingLogins: () => pendingUserCodes(parts),
    approve: (userCode) => decideLogin(parts, userCode, 'approve'),
    deny: (userCode) => decideLogin(parts, userCode, 'deny'),
    close() {
      closing.abort();
      return closeServer(server);
    },
  };
}

/** Each start has a token and a session of its own; those of earlier starts stay good until they expire. */
function signIn(store: Store, kind: 'token' | 'session', clock: Clock): string {
  const { secret, credential } = mint(kind, 'svc sandbox', clock.now());
  store.commit({ credentials: [...store.state.credentials, credential] });
  return secret;
}

function checkedInterval(seconds: number): number {
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 3_600) return seconds;
  throw usageError(`The poll interval must be a whole number of seconds from 1 to 3600, not ${seconds}.`);
}
