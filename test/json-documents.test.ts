import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CliError, toErrorObject } from '../src/errors.ts';
import { type Sandbox, startSandbox } from '../src/sandbox/server.ts';
import { fakeClock } from './support/clock.ts';
import { ISSUED, START } from './support/device-login.ts';
import { SERVFAIL, testDns } from './support/dns.ts';
import { testWorld, zoneTable } from './support/dns-world.ts';
import { svc, temporaryFolder } from './support/svc.ts';
import { testWire } from './support/wire.ts';

const ROOT = join(import.meta.dirname, '..');

/** The sections of docs/json.md with the fields of their tables. */
const SECTIONS = new Map(
  readFileSync(join(ROOT, 'docs/json.md'), 'utf8')
    .split(/^###? /m)
    .slice(1)
    .map((section) => [
      section.split('\n')[0] ?? '',
      [...section.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, path = '', meaning = '']) => ({ path, meaning })),
    ]),
);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
});
afterAll(() => sandbox.close());

/** Command lines whose documents show every field of a section between them. */
const SAMPLES: Readonly<Record<string, () => Promise<unknown[]>>> = {
  'svc mcp': () => documents(['mcp', '--print', 'codex']),
  'svc logout': () => signedIn(['logout'], { env: { SVC_SESSION_TOKEN: 'x'.repeat(20) } }),
  'svc profiles list': () => signedIn(['profiles']),
  'svc profiles use': () => signedIn(['profiles', 'use', 'work'], { env: { SVC_PROFILE: 'other' } }),
  'svc profiles remove': () => signedIn(['profiles', 'remove', 'work']),
  'svc status': async () => {
    const configDir = await temporaryFolder();
    const { id = '', service = '' } = sandbox.listing.deployments[0] ?? {};
    await documents(['deployments', 'inspect', id, '--service', service], { configDir });
    return [
      ...(await documents(['status', '--service', service], { configDir })),
      ...(await documents(['status', '--service', 'nobodys'])),
    ];
  },
  'svc open': async () => {
    const configDir = await temporaryFolder();
    await svc(['config', 'set', 'dashboard', 'https://dashboard.example.com'], { configDir });
    return documents(['open'], { configDir });
  },
  'svc orgs list': () => documents(['orgs', '--org', 'kola-studio']),
  'svc orgs use': () => signedIn(['orgs', 'use', 'baobab-travel'], { env: { SVC_ORG: 'kola-studio' } }),
  'svc link': () => documents(['link', 'svc_1', '--org', 'acme']),
  'svc unlink': () => inALinkedFolder(),
  'svc config list': () => documents(['config']),
  'svc config get': () => documents(['config', 'get', 'api-url']),
  'svc config set': () => documents(['config', 'set', 'org', 'acme'], { env: { SVC_ORG: 'other' } }),
  'svc config unset': () => documents(['config', 'unset', 'org'], { env: { SVC_ORG: 'other' } }),
  'svc doctor': () => documents(['doctor']),
  'svc domains status': () => domainStatus(),
  'svc buy --pending': () => pendingPurchase(['buy', '--pending']),
  'svc orders settle': () => pendingPurchase(['orders', 'settle', 'mine', '--not-placed', '--yes']),
  '--dry-run': () =>
    documents(['domains', 'add', 'kola-studio.example', '--import', '--service', 'svc_1', '--dry-run']),
  'svc completion': async () => [
    ...(await documents(['completion', 'bash'])),
    ...(await documents(['completion', 'install', 'bash'], { env: { HOME: await temporaryFolder() } })),
  ],
  'svc help': () => documents(['help']),
  'svc login': () => deviceLogin(),
  'svc sandbox start': async () => [sandbox.listing],
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
  await documents(['link', 'svc_1'], { cwd: above });
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
    schemaVersion: 1,
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

describe('docs/json.md', () => {
  test.each(Object.entries(SAMPLES))('%s: has the fields that are printed, and no other', async (section, sample) => {
    const fields = SECTIONS.get(section) ?? [];
    const wholes = fields.filter(({ meaning }) => WHOLE.test(meaning)).map(({ path }) => path);
    const paths = (await sample()).flatMap((document) => pathsOf(document));
    const printed = paths
      .map((path) => wholes.find((whole) => path.startsWith(whole)) ?? path)
      .filter((path) => path !== 'schemaVersion' && !fields.some((field) => field.path.startsWith(`${path}.`)));
    expect([...new Set(printed)].sort()).toEqual(fields.map(({ path }) => path).sort());
  });

  test('has a section for every command that makes a document', () => {
    const files = readdirSync(join(ROOT, 'src/commands'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .filter((file) => /\bdocument(<\w+>)?\(/.test(readFileSync(join(ROOT, 'src/commands', file), 'utf8')));
    const sections = files.map((file) => PARTS[file] ?? `svc ${file.replace(/\.ts$/, '').replaceAll('/', ' ')}`);
    expect([...SECTIONS.keys()]).toEqual(expect.arrayContaining(sections));
    expect(Object.keys(SAMPLES)).toEqual(expect.arrayContaining(sections));
  });

  test('names every field of an error', () => {
    const detail = new CliError('failed', 'text', {
      status: 500,
      hint: { say: 'x', run: ['svc help'], by: 'person' },
      retryAfterSeconds: 1,
      requestId: 'x',
      attempts: 1,
      jobId: 'x',
      idempotencyKey: 'x',
      savedZone: 'x',
      outcome: 'unknown',
      alerts: [],
      summary: { total: 1, done: 0, failed: 1, alerts: 0, left: 0, skipped: 0, seconds: 1 },
    });
    const fields = (SECTIONS.get('Errors') ?? []).map(({ path }) => path);
    expect(Object.keys(toErrorObject(detail))).toEqual(fields.map((field) => field.replace('[]', '')));
  });
});

/** Files that make a document for another command. */
const PARTS: Readonly<Record<string, string>> = {
  'buy/resume.ts': 'svc buy --pending',
  'domains/add.ts': '--dry-run',
  'shared/dry-run.ts': '--dry-run',
};

/** What the meaning of a field says where its insides are not listed. */
const WHOLE = /as the service sent|each as in|names and values|as it would be sent|the same comparison/;

/** The path of every value, in the notation of the tables. */
function pathsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) {
    return value.length === 0 ? [`${path}[]`] : value.flatMap((one) => pathsOf(one, `${path}[]`));
  }
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, part]) => pathsOf(part, path === '' ? name : `${path}.${name}`));
}
