import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { against } from '../../support/against.ts';
import { type RunOptions, temporaryFolder } from '../../support/svc.ts';

const SCAN = 'POST /v1/domains/import/scan';

const ANSWER = {
  apex: 'example.com',
  currentNameservers: ['ns1.old.net', 'ns2.old.net'],
  records: [
    { subdomain: 'www', type: 'CNAME', value: 'example.com', ttl: 30 },
    { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 300 },
    { subdomain: '', type: 'MX', value: 'mail.example.com', ttl: 300, priority: 10 },
    { subdomain: '', type: 'CAA', value: '0 issue "ca.example"', ttl: 300 },
    { subdomain: 'txt', type: 'TXT', value: 'say "hi"; twice', ttl: 300, priority: null, proxied: true },
  ],
  warnings: ['One record cannot be moved.'],
  zone: { id: 4 },
};
const PLAN = '--output plan.json';
const UNSUPPORTED = 'CAA at example.com: the platform does not support CAA records';
const WARNINGS = [
  'One record cannot be moved.',
  'txt.example.com TXT: the field "proxied" cannot be staged, and is lost.',
  'www.example.com CNAME: the TTL is below 60 seconds.',
];

const scanned = (more = '', answer: object | string = ANSWER, options: RunOptions = {}) =>
  against(`domains import example.com ${more}`, { [SCAN]: [answer] }, options);

test('shows nameservers, records by name, warnings, and records that cannot be staged', async () => {
  const run = await scanned();
  expect(run).toMatchObject({ exitCode: 0, stderr: '', sent: [{ json: { domain: 'example.com' } }] });
  expect(run.stdout).toBe(`DNS of example.com: 5 records
  Nameservers  ns1.old.net, ns2.old.net

  NAME  TYPE   TTL  VALUE                 OTHER
  @     A      300  192.0.2.1
  @     MX     300  10 mail.example.com
  @     CAA    300  0 issue "ca.example"
  txt   TXT    300  say "hi"; twice       {"proxied":true}
  www   CNAME   30  example.com

${WARNINGS.map((warning) => `! ${warning}\n`).join('')}! 1 CAA record cannot be staged:
  • ${UNSUPPORTED}

More
  Zone id      4
`);
});

test('scripts get the answer as it came, and what svc and the scan warn of on stderr', async () => {
  const body = JSON.stringify(ANSWER).replace('"ttl":300', '"ttl" : 3.0e2');
  const run = await scanned('--json', body);
  expect(run).toMatchObject({ exitCode: 0, stdout: `${body}\n` });
  const lines = WARNINGS.map((warning) => ({ warning, code: 'scan_warning' }));
  lines.push({ warning: `1 CAA record cannot be staged: ${UNSUPPORTED}`, code: 'cannot_be_staged' });
  expect(run.stderr).toBe(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
});

test('a plan is a file to edit, with the records, the time and the mail records of the scan', async () => {
  const cwd = await temporaryFolder();
  const run = await scanned(PLAN, ANSWER, { cwd });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toContain('Wrote 5 records to plan.json.');
  expect(run.stdout).toContain('the platform does not support CAA records');
  const { zone: _, ...known } = ANSWER;
  const mail = { mx: true, spf: false, dmarc: false };
  const plan = { schemaVersion: 1, ...known, mail, scannedAt: '2026-03-01T12:00:00.000Z' };
  expect(JSON.parse(readFileSync(join(cwd, 'plan.json'), 'utf8'))).toEqual(plan);
  expect((await scanned('--format json')).json).toEqual(plan);
});

test('--output with --json writes the file and prints the answer', async () => {
  const cwd = await temporaryFolder();
  const run = await scanned('--output example.zone --format zone --json', ANSWER, { cwd });
  expect(run).toMatchObject({ exitCode: 0, stdout: `${JSON.stringify(ANSWER)}\n` });
  expect(readFileSync(join(cwd, 'example.zone'), 'utf8')).toContain('$ORIGIN example.com.');
});

const ZONE = `; Nameservers at the time of the scan: ns1.old.net, ns2.old.net
; DNS records of example.com, written by svc; without an SOA record
$ORIGIN example.com.
$TTL 3600

@   300 IN A 192.0.2.1
@   300 IN MX 10 mail.example.com.
txt 300 IN TXT "say \\"hi\\"; twice"
www 30 IN CNAME example.com.
; left out, CAA at example.com: the platform does not support CAA records: ${JSON.stringify(ANSWER.records[3])}
; without its proxied: ${JSON.stringify(ANSWER.records[4])}
`;

test('--format zone prints a zone file, with other records in comments and on stderr', async () => {
  const run = await scanned('--format zone');
  expect(run).toMatchObject({ exitCode: 0, stdout: ZONE });
  expect(run.stderr).toMatch(
    /^(?:Warning: .*\n){4} {2}CAA at example\.com: the platform does not support CAA records\n$/,
  );
  // Texts that a scan has in quotes are the same texts.
  const quoted = ['"v=spf1 mx" " -all"', '"open'];
  const records = quoted.map((value) => ({ subdomain: 't', type: 'TXT', value, ttl: 60 }));
  const { stdout } = await scanned('--format zone', { ...ANSWER, records });
  expect(stdout).toContain('IN TXT "v=spf1 mx -all"\nt 60 IN TXT "\\"open"\n');
});

// biome-ignore format: a table
test.each([
  ['about another domain', { ...ANSWER, apex: 'other.com' }, 1, 'The scan of example.com is about another domain, "other.com".'],
  ['without a list of records', { apex: 'example.com', records: { a: 1 } }, 1, 'The scan returned no list of records.'],
  ['refused', [404, { error: 'no zone' }] as const, 6, 'no zone'],
])('no plan and no zone file is made of a scan that is %s', async (_what, answer, exitCode, words) => {
  const cwd = await temporaryFolder();
  for (const form of [PLAN, '--format zone']) {
    const run = await against(`domains import example.com ${form}`, { [SCAN]: [answer] }, { cwd });
    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toContain(words);
    if (exitCode === 1) expect(run.stderr).toContain('Try: svc domains import example.com --json\n');
  }
  expect(existsSync(join(cwd, 'plan.json'))).toBe(false);
});

const STRAY = [{ subdomain: 'a.example.com', type: 'a', value: '\u001b[31m\u202e', ttl: '300' }, null, 7, {}];

test.each([
  [{ records: null, warnings: null, currentNameservers: null }, 'DNS of example.com'],
  [{ records: 'none', warnings: 'a sentence', currentNameservers: 'ns1.old.net' }, 'a sentence'],
  [{ records: [], warnings: [{ code: 1 }, null, 3], currentNameservers: [{}, { name: 'a' }] }, '{"code":1}'],
  [{ apex: 'other.com', records: STRAY }, '! The scan of example.com is about another domain, "other.com".'],
])('an odd answer is shown and never crashes: %j', async (answer, words) => {
  const run = await scanned('', answer);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).not.toMatch(/[\u001b\u202e]|svc domains add/);
  expect(run.stdout).toContain(words);
});

test('ten thousand records are complete in a pipe and in the file', async () => {
  const hosts = Array.from({ length: 10_000 }, (_, index) => `host-${index}`);
  const records = hosts.map((subdomain) => ({ subdomain, type: 'A', value: '192.0.2.1', ttl: 300 }));
  const cwd = await temporaryFolder();
  const shown = await scanned('', { ...ANSWER, records });
  expect(shown.stdout.match(/ host-\d+ /g)).toHaveLength(10_000);
  await scanned(PLAN, { ...ANSWER, records }, { cwd });
  expect(JSON.parse(readFileSync(join(cwd, 'plan.json'), 'utf8')).records).toEqual(records);
});
