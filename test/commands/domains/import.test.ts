import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeClock } from '../../support/clock.ts';
import { CANARY_TOKEN, svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const SCAN = '/v1/domains/import/scan';

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

async function scanning(answer: unknown = ANSWER) {
  const wire = await testWire();
  wire.on('POST', SCAN).reply(200, answer);
  return wire;
}

test('shows nameservers, records by name, warnings, and records that cannot be staged', async () => {
  const wire = await scanning();
  const run = await svc(['domains', 'import', 'example.com'], { url: wire.url });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toBe(`DNS of example.com: 5 records
  Nameservers  ns1.old.net, ns2.old.net

  NAME  TYPE   TTL  VALUE                 OTHER
  @     A      300  192.0.2.1
  @     MX     300  10 mail.example.com
  @     CAA    300  0 issue "ca.example"
  txt   TXT    300  say "hi"; twice       {"proxied":true}
  www   CNAME   30  example.com

! One record cannot be moved.
! txt.example.com TXT: the field "proxied" cannot be staged, and is lost.
! www.example.com CNAME: the TTL is below 60 seconds.
! 1 CAA record cannot be staged:
  • CAA at example.com: the platform does not support CAA records

More
  Zone id      4
`);
  expect(wire.requests).toMatchObject([
    { method: 'POST', json: { domain: 'example.com' }, headers: { authorization: `Bearer ${CANARY_TOKEN}` } },
  ]);
});

test('scripts get the answer as it came', async () => {
  const record = '{"subdomain":"", "type":"A", "value":"192.0.2.1", "ttl":3.0e2}';
  const body = `{ "records": [ ${record} ],"apex":"example.com", "more": 1e400 }`;
  const wire = await scanning(body);
  const run = await svc(['domains', 'import', 'example.com', '--json'], { url: wire.url });
  expect(run).toMatchObject({ exitCode: 0, stdout: `${body}\n`, stderr: '' });
});

test.each([
  ['--json', `${JSON.stringify(ANSWER)}\n`],
  ['--jq', 'example.com\n'],
])('scripts get what svc and the scan warn of on stderr: %s', async (flag, stdout) => {
  const wire = await scanning();
  const more = flag === '--jq' ? [flag, '.apex'] : [flag];
  const run = await svc(['domains', 'import', 'example.com', ...more], { url: wire.url });
  expect(run).toMatchObject({ exitCode: 0, stdout });
  expect(
    run.stderr
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  ).toEqual([
    { warning: 'One record cannot be moved.', code: 'scan_warning' },
    { warning: 'txt.example.com TXT: the field "proxied" cannot be staged, and is lost.', code: 'scan_warning' },
    { warning: 'www.example.com CNAME: the TTL is below 60 seconds.', code: 'scan_warning' },
    {
      warning: '1 CAA record cannot be staged: CAA at example.com: the platform does not support CAA records',
      code: 'cannot_be_staged',
    },
  ]);
});

test('a domain with letters beyond ASCII goes over the wire in punycode, and people see both', async () => {
  const wire = await scanning({ ...ANSWER, apex: 'xn--bcher-kva.example', records: [], warnings: [], zone: undefined });
  const run = await svc(['domains', 'import', 'Bücher.example'], { url: wire.url });
  expect(wire.requests[0]?.json).toEqual({ domain: 'xn--bcher-kva.example' });
  expect(run.stdout).toBe(`DNS of xn--bcher-kva.example (bücher.example): 0 records
  Nameservers  ns1.old.net, ns2.old.net
`);
});

test.each([
  [['www.example.com'], /"www.example.com" is not an apex domain/],
  [['192.0.2.1'], /is an IP address/],
  [['https://example.com'], /is not a domain name: it contains ":"/],
  [[''], /The domain is empty/],
  [['co.uk'], /is a public suffix/],
  [[], /needs <domain>/],
  [['example.com', '--format', 'yaml'], /--format "yaml" is not one of json, zone/],
  [['example.com', '--format', 'zone', '--json'], /both print to standard output/],
  [['example.com', '--output', ''], /--output is empty/],
  [['example.com', '--output', 'no-such-folder/plan.json'], /There is no folder/],
  [['example.com', '--output', '.'], /is a folder/],
])('%j is refused and nothing is sent', async (args, message) => {
  const wire = await testWire();
  const run = await svc(['domains', 'import', ...args], { url: wire.url });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toMatch(message);
});

test('a scan that is about another domain is shown with a warning, and no plan is made of it', async () => {
  const wire = await testWire();
  const stray = { ...ANSWER, apex: 'other.com' };
  wire.on('POST', SCAN).reply(200, stray).reply(200, stray).reply(200, stray);
  const shown = await svc(['domains', 'import', 'example.com'], { url: wire.url });
  expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
  expect(shown.stdout).toContain('! The scan of example.com is about another domain, "other.com".');
  expect(shown.stdout).not.toContain('svc domains add');
  const cwd = await temporaryFolder();
  const planned = await svc(['domains', 'import', 'example.com', '--output', 'plan.json'], { url: wire.url, cwd });
  expect(planned).toMatchObject({ exitCode: 1, stdout: '' });
  expect(existsSync(join(cwd, 'plan.json'))).toBe(false);
  const printed = await svc(['domains', 'import', 'example.com', '--format', 'zone'], { url: wire.url });
  expect(printed).toMatchObject({ exitCode: 1, stdout: '' });
});

test('a plan is a file to edit, with the records, the time and the mail records of the scan', async () => {
  const wire = await scanning();
  const cwd = await temporaryFolder();
  const clock = fakeClock();
  const run = await svc(['domains', 'import', 'example.com', '--output', 'plan.json'], { url: wire.url, cwd, clock });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toContain('Wrote 5 records to plan.json.');
  expect(run.stdout).toContain('the platform does not support CAA records');
  const { records, currentNameservers, warnings } = ANSWER;
  expect(JSON.parse(readFileSync(join(cwd, 'plan.json'), 'utf8'))).toEqual({
    schemaVersion: 1,
    apex: 'example.com',
    currentNameservers,
    records,
    warnings,
    mail: { mx: true, spf: false, dmarc: false },
    scannedAt: '2026-03-01T12:00:00.000Z',
  });
});

test('a file that exists is kept until -y says otherwise', async () => {
  const cwd = await temporaryFolder();
  const path = join(cwd, 'plan.json');
  writeFileSync(path, 'mine');
  const quiet = await testWire();
  const kept = await svc(['domains', 'import', 'example.com', '--output', 'plan.json'], { url: quiet.url, cwd });
  expect(kept).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr:
      'Error: "plan.json" exists already. Nothing was sent.\n  Choose another name, or replace the file with -y.\n',
  });
  expect(readFileSync(path, 'utf8')).toBe('mine');
  const wire = await scanning();
  await svc(['domains', 'import', 'example.com', '--output', 'plan.json', '-y'], { url: wire.url, cwd });
  expect(readFileSync(path, 'utf8')).toContain('"apex": "example.com"');
});

test('--output with --json writes the file and prints the answer', async () => {
  const wire = await scanning();
  const cwd = await temporaryFolder();
  const args = ['domains', 'import', 'example.com', '--output', 'example.zone', '--format', 'zone', '--json'];
  const run = await svc(args, { url: wire.url, cwd });
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
; left out, CAA at example.com: the platform does not support CAA records: {"subdomain":"","type":"CAA","value":"0 issue \\"ca.example\\"","ttl":300}
; without its proxied: {"subdomain":"txt","type":"TXT","value":"say \\"hi\\"; twice","ttl":300,"priority":null,"proxied":true}
`;

test('--format zone prints a zone file, with other records in comments and on stderr', async () => {
  const wire = await scanning();
  const run = await svc(['domains', 'import', 'example.com', '--format', 'zone'], { url: wire.url });
  expect(run).toMatchObject({ exitCode: 0, stdout: ZONE });
  expect(run.stderr).toBe(`Warning: One record cannot be moved.
Warning: txt.example.com TXT: the field "proxied" cannot be staged, and is lost.
Warning: www.example.com CNAME: the TTL is below 60 seconds.
Warning: 1 CAA record cannot be staged:
  CAA at example.com: the platform does not support CAA records
`);
});

test('texts that a scan has in quotes are the same texts in a zone file', async () => {
  const txt = (value: string) => ({ subdomain: 't', type: 'TXT', value, ttl: 60 });
  const quoted = ['"v=spf1 mx" " -all"', '"say \\"hi\\"\\; \\195\\169"', '"open', '"a" b', '"a" ; b', '""'];
  const wire = await scanning({ ...ANSWER, warnings: [], records: quoted.map(txt) });
  const { stdout } = await svc(['domains', 'import', 'example.com', '--format', 'zone'], { url: wire.url });
  const texts = stdout.split('\n').flatMap((line) => line.split(' TXT ')[1] ?? []);
  expect(texts).toEqual([
    '"v=spf1 mx -all"',
    '"say \\"hi\\"; \\195\\169"',
    '"\\"open"',
    '"\\"a\\" b"',
    '"\\"a\\" ; b"',
    '""',
  ]);
});

test('--format json prints the plan', async () => {
  const wire = await scanning({ ...ANSWER, warnings: [], records: ANSWER.records.slice(1, 3) });
  const run = await svc(['domains', 'import', 'example.com', '--format', 'json'], { url: wire.url });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.json).toMatchObject({ schemaVersion: 1, apex: 'example.com', records: ANSWER.records.slice(1, 3) });
});

test.each([
  [400, { error: { domain: 'has no zone' } }, 3, 'rejected'],
  [401, { error: 'who are you' }, 4, 'unauthenticated'],
  [403, { error: 'not here' }, 5, 'forbidden'],
  [404, { error: 'no zone' }, 6, 'not_found'],
  [500, { error: 'broken' }, 8, 'unavailable'],
])('an answer of %i leaves stdout empty and no file', async (status, body, exitCode, code) => {
  const wire = await testWire();
  wire.on('POST', SCAN).always(status, body);
  const cwd = await temporaryFolder();
  const args = ['domains', 'import', 'example.com', '--json', '--output', 'plan.json'];
  const run = await svc(args, { url: wire.url, cwd, clock: fakeClock() });
  expect(run).toMatchObject({ exitCode, stdout: '' });
  expect(run.error).toMatchObject({ error: body.error, code, exitCode, status });
  expect(existsSync(join(cwd, 'plan.json'))).toBe(false);
});

test('a scan is repeated when its answer is lost, because it changes nothing', async () => {
  const wire = await testWire();
  wire.on('POST', SCAN).reset().reply(429, { error: 'slow' }, { 'retry-after': '7' }).reply(200, ANSWER);
  const clock = fakeClock();
  const run = await svc(['domains', 'import', 'example.com'], { url: wire.url, clock });
  expect(run.exitCode).toBe(0);
  expect(Math.max(...clock.waits)).toBeGreaterThanOrEqual(7000);
});

test.each([
  [{}],
  [{ records: null, warnings: null, currentNameservers: null }],
  [{ records: 'none', warnings: 'a sentence', currentNameservers: 'ns1.old.net' }],
  [
    {
      records: [null, 7, 'text', [], {}, { type: 5 }],
      warnings: [{ code: 1 }, null, 3],
      currentNameservers: [{}, { name: 'a' }],
    },
  ],
  [{ apex: 'other.com', records: [{ subdomain: 'a.example.com', type: 'a', value: '\u001b[31m\u202e', ttl: '300' }] }],
])('an odd answer is shown and never crashes: %j', async (answer) => {
  const wire = await scanning(answer);
  const run = await svc(['domains', 'import', 'example.com'], { url: wire.url });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).not.toMatch(/[\u001b\u202e]/);
  for (const text of ['a sentence', 'other.com', '"code":1'].filter((text) => JSON.stringify(answer).includes(text))) {
    expect(run.stdout).toContain(text);
  }
});

test('no plan is made of an answer without a list of records', async () => {
  const wire = await scanning({ apex: 'example.com', records: { a: 1 } });
  const cwd = await temporaryFolder();
  const run = await svc(['domains', 'import', 'example.com', '--output', 'plan.json'], { url: wire.url, cwd });
  expect(run).toMatchObject({ exitCode: 1, stdout: '' });
  expect(run.stderr).toContain('returned no list of records');
  expect(run.stderr).toContain('Try: svc domains import example.com --json\n');
  expect(existsSync(join(cwd, 'plan.json'))).toBe(false);
});

test('ten thousand records are one request, complete in a pipe and in the file', async () => {
  const records = Array.from({ length: 10_000 }, (_, index) => ({
    subdomain: `host-${index}`,
    type: 'A',
    value: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
    ttl: 300,
  }));
  const wire = await testWire();
  wire.on('POST', SCAN).always(200, { ...ANSWER, records });
  const cwd = await temporaryFolder();
  const shown = await svc(['domains', 'import', 'example.com'], { url: wire.url });
  expect(shown.stdout.match(/ host-\d+ /g)).toHaveLength(10_000);
  await svc(['domains', 'import', 'example.com', '--output', 'plan.json'], { url: wire.url, cwd });
  expect(JSON.parse(readFileSync(join(cwd, 'plan.json'), 'utf8')).records).toEqual(records);
  const scripted = await svc(['domains', 'import', 'example.com', '--json'], { url: wire.url });
  expect(scripted.stdout).toBe(`${JSON.stringify({ ...ANSWER, records })}\n`);
  expect(wire.requests).toHaveLength(3);
});

test('a large answer reaches scripts whole, and a cut one is exit 8', async () => {
  const records = Array.from({ length: 30_000 }, (_, index) => ({
    subdomain: `host-${index}`,
    type: 'A',
    value: '192.0.2.1',
    ttl: 300,
  }));
  const body = JSON.stringify({ apex: 'example.com', records });
  expect(body.length).toBeGreaterThan(1024 * 1024);
  const whole = await scanning(body);
  const args = ['domains', 'import', 'example.com', '--json'];
  expect(await svc(args, { url: whole.url })).toMatchObject({ exitCode: 0, stdout: `${body}\n`, stderr: '' });
  const wire = await testWire();
  wire.on('POST', SCAN).cut(200, body, body.length - 10);
  const cut = await svc([...args, '--no-retry'], { url: wire.url, clock: fakeClock() });
  expect(cut.exitCode).toBe(8);
});
