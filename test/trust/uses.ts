import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/json/values.ts';
import { OPERATIONS, type Operation } from '../../src/spec/operations.ts';
import { fakeClock } from '../support/clock.ts';
import { CANARY_TOKEN, IN_MEMORY, type Run, type RunOptions, svc } from '../support/svc.ts';
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

const RECORD = { subdomain: 'www', type: 'A', value: '192.0.2.1', ttl: 3600 };
const DATABASE_URL = `postgres://ann:${encodeURIComponent(SECRETS.password)}@db.example:5432/shop`;
const START = {
  deviceCode: SECRETS.deviceCode,
  userCode: 'WDJB-MJHT',
  verificationUri: 'https://example.com/device',
  verificationUriComplete: 'https://example.com/device?code=WDJB-MJHT',
  expiresIn: 900,
  interval: 1,
};

/* The uses with an answer of their own. */

const line = (words: string) => words.split(' ');
const ORGANIZATION = { id: 'org_1', slug: 'acme', name: 'Acme', role: 'owner' };
const EXPIRES = '2026-05-30T12:00:00.000Z';
const O = OPERATIONS;
const OWN_USES: readonly Use[] = [
  { operation: O.startDeviceLogin, argv: line('login --no-wait'), good: START },
  {
    operation: O.pollDeviceLogin,
    argv: line('login --no-browser'),
    good: {
      ...{ token: SECRETS.issuedToken, tokenId: 'tok_9', expiresAt: EXPIRES },
      ...{ organizationId: 'org_1', user: { email: 'marie@example.com' } },
    },
  },
  {
    operation: O.createOrder,
    argv: line(`buy --plan plan_wp_pro --network mtn --phone ${SECRETS.phone} --yes`),
    good: { orderId: 'ord_1', paymentMethod: 'mobile_money', provider: 'mtn' },
  },
  {
    operation: O.scanDomain,
    argv: line('domains import example.com'),
    good: { apex: 'example.com', currentNameservers: ['ns1.old.example'], records: [RECORD], warnings: ['one is odd'] },
  },
  {
    operation: O.stageDomain,
    argv: line('domains add example.com --service s1 --import --records - --yes'),
    stdin: JSON.stringify([RECORD]),
    good: { nameservers: ['ns1.new.example', 'ns2.new.example'], stagedRecords: [RECORD] },
  },
  {
    operation: O.runAction,
    argv: line('wp run cache-flush --service s1'),
    good: { jobId: 'job_1', status: 'queued', action: 'cache-flush' },
  },
  {
    operation: O.getMetricsHistory,
    argv: line('metrics s1 --history'),
    good: {
      points: [
        { time: '2026-03-01T11:00:00Z', cpu: 12.5, memory: 512 },
        { time: '2026-03-01T11:05:00Z', cpu: 80, memory: 600 },
        { time: '2026-03-01T11:10:00Z', cpu: 3, memory: 580 },
      ],
    },
  },
  {
    operation: O.getDeployment,
    argv: line('deployments inspect d1 --service s1'),
    good: { deployment: { id: 'd1', status: 'ready', createdAt: '2026-03-01T11:00:00Z' }, live: true },
  },
  { operation: O.restartService, argv: line('restart s1'), good: { success: true, message: 'Container restarted' } },
  {
    operation: O.getDatabase,
    argv: line('db inspect db_1'),
    good: {
      database: { id: 'db_1', name: 'shop', engine: 'postgres', status: 'running' },
      ...{ plan: { name: 'Small' }, service: { id: 's1', name: 'Shop' }, credentialsIncluded: true },
      ...{ connectionUrl: DATABASE_URL, username: 'ann', password: SECRETS.password },
    },
  },
  {
    operation: O.getUser,
    argv: line('whoami'),
    good: {
      user: { id: 'u1', email: 'marie@example.com', name: 'Marie' },
      ...{ organization: ORGANIZATION, organizations: [ORGANIZATION] },
      ...{ authMethod: 'token', token: { id: 'tok_1', name: 'laptop', expiresAt: EXPIRES } },
    },
  },
  {
    operation: O.getAutopay,
    argv: line('billing autopay'),
    good: { enabled: true, phoneMasked: '+237 6•• ••• •42', provider: 'mtn', currency: 'XAF' },
  },
];

/** Every documented operation, in the order of their numbers. */
export const USES: readonly Use[] = await Promise.all(
  Object.values(OPERATIONS).map((each) => OWN_USES.find(({ operation }) => operation === each) ?? plainUse(each)),
);

/** The use of an operation that reads and needs no ids: its command alone, with the answer of the sandbox. */
async function plainUse(operation: (typeof OPERATIONS)[keyof typeof OPERATIONS]): Promise<Use> {
  const { name, method, path, command } = operation;
  if (method !== 'GET' || path.includes('{'))
    throw new Error(`Add a command line and an answer for ${name} to OWN_USES in test/trust/uses.ts.`);
  const { startSandbox } = await import('../../sandbox/server.ts');
  const sandbox = await startSandbox({ port: 0, clock: fakeClock() });
  try {
    const headers = { Authorization: `Bearer ${sandbox.token}` };
    const answer = await fetch(new URL(path, sandbox.url), { headers });
    if (!answer.ok) throw new Error(`The sandbox answers ${method} ${path} with ${answer.status}: see sandbox/routes.`);
    return { operation, argv: command.split(' '), good: (await answer.json()) as JsonObject };
  } finally {
    await sandbox.close();
  }
}

/** The path that a use sends its request to. */
export function pathOf({ operation }: Use): string {
  const values: Readonly<Record<string, string>> = { deploymentId: 'd1', domain: 'example.com' };
  const id = operation.name === 'getDatabase' ? 'db_1' : 's1';
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? id);
}

/** Whether a request is the one that the use is about, and not one that leads to it. */
export function isAbout(use: Use, request: { readonly method: string; readonly path: string }): boolean {
  return request.method === use.operation.method && request.path === pathOf(use);
}

/** Answers what leads to the use as it should be, and does `act` to the request that the use is about. */
export function aboutUse(use: Use, act: Act): Act {
  return (exchange) => (isAbout(use, exchange.request) ? act(exchange) : send(exchange.response, 200, START));
}

/** Answers every request that the use sends as it should be. */
export function wellAnswered(use: Use): Act {
  return aboutUse(use, ({ response }) => send(response, 200, use.good));
}

/** Runs the command line of a use against a service, on a clock that never waits, with an empty configuration. */
export async function runUse(
  use: Use,
  service: Pick<Service, 'url'>,
  flags: readonly string[] = [],
  more: RunOptions = {},
): Promise<Run> {
  const folder = mkdtempSync(join(IN_MEMORY, 'svc-use-'));
  try {
    return await svc([...use.argv, ...flags], {
      url: service.url,
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
