import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATIONS, type Operation } from '../../src/contract/operations.ts';
import type { JsonObject } from '../../src/json/values.ts';
import { fakeClock } from '../support/clock.ts';
import { CANARY_TOKEN, IN_MEMORY, type RunOptions, svc } from '../support/svc.ts';
import { type Act, send } from '../support/wire-plan.ts';
import type { Service } from './service.ts';

/** What must never be seen where it does not belong; none of them looks like anything else. */
export const SECRETS = {
  token: CANARY_TOKEN,
  issuedToken: 'svc_CANARY_issued_0123456789abcdef',
  deviceCode: 'CANARY-DEVICE-CODE-0123456789',
  password: 'CANARY/pass word+0123456789',
  phone: '+237670000042',
} as const;

/** A documented operation, and a command line that sends it. */
export interface Use {
  readonly operation: Operation;
  readonly argv: readonly string[];
  readonly stdin?: string;
  /** An answer of the API when all is well. */
  readonly good: JsonObject;
}

const O = OPERATIONS;
const RECORD = { subdomain: 'www', type: 'A', value: '192.0.2.1', ttl: 3600 };
const DATABASE_URL = `postgres://ann:${encodeURIComponent(SECRETS.password)}@db.example:5432/shop`;
const DATABASE = { id: 'db_1', name: 'shop', engine: 'postgres', status: 'running' };
const URI = 'https://example.com/device';
const LINK = { verificationUri: URI, verificationUriComplete: `${URI}?code=WDJB-MJHT` };
const START = {
  deviceCode: SECRETS.deviceCode,
  userCode: 'WDJB-MJHT',
  ...LINK,
  expiresIn: 900,
  interval: 1,
};
const ORGANIZATION = { id: 'org_1', slug: 'acme', name: 'Acme', role: 'owner' };
const ORGANIZATIONS = { organization: ORGANIZATION, organizations: [ORGANIZATION] };
const EXPIRES = { expiresAt: '2026-05-30T12:00:00.000Z' };
const USER = { id: 'u1', email: 'marie@example.com', name: 'Marie' };
const NAMESERVERS = ['ns1.new.example', 'ns2.new.example'];
const POINTS = [12.5, 80, 3].map((cpu, minute) => ({
  time: `2026-03-01T11:0${minute}:00Z`,
  cpu,
  memory: 512,
}));

const OWN_USES = new Map<Operation, readonly [line: string, good: JsonObject, stdin?: string]>([
  [O.startDeviceLogin, ['login --no-wait', START]],
  [
    O.pollDeviceLogin,
    [
      'login --no-browser',
      {
        token: SECRETS.issuedToken,
        tokenId: 'tok_9',
        ...EXPIRES,
        organizationId: 'org_1',
        user: USER,
      },
    ],
  ],
  [
    O.createOrder,
    [
      `buy --plan plan_wp_pro --network mtn --phone ${SECRETS.phone} --yes`,
      { orderId: 'ord_1', paymentMethod: 'mobile_money', provider: 'mtn' },
    ],
  ],
  [
    O.scanDomain,
    [
      'domains import example.com',
      {
        apex: 'example.com',
        currentNameservers: ['ns1.old.example'],
        records: [RECORD],
        warnings: ['one is odd'],
      },
    ],
  ],
  [
    O.stageDomain,
    [
      'domains add example.com --service s1 --import --records - --yes',
      { nameservers: NAMESERVERS, stagedRecords: [RECORD] },
      JSON.stringify([RECORD]),
    ],
  ],
  [
    O.runAction,
    [
      'wp run cache-flush --service s1',
      { jobId: 'job_1', status: 'queued', action: 'cache-flush' },
    ],
  ],
  [O.getMetricsHistory, ['metrics s1 --history', { points: POINTS }]],
  [
    O.getDeployment,
    [
      'deployments inspect d1 --service s1',
      { deployment: { id: 'd1', status: 'ready', createdAt: '2026-03-01T11:00:00Z' }, live: true },
    ],
  ],
  [O.restartService, ['restart s1', { success: true, message: 'Container restarted' }]],
  [
    O.getDatabase,
    [
      'db inspect db_1',
      {
        database: DATABASE,
        plan: { name: 'Small' },
        service: { id: 's1', name: 'Shop' },
        credentialsIncluded: true,
        connectionUrl: DATABASE_URL,
        username: 'ann',
        password: SECRETS.password,
      },
    ],
  ],
  [
    O.getUser,
    [
      'whoami',
      {
        user: USER,
        ...ORGANIZATIONS,
        authMethod: 'token',
        token: { id: 'tok_1', name: 'laptop', ...EXPIRES },
      },
    ],
  ],
  [
    O.getAutopay,
    [
      'billing autopay',
      { enabled: true, phoneMasked: '+237 6•• ••• •42', provider: 'mtn', currency: 'XAF' },
    ],
  ],
]);

/** Every documented operation, in the order of their numbers. */
export const USES: readonly Use[] = Object.values(OPERATIONS).map((operation) => {
  const own = OWN_USES.get(operation);
  if (own === undefined)
    throw new Error(
      `Add a command line and an answer for ${operation.name} to ${import.meta.filename}.`,
    );
  const [line, good, stdin] = own;
  return { operation, argv: line.split(' '), good, ...(stdin !== undefined && { stdin }) };
});

/** Whether a request is the one that the use is about, and not one that leads to it. */
export function isAbout(
  { operation }: Use,
  { method, path }: { readonly method: string; readonly path: string },
): boolean {
  const values: Readonly<Record<string, string>> = { deploymentId: 'd1', domain: 'example.com' };
  const id = operation.name === 'getDatabase' ? 'db_1' : 's1';
  const own = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? id);
  return method === operation.method && path === own;
}

/**
 * Answers what leads to the use as it should be, and does `act` to the request that the use is
 * about.
 */
export function aboutUse(use: Use, act: Act): Act {
  return (exchange) =>
    isAbout(use, exchange.request) ? act(exchange) : send(exchange.response, 200, START);
}

/** Answers every request that the use sends as it should be. */
export function wellAnswered(use: Use): Act {
  return aboutUse(use, ({ response }) => send(response, 200, use.good));
}

/**
 * Runs the command line of a use against a service, on a clock that never waits, with an empty
 * configuration.
 */
export async function runUse(
  use: Use,
  { url }: Pick<Service, 'url'>,
  flags: readonly string[] = [],
  more?: RunOptions,
) {
  const folder = mkdtempSync(join(IN_MEMORY, 'svc-use-'));
  try {
    return await svc([...use.argv, ...flags], {
      url,
      token: use.operation.credentials === 'none' ? null : SECRETS.token,
      clock: fakeClock(),
      configDir: join(folder, 'config'),
      cwd: folder,
      ...(use.stdin === undefined ? {} : { stdin: use.stdin }),
      ...more,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
