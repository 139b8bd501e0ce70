import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DnsRecord } from '../../../src/spec/types.ts';
import { against } from '../../support/against.ts';
import { fakeClock } from '../../support/clock.ts';
import { type DnsAnswer, type DnsQuestion, SERVFAIL, testDns } from '../../support/dns.ts';
import { type DnsWorld, SOME_DS, testWorld, zoneTable } from '../../support/dns-world.ts';
import { type RunOptions, svc, temporaryFolder } from '../../support/svc.ts';

// What the DNS must say for each verdict is shown in test/dns.

const NEW = ['ns1.new.test', 'ns2.new.test'];
const OLD = ['ns1.old.test', 'ns2.old.test'];
const MOVED: DnsWorld = { parent: NEW, resolver: NEW };
const UNMOVED: DnsWorld = { parent: OLD, resolver: OLD };
const STATUS = ['domains', 'status', 'moved.test'];
const RECORDS: readonly DnsRecord[] = [
  { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 300 },
  { subdomain: '', type: 'MX', value: 'mail.moved.test', ttl: 300, priority: 10 },
];
const ZONE = {
  'moved.test A': ['192.0.2.1'],
  'moved.test MX': [{ preference: 10, exchange: 'mail.moved.test' }],
};

/** A configuration folder that remembers a staging of `moved.test`. */
async function remembering(nameservers: readonly string[], records = RECORDS): Promise<string> {
  const folder = await temporaryFolder();
  mkdirSync(join(folder, 'domains'));
  const stagedAt = '2026-02-28T10:00:00.000Z';
  const staging = { version: 1, domain: 'moved.test', nameservers, records, service: 'app-1', stagedAt };
  writeFileSync(join(folder, 'domains/moved.test.json'), JSON.stringify(staging));
  return folder;
}

/** The DNS in small, the new nameservers, which are one, and svc looking at both. */
async function small(
  world: DnsWorld | (() => DnsWorld),
  answer: (question: DnsQuestion) => DnsAnswer = zoneTable(ZONE),
  records = RECORDS,
) {
  const resolver = await testWorld(typeof world === 'function' ? world : () => world);
  const nameserver = await testDns(answer);
  const configDir = await remembering(
    NEW.map((name) => `${name}:${nameserver.port}`),
    records,
  );
  const clock = fakeClock();
  const options: RunOptions = { configDir, clock, env: { SVC_DNS_SERVER: resolver.at } };
  const look = (more = '') => svc([...STATUS, ...more.split(' ').filter(Boolean)], options);
  return { clock, resolver, nameserver, options, look };
}

test('scripts get a document', async () => {
  const { look, resolver, nameserver } = await small({ parent: NEW, resolver: OLD });
  const run = await look('--json');
  const hosts = NEW.map((host) => `${host}:${nameserver.port}`);
  const same = { state: 'serves', matching: 2, different: [], unanswered: 0, unansweredSets: [] };
  expect(run.json).toEqual({
    schemaVersion: 1,
    domain: 'moved.test',
    verdict: 'propagating',
    message: 'The nameservers are switched, but some DNS caches still have the old ones.',
    checkedAt: '2026-03-01T12:00:00.000Z',
    expected: { nameservers: hosts, from: 'staging' },
    delegation: {
      registry: { nameservers: NEW, sees: 'new', from: 'a.parent.test' },
      resolver: { nameservers: OLD, sees: 'old', from: resolver.at },
    },
    records: { staged: 2, sets: 2, stagedAt: '2026-02-28T10:00:00.000Z' },
    nameservers: hosts.map((host) => ({ nameserver: host, asked: nameserver.at, ...same })),
    viaResolver: null,
    dnssec: { state: 'unsigned', ds: [] },
  });
});

test.each<[DnsWorld, string, number, string]>([
  [UNMOVED, 'not_started', 10, 'still_running'],
  [{ parent: [...NEW, ...OLD], resolver: OLD }, 'mixed', 10, 'still_running'],
  [{ parent: NEW, resolver: OLD }, 'propagating', 10, 'still_running'],
  [{ parent: [], resolver: [] }, 'not_delegated', 9, 'failed'],
  [{ ...MOVED, ds: [SOME_DS] }, 'broken_dnssec', 9, 'failed'],
])('%j is %s and exit %i', async (world, verdict, exitCode, code) => {
  const { look } = await small(world);
  const run = await look('--json');
  expect(run).toMatchObject({ exitCode, json: { verdict }, error: { code, hint: expect.any(String) } });
});

test('a file without nameservers is compared at those of the staging', async () => {
  const { look } = await small(MOVED);
  const file = join(await temporaryFolder(), 'records.json');
  writeFileSync(file, JSON.stringify(RECORDS));
  expect(await look(`--records ${file}`)).toMatchObject({ exitCode: 0, stderr: '' });
});

test('records that are not as staged are exit 9, and listed', async () => {
  const { look } = await small(MOVED, zoneTable({ ...ZONE, 'moved.test A': ['203.0.113.9'] }));
  const run = await look();
  expect(run.exitCode).toBe(9);
  expect(run.stdout).toMatch(/moved\.test +A +192\.0\.2\.1 +203\.0\.113\.9/);
  expect(run.stderr).toMatch(/^Error: .* is broken\. .*\nTry: svc domains add moved\.test --service app-1 --import\n$/);
});

test('a state that is expected is no error, and the next command repeats what was typed', async () => {
  const { look, nameserver } = await small(UNMOVED);
  const named = `--nameserver ns1.new.test:${nameserver.port}`;
  const stderr = 'The move of moved.test is not complete. Set the new nameservers at the registrar.';
  const next = `Try: svc domains status moved.test ${named} --wait`;
  expect(await look(named)).toMatchObject({ exitCode: 10, stderr: `${stderr}\n${next}\n` });
});

test('a record set that is not answered is named, and is exit 9 if the server answers others', async () => {
  const table = zoneTable(ZONE);
  const failing = (...types: readonly string[]) =>
    small(MOVED, (question) => (types.includes(question.type) ? { code: SERVFAIL } : table(question)));
  const { look, nameserver } = await failing('MX');
  const run = await look();
  expect(run.exitCode).toBe(9);
  expect(run.stdout).toMatch(/1 of 2.*Records that were not answered.*ns1\.new\.test:\d+ +moved\.test +MX +SERVFAIL/s);
  expect(run.stderr).toMatch(/^Error: The move of moved\.test is not complete\. .*\nTry: .* --wait\n$/);
  expect(nameserver.questions.filter(({ type }) => type === 'MX').length).toBe(4);
  const unanswered = { unanswered: 1, unansweredSets: [{ name: 'moved.test', type: 'MX', reason: 'SERVFAIL' }] };
  expect((await look('--json')).json).toMatchObject({ verdict: 'incomplete', nameservers: [unanswered, unanswered] });
  expect((await look('--csv')).stdout).toContain(',serves,1,0,1');
  const none = await (await failing('MX', 'A')).look('--json');
  expect(none).toMatchObject({ exitCode: 10, json: { verdict: 'incomplete' }, error: { code: 'still_running' } });
});

test('hundreds of record sets are all asked for, and are no reason for Node to warn', async () => {
  const warnings: Error[] = [];
  const keep = (warning: Error) => void warnings.push(warning);
  process.on('warning', keep);
  onTestFinished(() => void process.off('warning', keep));
  const hosts = Array.from({ length: 150 }, (_, index) => `h${index}`);
  const table = zoneTable(Object.fromEntries(hosts.map((host) => [`${host}.moved.test A`, ['192.0.2.1']])));
  const records = hosts.map((subdomain) => ({ subdomain, type: 'A' as const, value: '192.0.2.1', ttl: 300 }));
  const answer = (question: DnsQuestion) => (question.name === 'h149.moved.test' ? {} : table(question));
  const { look } = await small(MOVED, answer, records);
  const run = await look('--json');
  expect(run).toMatchObject({ exitCode: 9, json: { verdict: 'broken_records', nameservers: [{ matching: 149 }, {}] } });
  expect(warnings).toEqual([]);
});

test('a nameserver that is named stands beside those of the staging: only it is asked, and all are new', async () => {
  const { look, nameserver } = await small(MOVED);
  const run = await look(`--nameserver ${nameserver.at} --json`);
  expect(run).toMatchObject({ exitCode: 0, json: { verdict: 'complete', nameservers: [{ matching: 2 }] } });
});

test.each([
  ['without known nameservers', '', /does not know its new nameservers/],
  ['for an invalid nameserver', '--nameserver ns1/53', /--nameserver "ns1\/53" is not a host/],
  ['for a time without a unit', '--wait-timeout 5', /--wait-timeout "5" has no unit/],
])('nothing is asked %s', async (_title, more, message) => {
  const dns = await testDns(() => undefined);
  const run = await against(`${STATUS.join(' ')} ${more}`, {}, { env: { SVC_DNS_SERVER: dns.at } });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toMatch(message);
  expect(dns.questions).toEqual([]);
});

// biome-ignore format: a table
test.each([
  'not json',
  '{"version":1,"nameservers":["a b","../x"],"records":[]}',
  // Without one of its records, a move would look complete too early.
  '{"version":1,"nameservers":["ns1.new.test"],"records":[{"subdomain":"","type":"A","value":"x","ttl":60}]}',
])('a memory that cannot be used is none: %s', async (text) => {
  const configDir = await remembering([]);
  expect((await svc(STATUS, { configDir })).stderr).toContain('the answer named no nameservers that svc can read');
  writeFileSync(join(configDir, 'domains/moved.test.json'), text);
  expect((await svc(STATUS, { configDir })).exitCode).toBe(2);
});

describe('--wait', () => {
  test('asks less and less often until the move is complete', async () => {
    const between = { parent: [...OLD, ...NEW], resolver: OLD };
    const worlds = [UNMOVED, UNMOVED, between, { parent: NEW, resolver: OLD }, MOVED];
    const { look, clock } = await small(() => worlds[clock.waits.length] ?? {});
    const run = await look('--wait');
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toContain('The move is complete.');
    expect(clock.waits).toEqual([10_000, 15_000, 22_500, 33_750]);
  });

  test('gives up at its limit, with the last look on stdout', async () => {
    const { look, clock } = await small(UNMOVED);
    const run = await look('--wait-timeout 30m --json');
    expect(run).toMatchObject({ exitCode: 10, json: { verdict: 'not_started' } });
    expect(clock.waits.reduce((sum, ms) => sum + ms, 0)).toBe(1_800_000);
    expect(Math.max(...clock.waits)).toBe(300_000);
  });

  test('repeats checks without an answer, and reports only the last one', async () => {
    let from = 3;
    const table = zoneTable({ ...ZONE, 'ns1.new.test A': ['127.0.0.1'] });
    const clock = fakeClock();
    const isReady = () => clock.waits.length >= from;
    const dns = await testDns((question) => (isReady() ? table(question) : { code: SERVFAIL }));
    const options = { configDir: await remembering(['127.0.0.1']), clock, env: { SVC_DNS_SERVER: dns.at } };
    const run = await svc([...STATUS, '--wait', '--json'], options);
    expect(run).toMatchObject({ exitCode: 0, json: { verdict: 'complete', delegation: { registry: null } } });
    expect(clock.waits).toHaveLength(3);
    from = Number.POSITIVE_INFINITY;
    const failed = await svc([...STATUS, '--wait-timeout', '1m', '--json'], options);
    expect(failed).toMatchObject({ exitCode: 8, stdout: '' });
  });
});

describe('a staging with --wait', () => {
  const ADD = 'domains add moved.test --service app-1 --import --records - --yes --wait';

  /** Stages the records while a server is the resolver, and waits. */
  function staging(nameservers: readonly string[], resolver: { readonly at: string }, more = '', options = {}) {
    const answer = { nameservers, stagedRecords: RECORDS };
    const env = { SVC_DNS_SERVER: resolver.at };
    const stage = { 'POST /v1/services/app-1/domains/moved.test/import': [answer] };
    return against(`${ADD} ${more}`, stage, { stdin: JSON.stringify(RECORDS), env, ...options });
  }
  const printed = (nameservers: readonly string[]) => `${JSON.stringify({ nameservers, stagedRecords: RECORDS })}\n`;

  test('watches the move, with the nameservers and records just staged', async () => {
    const clock = fakeClock();
    const resolver = await testWorld(() => (clock.waits.length === 0 ? UNMOVED : MOVED));
    const nameserver = await testDns(zoneTable(ZONE));
    const hosts = NEW.map((name) => `${name}:${nameserver.port}`);
    const run = await staging(hosts, resolver, '', { clock });
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toMatch(/Nameservers to set.*The move is complete\..*2 of 2/s);
    expect(clock.waits).toEqual([10_000]);
  });

  test.each([
    ['the answer has no nameservers', [], 'The platform accepted 2 records'],
    ['nobody answers', ['127.0.0.1:1'], 'Staged 2 records of moved.test on app-1.'],
  ])('keeps the answer where the move cannot be watched: %s', async (_title, nameservers, words) => {
    const failing = await testDns(() => ({ code: SERVFAIL }));
    const run = await staging(nameservers, failing, '--json');
    expect(run).toMatchObject({ exitCode: 10, stdout: printed(nameservers) });
    expect(run.error).toMatchObject({ code: 'still_running', error: expect.stringContaining('are staged') });
    expect((await staging(nameservers, failing)).stdout).toContain(words);
  });

  test('that is interrupted says that the records are staged', async () => {
    const clock = fakeClock();
    const onStart: RunOptions['onStart'] = (send) => clock.onSleep(() => send('SIGINT'));
    const run = await staging(NEW, await testWorld(() => UNMOVED), '--json', { clock, onStart });
    const error = 'Stopped waiting. The records of moved.test are staged.';
    expect(run).toMatchObject({ exitCode: 130, error: { error, hint: 'svc domains status moved.test --wait' } });
  });
});
