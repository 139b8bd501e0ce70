import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readStagingAnswer } from '../../../src/commands/domains/dns.ts';
import { judgeStaging } from '../../../src/commands/domains/staging.ts';
import { createAssume } from '../../../src/contract/assumptions.ts';
import type { DnsRecord } from '../../../src/contract/operations.ts';
import { type Answers, against } from '../../support/against.ts';
import { type DnsAnswer, type DnsQuestion, NXDOMAIN, testDns } from '../../support/dns.ts';
import { SOME_DS } from '../../support/dns-world.ts';
import { temporaryFolder } from '../../support/svc.ts';

// What zones and scans mean is shown in test/dns, more answers to a staging in
// test/trust/answers.test.ts.

const SCAN = 'POST /v1/domains/import/scan';
const STAGE = 'POST /v1/services/app-1/domains/moved.example/import';
const ADD = 'domains add moved.example --service app-1 --import';

const A: DnsRecord = { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 300 };
const MX: DnsRecord = {
  subdomain: '',
  type: 'MX',
  value: 'mail.moved.example',
  ttl: 300,
  priority: 10,
};
const TXT: DnsRecord = { subdomain: '', type: 'TXT', value: 'v=spf1 mx -all', ttl: 300 };
const CAA = { subdomain: '', type: 'CAA', value: '0 issue "ca.example"', ttl: 300 };
const RECORDS = [A, MX, TXT];
const HOSTS = ['ns1.new.example', 'ns2.new.example'];
const STAGED = { nameservers: HOSTS, stagedRecords: RECORDS, ticket: 7 };
const FOUND = {
  apex: 'Moved.EXAMPLE.',
  currentNameservers: ['ns1.old.example'],
  records: RECORDS,
  warnings: [],
};

/** Moves the domain: what the scan finds, and what the staging answers. */
const add = (more: string, found: object = FOUND, staged: object = STAGED, options: object = {}) =>
  against(`${ADD} --yes ${more}`, { [SCAN]: [found], [STAGE]: [staged] }, options);

/** Moves a domain with these records in it, and stops behind the scan. */
const refused = (records: readonly object[], more = '') =>
  against(`${ADD} --yes ${more}`, { [SCAN]: [{ ...FOUND, records }] });

/** Stages records of standard input. */
const fromStdin = (stdin: string, more = '', answers: Answers = { [STAGE]: [STAGED] }) =>
  against(`${ADD} --yes --records - ${more}`, answers, { stdin });

const memoryIn = (configDir: string) => join(configDir, 'domains/moved.example.json');

test('the records of the scan are staged with the five documented fields, and svc remembers them', async () => {
  const configDir = await temporaryFolder();
  const found = { ...FOUND, records: [{ ...A, priority: 0, zoneId: 'z1' }, MX, TXT, TXT] };
  const run = await add('', found, STAGED, { configDir });
  expect(run.sent.map(({ json }) => json)).toEqual([
    { domain: 'moved.example' },
    { records: RECORDS },
  ]);
  const stderr = 'Warning: 1 record appeared more than once and will be staged once.\n';
  expect(run).toMatchObject({ exitCode: 0, stderr, stdout: expect.stringContaining('Ticket  7') });
  expect(JSON.parse(readFileSync(memoryIn(configDir), 'utf8'))).toEqual({
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
  const cwd = await temporaryFolder();
  writeFileSync(join(cwd, 'file'), 'in the way');
  const run = await add('--json', FOUND, STAGED, { configDir: join(cwd, 'file/below') });
  expect(run).toMatchObject({ exitCode: 0, stdout: `${JSON.stringify(STAGED)}\n` });
  const codes = ['zone_not_saved', 'change_not_kept', 'staging_not_saved'];
  expect([...run.stderr.matchAll(/"code":"(\w+)"/g)].map(([, code]) => code)).toEqual(codes);
});

test.each<[stagedRecords: unknown, ...made: unknown[]]>([
  [[{ id: 1 }, { id: 2, error: 'odd' }, { id: 3 }], 'failed', false],
  [RECORDS.map((record) => ({ record, status: record === MX ? 'error' : 'ok' })), 'failed', false],
  ['all', 'unavailable', false],
  [0, 'failed', false],
  [RECORDS.length - 1, 'failed', false],
  [RECORDS.length, undefined, false, 'staged_not_compared'],
  [RECORDS.map((record) => ({ ...record, ttl: 600 })), undefined, true, 'staged_otherwise'],
])('staged records that are %j are %s', (stagedRecords, ...made) => {
  const sent = { domain: 'moved.example', records: RECORDS };
  const { failure, isConfirmed, warnings } = judgeStaging(
    { value: { ...STAGED, stagedRecords }, wrappers: [] },
    sent,
    createAssume(new Map()),
  );
  expect([failure?.code, isConfirmed, ...warnings.map(([, code]) => code)]).toEqual(made);
});

const NO = { success: false, message: 'zone is locked', nameservers: HOSTS };
const QUEUED = { nameservers: HOSTS, message: 'queued for review' };
const NOWHERE = { stagedRecords: RECORDS, nameservers: 'pending' };

test.each<
  [what: string, staged: object, exitCode: number, error: object, stdout: RegExp, never: RegExp]
>([
  ['a no is not remembered', NO, 9, { code: 'failed' }, /ns1\.new\.example/, /✓|What to do now/],
  [
    'one that confirms nothing sends nobody to the registrar',
    QUEUED,
    8,
    { outcome: 'unknown', next: ['svc domains status moved.example'] },
    /ns1\.new\.example/,
    /✓|What to do now/,
  ],
  [
    'one without nameservers switches nothing',
    NOWHERE,
    0,
    { code: 'no_nameservers' },
    /./,
    /✓|registrar|Watch/,
  ],
  [
    'an unknown status gets no tick',
    { ...STAGED, status: 'parked' },
    0,
    { code: 'unknown_status' },
    /"parked".*1\. If DNSSEC/s,
    /✓/,
  ],
])('of the answers to a staging, %s', async (_what, staged, exitCode, error, stdout, never) => {
  const configDir = await temporaryFolder();
  const person = await add(exitCode === 0 ? '' : '--wait', FOUND, staged, { configDir });
  expect(person).toMatchObject({ exitCode, stdout: expect.stringMatching(stdout) });
  expect(person.stdout).not.toMatch(never);
  expect(existsSync(memoryIn(configDir))).toBe(exitCode !== 9);
  const script = await add('--json', FOUND, staged);
  expect(script).toMatchObject({ exitCode, stdout: `${JSON.stringify(staged)}\n`, error });
});

test.each<[what: string, currentNameservers: readonly string[]]>([
  ['no nameservers', []],
  ['an old nameserver beside the new ones', [...HOSTS, 'ns1.old.example']],
])('a scan that names %s does not make the switch look done', async (_what, currentNameservers) => {
  const { stdout } = await add('', { ...FOUND, currentNameservers });

  expect(stdout).toContain('Set ns1.new.example, ns2.new.example at the registrar');
  expect(stdout).not.toContain('are set at the registrar');
});

test('the command that opens the dashboard is not broken on a narrow terminal', async () => {
  const { stdout } = await add('', FOUND, STAGED, {
    terminal: { columns: 50, rows: 40 },
    env: { SVC_DASHBOARD: 'https://dashboard.example' },
  });
  expect(stdout).toContain('Verify the domain in the dashboard:\n     svc open domains\n');
});

test('a log of CI ends with the command that looks at the move again', async () => {
  const { stdout } = await add('');
  expect(stdout).toMatch(/Watch the switch:\n {2}svc domains status moved\.example --wait\n/);
});

test.each<[nameservers: unknown, ...hosts: string[]]>([
  ['a.example, b.example', 'a.example', 'b.example'],
  [[{ name: 'a.example' }, { hostname: 'b.example.', ttl: 5 }, 5, 'c'], 'a.example', 'b.example.'],
])('the nameservers in %j are read', (nameservers, ...hosts) => {
  expect(readStagingAnswer({ nameservers }).nameservers).toEqual(hosts);
});

test.each([
  ['add moved.example --service app-1 --yes', '(--import)'],
  [
    'add www.moved.com --service app-1 --import --skip-invalid',
    'Try: svc domains add moved.com --service app-1 --import --skip-invalid\n',
  ],
  ['add moved.example --service app-1 --import --skip-invalid', 'This needs a confirmation'],
  ['add moved.com --service app-1 --import --yes', 'SVC_DNS_SERVER'],
  ['import moved.com --format zone --json', 'both print to standard output'],
  ['import moved.com --audit --format zone', '--audit shows no records'],
])('svc domains %s is refused, and nothing is sent: %s', async (line, words) => {
  const run = await against(
    `domains ${line}`,
    {},
    { env: words.startsWith('SVC_') ? { SVC_DNS_SERVER: 'a b' } : {} },
  );
  expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(words) });
});

describe('records that the platform cannot hold', () => {
  const odd = [CAA, { ...A, subdomain: 'x*y' }];
  const lines = /CAA at moved\.example: .*\n {2}A at x\*y\.moved\.example: subdomain /;

  test('stop the command, each in a sentence, and nothing is staged', async () => {
    const run = await refused([A, ...odd]);
    expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringMatching(lines) });
    expect(await refused([CAA], '--skip-invalid')).toMatchObject({ exitCode: 2, stdout: '' });
  });

  test.each([
    ['CAA', '', true],
    ['ALIAS', '', false],
    ['A', 'x', false],
    ['MX', 'x', false],
    ['TXT', 'x', false],
    ['NS', 'sub', false],
    ['PTR', '', false],
    ['ZONEMD', '', true],
    ['HTTPS', '', true],
    ['HTTPS', 'other', false],
    ['SPF', '', false],
    ['A', 'www', false],
  ])('are never left out in silence: %s at "%s"', async (type, subdomain, isProposed) => {
    const { exitCode, error } = await refused(
      [A, { subdomain, type, value: 'x', ttl: -1 }],
      '--json',
    );
    expect([exitCode, error['next'] !== undefined]).toEqual([2, isProposed]);
  });

  test('are left out with --skip-invalid, and listed, once if the scan says so as well', async () => {
    const warnings = [
      'A CAA record was found; it cannot be staged.',
      'CAA: renew your certificate first.',
    ];
    const run = await add('--skip-invalid', { ...FOUND, records: [...RECORDS, ...odd], warnings });
    expect(run).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(lines) });
    expect(run.stderr.match(/^Warning: .*/gm)?.slice(1)).toEqual([`Warning: ${warnings[1]}`]);
    expect(run.sent[1]?.json).toEqual({ records: RECORDS });
  });

  test('are left out after a yes of a person, which --yes is not', async () => {
    const typing = (stdin: string) => ({
      stdin,
      terminal: { columns: 100, rows: 40 },
      env: { TERM: 'dumb' },
    });
    const scanned = { [SCAN]: [{ ...FOUND, records: [...RECORDS, CAA] }] };
    const answers = { ...scanned, [STAGE]: [STAGED] };
    const run = await against(ADD, answers, typing('y\nyes\n'));
    expect(run).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('Leave out 1 CAA record and continue?'),
    });
    expect(run.sent[1]?.json).toEqual({ records: RECORDS });

    const asked = await against(`${ADD} --yes`, scanned, typing('y\n'));
    expect(asked).toMatchObject({ exitCode: 2, stdout: '' });
    expect(asked.stderr).toContain('--skip-invalid');
    expect(asked.stderr).not.toContain('continue?');
  });
});

test('a mail record without a priority is staged, and a zone file without it is no way back', async () => {
  const records = [
    { ...A, subdomain: '@', ttl: '300' },
    { ...MX, priority: undefined },
  ];
  const configDir = await temporaryFolder();
  const run = await add(
    '',
    { ...FOUND, records },
    { ...STAGED, stagedRecords: records },
    { configDir },
  );
  expect(run).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('moved.example MX: it has no priority'),
  });
  const { priority: _, ...bare } = MX;
  expect(run.sent[1]?.json).toEqual({ records: [A, bare] });
  expect(readFileSync(memoryIn(configDir), 'utf8')).not.toContain('"file"');
});

test('what cannot be sent is warned of, from a scan and from a plan, and so is what else a scan says', async () => {
  const odd = {
    ...TXT,
    values: ['a', 'b'],
    id: 7,
    createdAt: '2026-01-01',
    class: 'IN',
    disabled: false,
    note: '',
  };
  const records = [{ ...A, weight: 50 }, { ...MX, preference: 20 }, odd];
  const found = { ...FOUND, records, skippedTypes: ['CAA'], failedCount: 0, missing: [] };
  const run = await add('', found);
  const lost = [
    /The scan says more than svc understands: skippedTypes \["CAA"\], failedCount 0\.$/,
    /A: the field "weight"/,
    /MX: the field "preference"/,
    /TXT: the field "values"/,
    /TXT: the field "disabled"/,
  ];
  expect(run.stderr.trimEnd().split('\n')).toEqual(
    lost.map((words) => expect.stringMatching(words)),
  );
  expect(run).toMatchObject({ exitCode: 0, sent: [{}, { json: { records: RECORDS } }] });
  const cwd = await temporaryFolder();
  await against('domains import moved.example --output plan.json', { [SCAN]: [found] }, { cwd });
  const planned = await against(`${ADD} --yes --records plan.json`, { [STAGE]: [STAGED] }, { cwd });
  expect(planned).toMatchObject({ exitCode: 0, stderr: run.stderr });
});

describe('--records', () => {
  const ZONE = `$ORIGIN moved.example.\n@ 300 IN A 192.0.2.1\n@ 300 MX 10 mail\n@ 300 TXT ( "v=spf1 " ; half\n "mx -all" )\n`;

  test.each([
    ['a plan', JSON.stringify(FOUND)],
    ['a list', JSON.stringify(RECORDS)],
    ['a zone file', ZONE],
  ])('stages %s without a scan', async (_title, content) => {
    expect(await fromStdin(content)).toMatchObject({
      exitCode: 0,
      stderr: '',
      sent: [{ json: { records: RECORDS } }],
    });
  });

  test.each<[what: string, content: string | Buffer, message: RegExp]>([
    ['a number that would be changed', '[{"ttl":9007199254740993}]', /cannot be sent exactly/],
    ['bytes that are no text', Buffer.from([0x40, 0x20, 0xff]), /is not UTF-8/],
    [
      'a quote that is never closed',
      '@ 300 TXT "open\n',
      /line 1, column 11: this quote is not closed/,
    ],
  ])(
    'refuses %s, even with --skip-invalid, and nothing is sent',
    async (_title, content, message) => {
      const cwd = await temporaryFolder();
      writeFileSync(join(cwd, 'file'), content);
      const run = await against(`${ADD} --yes --records file --skip-invalid`, {}, { cwd });
      expect(run).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: expect.stringMatching(message),
      });
    },
  );

  test('leaves out lines of a zone file that cannot be held with --skip-invalid, and names them', async () => {
    const bad = 'a\\.b A 192.0.2.9\n  A 192.0.2.10\nwww.other.example. A 192.0.2.11';
    const zone = `$TTL 300\n@ A 192.0.2.1\n${bad}\n@ MX 10 mail\n@ CAA 0 issue "ca.example"\n@ TXT "v=spf1 mx -all"`;
    const without = await fromStdin(zone, '', {});
    expect(without).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(
        /line 3, column 1: .*\n.*line 4, column 3: .*\n.*line 5, column 1: .*\n.*line 7, CAA/,
      ),
    });
    const run = await fromStdin(zone, '--skip-invalid');
    expect(run.stderr).toMatch(
      /^Warning: 1 CAA record and 3 unreadable lines(?:.|\n)* line 3,.*\n.* line 4,.*\n.* line 5,/,
    );
    expect(run.stderr).toContain('  line 7, CAA at moved.example: ');
    expect(run).toMatchObject({ exitCode: 0, sent: [{ json: { records: RECORDS } }] });
  });

  test('warns of an edited plan that has lost mail records', async () => {
    const mail = { mx: true, spf: true, dmarc: true };
    const run = await fromStdin(JSON.stringify({ apex: 'moved.example', records: [A, MX], mail }));
    expect(run.stderr).toMatch(/^Warning: The scan found SPF and DMARC records, .*\n$/);
  });
});

test('--dry-run sends nothing and needs no sign-in: it shows the staging, or the scan and what would follow', async () => {
  const dry = (more: string) =>
    against(`${ADD} --dry-run --json ${more}`, {}, { token: null, stdin: JSON.stringify(RECORDS) });
  const scan = {
    method: 'POST',
    url: expect.stringContaining(SCAN.slice(5)),
    body: { domain: 'moved.example' },
  };
  const stage = { method: 'POST', url: expect.stringContaining(STAGE.slice(5)) };
  expect(await dry('--records -')).toMatchObject({
    exitCode: 0,
    stderr: '',
    json: { ...stage, body: { records: RECORDS } },
  });
  expect(await dry('')).toMatchObject({
    exitCode: 0,
    stderr: '',
    json: { ...scan, followedBy: stage },
  });
});

test.each<[how: string, answers: readonly unknown[] | undefined, stderr: RegExp, stdout: string]>([
  [
    'on is warned of, and the first step is to switch it off',
    [SOME_DS],
    /^Warning: DNSSEC is on for/,
    '1. Remove the DS record at the registrar (DNSSEC is on), and wait a day.',
  ],
  ['off is not spoken of', [], /^$/, '1. Set ns1.new.example'],
  [
    'unknown is a warning and no error',
    undefined,
    /^Warning: svc could not find out/,
    '1. If DNSSEC is on',
  ],
])('DNSSEC that is %s', async (_how, answers, stderr, stdout) => {
  const dns = await testDns(
    ({ name, type }) =>
      answers && { answers: answers.map((data) => ({ name, type, data }) as never) },
  );
  const run = await add('', FOUND, STAGED, { env: { SVC_DNS_SERVER: dns.at }, clock: undefined });
  expect(run).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(stdout),
    stderr: expect.stringMatching(stderr),
  });
});

test.each<[string, (question: DnsQuestion) => DnsAnswer, isKnown: boolean]>([
  ['that knows no name but its own leaves DNSSEC open', () => ({ code: NXDOMAIN }), false],
  [
    'of public DNS is believed about a domain that is not there',
    ({ name, type }) =>
      name === 'example' && type === 'NS'
        ? { answers: [{ name, type, data: 'ns.example' }] }
        : { code: NXDOMAIN },
    true,
  ],
])('a resolver %s', async (_what, answer, isKnown) => {
  const dns = await testDns(answer);
  const env = { SVC_DNS_SERVER: dns.at };

  const run = await add('', FOUND, STAGED, { env, clock: undefined });
  const audit = await against(
    'domains import moved.example --audit --json',
    { [SCAN]: [FOUND] },
    { env },
  );

  const warning = /^Warning: svc could not find out .* has no nameservers of example/;
  expect(warning.test(run.stderr)).toBe(!isKnown);
  expect(run.stdout.includes('1. If DNSSEC is on')).toBe(!isKnown);
  expect(audit.exitCode).toBe(isKnown ? 0 : 12);
});

describe('the zone as it was scanned', () => {
  const ZONE_FILE = 'moved.example.2026-03-01.zone';

  test.each<[how: string, answer: Answers[string][number], exitCode: number]>([
    ['ends without an answer', 'reset', 8],
    ['is answered with a no', { success: false }, 9],
  ])(
    'is saved and named once where the staging %s, and can be staged again',
    async (_how, answer, exitCode) => {
      const configDir = await temporaryFolder();
      const path = join(configDir, 'domains', ZONE_FILE);
      const answers = { [SCAN]: [{ ...FOUND, records: [...RECORDS, CAA] }], [STAGE]: [answer] };
      const run = await against(`${ADD} --yes --skip-invalid`, answers, { configDir });
      expect(run.exitCode).toBe(exitCode);
      expect(run.stderr.split(`The records as scanned are saved in ${path}`)).toHaveLength(2);
      const script = await against(`${ADD} --yes --skip-invalid --json`, answers, { configDir });
      expect(script.error['savedZone']).toBe(path);
      const back = await against(
        [...ADD.split(' '), '--yes', '--records', path],
        { [STAGE]: [STAGED] },
        { configDir },
      );
      expect(back).toMatchObject({ exitCode: 0, sent: [{ json: { records: RECORDS } }] });
    },
  );

  test('is never replaced by a later scan, and kept once while it does not change', async () => {
    const configDir = await temporaryFolder();
    for (const records of [RECORDS, RECORDS, [A]]) {
      await add('', { ...FOUND, records }, { ...STAGED, stagedRecords: records }, { configDir });
    }
    const saved = readdirSync(join(configDir, 'domains')).filter((name) => name.endsWith('.zone'));
    expect(saved.sort()).toEqual(['moved.example.2026-03-01-2.zone', ZONE_FILE]);
    expect(readFileSync(join(configDir, 'domains', ZONE_FILE), 'utf8')).toContain('v=spf1');
  });
});
