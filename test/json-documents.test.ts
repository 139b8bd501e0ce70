import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../sandbox/server.ts';
import { toErrorObject } from '../src/cli/define/report.ts';
import { DOCUMENTS, LINES } from '../src/contract/fields/documents.ts';
import type { Fields } from '../src/contract/fields/field.ts';
import { toSchema } from '../src/contract/schema.ts';
import { CliError } from '../src/errors.ts';
import { asObject } from '../src/json/values.ts';
import { type Answers, against } from './support/against.ts';
import { fakeClock } from './support/clock.ts';
import { ISSUED, START } from './support/device-login.ts';
import { SERVFAIL, testDns } from './support/dns.ts';
import { testWorld, zoneTable } from './support/dns-world.ts';
import { closed, faultsOf, pathsIn, pathsOf } from './support/schemas.ts';
import { storedSignIn, writeSignIns } from './support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from './support/svc.ts';

const ROOT = join(import.meta.dirname, '..');

const TABLES: Readonly<Record<string, Fields>> = { ...DOCUMENTS, ...LINES };

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
});
afterAll(() => sandbox.close());

const SERVICE = 'svc_wp_7k2m9qx4';

/** What shows every field of a table at least once. */
const SAMPLES: Readonly<Record<string, () => Promise<unknown[]>>> = {
  mcp: () => documents('mcp --print'),
  logout: () => signedIn('logout', { SVC_SESSION_TOKEN: 'x'.repeat(20) }),
  'profiles list': () => signedIn('profiles'),
  'profiles use': () => signedIn('profiles use work', { SVC_PROFILE: 'other' }),
  status: async () => {
    const seen = [`deployments inspect dep_9m4kx7q2tz --service ${SERVICE}`, `restart ${SERVICE}`];
    return [
      ...(await after(seen, `status --service ${SERVICE}`)),
      ...(await documents('status --service nobodys')),
    ];
  },
  open: () => after(['config set dashboard https://dashboard.example.com'], 'open'),
  'orgs list': () => documents('orgs --org kola-studio'),
  'orgs use': () => signedIn('orgs use baobab-travel', { SVC_ORG: 'kola-studio' }),
  link: () => signedIn(`link ${SERVICE} --org kola-studio`),
  unlink: async () => {
    const cwd = join(await temporaryFolder(), 'below');
    mkdirSync(cwd);
    await documents(`link ${SERVICE}`, { cwd: join(cwd, '..') });
    return documents('unlink', { cwd });
  },
  'config list': () => documents('config'),
  'config get': () => documents('config get api-url'),
  'config set': () => documents('config set org acme', { env: { SVC_ORG: 'other' } }),
  'config unset': () => documents('config unset org', { env: { SVC_ORG: 'other' } }),
  doctor: () => documents('doctor'),
  version: () => documents('--version'),
  'domains import audit': () => documents('domains import baobab-travel.example --audit'),
  'domains status': () => domainStatus(),
  changes: () => after([`restart ${SERVICE}`], 'changes'),
  'metrics summary': () => documents(`metrics ${SERVICE} --summary`),
  'orders list': () => pendingPurchase('orders'),
  'orders settle': () => pendingPurchase('orders settle mine --not-placed --yes'),
  'dry-run': () => documents('domains add kola-studio.example --import --service svc_1 --dry-run'),
  completion: () => documents('completion bash'),
  'completion install': async () => documents('completion install bash', { env: await home() }),
  help: () => documents('help'),
  'help command': () => documents('help api'),
  'help topic': async () => {
    const topics = [
      'agents',
      'json',
      'options',
      'environment',
      'exit-codes',
      'assumptions',
      'faults',
    ];
    return (await Promise.all(topics.map((topic) => documents(`help ${topic}`)))).flat();
  },
  'help index': () => documents('help --index'),
  'help schema': () => documents('help --schema status'),
  login_pending: async () => (await deviceLogin()).slice(0, 1),
  login_succeeded: async () => (await deviceLogin()).slice(1),
  several: async () => [
    ...linesOf((await restarts('nobodys')).stdout),
    ...(await queuedAndWarned()),
  ],
  counted: async () => [
    ...linesOf((await restarts('svc_vps_6h1r0wyb')).stderr),
    { summary: SUMMARY },
  ],
  warning: async () =>
    linesOf((await svc(['whoami', '--json'], { url: sandbox.url, token: 'plain' })).stderr).slice(
      0,
      1,
    ),
  error: async () => [toErrorObject(WITH_EVERYTHING)],
  'sandbox start': async () => [sandbox.listing],
};

const home = async () => ({ HOME: await temporaryFolder() });

async function documents(line: string, options: RunOptions = {}): Promise<unknown[]> {
  const run = await svc([...line.split(' '), '--json'], {
    url: sandbox.url,
    token: sandbox.token,
    ...options,
  });
  expect(run.stdout, run.stderr).not.toBe('');
  return [run.json];
}

/** What a line prints once others have been run. */
async function after(lines: readonly string[], line: string): Promise<unknown[]> {
  const configDir = await temporaryFolder();
  for (const one of lines) await documents(one, { configDir });
  return documents(line, { configDir });
}

/** With stored sign-ins alone. */
async function signedIn(line: string, env: RunOptions['env'] = {}): Promise<unknown[]> {
  const configDir = await temporaryFolder();
  const records = ['other', 'work'].map((profile) => storedSignIn(profile, sandbox.url));
  writeSignIns(configDir, ...records.map((record) => ({ ...record, token: sandbox.token })));
  return documents(line, { configDir, env, token: null, url: '' });
}

async function deviceLogin(): Promise<unknown[]> {
  const answers = { 'POST /v1/auth/device': [START], 'POST /v1/auth/device/token': [ISSUED] };
  return linesOf((await against('login --json', answers, { token: null })).stdout);
}

async function domainStatus(): Promise<unknown[]> {
  const [first = '', second = ''] = ['ns1.new.test', 'ns2.new.test'];
  const resolver = await testWorld(() => ({ parent: [first, second], resolver: [first] }));
  const table = zoneTable({ 'moved.test A': ['192.0.2.9'] });
  const nameserver = await testDns((question) =>
    question.type === 'TXT' ? { code: SERVFAIL } : table(question),
  );
  const configDir = await temporaryFolder();
  mkdirSync(join(configDir, 'domains'));
  const staging = {
    ...{ version: 1, domain: 'moved.test', service: 'app-1', stagedAt: '2026-02-28T10:00:00.000Z' },
    nameservers: [first, second].map((name) => `${name}:${nameserver.port}`),
    records: [
      { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 300 },
      { subdomain: '', type: 'TXT', value: 'v=spf1 -all', ttl: 300 },
    ],
  };
  writeFileSync(join(configDir, 'domains/moved.test.json'), JSON.stringify(staging));
  const env = { SVC_DNS_SERVER: resolver.at };
  return documents('domains status moved.test', { configDir, clock: fakeClock(), env });
}

async function pendingPurchase(line: string): Promise<unknown[]> {
  const configDir = await temporaryFolder();
  const buy = 'buy --plan plan_1 --yes --no-retry --idempotency-key mine';
  await against(buy, { 'POST /v1/checkout': ['reset'] }, { configDir });
  return documents(line, { configDir });
}

const linesOf = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

function restarts(other: string) {
  return svc(['restart', SERVICE, other, '--yes', '--json'], {
    url: sandbox.url,
    token: sandbox.token,
  });
}

async function queuedAndWarned(): Promise<unknown[]> {
  const answers: Answers = {
    'POST /v1/services/s1/actions': [{ jobId: 'job_1', status: 'on ice' }],
    'POST /v1/services/s2/actions': [[404, { error: 'No such service' }]],
  };
  const line = 'wp run backup --service s1 --service s2 --yes --json';
  return linesOf((await against(line, answers)).stdout);
}

const SUMMARY = {
  ...{ total: 3, done: 0, failed: 3, alerts: 0, left: 0, skipped: 0, seconds: 1 },
  ...{ noData: 1, inDoubt: 1, running: 1, queued: 1 },
};

const WITH_EVERYTHING = new CliError('failed', 'text', {
  status: 500,
  hint: { say: 'x', run: ['svc help'], by: 'person' },
  retryAfterSeconds: 1,
  requestId: 'x',
  attempts: 1,
  jobId: 'x',
  orderId: 'x',
  idempotencyKey: 'x',
  savedZone: 'x',
  outcome: 'unknown',
  alerts: [
    {
      item: 'svc_1',
      series: 'cpu',
      figure: 'last',
      value: 91.5,
      limit: 90,
      at: '2026-03-01T12:00:00Z',
    },
  ],
  summary: SUMMARY,
});

describe('the table of fields', () => {
  test.each(Object.entries(TABLES))(
    '%s: has the fields that are printed, and no other',
    async (name, fields) => {
      const samples = (await SAMPLES[name]?.()) ?? [];
      const schema = closed(toSchema(fields));
      const faults = samples.flatMap((sample) => {
        const { schemaVersion, ...own } = asObject(sample);
        // What is printed in lines has no version.
        const isVersioned = schemaVersion === (Object.hasOwn(DOCUMENTS, name) ? 1 : undefined);
        return [
          ...faultsOf(schema, own),
          ...(isVersioned ? [] : [`schemaVersion is ${schemaVersion}`]),
        ];
      });
      expect(faults).toEqual([]);
      const printed = new Set(samples.flatMap((sample) => pathsIn(sample)));
      expect(pathsOf(fields).filter((path) => !printed.has(path))).toEqual([]);
    },
  );

  test('is in docs/json.md, apart from the parts of the help that its text tells', () => {
    const page = readFileSync(join(ROOT, 'docs/json.md'), 'utf8');
    const told = ['help command', 'help topic', 'help index', 'help schema'];
    const shown = [...page.matchAll(/^<!-- fields: (.+) -->$/gm)].map(([, name = '']) => name);
    expect([...shown, ...told].sort()).toEqual(Object.keys(TABLES).sort());
  });
});
