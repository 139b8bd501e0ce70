import type { Server } from 'node:http';
import { type Clock, systemClock } from '../src/clock.ts';
import type { LineOf } from '../src/contract/fields/documents.ts';
import { usageError } from '../src/errors.ts';
import { createApp, createReport } from './app.ts';
import { type Catalog, createCatalog } from './data/catalog.ts';
import { PLANS, STUDIO } from './data/people.ts';
import { SERVICES } from './data/services.ts';
import { ZONES } from './data/zones.ts';
import { decideLogin, pendingUserCodes } from './device-login.ts';
import { startDns } from './dns.ts';
import { type Fault, planFaults } from './faults.ts';
import type { Parts } from './parts.ts';
import { listSampleNames, SAMPLES } from './samples.ts';
import { createCredential } from './secrets.ts';
import { openStore, type Store } from './store.ts';
import { closeServer, openPort, serve, TIMEOUT_MS } from './web/listen.ts';

/** The output of `svc sandbox start --json`: the address, a token and the ids to try. */
export type Listing = LineOf<'sandbox start'>;

export { type Fault, parseFault } from './faults.ts';
export { SAMPLES } from './samples.ts';

/** How a sandbox is started. */
export interface SandboxOptions {
  /** The port on 127.0.0.1; default: 4750. 0 takes a free one. */
  readonly port?: number;
  /** Keeps the state; without a file it ends with the sandbox. */
  readonly dataFile?: string | undefined;
  readonly faults?: readonly Fault[];
  /** How many services there are; default: the built-in ones, which are the first of any number. */
  readonly services?: number | undefined;
  /** Refuses requests above this rate with 429 and `Retry-After`; default: no limit. */
  readonly requestsPerSecond?: number | undefined;
  /** Seconds between two polls of a device login, 1 to 3600; default: 5. */
  readonly intervalSeconds?: number | undefined;
  readonly clock?: Clock;
  /** Takes one line for each request and decision, without secrets and phone numbers. */
  readonly log?: (line: string) => void;
  /**
   * The longest time for a request to arrive, and for a connection to stay silent; default: 10 s.
   */
  readonly timeoutMs?: number;
}

/** A sandbox that is running. */
export type Sandbox = Awaited<ReturnType<typeof open>>;

const DEFAULT_PORT = 4750;
const DEFAULT_INTERVAL_SECONDS = 5;

/**
 * Starts the sandbox on 127.0.0.1.
 * @throws CliError `usage` if the port is taken or the data file cannot be used.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { server, port } = await openPort(
    options.port ?? DEFAULT_PORT,
    options.timeoutMs ?? TIMEOUT_MS,
  );
  try {
    return await open(server, port, options);
  } catch (error) {
    await closeServer(server);
    throw error;
  }
}

async function open(server: Server, port: number, options: SandboxOptions) {
  const { clock = systemClock, log = () => {} } = options;
  const store = openStore(options.dataFile, clock.now());
  const closing = new AbortController();
  const parts: Parts = {
    clock,
    store,
    catalog: createCatalog(options.services ?? SERVICES.length),
    log,
    origin: `http://127.0.0.1:${port}`,
    intervalSeconds: checkedInterval(options.intervalSeconds ?? DEFAULT_INTERVAL_SECONDS),
    secondsToPause:
      options.requestsPerSecond === undefined
        ? () => 0
        : tokenBucket(clock, options.requestsPerSecond),
    traffic: { requests: 0, refused: 0 },
    closing: closing.signal,
  };
  const token = signIn(store, 'token', clock);
  const sessionToken = signIn(store, 'session', clock);
  serve(server, port, createApp(parts, planFaults(options.faults ?? [])), parts);
  const dns = await startDns(parts);
  return {
    /** `http://127.0.0.1:<port>` */
    url: parts.origin,
    /** A valid API token; it starts with `svc_sandbox_` and is of no use elsewhere. */
    token,
    sessionToken,
    organization: STUDIO.slug,
    /**
     * The address for `SVC_DNS_SERVER`: it serves the zones, and shows a staged one as moved after a few
     * seconds.
     */
    dnsServer: dns.address,
    listing: { ...createListing(parts.origin, token, parts.catalog), dnsServer: dns.address },
    report: () => createReport(parts),
    samples: SAMPLES,
    names: listSampleNames(parts.catalog),
    snapshot: () => store.state,
    pendingLogins: () => pendingUserCodes(parts),
    /**
     * Approves or denies a login as the page does. Returns false if no login with this code is
     * pending.
     */
    approve: (userCode: string) => decideLogin(parts, userCode, 'approve'),
    deny: (userCode: string) => decideLogin(parts, userCode, 'deny'),
    /** Closes the sandbox and its connections within a second. */
    async close() {
      closing.abort();
      await Promise.all([closeServer(server), dns.close()]);
    },
  };
}

function createListing(url: string, token: string, catalog: Catalog): Omit<Listing, 'dnsServer'> {
  return {
    url,
    token,
    services: Array.from(catalog.services.values(), ({ id, kind, name }) => ({ id, kind, name })),
    deployments: Array.from(catalog.deployments.values(), ({ id, serviceId }) => ({
      id,
      service: serviceId,
    })),
    // Both organizations of the user see the first.
    databases: Array.from(catalog.databases.values(), ({ id, engine }) => ({ id, engine })),
    plans: PLANS.map(({ id, usdCents }) => ({ id, free: usdCents === 0 })),
    domains: ZONES.map(({ apex }) => apex),
  };
}

/** Adds a credential at each start; those of earlier starts stay valid until they expire. */
function signIn(store: Store, kind: 'token' | 'session', clock: Clock): string {
  const { secret, credential } = createCredential(kind, 'svc sandbox', clock.now());
  store.commit({ credentials: [...store.state.credentials, credential] });
  return secret;
}

function checkedInterval(seconds: number): number {
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 3_600) return seconds;
  throw usageError(
    `The poll interval must be a whole number of seconds from 1 to 3600, not ${seconds}.`,
  );
}

/**
 * Limits uses with a bucket that holds the uses of one second, starts full and fills steadily. The
 * function it returns takes a use and returns 0, or else the whole seconds until there is one
 * without taking it.
 */
function tokenBucket(clock: Pick<Clock, 'monotonic'>, usesPerSecond: number): () => number {
  let uses = usesPerSecond;
  let filledAt = clock.monotonic();
  return () => {
    const now = clock.monotonic();
    uses = Math.min(usesPerSecond, uses + ((now - filledAt) / 1_000) * usesPerSecond);
    filledAt = now;
    if (uses < 1) return Math.ceil((1 - uses) / usesPerSecond);
    uses -= 1;
    return 0;
  };
}
