import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testDns } from '../../support/dns.ts';
import { SOME_DS } from '../../support/dns-world.ts';
import { type RunOptions, svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const SCAN = '/v1/domains/import/scan';
const DOMAIN = 'xn--bcher-kva.example';
const STAGE = `/v1/services/app-1/domains/${DOMAIN}/import`;
const ADD = ['domains', 'add', 'bücher.example', '--service', 'app-1', '--import'];
const RECORD = { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 300 };
const CAA = { subdomain: '', type: 'CAA', value: '0 issue "ca.example"', ttl: 300 };
const STAGED = { nameservers: ['ns1.new.example'], stagedRecords: [RECORD] };

/** A person at a terminal who types these lines. */
function typing(answers: string, options: RunOptions): RunOptions {
  return {
    ...options,
    stdin: answers,
    terminal: { columns: 100, rows: 40 },
    env: { ACCESSIBLE: '1', TERM: 'dumb', ...options.env },
  };
}

async function scanned(records: readonly unknown[]) {
  const wire = await testWire();
  wire.on('POST', SCAN).reply(200, { apex: DOMAIN, currentNameservers: ['ns1.old.example'], records, warnings: [] });
  return wire;
}

test('the question names the domain both ways, the service and the number of records, after showing them', async () => {
  const wire = await scanned([RECORD]);
  wire.on('POST', STAGE).reply(200, STAGED);
  const run = await svc(ADD, typing('yes\n', { url: wire.url }));
  expect(run.exitCode).toBe(0);
  const question = `Stage 1 record of ${DOMAIN} (bücher.example) on service app-1? Type yes to confirm`;
  expect(run.stderr).toContain(question);
  expect(run.stderr.indexOf('192.0.2.1')).toBeGreaterThan(-1);
  expect(run.stderr.indexOf('192.0.2.1')).toBeLessThan(run.stderr.indexOf(question));
});

test.each(['\n', 'n\n', 'no\n', 'y\ny\n'])('any answer but yes stages nothing: %j', async (answer) => {
  const wire = await scanned([RECORD]);
  const run = await svc(ADD, typing(answer, { url: wire.url }));
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain('Cancelled. Nothing was changed.');
});

test('a warning about DNSSEC comes before the question', async () => {
  const dns = await testDns(({ name }) => ({ answers: [{ name, type: 'DS', ttl: 60, data: SOME_DS }] }));
  const wire = await scanned([RECORD]);
  const run = await svc(ADD, typing('n\n', { url: wire.url, env: { SVC_DNS_SERVER: dns.at } }));
  const warning = run.stderr.indexOf(`Warning: DNSSEC is on for ${DOMAIN}`);
  expect(warning).toBeGreaterThan(-1);
  expect(warning).toBeLessThan(run.stderr.indexOf('Stage 1 record'));
});

test('a person may leave out records that cannot be staged; --yes does not', async () => {
  const wire = await scanned([RECORD, CAA]);
  wire.on('POST', STAGE).reply(200, STAGED);
  const run = await svc([...ADD, '--yes'], typing('y\n', { url: wire.url }));
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain('Leave out 1 CAA record and continue? [y/N]');
  expect(run.stderr).toContain('the platform does not support CAA records');
  expect(wire.requests[1]?.json).toEqual({ records: [RECORD] });
});

test('answering No to leaving records out stages nothing', async () => {
  const wire = await scanned([RECORD, CAA]);
  const run = await svc([...ADD, '--yes'], typing('n\n', { url: wire.url }));
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain('Cancelled. Nothing was staged.\n');
  expect(run.stderr).not.toContain('Error:');
});

test('a file that exists is replaced after a yes, and kept after a no', async () => {
  const cwd = await temporaryFolder();
  const path = join(cwd, 'plan.json');
  writeFileSync(path, 'mine');
  const args = ['domains', 'import', 'bücher.example', '--output', 'plan.json'];
  const quiet = await testWire();
  expect(await svc(args, typing('n\n', { url: quiet.url, cwd }))).toMatchObject({ exitCode: 2, stdout: '' });
  expect(readFileSync(path, 'utf8')).toBe('mine');
  const wire = await scanned([RECORD]);
  const run = await svc(args, typing('y\n', { url: wire.url, cwd }));
  expect(run.stderr).toContain('plan.json exists already. Replace it? [y/N]');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ apex: DOMAIN });
});

test('a terminal gets the first records and the number of all', async () => {
  const records = Array.from({ length: 100 }, (_, index) => ({ ...RECORD, subdomain: `h${index}` }));
  const wire = await scanned(records);
  const run = await svc(['domains', 'import', 'bücher.example'], {
    url: wire.url,
    terminal: { columns: 100, rows: 40 },
    env: { NO_COLOR: '1' },
  });
  expect(run.stdout.match(/ A .*192\.0\.2\.1/g)).toHaveLength(40);
  expect(run.stdout).toContain('40 of 100 shown');
  expect(run.stdout).toContain('svc domains import xn--bcher-kva.example --output plan.json');
});

const KEY = `v=DKIM1; k=rsa; p=${'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'.repeat(8)}IDAQAB`;
const ZONE = [
  RECORD,
  { subdomain: '', type: 'MX', value: 'mail.bücher.example', ttl: 3600, priority: 10 },
  { subdomain: '_dmarc', type: 'TXT', value: 'v=DMARC1; p=none; rua=mailto:dmarc@buecher.example', ttl: 3600 },
  { subdomain: 'default._domainkey', type: 'TXT', value: KEY, ttl: 3600 },
].map((record) => ({ ...record, value: record.value.replace('bücher', 'xn--bcher-kva') }));

test.each([50, 80, 120])('every value can be read before the question, at %i columns', async (columns) => {
  const wire = await scanned(ZONE);
  const run = await svc(ADD, {
    url: wire.url,
    stdin: 'n\n',
    terminal: { columns, rows: 40 },
    env: { TERM: 'dumb', NO_COLOR: '1' },
  });
  expect(run.exitCode).toBe(2);
  const shown = run.stderr.slice(0, run.stderr.indexOf('Stage 4'));
  await expect(shown).toMatchFileSnapshot(`goldens/question-${columns}.txt`);
  const letters = shown.replaceAll(/\s/g, '');
  for (const { value } of ZONE) expect(letters).toContain(value.replaceAll(' ', ''));
  for (const line of shown.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
});

test('a terminal cuts long values of a scan, and --full shows them', async () => {
  const args = ['domains', 'import', 'bücher.example'];
  const options = { terminal: { columns: 80, rows: 40 }, env: { NO_COLOR: '1' } };
  const cut = await svc(args, { ...options, url: (await scanned(ZONE)).url });
  expect(cut.stdout).toContain('v=DKIM1; k=rsa; p=MIIBIj');
  expect(cut.stdout).not.toContain('IDAQAB');
  expect(cut.stdout.replaceAll('\n', ' ')).toContain('(--full shows all of them)');
  const full = await svc([...args, '--full'], { ...options, url: (await scanned(ZONE)).url });
  expect(full.stdout.replaceAll(/\s/g, '')).toContain(KEY.replaceAll(' ', ''));
  expect(full.stdout).not.toContain('--full');
});

test.each([
  [['domains', 'add', 'kola.example'], '(--import)'],
  [['domains', 'add', 'kola..example', '--import'], 'The domain "kola..example"'],
  [['domains', 'add', 'kola.example', '--import', '--dry-run', '--wait-timeout', 'x'], '--wait-timeout'],
])('a mistake is reported before a missing service is asked for: %j', async (argv, words) => {
  const wire = await testWire();
  const run = await svc(argv, typing('app-1\n', { url: wire.url }));
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain(words);
  expect(run.stderr).not.toContain('Service id');
});

test('a missing service is asked for, and offered the next time', async () => {
  const configDir = await temporaryFolder();
  const wire = await scanned([RECORD]);
  wire.on('POST', STAGE).reply(200, STAGED);
  const line = ADD.filter((word) => word !== '--service' && word !== 'app-1');
  const run = await svc([...line, '--yes'], typing('app-1\n', { url: wire.url, configDir }));
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain('Service id');
  expect(readFileSync(join(configDir, 'cache.json'), 'utf8')).toContain('app-1');
});
