import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../sandbox/server.ts';
import { CliError } from '../src/errors.ts';
import { asObject } from '../src/json/values.ts';
import { toErrorObject } from '../src/kit/report.ts';
import { DOCUMENTS, LINES } from '../src/spec/fields/documents.ts';
import type { Fields } from '../src/spec/fields/field.ts';
import { schemaOf } from '../src/spec/schema.ts';
import { fakeClock } from './support/clock.ts';
import { ISSUED, START } from './support/device-login.ts';
import { SERVFAIL, testDns } from './support/dns.ts';
import { testWorld, zoneTable } from './support/dns-world.ts';
import { closed, faultsOf, pathsIn, pathsOf } from './support/schemas.ts';
import { svc, temporaryFolder } from './support/svc.ts';
import { testWire } from './support/wire.ts';

const ROOT = join(import.meta.dirname, '..');

const TABLES: Readonly<Record<string, Fields>> = { ...DOCUMENTS, ...LINES };

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
});
afterAll(() => sandbox.close());

/** What shows every field of a table at least once. */
const SAMPLES: Readonly<Record<string, () => Promise<unknown[]>>> = {
  mcp: () => documents(['mcp', '--print']),
  logout: () => signedIn(['logout'], { env: { SVC_SESSION_TOKEN: 'x'.repeat(20) } }),
  'profiles list': () => signedIn(['profiles']),
  'profiles use': () => signedIn(['profiles', 'use', 'work'], { env: { SVC_PROFILE: 'other' } }),
  status: async () => {
    const configDir = await temporaryFolder();
    const { id = '', service = '' } = sandbox.listing.deployments[0] ?? {};
    await documents(['deployments', 'inspect', id, '--service', service], { configDir });
    await documents(['restart', service], { configDir });
    return [
      ...(await documents(['status', '--service', service], { configDir })),
      ...(await documents(['status', '--service', 'nobodys'])),
    ];
  },
  open: async () => {
    const configDir = await temporaryFolder();
    await svc(['config', 'set', 'dashboard', 'https://dashboard.example.com'], { configDir });
    return documents(['open'], { configDir });
  },
  'orgs list': () => documents(['orgs', '--org', 'kola-studio']),
  'orgs use': () => signedIn(['orgs', 'use', 'baobab-travel'], { env: { SVC_ORG: 'kola-studio' } }),
  link: () => signedIn(['link', 'svc_wp_7k2m9qx4', '--org', 'kola-studio']),
  unlink: () => inALinkedFolder(),
  'config list': () => documents(['config']),
  'config get': () => documents(['config', 'get', 'api-url']),
  'config set': () => documents(['config', 'set', 'org', 'acme'], { env: { SVC_ORG: 'other' } }),
  'config unset': () => documents(['config', 'unset', 'org'], { env: { SVC_ORG: 'other' } }),
  doctor: () => documents(['doctor']),
  version: () => documents(['--version']),
  'domains import audit': () => documents(['domains', 'import', 'baobab-travel.example', '--audit']),
  'domains status': () => domainStatus(),
  changes: () => afterRestart(['changes']),
  'metrics summary': () => documents(['metrics', sandbox.listing.services[0]?.id ?? '', '--summary']),
  'orders list': () => pendingPurchase(['orders']),
  'orders settle': () => pendingPurchase(['orders', 'settle', 'mine', '--not-placed', '--yes']),
  'dry-run': () => documents(['domains', 'add', 'kola-studio.example', '--import', '--service', 'svc_1', '--dry-run']),
  'completion uninstall': async () => {
    const env = { HOME: await temporaryFolder(), SVC_CONFIG_DIR: await temporaryFolder() };
    await documents(['completion', 'install', 'bash'], { env });
    return documents(['completion', 'uninstall'], { env });
  },
  completion: () => documents(['completion', 'bash']),
  'completion install': async () => [
    ...(await documents(['completion', 'install', 'bash'], { env: { HOME: await temporaryFolder() } })),
  ],
  help: () => documents(['help']),
  'help command': () => documents(['help', 'api']),
  'help topic': async () =>
    (
      await Promise.all(
        ['agents', 'json', 'options', 'environment', 'exit-codes', 'assumptions', 'faults'].map((topic) =>
          documents(['help', topic]),
        ),
      )
    ).flat(),
  'help search': () => documents(['help', 'dns']),
  'help index': () => documents(['help', '--index']),
  'help schema': () => documents(['help', '--schema', 'status']),
  login_pending: async () => (await deviceLogin()).slice(0, 1),
  login_succeeded: async () => (await deviceLogin()).slice(1),
  several: async () => [
    ...linesOf((await several('svc_wp_7k2m9qx4', 'nobodys')).stdout),
    ...(await acceptedAndWarned()),
  ],
  counted: async () => {
    const { stderr } = await several('svc_wp_7k2m9qx4', 'svc_vps_6h1r0wyb');
    return [...linesOf(stderr), { summary: SUMMARY }];
  },
  warning: async () =>
    linesOf((await svc(['whoami', '--json'], { url: sandbox.url, token: 'plain' })).stderr).slice(0, 1),
  error: async () => [toErrorObject(WITH_EVERYTHING)],
  'sandbox start': async () => [sandbox.listing],
};

async function deviceLogin(): Promise<unknown[]> {
  const wire = await testWire();
  wire.on('POST', '/v1/auth/device').reply(200, START);
  wire.on('POST', '/v1/auth/device/token').reply(200, ISSUED);
  const run = await svc(['login', '--json'], { url: wire.url, token: null, clock: fakeClock() });
  return run.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

async function afterRestart(argv: readonly string[]): Promise<unknown[]> {
  const configDir = await temporaryFolder();
  await documents(['restart', 'svc_wp_7k2m9qx4'], { configDir });
  return documents(argv, { configDir });
}

async function documents(argv: readonly string[], options: Parameters<typeof svc>[1] = {}): Promise<unknown[]> {
  const run = await svc([...argv, '--json'], { url: sandbox.url, token: sandbox.token, ...options });
  expect(run.stdout, run.stderr).not.toBe('');
  return [run.json];
}

/** With a stored sign-in as the only one. */
async function signedIn(argv: readonly string[], options: Parameters<typeof svc>[1] = {}): Promise<unknown[]> {
  const configDir = await temporaryFolder();
  for (const profile of ['other', 'work']) {
    const login = ['login', '--with-token', '--profile', profile, '--api-url', sandbox.url];
    expect(await svc(login, { configDir, stdin: sandbox.token })).toMatchObject({ exitCode: 0 });
  }
  const { json } = await svc([...argv, '--json'], { configDir, ...options });
  return [json];
}

async function inALinkedFolder(): Promise<unknown[]> {
  const above = await temporaryFolder();
  const cwd = join(above, 'below');
  mkdirSync(cwd);
  await documents(['link', 'svc_wp_7k2m9qx4'], { cwd: above });
  return documents(['unlink'], { cwd });
}

async function domainStatus(): Promise<unknown[]> {
  const [first = '', second = ''] = ['ns1.new.test', 'ns2.new.test'];
  const resolver = await testWorld(() => ({ parent: [first, second], resolver: [first] }));
  const table = zoneTable({ 'moved.test A': ['192.0.2.9'] });
  const nameserver = await testDns((question) => (question.type === 'TXT' ? { code: SERVFAIL } : table(question)));
  const configDir = await temporaryFolder();
  mkdirSync(join(configDir, 'domains'));
  const staging = {
    version: 1,
    domain: 'moved.test',
    nameservers: [first, second].map((name) => `${name}:${nameserver.port}`),
    records: [
      { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 300 },
      { subdomain: '', type: 'TXT', value: 'v=spf1 -all', ttl: 300 },
    ],
    service: 'app-1',
    stagedAt: '2026-02-28T10:00:00.000Z',
  };
  writeFileSync(join(configDir, 'domains/moved.test.json'), JSON.stringify(staging));
  return documents(['domains', 'status', 'moved.test'], {
    configDir,
    clock: fakeClock(),
    env: { SVC_DNS_SERVER: resolver.at },
  });
}

async function pendingPurchase(argv: readonly string[]): Promise<unknown[]> {
  const wire = await testWire();
  wire.on('POST', '/v1/checkout').reset();
  const configDir = await temporaryFolder();
  const buy = ['buy', '--plan', 'plan_1', '--yes', '--no-retry', '--idempotency-key', 'mine'];
  expect(await svc(buy, { url: wire.url, configDir })).toMatchObject({ exitCode: 8 });
  return documents(argv, { configDir });
}

const linesOf = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

async function several(...services: readonly string[]) {
  return svc(['restart', ...services, '--yes', '--json'], { url: sandbox.url, token: sandbox.token });
}

async function acceptedAndWarned(): Promise<unknown[]> {
  const wire = await testWire();
  wire.on('POST', '/v1/services/s1/actions').reply(200, { jobId: 'job_1', status: 'on ice' });
  wire.on('POST', '/v1/services/s2/actions').reply(404, { error: 'No such service' });
  const argv = [
    'wp',
    'run',
    'backup',
    '--service',
    's1',
    '--service',
    's2',
    '--accept',
    'not_found',
    '--yes',
    '--json',
  ];
  return linesOf((await svc(argv, { url: wire.url })).stdout);
}

const SUMMARY = {
  ...{ total: 3, done: 0, failed: 3, alerts: 0, left: 0, skipped: 0, seconds: 1 },
  ...{ noData: 1, inDoubt: 1, running: 1, accepted: 1 },
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
  alerts: [{ item: 'svc_1', series: 'cpu', figure: 'last', value: 91.5, limit: 90, at: '2026-03-01T12:00:00Z' }],
  summary: SUMMARY,
});

describe('the table of fields', () => {
  test.each(Object.entries(TABLES))('%s: has the fields that are printed, and no other', async (name, fields) => {
    const samples = (await SAMPLES[name]?.()) ?? [];
    const schema = closed(schemaOf(fields));
    const faults = samples.flatMap((sample) => {
      const { schemaVersion = 1, ...own } = asObject(sample);
      return [...faultsOf(schema, own), ...(schemaVersion === 1 ? [] : ['schemaVersion is not 1'])];
    });
    expect(faults).toEqual([]);
    const printed = new Set(samples.flatMap((sample) => pathsIn(sample)));
    expect(pathsOf(fields).filter((path) => !printed.has(path))).toEqual([]);
  });

  test('every document carries the version of its schema, and what is printed in lines does not', async () => {
    for (const [name, sample] of Object.entries(SAMPLES)) {
      const isVersioned = (await sample()).map((one) => 'schemaVersion' in asObject(one));
      expect(new Set(isVersioned), name).toEqual(new Set([Object.hasOwn(DOCUMENTS, name)]));
    }
  });

  test('is in docs/json.md, apart from the parts of the help that its text tells', () => {
    const page = readFileSync(join(ROOT, 'docs/json.md'), 'utf8');
    const told = ['help command', 'help topic', 'help search', 'help index', 'help schema'];
    const shown = [...page.matchAll(/^<!-- fields: (.+) -->$/gm)].map(([, name = '']) => name);
    expect([...shown, ...told].sort()).toEqual(Object.keys(TABLES).sort());
  });

  test('has the fields of an error in the order in which they are printed', () => {
    expect(Object.keys(toErrorObject(WITH_EVERYTHING))).toEqual(Object.keys(LINES.error));
  });
});
