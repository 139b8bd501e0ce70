import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { judgeStaging, stagingIn } from '../../../src/commands/domains/staging.ts';
import { assumeFrom } from '../../../src/spec/assumptions.ts';
import type { DnsRecord } from '../../../src/spec/types.ts';
import { type Answers, against } from '../../support/against.ts';
import { fakeClock } from '../../support/clock.ts';
import { testDns } from '../../support/dns.ts';
import { SOME_DS } from '../../support/dns-world.ts';
import { type RunOptions, svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

// What zones and scans mean is shown in test/zone, refusals and more answers of each operation in test/trust.

const SCAN = 'POST /v1/domains/import/scan';
const STAGE = 'POST /v1/services/app-1/domains/moved.example/import';
const ADD = 'domains add moved.example --service app-1 --import --yes';
const DRY = ADD.replace('--yes', '--dry-run');

const A: DnsRecord = { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 300 };
const MX: DnsRecord = { subdomain: '', type: 'MX', value: 'mail.moved.example', ttl: 300, priority: 10 };
const TXT: DnsRecord = { subdomain: '', type: 'TXT', value: 'v=spf1 mx -all', ttl: 300 };
const CAA = { subdomain: '', type: 'CAA', value: '0 issue "ca.example"', ttl: 300 };
const RECORDS = [A, MX, TXT];
const HOSTS = ['ns1.new.example', 'ns2.new.example'];
const STAGED = { nameservers: HOSTS, stagedRecords: RECORDS, ticket: 7 };
const OLD = { apex: 'moved.example', currentNameservers: ['ns1.old.example', 'ns2.old.example'] };
const FOUND = { ...OLD, records: RECORDS, warnings: [] };

/** Moves the domain: what the scan finds, and what the staging answers. */
const add = (more: string, { found = FOUND, staged = STAGED }: { found?: object; staged?: object }, options = {}) =>
  against(`${ADD} ${more}`, { [SCAN]: [found], [STAGE]: [staged] }, options);

/** Stops behind the scan. */
const scanned = (found: object, more = '') => against(`${ADD} ${more}`, { [SCAN]: [found] });

/** Stages records of a file, here of standard input. */
const fromStdin = (stdin: unknown, more = '', answers: Answers = { [STAGE]: [STAGED] }) =>
  against(`${ADD} --records - ${more}`, answers, {
    stdin: typeof stdin === 'string' ? stdin : JSON.stringify(stdin),
  });

/** A folder with one file of records in it. */
async function folderWith(name: string, content: unknown): Promise<string> {
  const cwd = await temporaryFolder();
  const isWritten = typeof content === 'string' || Buffer.isBuffer(content);
  writeFileSync(join(cwd, name), isWritten ? content : JSON.stringify(content));
  return cwd;
}

test('the records of the scan are staged with the five documented fields, and svc remembers them', async () => {
  const configDir = await temporaryFolder();
  const found = { ...FOUND, records: [{ ...A, priority: 0, zoneId: 'z1' }, MX, TXT, TXT] };
  const run = await add('', { found }, { configDir });
  expect(run.sent.map(({ json }) => json)).toEqual([{ domain: 'moved.example' }, { records: RECORDS }]);
  const stderr = 'Warning: 1 record appeared more than once and will be staged once.\n';
  expect(run).toMatchObject({ exitCode: 0, stderr, stdout: expect.stringContaining('Ticket  7') });
  expect(JSON.parse(readFileSync(join(configDir, 'domains/moved.example.json'), 'utf8'))).toEqual({
    version: 1,
    domain: 'moved.example',
    nameservers: HOSTS,
    records: RECORDS,
    service: 'app-1',
    stagedAt: '2026-03-01T12:00:00.000Z',
    file: join(configDir, 'domains/moved.example.2026-03-01.zone'),
  });
});

test('what cannot be saved is warned of, and the staging is done', async () => {
  const configDir = join(await folderWith('file', 'in the way'), 'file', 'below');
  const found = { ...FOUND, records: [...RECORDS, TXT], warnings: ['Only common names were probed'] };
  const run = await add('--json', { found }, { configDir });
  expect(run).toMatchObject({ exitCode: 0, stdout: `${JSON.stringify(STAGED)}\n` });
  expect(run.stderr).toContain('{"warning":"Only common names were probed","code":"records_doubtful"}');
  const codes = ['records_doubtful', 'records_doubtful', 'zone_not_saved', 'change_not_kept', 'staging_not_saved'];
  expect([...run.stderr.matchAll(/"code":"(\w+)"/g)].map(([, code]) => code)).toEqual(codes);
  const look = `svc domains status moved.example --nameserver ${HOSTS.join(' --nameserver ')} --wait`;
  expect((await add('', {}, { configDir })).stdout.replaceAll(/\n {5}/g, ' ')).toContain(look);
});

const each = (...states: readonly object[]) => RECORDS.map((record, index) => ({ ...record, ...states[index] }));
const inEntries = (...states: readonly object[]) => RECORDS.map((record, index) => ({ record, ...states[index] }));

// biome-ignore format: a table
test.each<[stagedRecords: unknown, code: string | undefined, words: string, isConfirmed?: boolean, ...warned: string[]]>([
  [[{ ...A, subdomain: 'www' }, MX, TXT], 'failed', '2 of 3 records'],
  [each({}, { error: 'does not resolve' }), 'failed', 'MX at moved.example: does not resolve'],
  [each({}, { staged: false }), 'failed', 'MX at moved.example: not staged'],
  [each({ ok: false }, { ok: false }, { ok: true }), 'failed', 'did not stage 2 of 3 records'],
  [inEntries({ status: 'ok' }, { status: 'error' }), 'failed', 'MX at moved.example: error'],
  [[{ id: 1 }, { id: 2, error: 'odd' }, { id: 3 }], 'failed', 'stagedRecords[1]: odd'],
  ['all', 'unavailable', 'The answer does not confirm that the records of moved.example are staged'],
  [[null, false, ''], 'unavailable', 'The answer does not confirm that the records of moved.example are staged'],
  [each({ ttl: 600 }), undefined, '', true, 'staged_otherwise'],
  [[A, MX, { ...TXT, value: '"v=spf1 " "mx -all"' }], undefined, '', true],
  [inEntries({ status: 'staged' }), undefined, '', true],
  [{ A: [{ value: 'x' }], other: [{}, {}] }, undefined, '', false, 'staged_not_compared'],
])('an answer that has %j is %s %s', (stagedRecords, code, words, isConfirmed = false, ...warned) => {
  const sent = { domain: 'moved.example', records: RECORDS };
  const judged = judgeStaging({ ...STAGED, stagedRecords }, sent, assumeFrom(new Map()));
  const { failure } = judged;
  expect([failure?.message, ...(failure?.details.lines ?? [])].join('\n')).toContain(words);
  expect([failure?.code, judged.isConfirmed, ...judged.warnings.map(([, one]) => one)]).toEqual([code, isConfirmed, ...warned]);
});

const NO = { success: false, message: 'zone is locked', nameservers: HOSTS };
const QUEUED = { nameservers: HOSTS, message: 'queued for review' };
const NOWHERE = { stagedRecords: RECORDS, nameservers: 'pending' };
const MOVED = /✓|confirmed|replace all|What to do now/;

// biome-ignore format: a table
test.each<[what: string, staged: object, exitCode: number, stderr: RegExp, stdout: RegExp, never: RegExp]>([
  ['a no is not remembered', NO, 9, /did not stage .*: zone is locked\n.*Do not switch nameservers/s, /ns1\.new\.example/, MOVED],
  ['one that confirms nothing sends nobody to the registrar', QUEUED, 8, /does not confirm that .* are staged: queued/, /ns1\.new\.example/, MOVED],
  ['one without nameservers switches nothing', NOWHERE, 0, /^Warning: The answer has no nameservers/, /./, /✓|registrar|Watch|What to do now/],
  ['an unknown status gets no tick', { ...STAGED, status: 'parked' }, 0, /SVC_ASSUME=job.done=\+parked/, /^The platform accepted 3 records .* The status is\s"parked".*replace all/s, /✓/],
])('of the answers to a staging, %s', async (_what, staged, exitCode, stderr, stdout, never) => {
  const configDir = await temporaryFolder();
  for (const form of exitCode === 0 ? [''] : ['', '--wait']) {
    const run = await add(form, { staged }, { configDir });
    expect(run.exitCode).toBe(exitCode);
    expect(run.stderr).toMatch(stderr);
    expect(run.stdout).toMatch(stdout);
    expect(run.stdout).not.toMatch(never);
  }
  expect(existsSync(join(configDir, 'domains/moved.example.json'))).toBe(exitCode !== 9);
});

test('scripts get an answer that says no, or nothing, with what is known of it', async () => {
  const no = await add('--json', { staged: NO });
  expect(no).toMatchObject({ exitCode: 9, stdout: `${JSON.stringify(NO)}\n`, error: { code: 'failed' } });
  const open = await add('--json', { staged: QUEUED });
  const error = { outcome: 'unknown', next: ['svc domains status moved.example'] };
  expect(open).toMatchObject({ exitCode: 8, stdout: `${JSON.stringify(QUEUED)}\n`, error });
  const assumed = { env: { SVC_ASSUME: 'job.done=+parked' } };
  expect((await add('', { staged: { ...STAGED, status: 'parked' } }, assumed)).stdout).toContain('✓ Staged 3 records');
  const filtered = await add('--jq .x[]', {});
  expect(filtered).toMatchObject({ exitCode: 1, stdout: '' });
  expect(filtered.error['error']).toMatch(/^The staging of moved\.example was accepted\. The --jq filter failed /);
});

test.each<[nameservers: unknown, ...hosts: string[]]>([
  [[2, null]],
  ['a.example, b.example', 'a.example', 'b.example'],
  [[{ name: 'a.example' }, { hostname: 'b.example.', ttl: 5 }, 5, 'c'], 'a.example', 'b.example.'],
])('the nameservers in %j are read', (nameservers, ...hosts) => {
  expect(stagingIn({ ...STAGED, nameservers }).nameservers).toEqual(hosts);
});

test('records that the platform staged otherwise than asked are shown line by line', async () => {
  const stagedRecords = [{ ...A, ttl: 600 }, MX, { ...A, value: '192.0.2.9', subdomain: 'x' }];
  const { stdout } = await add('', { staged: { ...STAGED, stagedRecords } });
  const lines = ['- @ 300 TXT v=spf1 mx -all', '- @ 300 A 192.0.2.1', '+ @ 600 A 192.0.2.1', '+ x 300 A 192.0.2.9'];
  expect(stdout).toContain(`Sent (-) and staged (+):\n  ${lines.join('\n  ')}\n`);
});

// biome-ignore format: a table
test.each([
  ['add moved.example --service app-1 --yes', 'Error: svc adds a domain only by moving its DNS to the platform (--import).'],
  ['add moved.example --records plan.json', 'Try: svc domains add moved.example --import --records plan.json\n'],
  ['add www.moved.com --service app-1 --import --skip-invalid', 'Try: svc domains add moved.com --service app-1 --import --skip-invalid\n'],
  ['add moved.example --service app-1 --import --skip-invalid', 'This needs a confirmation'],
  ['add moved.example --import --yes', 'This command needs a service'],
  ['status www.moved.com --nameserver ns1.new.com --records x', 'Try: svc domains status moved.com --nameserver ns1.new.com --records x\n'],
  ['import www.moved.com --output plan.json', 'Try: svc domains import moved.com --output plan.json\n'],
  ['import moved.com --format zone --json', 'both print to standard output'],
  ['import moved.com --output no-such-folder/plan.json', 'There is no folder'],
  ['import moved.com --audit --format zone', '--audit shows no records'],
])('svc domains %s is refused, and nothing is sent: %s', async (line, words) => {
  const run = await against(`domains ${line}`, {});
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(words);
});

test('a scan that is not found is proposed for the name above, with what was typed', async () => {
  const line = 'domains add www.moved.example --service app-1 --import --yes';
  const run = await against(line, { [SCAN]: [[404, { error: 'no zone' }]] });
  expect(run.exitCode).toBe(6);
  expect(run.stderr).toContain('Try: svc domains add moved.example --service app-1 --import\n');
});

describe('records that the platform cannot hold', () => {
  const odd = [A, CAA, { ...A, subdomain: 'x*y' }, { ...MX, subdomain: 'c', value: '@' }];
  const found = { ...FOUND, records: odd };
  const counts = '1 A, 1 CAA and 1 MX records';
  const lines = `CAA at moved.example: the platform does not support CAA records
  A at x*y.moved.example: subdomain "x*y" has the character "*"
  MX at c.moved.example: value is "@"; a host name is written in full
`;

  test('stop the command, each in a sentence, and nothing is staged', async () => {
    const run = await scanned(found);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    const advice = `Correct them in a file for --records. With --skip-invalid the others are staged without ${counts}, and`;
    expect(run.stderr).toContain(`Error: ${counts} cannot be staged. Nothing was staged.\n  ${lines}  ${advice}`);
  });

  // biome-ignore format: a table
  test.each([
    ['CAA', '', true], ['A', '', false], ['ALIAS', '', false], ['A', 'x', true], ['MX', '', false], ['TXT', 'x', false], ['NS', 'sub', false], ['NS', '', true],
  ])('are never left out in silence: %s at "%s"', async (type, subdomain, isProposed) => {
    const run = await scanned({ ...FOUND, records: [A, { subdomain, type, value: 'x', ttl: -1 }] }, '--json');
    expect(run.error['error']).toContain(`1 ${type} record cannot be staged`);
    expect([run.exitCode, run.error['next'] !== undefined]).toEqual([2, isProposed]);
  });

  test('are left out with --skip-invalid, and listed', async () => {
    const staged = { ...STAGED, stagedRecords: [A] };
    const run = await add('--skip-invalid', { found, staged });
    expect(run).toMatchObject({ exitCode: 0, stderr: `Warning: ${counts} cannot be staged:\n  ${lines}` });
    expect(run.sent[1]?.json).toEqual({ records: [A] });
  });

  test('leave nothing to stage if there is no other record, and nothing else is reported', async () => {
    const run = await scanned({ ...FOUND, records: [CAA] }, '--skip-invalid --json');
    expect(run).toMatchObject({
      exitCode: 2,
      stdout: '',
      error: { error: 'There is no record to stage. Nothing was staged.' },
    });
  });

  test('are said once, if the scan says so as well', async () => {
    const warnings = [
      'A CAA record was found; it cannot be staged.',
      'One record cannot be read.',
      'CAA: renew your certificate first.',
    ];
    const untyped = { subdomain: 'x', value: 'y', ttl: 60 };
    const run = await add('--skip-invalid', { found: { ...FOUND, records: [...RECORDS, CAA, untyped], warnings } });
    expect(run.stderr).toBe(`Warning: 1 CAA and 1 other records cannot be staged:
  CAA at moved.example: the platform does not support CAA records
  x.moved.example: type is missing
Warning: One record cannot be read.
Warning: CAA: renew your certificate first.
`);
  });
});

const BARE_MX = { subdomain: '', type: 'MX', value: 'mail2.moved.example', ttl: 300 };
const SIP = { subdomain: '_sip._tcp', type: 'SRV', ttl: 300, priority: 10 };

test('what a scan has in other words is staged in the words of the API', async () => {
  const records = [
    { ...A, subdomain: '@', ttl: '300' },
    { ...MX, value: '10 mail.moved.example', priority: undefined },
    BARE_MX,
    { ...SIP, value: 'sip.moved.example', weight: 60, port: '5061' },
  ];
  const stagedRecords = [A, MX, BARE_MX, { ...SIP, value: '60 5061 sip.moved.example' }];
  const configDir = await temporaryFolder();
  const run = await add('', { found: { ...FOUND, records }, staged: { ...STAGED, stagedRecords } }, { configDir });
  const why = 'it has no priority and is sent without one, so the platform chooses it';
  expect(run).toMatchObject({ exitCode: 0, stderr: `Warning: moved.example MX: ${why}.\n` });
  expect(run.sent[1]?.json).toEqual({ records: stagedRecords });
  const kept = readFileSync(join(configDir, 'domains/moved.example.json'), 'utf8');
  expect(kept, 'a zone file without the MX record is no way back').not.toContain('"file"');
});

test('a field that cannot be sent is warned of, from a scan and from a plan, and so is what a scan has left out', async () => {
  const odd = { ...TXT, values: ['a', 'b'], id: 7, createdAt: '2026-01-01', class: 'IN', disabled: false, note: '' };
  const records = [{ ...A, weight: 50 }, { ...MX, preference: 20 }, odd];
  const found = { ...FOUND, records, skippedTypes: ['CAA'], failedCount: 0, missing: [] };
  const lost = ['A: the field "weight"', 'MX: the field "preference"', 'TXT: the field "values"'];
  const said = lost.map((field) => `Warning: moved.example ${field} cannot be staged, and is lost.\n`);
  const stderr = ['Warning: The scan left something out: skippedTypes ["CAA"].\n', ...said].join('');
  const run = await add('', { found });
  expect(run).toMatchObject({ exitCode: 0, stderr });
  expect(run.sent[1]?.json).toEqual({ records: RECORDS });
  const cwd = await temporaryFolder();
  await against('domains import moved.example --output plan.json', { [SCAN]: [found] }, { cwd });
  const planned = await against(`${ADD} --records plan.json`, { [STAGE]: [STAGED] }, { cwd });
  expect(planned).toMatchObject({ exitCode: 0, stderr });
});

test.each([
  ['moved.example', 'Moved.EXAMPLE.'],
  ['moved.example', 5],
  ['xn--bcher-kva.example', 'BÜCHER.example'],
])('a scan of %s that says %j is of that domain', async (domain, apex) => {
  const answers = { [SCAN]: [{ ...FOUND, apex }], [STAGE.replace('moved.example', domain)]: [STAGED] };
  expect((await against(ADD.replace('moved.example', domain), answers)).exitCode).toBe(0);
});

describe('--records', () => {
  const ZONE = `$ORIGIN moved.example.\n@ 300 IN A 192.0.2.1\n@ 300 MX 10 mail\n@ 300 TXT ( "v=spf1 " ; half\n "mx -all" )\n`;

  test.each([
    ['a plan', { ...OLD, records: RECORDS }],
    ['a list', RECORDS],
    ['a zone file', ZONE],
  ])('stages %s without a scan, from a file and from standard input', async (_title, content) => {
    const cwd = await folderWith('records', content);
    const configDir = await temporaryFolder();
    const fromFile = await against(`${ADD} --records records`, { [STAGE]: [STAGED] }, { cwd, configDir });
    expect(readdirSync(join(configDir, 'domains')), 'no zone is saved').toEqual(['moved.example.json']);
    for (const run of [fromFile, await fromStdin(content)]) {
      expect(run).toMatchObject({ exitCode: 0, stderr: '' });
      expect(run.sent.map(({ json }) => json)).toEqual([{ records: RECORDS }]);
    }
  });

  // biome-ignore format: a table
  test.each<[what: string, content: unknown, message: RegExp, more?: string]>([
    ['a plan of another domain', { apex: 'other.example', records: RECORDS }, /has the records of "other.example"/],
    ['a number that would be changed', '[{"ttl":9007199254740993}]', /cannot be sent exactly/],
    ['a file of six megabytes', ' '.repeat(6_000_000), /has more than 5242880 bytes/],
    ['no record at all', '[]', /There is no record to stage/],
    ['bytes that are no text', Buffer.from([0x40, 0x20, 0xff]), /is not UTF-8/],
    ['with --skip-invalid a quote that is never closed', '@ 300 TXT "open\n', /line 1, column 11: this quote is not closed/, '--skip-invalid'],
    ['a record that cannot be staged, and names its line', '$TTL 300\n@ A 192.0.2.1\n\n@ CAA 0 issue "ca.example"\n', /line 4, CAA at moved.example: the platform does not support CAA records/],
  ])('refuses %s, and nothing is sent', async (_title, content, message, more = '') => {
    const run = await against(`${ADD} --records file ${more}`, {}, { cwd: await folderWith('file', content) });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(message);
  });

  test('leaves out lines of a zone file that cannot be held with --skip-invalid, and counts them', async () => {
    const bad = 'a\\.b A 192.0.2.9\n  A 192.0.2.10\nwww.other.example. A 192.0.2.11';
    const zone = `$TTL 300\n@ A 192.0.2.1\n${bad}\n@ MX 10 mail\n@ CAA 0 issue "ca.example"\n@ TXT "v=spf1 mx -all"`;
    const without = await fromStdin(zone, '', {});
    expect(without.exitCode).toBe(2);
    expect(without.stderr).toMatch(
      /^Error: Zone file, line 3, column 1: .*\n {2}Correct this line, or add --skip-invalid/,
    );
    const run = await fromStdin(zone, '--skip-invalid');
    expect(run.stderr).toBe(`Warning: 1 CAA record and 3 unreadable lines cannot be staged:
  Zone file, line 3, column 1: "a\\\\.b" has the escape \\., and the name of a record cannot have it.
  Zone file, line 4, column 3: the name of this record, in a line above, cannot be read.
  Zone file, line 5, column 1: "www.other.example" is not moved.example or below it.
  line 7, CAA at moved.example: the platform does not support CAA records
`);
    expect(run).toMatchObject({ exitCode: 0, sent: [{ json: { records: RECORDS } }] });
  });

  test('warns of an edited plan that has lost mail records', async () => {
    const mail = { mx: true, spf: true, dmarc: true };
    const run = await fromStdin({ apex: 'moved.example', records: [A, MX], mail });
    expect(run.stderr).toMatch(
      /^Warning: The scan found SPF and DMARC records, .*: mail for moved\.example may stop\.\n$/,
    );
  });
});

test('--dry-run shows the staging of records at hand, and needs neither a sign-in nor --yes', async () => {
  const stdin = JSON.stringify([...RECORDS, TXT]);
  const run = await against(`${DRY} --records - --json`, {}, { token: null, stdin });
  expect(run).toMatchObject({ exitCode: 0, error: { code: 'records_doubtful' } });
  const url = expect.stringContaining(STAGE.slice('POST '.length));
  expect(run.json).toMatchObject({ schemaVersion: 1, method: 'POST', url, body: { records: RECORDS } });
  expect(run.stdout).not.toMatch(/authorization/i);
});

test('--dry-run without records shows the scan, and which staging would follow', async () => {
  const run = await against(`${DRY} --json`, {}, { token: null });
  const [scan, stage] = [SCAN, STAGE].map((request) => expect.stringContaining(request.slice('POST '.length)));
  const followedBy = { method: 'POST', url: stage };
  const json = { method: 'POST', url: scan, body: { domain: 'moved.example' }, followedBy };
  expect(run).toMatchObject({ exitCode: 0, stderr: '', json });
  expect((run.json as { followedBy: object }).followedBy).not.toHaveProperty('body');
});

describe('DNSSEC', () => {
  const first = '1. Remove the DS record of moved.example at the registrar';

  // biome-ignore format: a table
  test.each<[how: string, answers: readonly unknown[] | undefined, stderr: RegExp, stdout: string]>([
    ['that is on is warned of, and the first step is to switch it off', [SOME_DS], /^Warning: DNSSEC is on for/, first],
    ['that is off is not spoken of', [], /^$/, '1. Where moved.example is registered'],
    ['that nobody tells is a warning and no error', undefined, /^Warning: svc could not find out/, '1. If DNSSEC is on'],
  ])('%s', async (_how, answers, stderr, stdout) => {
    const dns = await testDns(({ name, type }) => answers && { answers: answers.map((data) => ({ name, type, ttl: 60, data }) as never) });
    const run = await add('', {}, { env: { SVC_DNS_SERVER: dns.at }, clock: undefined });
    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(stdout) });
    expect(run.stderr).toMatch(stderr);
    expect(dns.questions[0]).toMatchObject({ name: 'moved.example', type: 'DS' });
  });

  test('that the scan mentions is the first step, if the DNS is not asked', async () => {
    const said = 'DNSSEC is on: remove the DS record first.';
    expect((await add('', { found: { ...FOUND, warnings: ['one is odd', said] } })).stdout).toContain(first);
  });

  test('is not asked of a resolver that is no address: nothing is sent', async () => {
    const run = await against(ADD, {}, { env: { SVC_DNS_SERVER: 'http://dns' } });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('SVC_DNS_SERVER "http://dns" is not a host or an address.');
  });
});

describe('the zone as it was scanned', () => {
  const ZONE_FILE = 'moved.example.2026-03-01.zone';
  const saved = (configDir: string) => readdirSync(join(configDir, 'domains')).filter((name) => name.endsWith('.zone'));

  test('is saved before it is staged, with its nameservers, so that a refusal leaves it as well', async () => {
    const configDir = await temporaryFolder();
    const found = { ...FOUND, records: [...RECORDS, CAA] };
    const run = await add('--skip-invalid', { found, staged: { success: false } }, { configDir });
    expect(run.exitCode).toBe(9);
    const path = join(configDir, 'domains', ZONE_FILE);
    expect(readFileSync(path, 'utf8')).toContain('; Nameservers at the time of the scan: ns1.old.example, ns2.old');
    const back = await against([...ADD.split(' '), '--records', path], { [STAGE]: [STAGED] }, { configDir });
    expect(back).toMatchObject({ exitCode: 0, sent: [{ json: { records: RECORDS } }] });
  });

  test.each<[how: string, answer: Answers[string][number], exitCode: number, words: string]>([
    ['is refused', [422, { error: { records: 'are odd' } }], 3, 'are odd'],
    ['ends without an answer', 'reset', 8, 'Staging switches nothing, so the domain works as before.\n'],
  ])('is named once where the staging %s, also with --json', async (_how, answer, exitCode, words) => {
    const configDir = await temporaryFolder();
    const [answers, path] = [{ [SCAN]: [FOUND], [STAGE]: [answer] }, join(configDir, 'domains', ZONE_FILE)];
    const run = await against(ADD, answers, { configDir });
    expect(run).toMatchObject({ exitCode, stderr: expect.stringContaining(words) });
    expect(run.stderr.split(`The records as scanned are saved in ${path}`)).toHaveLength(2);
    expect((await against(`${ADD} --json`, answers, { configDir })).error['savedZone']).toBe(path);
  });

  test('is named after Ctrl-C during the staging', async () => {
    const wire = await testWire();
    let interrupt = () => {};
    wire.on('POST', SCAN.slice('POST '.length)).reply(200, FOUND);
    wire.on('POST', STAGE.slice('POST '.length)).act(async () => interrupt());
    const onStart: RunOptions['onStart'] = (send) => {
      interrupt = () => send('SIGINT');
    };
    const run = await svc(ADD.split(' '), { url: wire.url, clock: fakeClock(), onStart });
    expect(run.exitCode).toBe(130);
    expect(run.stderr).toMatch(/The records as scanned are saved in \S+moved\.example\.2026-03-01\.zone/);
  });

  test('is never replaced by a later scan, and kept once while it does not change', async () => {
    const configDir = await temporaryFolder();
    for (const records of [RECORDS, RECORDS, [A]]) {
      await add('', { found: { ...FOUND, records }, staged: { ...STAGED, stagedRecords: records } }, { configDir });
    }
    expect(saved(configDir).sort()).toEqual(['moved.example.2026-03-01-2.zone', ZONE_FILE]);
    expect(readFileSync(join(configDir, 'domains', ZONE_FILE), 'utf8')).toContain('v=spf1');
  });
});
