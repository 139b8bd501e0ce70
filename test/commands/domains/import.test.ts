import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { against } from '../../support/against.ts';
import { type RunOptions, svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';
import { send } from '../../support/wire-plan.ts';

const ANSWER = {
  apex: 'example.com',
  currentNameservers: ['ns1.old.net', 'ns2.old.net'],
  records: [
    { subdomain: 'www', type: 'CNAME', value: 'example.com', ttl: 30 },
    { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 300 },
    { subdomain: '', type: 'MX', value: 'mail.example.com', ttl: 300, priority: 10 },
    { subdomain: '', type: 'CAA', value: '0 issue "ca.example"', ttl: 300 },
    {
      subdomain: 'txt',
      type: 'TXT',
      value: 'say "hi"; twice',
      ttl: 300,
      priority: null,
      proxied: true,
    },
  ],
  warnings: ['One record cannot be moved.'],
  zone: { id: 4 },
};
const UNSUPPORTED = 'CAA at example.com: the platform does not support CAA records';
const LOST = 'txt.example.com TXT: the field "proxied" cannot be staged, and is lost.';

const MORE = 'The scan says more than svc understands: zone {"id":4}.';

const scanned = (more = '', answer: object | string = ANSWER, options: RunOptions = {}) =>
  against(
    `domains import example.com ${more}`,
    { 'POST /v1/domains/import/scan': [answer] },
    options,
  );

test('scripts get the answer as it came, and on stderr what a person reads beside the table', async () => {
  const body = JSON.stringify(ANSWER).replace('"ttl":300', '"ttl" : 3.0e2');
  const run = await scanned('--json', body);
  expect(run).toMatchObject({
    exitCode: 0,
    stdout: `${body}\n`,
    sent: [{ json: { domain: 'example.com' } }],
  });
  const lines = run.stderr.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { warning: MORE, code: 'scan_says_more' },
    { warning: ANSWER.warnings[0], code: 'scan_warning' },
    { warning: LOST, code: 'scan_warning' },
    { code: 'scan_warning' },
    { warning: `1 CAA record cannot be staged: ${UNSUPPORTED}`, code: 'cannot_be_staged' },
  ]);
  const person = await scanned();
  expect(person).toMatchObject({ exitCode: 0, stderr: '' });
  for (const words of ['{"proxied":true}', LOST, UNSUPPORTED])
    expect(person.stdout).toContain(words);
});

test('a plan is a file to edit, with the records, the time and the mail records of the scan', async () => {
  const cwd = await temporaryFolder();
  const run = await scanned('--output plan.json', ANSWER, { cwd });
  expect(run).toMatchObject({
    exitCode: 0,
    stderr: '',
    stdout: expect.stringContaining(UNSUPPORTED),
  });
  const { zone: _, ...known } = ANSWER;
  const mail = { mx: true, spf: false, dmarc: false };
  const warnings = [MORE, ...ANSWER.warnings];
  const plan = {
    schemaVersion: 1,
    ...known,
    warnings,
    mail,
    scannedAt: '2026-03-01T12:00:00.000Z',
  };
  expect(JSON.parse(readFileSync(join(cwd, 'plan.json'), 'utf8'))).toEqual(plan);
  expect((await scanned('--format json')).json).toEqual(plan);
});

const ZONE = `; Nameservers at the time of the scan: ns1.old.net, ns2.old.net
; DNS records of example.com, written by svc; without an SOA record
$ORIGIN example.com.
$TTL 3600

@   300 IN A 192.0.2.1
@   300 IN MX 10 mail.example.com.
txt 300 IN TXT "say \\"hi\\"; twice"
www 30 IN CNAME example.com.
; ${MORE}
; left out, ${UNSUPPORTED}: ${JSON.stringify(ANSWER.records[3])}
; without its proxied: ${JSON.stringify(ANSWER.records[4])}
`;

test('--format zone prints a zone file, or writes it with --json, with what it cannot have in comments', async () => {
  const run = await scanned('--format zone');
  expect(run).toMatchObject({
    exitCode: 0,
    stdout: ZONE,
    stderr: expect.stringContaining(UNSUPPORTED),
  });
  const cwd = await temporaryFolder();
  const written = await scanned('--output example.zone --format zone --json', ANSWER, { cwd });
  expect(written).toMatchObject({ exitCode: 0, stdout: `${JSON.stringify(ANSWER)}\n` });
  expect(readFileSync(join(cwd, 'example.zone'), 'utf8')).toBe(ZONE);
  // Texts that a scan has in quotes are the same texts; `##[` is written so that no CI runner takes
  // it for a command.
  const texts = ['"v=spf1 mx" " -all"', '"open', '###[x]'];
  const records = texts.map((value) => ({ subdomain: 't', type: 'TXT', value, ttl: 60 }));
  const { stdout } = await scanned('--format zone', { ...ANSWER, records });
  expect(stdout).toContain(
    'IN TXT "v=spf1 mx" " -all"\nt 60 IN TXT "\\"open"\nt 60 IN TXT "\\035\\035#[x]"\n',
  );
});

test.each([
  ['about another domain', { ...ANSWER, apex: 'other.com' }],
  ['without a list of records', { apex: 'example.com', records: { a: 1 } }],
])('no plan and no zone file is made of a scan that is %s', async (_what, answer) => {
  const cwd = await temporaryFolder();
  for (const form of ['--output plan.json', '--format zone']) {
    expect(await scanned(form, answer, { cwd })).toMatchObject({ exitCode: 1, stdout: '' });
  }
  expect(existsSync(join(cwd, 'plan.json'))).toBe(false);
});

test.each([
  ['www.kola.example', 'svc domains import kola.example'],
  ['kola.example', undefined],
])(
  'a scan that finds no %s proposes a domain above, but no top-level one',
  async (domain, hint) => {
    const answers = { 'POST /v1/domains/import/scan': [[404, { error: 'no zone' }]] } as const;

    const { exitCode, error } = await against(`domains import ${domain} --json`, answers);

    expect(exitCode).toBe(6);
    expect(error['hint']).toBe(hint);
  },
);

test.each([
  ['a CAA record', ANSWER.records[3], true],
  ['an unknown type at the apex', { ...ANSWER.records[3], type: 'ANAME' }, false],
])('to stage all but %s is proposed where nothing stops then', async (_what, odd, isProposed) => {
  const answer = { ...ANSWER, records: [ANSWER.records[1], odd], warnings: [] };
  const screen = { terminal: { columns: 100, rows: 40 }, env: { TERM: 'dumb' } };

  const { stdout } = await scanned('', answer, screen);

  expect(stdout).toContain('svc domains import example.com --output plan.json');
  expect(stdout.includes('--skip-invalid')).toBe(isProposed);
});

test('a file that appears during the scan is not replaced', async () => {
  const path = join(await temporaryFolder(), 'plan.json');
  const wire = await testWire();
  wire.on('POST', '/v1/domains/import/scan').act(({ response }) => {
    writeFileSync(path, 'theirs');
    send(response, 200, ANSWER);
  });
  const run = await svc(['domains', 'import', 'example.com', '--output', path], { url: wire.url });
  expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('it exists by now') });
  expect(readFileSync(path, 'utf8')).toBe('theirs');
});

test('a terminal gets the first records with long values cut; a pipe and --full show all', async () => {
  const key = `v=DKIM1; p=${'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'.repeat(8)}IDAQAB`;
  const hosts = Array.from({ length: 99 }, (_, at) => ({
    ...ANSWER.records[1],
    subdomain: `h${at}`,
  }));
  const answer = {
    ...ANSWER,
    records: [{ ...ANSWER.records[1], type: 'TXT', value: key }, ...hosts],
  };
  const screen = { terminal: { columns: 80, rows: 40 }, env: { TERM: 'dumb' } };
  const cut = await scanned('', answer, screen);
  expect(cut.stdout).toContain('40 of 100 shown');
  expect(cut.stdout).not.toContain('IDAQAB');
  for (const whole of [await scanned('--full', answer, screen), await scanned('', answer)]) {
    expect(whole.stdout.match(/ A .*192\.0\.2\.1/g)).toHaveLength(99);
    expect(whole.stdout.replaceAll(/\s/g, '')).toContain(key.replaceAll(' ', ''));
  }
});

test.each([
  ['a Persian name', '\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.com', 'xn--mgba3gch31f060k.com'],
  ['a name in Devanagari', '\u0915\u094d\u200d\u0937.com', 'xn--11b2ezcw70k.com'],
  ['one with a final dot', '\u0915\u094d\u200d\u0937.com.', 'xn--11b2ezcw70k.com'],
  ['a joiner that was pasted into a name', 'exam\u200cple.com', 'example.com'],
])(
  '%s with an invisible joiner is refused with the name in the DNS',
  async (_what, name, ascii) => {
    const run = await against(['domains', 'import', name], {});
    const typed = await against(['domains', 'import', ascii], {
      'POST /v1/domains/import/scan': [{ ...ANSWER, apex: ascii }],
    });

    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(`Try: svc domains import ${ascii}\n`);
    expect(typed.exitCode).toBe(0);
  },
);

test.each([
  ['--output -', /^\{\n/],
  ['--output - --format zone', /IN|\$ORIGIN|;/],
  ['--format json --output -', /^\{\n/],
])('%s prints the records, and makes no file', async (words, text) => {
  const cwd = await temporaryFolder();

  const run = await scanned(words, ANSWER, { cwd });

  expect(run.exitCode).toBe(0);
  expect(run.stdout).toMatch(text);
  expect(run.stdout).not.toContain('Wrote');
  expect(readdirSync(cwd)).toEqual([]);
});

test.each([
  ['example.zone', '--output example.zone', false],
  ['example.db', '--output example.db', false],
  ['plan.json', '--output plan.json', true],
  ['records', '--output records', true],
  ['example.zone', '--output example.zone --format json', true],
])('the form of %s follows its ending, unless it is named: %s', async (file, words, isJson) => {
  const cwd = await temporaryFolder();

  await scanned(words, ANSWER, { cwd });

  expect(readFileSync(join(cwd, file), 'utf8').startsWith('{')).toBe(isJson);
});

test('--output - beside --json is exit 2: both print', async () => {
  expect(
    (await svc(['domains', 'import', 'example.com', '--output', '-', '--json'])).exitCode,
  ).toBe(2);
});
