import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../sandbox/server.ts';
import { against } from '../../support/against.ts';
import { fakeClock } from '../../support/clock.ts';
import { SERVFAIL, testDns } from '../../support/dns.ts';
import { type RunOptions, svc, temporaryFolder } from '../../support/svc.ts';

const SERVICE = 'svc_wp_7k2m9qx4';
const [KOLA, BAOBAB] = ['kola-studio.example', 'baobab-travel.example'];
const ADD = 'domains add --domains moves.csv --import --skip-invalid --yes';

async function stage() {
  // Its time stands still, so that no domain switches while a busy machine looks.
  const sandbox = await startSandbox({ port: 0, clock: fakeClock() });
  onTestFinished(() => sandbox.close());
  const [cwd, configDir] = [await temporaryFolder(), await temporaryFolder()];
  const keep = (name: string, text: string) => writeFileSync(join(cwd, name), text);
  keep('moves.csv', `domain,service\n${KOLA},${SERVICE}\n${BAOBAB},${SERVICE}\n`);
  const env = { TERM: 'dumb', SVC_DNS_SERVER: sandbox.dnsServer };
  const options: RunOptions = { url: sandbox.url, token: sandbox.token, cwd, configDir, env };
  const run = (line: string, more: RunOptions = {}) =>
    svc(line.split(' '), { ...options, ...more });
  return {
    run,
    cwd,
    keep,
    server: `--nameserver 127.0.0.1:${sandbox.dnsServer.split(':').at(-1)}`,
  };
}

const linesOf = (text: string) => (text.match(/.+/g) ?? []).map((line) => JSON.parse(line));
/** The cells of the two rows. */
const rowsOf = (text: string) =>
  text
    .split('\n')
    .slice(1, 3)
    .map((line) => line.trim().split(/ {2,}/));

describe('svc domains add of a list', () => {
  test('stages each domain on the service of its line, shows one table, and is not repeated by the same line', async () => {
    const { run, cwd } = await stage();
    const first = await run(`${ADD} --log add.ndjson`);
    expect(first.exitCode, 'DNSSEC is on for one of them').toBe(9);
    expect(first.stdout).toContain('If you switch nameservers while it has a DS record');
    const nameservers = 'ns1.sandbox-dns.example, ns2.sandbox-dns.example';
    expect(rowsOf(first.stdout)).toEqual([
      [KOLA, 'staged', SERVICE, '12', nameservers, 'on'],
      [BAOBAB, 'staged', SERVICE, '4', nameservers],
    ]);
    const again = await run(`${ADD} --log add.ndjson --json`);
    expect(again).toMatchObject({ exitCode: 0, stdout: '' });
    expect(linesOf(again.stderr).at(-1)).toMatchObject({
      summary: { total: 2, done: 0, skipped: 2 },
    });
    expect(readFileSync(join(cwd, 'add.ndjson'), 'utf8')).not.toMatch(/192\.0\.2|v=spf1/);
  });

  test('asks once, takes records of its own, and a domain that cannot be staged keeps no other from it', async () => {
    const { run, keep } = await stage();
    keep('a.zone', 'www 300 IN A 192.0.2.7\n');
    keep('moves.csv', `domain,service,records\n${KOLA},${SERVICE},a.zone\n${BAOBAB},${SERVICE},\n`);
    const unasked = await run('domains add --domains moves.csv --import');
    expect(unasked).toMatchObject({ exitCode: 2, stdout: '' });
    const typing = { stdin: 'yes\n', terminal: { columns: 100, rows: 40 } };
    const partly = await run('domains add --domains moves.csv --import', typing);
    expect(partly.exitCode).toBe(9);
    expect(partly.stdout).toMatch(/kola-studio\.example .* 1 {2}ns1/);
    expect(partly.stderr.match(/Type yes to confirm/g)).toHaveLength(1);
    expect(partly.shown).toContain('1 CAA record cannot be staged. Nothing was staged.');
    expect((await run(`domains status ${KOLA}`)).exitCode).toBe(10);
    expect((await run(`domains status ${BAOBAB}`)).exitCode).toBe(2);
  });
});

describe('records of a line', () => {
  const RECORD = { subdomain: 'www', type: 'A', value: '192.0.2.7', ttl: 300 };
  const bodiesOf = (text: string) => linesOf(text).map(({ answer }) => answer.body.records);

  test('a path is one beside the list, wherever svc is started', async () => {
    const { run, keep, cwd } = await stage();
    mkdirSync(join(cwd, 'moves'));
    keep('moves/a.zone', 'www 300 IN A 192.0.2.7\n');
    keep('moves/list.csv', `domain;service;records\n${KOLA};${SERVICE};a.zone\n`);

    const { exitCode, stdout } = await run(
      'domains add --domains moves/list.csv --import --dry-run --json',
    );

    expect(exitCode).toBe(0);
    expect(bodiesOf(stdout)).toEqual([[RECORD]]);
  });

  test('a JSON line may have the records themselves, which make it another item of a log', async () => {
    const { run, keep } = await stage();
    const list = (value: string) => {
      const records = [{ ...RECORD, value }];
      keep('list.nd', JSON.stringify({ domain: KOLA, service: SERVICE, records }));
    };
    const add = 'domains add --domains list.nd --import --yes --json --log add.nd';
    list('192.0.2.7');

    const dry = await run('domains add --domains list.nd --import --dry-run --json');
    const first = await run(add);
    const again = await run(add);
    list('192.0.2.8');
    const other = await run(add);

    expect(bodiesOf(dry.stdout)).toEqual([[RECORD]]);
    expect(linesOf(first.stdout)).toHaveLength(1);
    expect(again).toMatchObject({ exitCode: 0, stdout: '' });
    expect(linesOf(other.stdout)).toHaveLength(1);
  });

  test('records that cannot be staged say so, and the field has no other form', async () => {
    const { run, keep } = await stage();
    keep('list.nd', JSON.stringify({ domain: KOLA, service: SERVICE, records: [{ type: 'A' }] }));
    const faulty = await run('domains add --domains list.nd --import --dry-run --json');
    keep('list.nd', JSON.stringify({ domain: KOLA, service: SERVICE, records: { type: 'A' } }));
    const odd = await run('domains add --domains list.nd --import --dry-run --json');

    expect(faulty.exitCode).toBe(2);
    expect(odd.exitCode).toBe(2);
    expect(odd.shown).toContain('The field \\"records\\" is not a text');
  });
});

describe('svc domains status', () => {
  test('of a list is one table; another machine needs what the first one printed, for a list and for one', async () => {
    const { run, keep } = await stage();
    const added = await run(`${ADD} --json`);
    const list = await run('domains status --domains moves.csv');
    expect(list).toMatchObject({
      exitCode: 10,
      stderr: expect.stringContaining('0 of 2 domains done'),
    });
    expect(rowsOf(list.stdout)).toEqual([
      [
        KOLA,
        'not started',
        expect.stringContaining('ns1.old-registrar.example'),
        '11 of 11',
        'signed',
      ],
      [BAOBAB, 'not started', expect.any(String), '4 of 4', 'unsigned'],
    ]);
    keep('added.ndjson', added.stdout);
    keep('one.json', JSON.stringify(linesOf(added.stdout).find(({ index }) => index === 0).answer));
    const elsewhere = { configDir: await temporaryFolder() };
    expect((await run('domains status --domains moves.csv', elsewhere)).exitCode).toBe(2);
    for (const file of ['added.ndjson', 'one.json']) {
      const one = await run(`domains status ${KOLA} --records ${file} --json`, elsewhere);
      expect(one.json).toMatchObject({
        expected: { from: 'file' },
        nameservers: [{ matching: 11 }, { matching: 11 }],
      });
      expect(one.error).toMatchObject({
        hint: `svc domains status ${KOLA} --records ${file} --wait`,
      });
    }
    const other = await run('domains status nobodys.example --records added.ndjson', elsewhere);
    expect(other).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('has no staged records of nobodys'),
    });
  });

  test('takes a plan with --nameserver, and repeats both in what it suggests', async () => {
    const { run, server } = await stage();
    await run(`domains import ${BAOBAB} --output plan.json`);
    expect((await run(`domains status ${BAOBAB} --records plan.json`)).exitCode).toBe(2);
    const plan = await run(`domains status ${BAOBAB} --records plan.json ${server} --json`);
    expect(plan.json).toMatchObject({ expected: { from: 'flag' }, records: { staged: 4 } });
    expect(plan.stderr).toContain('"code":"not_compared"');
    expect(plan.error).toMatchObject({
      next: [`svc domains status ${BAOBAB} ${server} --records plan.json --wait`],
    });
  });
});

describe('svc domains import --audit', () => {
  test('has one row a domain: what cannot be staged, nameservers and DNSSEC; exit 9 for either', async () => {
    const { run } = await stage();
    const audit = await run('domains import --domains moves.csv --audit');
    expect(rowsOf(audit.stdout)).toEqual([
      [KOLA, '12', 'ns1.old-registrar.example, ns2.old-registrar.example', 'on', '1 warning'],
      [BAOBAB, '5', '1 CAA record', expect.any(String), 'off'],
    ]);
    const json = await run('domains import --domains moves.csv --audit --json');
    const one = { value: 1, limit: 0 };
    const alerts = [
      { item: KOLA, figure: 'dnssec', ...one },
      { item: BAOBAB, figure: 'records', ...one },
    ];
    expect(json).toMatchObject({ exitCode: 9, error: { code: 'alert', alerts } });
  });

  /** The audit of one domain whose scan is this. */
  const auditing = (scan: object, env = {}) =>
    against(
      'domains import a.example --audit --json',
      { 'POST /v1/domains/import/scan': [scan] },
      { env },
    );
  const APEX = { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 300 };

  test('names each field that is lost, and what else the scan says', async () => {
    const sip = {
      subdomain: '_sip._tcp',
      type: 'SRV',
      value: 'sip.a.example',
      ttl: 300,
      priority: 1,
    };
    const records = [{ ...APEX, proxied: true }, sip];
    const run = await auditing({
      apex: 'a.example',
      records,
      missing: ['AAAA'],
      skippedTypes: [],
      failedCount: '0',
    });
    const lost = [
      {
        name: '_sip._tcp.a.example',
        type: 'SRV',
        problem: expect.stringContaining('is not "weight port target"'),
      },
      { name: 'a.example', type: 'A', problem: 'proxied true is lost' },
    ];
    const alerts = [{ series: 'a.example', figure: 'records', value: 2, limit: 0 }];
    const more = expect.stringContaining('missing ["AAAA"], failedCount "0".');
    const warnings = expect.arrayContaining([more]);
    expect(run).toMatchObject({ exitCode: 9, json: { lost, warnings }, error: { alerts } });
  });

  test('does not pass a domain of which nobody says whether DNSSEC is on', async () => {
    const dns = await testDns(() => ({ code: SERVFAIL }));
    const run = await auditing({ apex: 'a.example', records: [APEX] }, { SVC_DNS_SERVER: dns.at });
    expect(run).toMatchObject({
      exitCode: 12,
      json: { dnssec: 'unknown', lost: [] },
      error: { code: 'no_data' },
    });
  });

  test.each([
    ['a yes', { truncated: true }],
    ['a count above the records', { total: 2 }],
    ['a list', { missing: ['AAAA'] }],
    ['an object', { zone: { status: 'ok' } }],
  ])('cannot vouch for a scan that says more than svc knows: %s', async (_what, fields) => {
    const run = await auditing({ apex: 'a.example', records: [APEX], ...fields });

    expect(run).toMatchObject({ exitCode: 12, json: { lost: [] }, error: { code: 'no_data' } });
    expect(run.error['error']).toContain(Object.keys(fields)[0]);
  });

  test.each([
    ['a count of the records', { total: 1, failed: 0 }],
    ['a no, or nothing', { truncated: false, missing: [], skipped: {}, note: '', next: null }],
    ['a text', { provider: 'x', missing: 'AAAA' }],
    ['an instant', { scannedAt: { seconds: 5 }, checked_at: ['now'] }],
    ['a field of a record that is false', { records: [{ ...APEX, proxied: false }] }],
  ])('passes a scan with %s', async (_what, fields) => {
    const run = await auditing({ apex: 'a.example', records: [APEX], ...fields });

    expect(run.exitCode, run.shown).toBe(0);
  });

  test.each([
    { apex: 'other.example', records: [] },
    { apex: 'a.example' },
    { apex: 'a.example', records: [APEX], error: 'The MX query timed out' },
  ])(
    'does not pass a scan of another domain, without records, or with an error: %j',
    async (scan) => {
      expect(await auditing(scan)).toMatchObject({ exitCode: 9, error: { code: 'alert' } });
    },
  );
});
