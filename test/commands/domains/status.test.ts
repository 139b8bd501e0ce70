import { getServers, setServers } from 'node:dns';
import { mkdirSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openResolver } from '../../../src/commands/domains/dns.ts';
import type { DnsRecord } from '../../../src/contract/operations.ts';
import { against } from '../../support/against.ts';
import { fakeClock } from '../../support/clock.ts';
import {
  type DnsAnswer,
  type DnsQuestion,
  NXDOMAIN,
  SERVFAIL,
  testDns,
} from '../../support/dns.ts';
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
async function remembering(nameservers: readonly string[], text?: string): Promise<string> {
  const folder = await temporaryFolder();
  mkdirSync(join(folder, 'domains'));
  const stagedAt = '2026-02-28T10:00:00.000Z';
  const staging = {
    version: 1,
    domain: 'moved.test',
    nameservers,
    records: RECORDS,
    service: 'app-1',
    stagedAt,
  };
  writeFileSync(join(folder, 'domains/moved.test.json'), text ?? JSON.stringify(staging));
  return folder;
}

/** The DNS in small, the new nameservers, which are one, and svc looking at both. */
async function small(world: DnsWorld | (() => DnsWorld), answer = zoneTable(ZONE)) {
  const resolver = await testWorld(typeof world === 'function' ? world : () => world);
  const nameserver = await testDns(answer);
  const configDir = await remembering(NEW.map((name) => `${name}:${nameserver.port}`));
  const clock = fakeClock();
  const options: RunOptions = { configDir, clock, env: { SVC_DNS_SERVER: resolver.at } };
  const look = (more = '') => svc([...STATUS, ...more.split(' ').filter(Boolean)], options);
  return { clock, resolver, nameserver, look };
}

test('scripts get a document', async () => {
  const { look, resolver, nameserver } = await small({ parent: NEW, resolver: OLD });
  const run = await look('--json');
  const hosts = NEW.map((host) => `${host}:${nameserver.port}`);
  const same = {
    state: 'serves',
    oldNameservers: [],
    matching: 2,
    different: [],
    unanswered: 0,
    unansweredSets: [],
  };
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
  [{ parent: NEW, resolver: OLD }, 'propagating', 10, 'still_running'],
  [{ parent: [], resolver: [] }, 'not_delegated', 9, 'failed'],
  [{ ...MOVED, ds: [SOME_DS] }, 'dnssec_on', 10, 'still_running'],
])('%j is %s and exit %i', async (world, verdict, exitCode, code) => {
  const { look } = await small(world);
  expect(await look('--json')).toMatchObject({
    exitCode,
    json: { verdict },
    error: { code, hint: expect.any(String) },
  });
});

test.each<[string, (question: DnsQuestion) => DnsAnswer]>([
  ['no name but its own', () => ({ code: NXDOMAIN })],
  [
    'an address for any question',
    ({ name }) => ({ answers: [{ name, type: 'A', data: '127.0.0.1' }] }),
  ],
])('a network whose resolver has %s gives no verdict', async (_what, answer) => {
  const dns = await testDns(answer);
  const options = { configDir: await remembering(NEW), env: { SVC_DNS_SERVER: dns.at } };

  const run = await svc([...STATUS, '--json'], options);

  expect(run).toMatchObject({ exitCode: 8, stdout: '' });
  expect(run.error['error']).toContain(`${dns.at} has no nameservers of test`);
});

test('a resolver that has the zone above is believed about a name that is not there', async () => {
  const dns = await testDns(({ name, recursive }) => {
    if (!recursive) return undefined;
    if (name !== 'test') return { code: NXDOMAIN };
    return { answers: [{ name, type: 'NS', data: 'a.parent.test' }] };
  });
  const options = { configDir: await remembering(NEW), env: { SVC_DNS_SERVER: dns.at } };

  const run = await svc([...STATUS, '--json'], options);

  expect(run).toMatchObject({ exitCode: 9, json: { verdict: 'not_delegated' } });
});

test('new nameservers that name the old ones themselves are a warning, for people and programs', async () => {
  const { look } = await small(MOVED, zoneTable({ ...ZONE, 'moved.test NS': OLD }));
  const words = 'The new nameservers themselves name the old ones (ns1.old.test, ns2.old.test)';
  const person = await look();
  const program = await look('--json');

  expect(person).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(words) });
  expect(program).toMatchObject({
    exitCode: 0,
    json: { verdict: 'complete', nameservers: [{ oldNameservers: OLD }, {}] },
  });
  expect(JSON.parse(program.stderr)).toEqual({
    warning: expect.stringContaining(words),
    code: 'old_nameservers_named',
  });
});

test('a file without nameservers is compared at those of the staging; only those that are named are asked', async () => {
  const { look, nameserver } = await small(MOVED);
  const file = join(await temporaryFolder(), 'records.json');
  writeFileSync(file, JSON.stringify(RECORDS));
  expect(await look(`--records ${file}`)).toMatchObject({ exitCode: 0, stderr: '' });
  const named = await look(`--nameserver ${nameserver.at} --json`);
  expect(named).toMatchObject({
    exitCode: 0,
    json: { verdict: 'complete', nameservers: [{ matching: 2 }] },
  });
});

test('of several answers to a staging in one file, the last one of the domain counts', async () => {
  const { look } = await small(MOVED);
  const file = join(await temporaryFolder(), 'added.ndjson');
  const toLine = (nameserver: string) => {
    const answer = { nameservers: [nameserver], stagedRecords: RECORDS };
    return `${JSON.stringify({ item: 'moved.test', attempts: 1, answer })}\n`;
  };
  writeFileSync(file, toLine('ns1.first.test') + toLine('ns1.last.test'));

  const { json } = await look(`--records ${file} --json`);

  expect(json).toMatchObject({ expected: { nameservers: ['ns1.last.test'], from: 'file' } });
});

test('records that are not as staged are exit 9, and listed', async () => {
  const { look } = await small(MOVED, zoneTable({ ...ZONE, 'moved.test A': ['203.0.113.9'] }));
  const run = await look();
  expect(run.exitCode).toBe(9);
  expect(run.stdout).toMatch(/moved\.test +A +192\.0\.2\.1 +203\.0\.113\.9/);
  expect(run.stderr).toMatch(
    /^Error: .* is broken\. .*\nTry: svc domains add moved\.test --service app-1 --import\n$/,
  );
});

test('a state that is expected is no error, and the next command repeats what was typed', async () => {
  const { look } = await small(UNMOVED);
  const run = await look('--nameserver ns1.new.test:5353');
  expect(run).toMatchObject({ exitCode: 10, stderr: expect.not.stringContaining('Error') });
  expect(run.stderr).toContain(
    '\nTry: svc domains status moved.test --nameserver ns1.new.test:5353 --wait\n',
  );
});

test('a record set that is not answered is named, and is exit 9 if the server answers others', async () => {
  const table = zoneTable(ZONE);
  const failing = (...types: readonly string[]) =>
    small(MOVED, (question) =>
      types.includes(question.type) ? { code: SERVFAIL } : table(question),
    );
  const { look } = await failing('MX');
  const unansweredSets = [{ name: 'moved.test', type: 'MX', reason: 'SERVFAIL' }];
  const json = { verdict: 'incomplete', nameservers: [{ unanswered: 1, unansweredSets }, {}] };
  expect(await look('--json')).toMatchObject({ exitCode: 9, json });
  expect((await look()).stdout).toMatch(
    /1 of 2.*Records that were not answered.* +moved\.test +MX +SERVFAIL/s,
  );
  expect((await look('--csv')).stdout).toContain(',serves,1,0,1');
  const none = await (await failing('MX', 'A')).look('--json');
  expect(none).toMatchObject({
    exitCode: 10,
    json: { verdict: 'incomplete' },
    error: { code: 'still_running' },
  });
});

test('a table of several moves counts the records of the nameserver that has the fewest', async () => {
  const resolver = await testWorld(() => MOVED);
  const whole = await testDns(zoneTable(ZONE));
  const partial = await testDns(zoneTable({ 'moved.test A': ['192.0.2.1'] }));
  const configDir = await remembering([whole.at, partial.at]);
  const list = join(await temporaryFolder(), 'moves.txt');
  writeFileSync(list, 'moved.test\n');

  const run = await svc(['domains', 'status', '--domains', list], {
    configDir,
    env: { SVC_DNS_SERVER: resolver.at },
  });

  expect(run.stdout).toMatch(/moved\.test +broken records .* 1 of 2 /);
});

test.each([
  ['without a staging', '', '{"version":1}'],
  ['where the answer to it had no nameservers', '', undefined],
  [
    'where its memory has lost a record, and the move would look complete too early',
    '',
    '{"version":1,"nameservers":["ns1.new.test"],"records":[{"subdomain":"","type":"A","value":"x","ttl":60}]}',
  ],
  ['for an invalid nameserver', '--nameserver ns1/53', undefined],
])('nothing is asked %s', async (_title, more, text) => {
  const dns = await testDns(() => undefined);
  const env = { SVC_DNS_SERVER: dns.at };
  const run = await against(
    `${STATUS.join(' ')} ${more}`,
    {},
    { env, configDir: await remembering([], text) },
  );
  expect(run).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('nameserver'),
  });
  expect(dns.questions).toEqual([]);
});

test('a look that asks the resolvers of the system ends when it is interrupted', async () => {
  const interruption = new AbortController();
  const dns = await testDns(() => {
    interruption.abort(new Error('interrupted'));
    return undefined;
  });
  const systemServers = getServers();
  const use = (servers: readonly string[]) => {
    setServers(servers);
    // Modules have imported the functions by their names.
    syncBuiltinESMExports();
  };
  onTestFinished(() => use(systemServers));
  use([dns.at]);
  const { signal } = interruption;
  const time = { clock: fakeClock(), signal, forceQuitSignal: signal, random: () => 0 };

  const resolver = await openResolver({ time, env: {} });

  await expect(resolver.lookup('moved.test', 'NS')).rejects.toThrow('interrupted');
});

describe('--wait', () => {
  test('asks less and less often until the move is complete, or the time is up', async () => {
    const { look, clock } = await small(() => (clock.waits.length === 3 ? MOVED : UNMOVED));
    expect(await look('--wait --json')).toMatchObject({
      exitCode: 0,
      stderr: '',
      json: { verdict: 'complete' },
    });
    expect(clock.waits).toEqual([10_000, 15_000, 22_500]);
    const unmoved = await small(UNMOVED);
    const late = await unmoved.look('--wait-timeout 30m --json');
    expect(late).toMatchObject({ exitCode: 10, json: { verdict: 'not_started' } });
  });

  test('never waits longer than it was told', async () => {
    const { look, clock } = await small(UNMOVED);

    const run = await look('--wait-timeout 15s --json');

    expect(run).toMatchObject({ exitCode: 10, json: { verdict: 'not_started' } });
    expect(clock.waits).toEqual([10_000, 5_000]);
  });

  test('repeats checks without an answer, and reports only the last one', async () => {
    let from = 3;
    const table = zoneTable({ ...ZONE, 'ns1.new.test A': ['127.0.0.1'] });
    const clock = fakeClock();
    const dns = await testDns((question) =>
      clock.waits.length < from ? { code: SERVFAIL } : table(question),
    );
    const options = {
      configDir: await remembering(['127.0.0.1']),
      clock,
      env: { SVC_DNS_SERVER: dns.at },
    };
    const run = await svc([...STATUS, '--wait', '--json'], options);
    expect(run).toMatchObject({
      exitCode: 0,
      json: { verdict: 'complete', delegation: { registry: null } },
    });
    expect(clock.waits).toHaveLength(3);
    from = Number.POSITIVE_INFINITY;
    const failed = await svc([...STATUS, '--wait-timeout', '1m', '--json'], options);
    expect(failed).toMatchObject({ exitCode: 8, stdout: '' });
  });
});

describe('a staging with --wait', () => {
  const NAMED = /--nameserver ns1\.new\.test --nameserver ns2\.new\.test --wait$/;

  /** Stages the records while a server is the resolver, and waits. */
  function staging(
    nameservers: readonly string[],
    resolver: { readonly at: string },
    options: RunOptions = {},
  ) {
    const line = 'domains add moved.test --service app-1 --import --records - --yes --wait --json';
    const answer = { nameservers, stagedRecords: RECORDS };
    const env = { SVC_DNS_SERVER: resolver.at };
    const stage = { 'POST /v1/services/app-1/domains/moved.test/import': [answer] };
    return against(line, stage, { stdin: JSON.stringify(RECORDS), env, ...options });
  }

  test('watches the move, with the nameservers and records just staged', async () => {
    const clock = fakeClock();
    const resolver = await testWorld(() => (clock.waits.length === 0 ? UNMOVED : MOVED));
    const { port } = await testDns(zoneTable(ZONE));
    const hosts = NEW.map((name) => `${name}:${port}`);
    expect(await staging(hosts, resolver, { clock })).toMatchObject({
      exitCode: 0,
      json: { nameservers: hosts },
    });
    expect(clock.waits).toEqual([10_000]);
  });

  test.each([
    ['the answer has no nameservers', []],
    ['nobody answers', ['127.0.0.1:1']],
  ])('keeps the answer where the move cannot be watched: %s', async (_title, nameservers) => {
    const run = await staging(nameservers, await testDns(() => ({ code: SERVFAIL })));
    expect(run).toMatchObject({ exitCode: 10, json: { nameservers, stagedRecords: RECORDS } });
    expect(run.error).toMatchObject({
      code: 'still_running',
      error: expect.stringContaining('are staged'),
    });
  });

  /** Interrupts a staging that waits. */
  async function interrupt(options: RunOptions = {}) {
    const clock = fakeClock();
    const onStart: RunOptions['onStart'] = (send) => clock.onSleep(() => send('SIGINT'));
    return staging(NEW, await testWorld(() => UNMOVED), { clock, onStart, ...options });
  }

  test('that is interrupted, and could not be saved, names the nameservers in its hint', async () => {
    const file = join(await temporaryFolder(), 'file');
    writeFileSync(file, 'in the way');

    const run = await interrupt({ configDir: join(file, 'below') });

    expect(run).toMatchObject({ exitCode: 130, error: { hint: expect.stringMatching(NAMED) } });
  });

  test('that is interrupted says that the records are staged', async () => {
    const run = await interrupt();
    const error = expect.stringContaining('The records of moved.test are staged');
    expect(run).toMatchObject({
      exitCode: 130,
      error: { error, hint: 'svc domains status moved.test --wait' },
    });
  });
});
