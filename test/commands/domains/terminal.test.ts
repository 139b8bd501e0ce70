import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { against } from '../../support/against.ts';
import { testDns } from '../../support/dns.ts';
import { SOME_DS } from '../../support/dns-world.ts';
import { type RunOptions, temporaryFolder } from '../../support/svc.ts';

const DOMAIN = 'xn--bcher-kva.example';
const SCAN = 'POST /v1/domains/import/scan';
const STAGE = `POST /v1/services/app-1/domains/${DOMAIN}/import`;
const ADD = 'domains add bücher.example --service app-1 --import';
const IMPORT = 'domains import bücher.example';
const RECORD = { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 300 };
const CAA = { subdomain: '', type: 'CAA', value: '0 issue "ca.example"', ttl: 300 };
const STAGED = { [STAGE]: [{ nameservers: ['ns1.new.example'], stagedRecords: [RECORD] }] };

const found = (...records: readonly object[]) => ({
  [SCAN]: [{ apex: DOMAIN, currentNameservers: ['ns1.old.example'], records, warnings: [] }],
});

/** A person at a terminal who types these lines. */
function typing(answers: string, options: RunOptions = {}): RunOptions {
  const env = { ACCESSIBLE: '1', TERM: 'dumb', ...options.env };
  return { ...options, stdin: answers, terminal: { columns: 100, rows: 40 }, env };
}

test('the question names the domain both ways, after the records and a warning about DNSSEC', async () => {
  const dns = await testDns(({ name }) => ({ answers: [{ name, type: 'DS', ttl: 60, data: SOME_DS }] }));
  const options = typing('yes\n', { env: { SVC_DNS_SERVER: dns.at } });
  const run = await against(ADD, { ...found(RECORD), ...STAGED }, options);
  expect(run.exitCode).toBe(0);
  const question = `Stage 1 record of ${DOMAIN} (bücher.example) on service app-1? Type yes to confirm`;
  const [before = '', after] = run.stderr.split(question);
  expect(after).toBeDefined();
  expect(before).toContain('192.0.2.1');
  expect(before).toContain(`Warning: DNSSEC is on for ${DOMAIN}`);
});

test.each(['\n', 'no\n', 'y\ny\n'])('any answer but yes stages nothing: %j', async (answer) => {
  const run = await against(ADD, found(RECORD), typing(answer));
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain('Cancelled. Nothing was changed.');
});

test('a person may leave out records that cannot be staged; --yes does not', async () => {
  const run = await against(`${ADD} --yes`, { ...found(RECORD, CAA), ...STAGED }, typing('y\n'));
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain('Leave out 1 CAA record and continue? [y/N]');
  expect(run.stderr).toContain('the platform does not support CAA records');
  expect(run.sent[1]?.json).toEqual({ records: [RECORD] });
  const refused = await against(`${ADD} --yes`, found(RECORD, CAA), typing('n\n'));
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
  expect(refused.stderr).toContain('Cancelled. Nothing was staged.\n');
  expect(refused.stderr).not.toContain('Error:');
});

test('a file that exists is replaced after a yes, and kept after a no', async () => {
  const cwd = await temporaryFolder();
  const path = join(cwd, 'plan.json');
  writeFileSync(path, 'mine');
  const line = `${IMPORT} --output plan.json`;
  expect(await against(line, {}, typing('n\n', { cwd }))).toMatchObject({ exitCode: 2, stdout: '' });
  expect(readFileSync(path, 'utf8')).toBe('mine');
  const { stderr } = await against(line, found(RECORD), typing('y\n', { cwd }));
  expect(stderr).toContain('plan.json exists already. Replace it? [y/N]');
  expect(readFileSync(path, 'utf8')).toContain(`"apex": "${DOMAIN}"`);
});

const SCREEN = { terminal: { columns: 80, rows: 40 }, env: { TERM: 'dumb', NO_COLOR: '1' } };

const KEY = `v=DKIM1; k=rsa; p=${'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'.repeat(8)}IDAQAB`;
test('a terminal gets the first records with long values cut, and --full shows all', async () => {
  const zone = [
    { ...RECORD, type: 'TXT', value: KEY },
    ...Array.from({ length: 99 }, (_, index) => ({ ...RECORD, subdomain: `h${index}` })),
  ];
  const cut = await against(IMPORT, found(...zone), SCREEN);
  expect(cut.stdout.match(/ A .*192\.0\.2\.1/g)).toHaveLength(39);
  expect(cut.stdout).toContain('40 of 100 shown');
  expect(cut.stdout).toContain('v=DKIM1; k=rsa; p=MIIBIj');
  expect(cut.stdout).not.toContain('IDAQAB');
  expect(cut.stdout.replaceAll('\n', ' ')).toContain('(--full shows all of them)');
  const full = await against(`${IMPORT} --full`, found(...zone), SCREEN);
  expect(full.stdout.replaceAll(/\s/g, '')).toContain(KEY.replaceAll(' ', ''));
  expect(full.stdout).not.toContain('--full');
});

test.each([
  ['domains add kola.example', '(--import)'],
  ['domains add kola..example --import', 'The domain "kola..example"'],
])('a mistake is reported before a missing service is asked for: %s', async (line, words) => {
  const run = await against(line, {}, typing('app-1\n'));
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain(words);
  expect(run.stderr).not.toContain('Service id');
});
