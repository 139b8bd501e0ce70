import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DnsRecord } from '../../../src/spec/types.ts';
import { fakeClock } from '../../support/clock.ts';
import { type DnsQuestion, REFUSED, SERVFAIL, testDns } from '../../support/dns.ts';
import { type DnsWorld, SOME_DS, testWorld, zoneTable } from '../../support/dns-world.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const NEW = ['ns1.new.test', 'ns2.new.test'];
const OLD = ['ns1.old.test', 'ns2.old.test'];
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
  const staging = {
    domain: 'moved.test',
    nameservers,
    records,
    service: 'app-1',
    stagedAt: '2026-02-28T10:00:00.000Z',
  };
  writeFileSync(join(folder, 'domains/moved.test.json'), JSON.stringify({ version: 1, ...staging }));
  return folder;
}

/** The DNS in small, its new nameservers, and svc looking at both. */
async function small(world: () => DnsWorld, zone: Readonly<Record<string, readonly unknown[]>> = ZONE) {
  const resolver = await testWorld(world);
  const nameserver = await testDns(zoneTable(zone));
  const configDir = await remembering(NEW.map((name) => `${name}:${nameserver.port}`));
  const clock = fakeClock();
  return {
    clock,
    resolver,
    nameserver,
    look: (...more: string[]) => svc([...STATUS, ...more], { configDir, clock, env: { SVC_DNS_SERVER: resolver.at } }),
  };
}

test('a complete move is exit 0, and shows which servers confirm it', async () => {
  const { look, nameserver } = await small(() => ({ parent: NEW, resolver: NEW }));
  const run = await look();
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout.replaceAll(String(nameserver.port), 'PORT')).toBe(`Move of moved.test
✓ The move is complete.

  At the registry  ns1.new.test, ns2.new.test (new)
  At the resolver  ns1.new.test, ns2.new.test (new)
  New nameservers  ns1.new.test:PORT, ns2.new.test:PORT
  DNSSEC           off
  Staged           2026-02-28T10:00:00.000Z

  NAMESERVER          ADDRESS    STATE              SETS AS STAGED
  ns1.new.test:PORT  127.0.0.1  serves the domain  2 of 2
  ns2.new.test:PORT  127.0.0.1  serves the domain  2 of 2
`);
});

test('scripts get a document', async () => {
  const { look, resolver, nameserver } = await small(() => ({ parent: NEW, resolver: OLD }));
  const run = await look('--json');
  expect(run).toMatchObject({ exitCode: 10 });
  const asked = (host: string) => ({
    nameserver: `${host}:${nameserver.port}`,
    asked: nameserver.at,
    state: 'serves',
    matching: 2,
    different: [],
    unanswered: 0,
    unansweredSets: [],
  });
  expect(run.json).toEqual({
    schemaVersion: 1,
    domain: 'moved.test',
    verdict: 'propagating',
    message: 'The nameservers are switched, but some DNS caches still have the old ones.',
    checkedAt: '2026-03-01T12:00:00.000Z',
    expected: { nameservers: NEW.map((host) => `${host}:${nameserver.port}`), from: 'staging' },
    delegation: {
      registry: { nameservers: NEW, sees: 'new', from: 'a.parent.test' },
      resolver: { nameservers: OLD, sees: 'old', from: resolver.at },
    },
    records: { staged: 2, sets: 2, stagedAt: '2026-02-28T10:00:00.000Z' },
    nameservers: NEW.map(asked),
    viaResolver: null,
    dnssec: { state: 'unsigned', ds: [] },
  });
  expect(run.error).toMatchObject({ code: 'still_running', exitCode: 10 });
});

test.each<[DnsWorld, string, number, string]>([
  [{ parent: OLD, resolver: OLD }, 'not_started', 10, 'still_running'],
  [{ parent: [...NEW, ...OLD], resolver: OLD }, 'mixed', 10, 'still_running'],
  [{ parent: NEW, resolver: OLD }, 'propagating', 10, 'still_running'],
  [{ parent: [], resolver: [] }, 'not_delegated', 9, 'failed'],
  [{ parent: NEW, resolver: NEW, ds: [SOME_DS] }, 'broken_dnssec', 9, 'failed'],
])('%j is %s and exit %i', async (world, verdict, exitCode, code) => {
  const { look } = await small(() => world);
  const run = await look('--json');
  expect(run.exitCode).toBe(exitCode);
  expect(run.json).toMatchObject({ verdict });
  expect(run.error).toMatchObject({ code, hint: expect.any(String) });
});

test('a file without nameservers is compared at those of the staging', async () => {
  const { look } = await small(() => ({ parent: NEW, resolver: NEW }));
  const file = join(await temporaryFolder(), 'records.json');
  writeFileSync(file, JSON.stringify(RECORDS));
  expect(await look('--records', file)).toMatchObject({ exitCode: 0, stderr: '' });
});

test('records that are not as staged are exit 9, and listed', async () => {
  const { look } = await small(() => ({ parent: NEW, resolver: NEW }), { ...ZONE, 'moved.test A': ['203.0.113.9'] });
  const run = await look();
  expect(run.exitCode).toBe(9);
  expect(run.stdout).toMatch(/moved\.test +A +192\.0\.2\.1 +203\.0\.113\.9/);
  expect(run.stderr).toBe(`Error: The move of moved.test is broken. Stage the right records again.
Try: svc domains add moved.test --service app-1 --import
`);
});

test('a state that is expected is no error, and the next command repeats what was typed', async () => {
  const { resolver, nameserver } = await small(() => ({ parent: OLD, resolver: OLD }));
  const configDir = await remembering(NEW);
  const named = `ns1.new.test:${nameserver.port}`;
  const args = [...STATUS, '--nameserver', named];
  const run = await svc(args, { configDir, env: { SVC_DNS_SERVER: resolver.at } });
  expect(run.exitCode).toBe(10);
  expect(run.stderr).toBe(`The move of moved.test is not complete. Set the new nameservers at the registrar.
Try: svc domains status moved.test --nameserver ${named} --wait
`);
});

test('a memory with a record that cannot be read is none: without it the move would look complete too early', async () => {
  const { resolver } = await small(() => ({ parent: NEW, resolver: NEW }));
  const configDir = await remembering(NEW, [...RECORDS, { ...RECORDS[0], value: 'x' } as DnsRecord]);
  expect((await svc(STATUS, { configDir, env: { SVC_DNS_SERVER: resolver.at } })).exitCode).toBe(2);
});

describe('a record set that is not answered', () => {
  /** The nameserver fails for some questions; the resolver knows the new nameservers. */
  async function failing(fails: (question: DnsQuestion) => boolean, code: number) {
    const table = zoneTable(ZONE);
    const nameserver = await testDns((question) => (fails(question) ? { code } : table(question)));
    const resolver = await testWorld(() => ({ parent: NEW, resolver: NEW }));
    const configDir = await remembering(NEW.map((name) => `${name}:${nameserver.port}`));
    const options = { configDir, clock: fakeClock(), env: { SVC_DNS_SERVER: resolver.at } };
    return { options, nameserver };
  }

  test.each([
    ['SERVFAIL', SERVFAIL],
    ['REFUSED', REFUSED],
  ])('is exit 9 and named, if the server answers others: %s', async (reason, code) => {
    const { options, nameserver } = await failing(({ type }) => type === 'MX', code);
    const run = await svc(STATUS, options);
    expect(run.exitCode).toBe(9);
    expect(run.stdout).toContain(
      '! The nameservers are switched, but not all of them answered for every staged record.',
    );
    expect(run.stdout).toContain('1 of 2');
    expect(run.stdout).toContain('Records that were not answered');
    expect(run.stdout).toMatch(new RegExp(`ns1\\.new\\.test:\\d+ +moved\\.test +MX +${reason}`));
    expect(run.stderr).toMatch(
      /^Error: The move of moved\.test is not complete\. .*\nTry: svc domains status moved\.test --wait\n$/,
    );
    expect(nameserver.questions.filter(({ type }) => type === 'MX').length).toBe(4);
    const { json } = await svc([...STATUS, '--json'], options);
    const unanswered = { unanswered: 1, unansweredSets: [{ name: 'moved.test', type: 'MX', reason }] };
    expect(json).toMatchObject({ verdict: 'incomplete', nameservers: [unanswered, unanswered] });
    const { stdout } = await svc([...STATUS, '--csv'], options);
    expect(stdout).toContain(',serves,1,0,1');
  });

  test('is exit 10, if the server answers none', async () => {
    const { options } = await failing(({ type }) => type === 'MX' || type === 'A', SERVFAIL);
    const run = await svc([...STATUS, '--json'], options);
    expect(run).toMatchObject({ exitCode: 10, json: { verdict: 'incomplete' }, error: { code: 'still_running' } });
  });

  test('is waited for until it is answered', async () => {
    let answers = false;
    const { options } = await failing(({ type }) => type === 'MX' && !answers, SERVFAIL);
    options.clock.onSleep(() => {
      answers = options.clock.waits.length > 2;
    });
    const run = await svc([...STATUS, '--wait'], options);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(options.clock.waits).toHaveLength(3);
  });
});

test('more than a hundred record sets are all asked for', async () => {
  const hosts = Array.from({ length: 250 }, (_, index) => `h${index}`);
  const table = zoneTable(Object.fromEntries(hosts.map((host) => [`${host}.moved.test A`, ['192.0.2.1']])));
  const nameserver = await testDns((question) => (question.name === 'h249.moved.test' ? {} : table(question)));
  const resolver = await testWorld(() => ({ parent: NEW.slice(0, 1), resolver: NEW.slice(0, 1) }));
  const records = hosts.map((subdomain) => ({ subdomain, type: 'A' as const, value: '192.0.2.1', ttl: 300 }));
  const configDir = await remembering([`ns1.new.test:${nameserver.port}`], records);
  const run = await svc([...STATUS, '--json'], { configDir, env: { SVC_DNS_SERVER: resolver.at } });
  expect(run).toMatchObject({ exitCode: 9, json: { verdict: 'broken_records', nameservers: [{ matching: 249 }] } });
});

test('a nameserver that does not answer is exit 9', async () => {
  const resolver = await testWorld(() => ({ parent: NEW, resolver: OLD }));
  const silent = await testDns(() => undefined);
  const args = [...STATUS, '--nameserver', `ns1.new.test:${silent.port}`, '--nameserver', 'ns2.new.test', '--json'];
  const run = await svc(args, { env: { SVC_DNS_SERVER: resolver.at } });
  expect(run.exitCode).toBe(9);
  expect(run.json).toMatchObject({
    verdict: 'broken_nameservers',
    expected: { from: 'flag' },
    records: null,
    nameservers: [{ state: 'silent' }, { state: 'not_serving' }],
  });
});

test('a nameserver that is named stands beside those of the staging: only it is asked, and all are new', async () => {
  const { resolver, nameserver } = await small(() => ({ parent: NEW, resolver: NEW }));
  const configDir = await remembering(NEW);
  const args = [...STATUS, '--nameserver', nameserver.at, '--json'];
  const run = await svc(args, { configDir, env: { SVC_DNS_SERVER: resolver.at } });
  expect(run).toMatchObject({ exitCode: 0, json: { verdict: 'complete', nameservers: [{ matching: 2 }] } });
});

test('nameservers without a port are asked at the port of a resolver with the same address', async () => {
  const table = zoneTable(ZONE);
  const everything = await testDns((question) => {
    if (question.type === 'NS' && question.name !== 'moved.test') return { code: 5 };
    if (question.name.endsWith('new.test')) {
      return { answers: question.type === 'A' ? [{ name: question.name, type: 'A', data: '127.0.0.1' }] : [] };
    }
    return table(question);
  });
  const configDir = await remembering(['ns1.new.test.']);
  const run = await svc(STATUS, { configDir, env: { SVC_DNS_SERVER: everything.at } });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
});

test('many questions at a time are no reason for Node to warn', async () => {
  const warnings: Error[] = [];
  const keep = (warning: Error) => void warnings.push(warning);
  process.on('warning', keep);
  onTestFinished(() => void process.off('warning', keep));
  const resolver = await testWorld(() => ({ parent: NEW, resolver: NEW }));
  const hosts = Array.from({ length: 60 }, (_, index) => `h${index}`);
  const zone = Object.fromEntries(hosts.map((host) => [`${host}.moved.test A`, ['192.0.2.1']]));
  const nameserver = await testDns(zoneTable(zone));
  const records = hosts.map((subdomain) => ({ subdomain, type: 'A' as const, value: '192.0.2.1', ttl: 300 }));
  const configDir = await remembering([`ns1.new.test:${nameserver.port}`, `ns2.new.test:${nameserver.port}`], records);
  expect((await svc(STATUS, { configDir, env: { SVC_DNS_SERVER: resolver.at } })).exitCode).toBe(0);
  expect(nameserver.questions.length).toBeGreaterThan(120);
  expect(warnings).toEqual([]);
});

describe('nothing is asked', () => {
  test.each([
    ['without known nameservers', STATUS, /does not know its new nameservers/],
    ['about a name below a domain', ['domains', 'status', 'www.example.com'], /is not an apex domain/],
    ['for an invalid nameserver', [...STATUS, '--nameserver', 'ns1/53'], /--nameserver "ns1\/53" is not a host/],
    ['for a time without a unit', [...STATUS, '--wait-timeout', '5'], /--wait-timeout "5" has no unit/],
    ['for an invalid time', [...STATUS, '--wait-timeout', 'soon'], /--wait-timeout "soon" is not a duration/],
  ])('%s', async (_title, args, message) => {
    const dns = await testDns(() => undefined);
    const run = await svc(args, { env: { SVC_DNS_SERVER: dns.at } });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(message);
    expect(dns.questions).toEqual([]);
  });

  test('with an invalid SVC_DNS_SERVER', async () => {
    const run = await svc([...STATUS, '--nameserver', 'ns1.new.test'], { env: { SVC_DNS_SERVER: 'no resolver' } });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('SVC_DNS_SERVER "no resolver" is not a host or an address.');
  });
});

test('without any answer, stdout is empty and the exit is 8', async () => {
  const silent = await testDns(() => undefined);
  const args = [...STATUS, '--nameserver', '127.0.0.1:1', '--json'];
  const run = await svc(args, { env: { SVC_DNS_SERVER: silent.at } });
  expect(run).toMatchObject({ exitCode: 8, stdout: '' });
  expect(run.error).toMatchObject({ code: 'unavailable' });
});

test.each([
  'not json',
  '[]',
  '{"version":0,"nameservers":["ns1.new.test"]}',
  '{"version":1,"nameservers":[null,"a b","../x"],"records":"all"}',
])('a memory that cannot be used is none: %s', async (text) => {
  const configDir = await remembering([]);
  writeFileSync(join(configDir, 'domains/moved.test.json'), text);
  expect((await svc(STATUS, { configDir })).exitCode).toBe(2);
});

describe('--wait', () => {
  test('asks less and less often until the move is complete', async () => {
    const worlds: DnsWorld[] = [
      { parent: OLD, resolver: OLD },
      { parent: OLD, resolver: OLD },
      { parent: [...OLD, ...NEW], resolver: OLD },
      { parent: NEW, resolver: OLD },
      { parent: NEW, resolver: NEW },
    ];
    let at = 0;
    const { look, clock } = await small(() => worlds[at] ?? {});
    clock.onSleep(() => {
      at += 1;
    });
    const run = await look('--wait');
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toContain('The move is complete.');
    expect(clock.waits).toEqual([10_000, 15_000, 22_500, 33_750]);
  });

  test('ends at once when something is broken', async () => {
    const { look, clock } = await small(() => ({ parent: NEW, resolver: NEW, ds: [SOME_DS] }));
    expect((await look('--wait')).exitCode).toBe(9);
    expect(clock.waits).toEqual([]);
  });

  test('gives up at its limit, with the last look on stdout', async () => {
    const { look, clock } = await small(() => ({ parent: OLD, resolver: OLD }));
    const run = await look('--wait-timeout', '30m', '--json');
    expect(run.exitCode).toBe(10);
    expect(run.json).toMatchObject({ verdict: 'not_started' });
    expect(clock.waits.reduce((sum, ms) => sum + ms, 0)).toBe(1_800_000);
    expect(Math.max(...clock.waits)).toBe(300_000);
  });

  test('repeats checks without an answer, and reports only the last one', async () => {
    let answers = false;
    const table = zoneTable({ ...ZONE, 'ns1.new.test A': ['127.0.0.1'] });
    const dns = await testDns((question) => (answers ? table(question) : { code: 2 }));
    const clock = fakeClock();
    clock.onSleep(() => {
      answers = clock.waits.length > 2;
    });
    const configDir = await remembering(['127.0.0.1']);
    const options = { configDir, clock, env: { SVC_DNS_SERVER: dns.at } };
    const run = await svc([...STATUS, '--wait', '--json'], options);
    expect(clock.waits).toHaveLength(3);
    expect(run).toMatchObject({ exitCode: 0, json: { verdict: 'complete', delegation: { registry: null } } });
    const never = await testDns(() => ({ code: 2 }));
    const failed = await svc([...STATUS, '--wait-timeout', '1m', '--json'], {
      ...options,
      env: { SVC_DNS_SERVER: never.at },
    });
    expect(failed).toMatchObject({ exitCode: 8, stdout: '' });
  });

  test('can be interrupted', async () => {
    const { resolver, clock } = await small(() => ({ parent: OLD, resolver: OLD }));
    const run = await svc([...STATUS, '--wait', '--nameserver', 'ns1.new.test'], {
      env: { SVC_DNS_SERVER: resolver.at },
      clock,
      onStart: (send) => clock.onSleep(() => send('SIGINT')),
    });
    expect(run).toMatchObject({ exitCode: 130, stdout: '' });
  });
});

describe('a staging with --wait', () => {
  const ADD = ['domains', 'add', 'moved.test', '--service', 'app-1', '--import', '--records', '-', '--yes', '--wait'];

  async function staging(nameservers: readonly string[]) {
    const wire = await testWire();
    const answer = { nameservers, stagedRecords: RECORDS };
    wire.on('POST', '/v1/services/app-1/domains/moved.test/import').always(200, answer);
    return { answer, options: { url: wire.url, stdin: JSON.stringify(RECORDS), clock: fakeClock() } };
  }

  test('watches the move, with the nameservers and records just staged', async () => {
    let switched = false;
    const resolver = await testWorld(() => ({ parent: switched ? NEW : OLD, resolver: switched ? NEW : OLD }));
    const nameserver = await testDns(zoneTable(ZONE));
    const { answer, options } = await staging(NEW.map((name) => `${name}:${nameserver.port}`));
    const env = { SVC_DNS_SERVER: resolver.at };
    options.clock.onSleep(() => {
      switched = true;
    });
    const run = await svc(ADD, { ...options, env });
    expect(run.exitCode).toBe(0);
    expect(run.stdout.indexOf('Nameservers to set')).toBeLessThan(run.stdout.indexOf('The move is complete.'));
    expect(run.stdout).toContain('2 of 2');
    expect(options.clock.waits).toEqual([10_000]);
    const scripted = await svc([...ADD, '--json'], { ...options, env });
    expect(scripted).toMatchObject({ exitCode: 0, stdout: `${JSON.stringify(answer)}\n`, stderr: '' });
    switched = false;
    const given = await svc([...ADD, '--json', '--wait-timeout', '1s'], { ...options, env, clock: fakeClock() });
    expect(given).toMatchObject({ exitCode: 10, stdout: `${JSON.stringify(answer)}\n` });
  });

  test.each([
    ['the answer has no nameservers', []],
    ['nobody answers', ['127.0.0.1:1']],
  ])('keeps the answer where the move cannot be watched: %s', async (_title, nameservers) => {
    const failing = await testDns(() => ({ code: 2 }));
    const { answer, options } = await staging(nameservers);
    const env = { SVC_DNS_SERVER: failing.at };
    const run = await svc([...ADD, '--json'], { ...options, env });
    expect(run).toMatchObject({ exitCode: 10, stdout: `${JSON.stringify(answer)}\n` });
    expect(run.error).toMatchObject({ code: 'still_running', error: expect.stringContaining('are staged') });
    const people = await svc(ADD, { ...options, env });
    const words =
      nameservers.length === 0 ? 'The platform accepted 2 records' : 'Staged 2 records of moved.test on app-1.';
    expect(people.stdout).toContain(words);
  });

  test('that is interrupted says that the records are staged', async () => {
    const resolver = await testWorld(() => ({ parent: OLD, resolver: OLD }));
    const { options } = await staging(NEW);
    const clock = fakeClock();
    let interrupt: (signal: 'SIGINT') => void = () => {};
    clock.onSleep(() => interrupt('SIGINT'));
    const run = await svc([...ADD, '--json'], {
      ...options,
      clock,
      env: { SVC_DNS_SERVER: resolver.at },
      onStart: (send) => {
        interrupt = send;
      },
    });
    expect(run.exitCode).toBe(130);
    expect(run.error).toMatchObject({
      error: 'Stopped waiting. The records of moved.test are staged.',
      hint: 'svc domains status moved.test --wait',
    });
  });
});
