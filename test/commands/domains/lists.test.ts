import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../sandbox/server.ts';
import { against } from '../../support/against.ts';
import { SERVFAIL, testDns } from '../../support/dns.ts';
import { type RunOptions, svc, temporaryFolder } from '../../support/svc.ts';

const SERVICE = 'svc_wp_7k2m9qx4';
const DOMAINS = ['kola-studio.example', 'baobab-travel.example'] as const;
const CSV = `domain,service\n${DOMAINS.map((domain) => `${domain},${SERVICE}\n`).join('')}`;

async function stage() {
  const sandbox = await startSandbox({ port: 0 });
  onTestFinished(() => sandbox.close());
  const [cwd, configDir] = [await temporaryFolder(), await temporaryFolder()];
  writeFileSync(join(cwd, 'moves.csv'), CSV);
  const env = { SVC_DNS_SERVER: sandbox.dnsServer };
  const options: RunOptions = { url: sandbox.url, token: sandbox.token, cwd, configDir, env };
  const run = (line: string, more: RunOptions = {}) => svc(line.split(' '), { ...options, ...more });
  return { run, cwd, sandbox };
}

const linesOf = (text: string) => (text.match(/.+/g) ?? []).map((line) => JSON.parse(line));
const rowsOf = (text: string) => text.split('\n').map((line) => line.trim().split(/ {2,}/));

describe('svc domains add of a list', () => {
  test('stages each domain on the service of its line, shows one table, and is not repeated by a resume', async () => {
    const { run, cwd } = await stage();
    const add = 'domains add --domains moves.csv --import --skip-invalid --yes';
    const first = await run(`${add} --resume add.ndjson`);
    expect(first.exitCode, 'DNSSEC is on for one of them').toBe(9);
    expect(first.stdout).toContain('If you switch nameservers while it has a DS record');
    const nameservers = 'ns1.sandbox-dns.example, ns2.sandbox-dns.example';
    expect(rowsOf(first.stdout).slice(0, 3)).toEqual([
      ['DOMAIN', 'STATE', 'SERVICE', 'RECORDS', 'NAMESERVERS TO SET', 'DNSSEC'],
      [DOMAINS[0], 'staged', SERVICE, '12', nameservers, 'on'],
      [DOMAINS[1], 'staged', SERVICE, '4', nameservers],
    ]);
    const again = await run(`${add} --resume add.ndjson --json`);
    expect(again).toMatchObject({ exitCode: 0, stdout: '' });
    expect(linesOf(again.stderr).at(-1)).toMatchObject({ summary: { total: 2, done: 0, skipped: 2 } });
    expect(readFileSync(join(cwd, 'add.ndjson'), 'utf8')).not.toMatch(/192\.0\.2|v=spf1/);
  });

  test('asks once for the whole list, even of one, and a domain that cannot be staged keeps the others', async () => {
    const { run, cwd, sandbox } = await stage();
    writeFileSync(join(cwd, 'one.csv'), CSV.split('\n').slice(0, 2).join('\n'));
    const one = await run('domains add --domains one.csv --import');
    expect(one).toMatchObject({ exitCode: 2, stdout: '' });
    const env = { TERM: 'dumb', SVC_DNS_SERVER: sandbox.dnsServer };
    const typing = { stdin: 'yes\n', terminal: { columns: 100, rows: 40 }, env };
    const partly = await run('domains add --domains moves.csv --import', typing);
    expect(partly.exitCode).toBe(9);
    expect(partly.stderr.match(/Type yes to confirm/g)).toHaveLength(1);
    expect(partly.shown).toContain('1 CAA record cannot be staged. Nothing was staged.');
    expect((await run('domains status kola-studio.example')).exitCode).toBe(10);
    expect((await run('domains status baobab-travel.example')).exitCode).toBe(2);
  });

  test('takes records of their own', async () => {
    const { run, cwd } = await stage();
    writeFileSync(join(cwd, 'a.zone'), 'www 300 IN A 192.0.2.7\n');
    const line = JSON.stringify({ domain: DOMAINS[0], service: SERVICE, records: 'a.zone' });
    writeFileSync(join(cwd, 'moves.ndjson'), line);
    const { stdout } = await run('domains add --domains moves.ndjson --import --yes --json');
    const answer = { stagedRecords: [{ subdomain: 'www', value: '192.0.2.7' }] };
    expect(linesOf(stdout)).toMatchObject([{ item: JSON.parse(line), exitCode: 9, error: { code: 'alert' }, answer }]);
  });
});

describe('svc domains status of a list', () => {
  test('is one table, also as comma-separated values; the same list serves', async () => {
    const { run } = await stage();
    await run('domains add --domains moves.csv --import --skip-invalid --yes');
    const { exitCode, stdout, stderr } = await run('domains status --domains moves.csv');
    expect(exitCode).toBe(10);
    expect(stderr).toContain('0 of 2 domains done, 2 still under way.\n');
    expect(rowsOf(stdout).slice(0, 3)).toEqual([
      ['DOMAIN', 'STATE', 'AT THE REGISTRY', 'RECORDS RIGHT', 'DNSSEC'],
      [DOMAINS[0], 'not started', expect.stringContaining('ns1.old-registrar.example'), '11 of 11', 'will break'],
      [DOMAINS[1], 'not started', expect.any(String), '4 of 4', 'unsigned'],
    ]);
    const csv = await run('domains status --domains moves.csv --csv');
    const [head, ...rows] = csv.stdout.trimEnd().split('\n');
    expect(head).toBe('domain,state,atTheRegistry,recordsRight,dnssec');
    expect(rows.sort()[1]).toMatch(/^kola-studio\.example,not started,"ns1\.old.*",11 of 11,will break$/);
    const missing = await run('domains status nobodys.example kola-studio.example --csv');
    expect(missing.stderr).toContain('Warning: nobodys.example: nobodys.example was not staged from this machine');
  });

  test('works on another machine with what the other one printed, for a list and for one', async () => {
    const { run, cwd } = await stage();
    const added = await run('domains add --domains moves.csv --import --skip-invalid --yes --json');
    writeFileSync(join(cwd, 'added.ndjson'), added.stdout);
    writeFileSync(join(cwd, 'one.json'), JSON.stringify(linesOf(added.stdout).find(({ index }) => index === 0).answer));
    const elsewhere = { configDir: await temporaryFolder() };
    const list = await run('domains status --domains moves.csv --records added.ndjson --json', elsewhere);
    const records = linesOf(list.stdout).map(({ answer }) => `${answer.records.sets} ${answer.records.stagedAt}`);
    expect(records.sort()).toEqual(['11 null', '4 null']);
    for (const file of ['added.ndjson', 'one.json']) {
      const one = await run(`domains status kola-studio.example --records ${file} --json`, elsewhere);
      expect(one.json).toMatchObject({ expected: { from: 'file' }, nameservers: [{ matching: 11 }, { matching: 11 }] });
      expect(one.error).toMatchObject({ hint: `svc domains status kola-studio.example --records ${file} --wait` });
    }
    const other = await run('domains status nobodys.example --records added.ndjson', elsewhere);
    expect(other.stderr).toContain('"added.ndjson" has no staged records of nobodys.example.');
  });

  test('takes a plan or a zone file with --nameserver, and repeats both in what it suggests', async () => {
    const { run, cwd, sandbox } = await stage();
    await run('domains import baobab-travel.example --output plan.json');
    writeFileSync(join(cwd, 'wrong.zone'), 'www 300 IN A 192.0.2.99\n@ 300 IN A 192.0.2.98\n');
    const look = 'domains status baobab-travel.example --records';
    const missing = await run(`${look} plan.json`);
    expect(missing.stderr).toContain('"plan.json" does not say which nameservers baobab-travel.example will have.');
    const server = `--nameserver 127.0.0.1:${sandbox.dnsServer.split(':').at(-1)}`;
    const plan = await run(`${look} plan.json ${server} --json`);
    expect(plan.json).toMatchObject({ expected: { from: 'flag' }, records: { staged: 4 } });
    expect(plan.stderr).toContain('"code":"not_compared"');
    const next = `svc domains status baobab-travel.example ${server} --records plan.json --wait`;
    expect(plan.error).toMatchObject({ next: [next] });
    const wrong = await run(`${look} wrong.zone ${server} --json`);
    expect(wrong.json).toMatchObject({ nameservers: [{ matching: 0 }], records: { staged: 2 } });
  });
});

describe('svc domains import --audit', () => {
  test('has one row a domain: what cannot be staged, nameservers and DNSSEC; exit 9 if something would be lost', async () => {
    const { run } = await stage();
    const audit = await run('domains import --domains moves.csv --audit');
    expect(audit.exitCode).toBe(9);
    expect(rowsOf(audit.stdout).slice(0, 3)).toEqual([
      ['DOMAIN', 'RECORDS', 'CANNOT BE STAGED', 'NAMESERVERS', 'DNSSEC', 'WARNINGS'],
      [DOMAINS[0], '12', 'ns1.old-registrar.example, ns2.old-registrar.example', 'on', '1 warning'],
      [DOMAINS[1], '5', '1 CAA record', expect.any(String), 'off'],
    ]);
    const json = await run('domains import --domains moves.csv --audit --json');
    const answers = linesOf(json.stdout).map(({ exitCode, answer }) => [exitCode, answer.dnssec, answer.lost.length]);
    expect(answers.sort()).toEqual([
      [9, 'absent', 1],
      [9, 'present', 0],
    ]);
    const [kola, baobab] = [{ figure: 'dnssec' }, { figure: 'records' }].map((one) => ({ ...one, value: 1, limit: 0 }));
    const alerts = [
      { item: DOMAINS[0], ...kola },
      { item: DOMAINS[1], ...baobab },
    ];
    expect(json.error).toMatchObject({ code: 'alert', alerts });
    const one = await run('domains import kola-studio.example --audit');
    expect(one).toMatchObject({ exitCode: 9, stdout: expect.stringMatching(/DNSSEC +on/) });
  });

  /** The audit of one domain whose scan is this. */
  const auditing = (scan: object, env = {}) => {
    return against('domains import a.example --audit --json', { 'POST /v1/domains/import/scan': [scan] }, { env });
  };
  const APEX = { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 300 };

  test('names each field that is lost, and what the scan says it has left out', async () => {
    const sip = { subdomain: '_sip._tcp', type: 'SRV', value: 'sip.a.example', ttl: 300, priority: 1 };
    const records = [{ ...APEX, proxied: true }, sip];
    const run = await auditing({ apex: 'a.example', records, missing: ['AAAA'], skippedTypes: [], failedCount: '0' });
    expect(run.exitCode).toBe(9);
    const problem = expect.stringContaining('is not "weight port target"');
    const lost = [
      { name: '_sip._tcp.a.example', type: 'SRV', problem },
      { name: 'a.example', type: 'A', problem: 'proxied true is lost' },
      { name: 'a.example', type: '', problem: 'The scan left something out: missing ["AAAA"].' },
    ];
    const error = '1 SRV record, 1 field, what the scan left out of a.example cannot be staged.';
    const alerts = [{ series: 'a.example', figure: 'records', value: 3, limit: 0 }];
    expect(run).toMatchObject({ json: { lost }, error: { error, alerts } });
  });

  test('does not pass a domain of which nobody says whether DNSSEC is on', async () => {
    const dns = await testDns(() => ({ code: SERVFAIL }));
    const run = await auditing({ apex: 'a.example', records: [APEX] }, { SVC_DNS_SERVER: dns.at });
    expect(run).toMatchObject({ exitCode: 12, json: { dnssec: 'unknown', lost: [] }, error: { code: 'no_data' } });
  });

  test.each([
    ['about another domain', { apex: 'other.example', records: [] }, 'other.example'],
    ['without records', { apex: 'a.example' }, 'The scan returned no list of records.'],
  ])('finds a scan that is %s', async (_what, scan, words) => {
    const error = { code: 'alert', error: expect.stringContaining(words) };
    expect(await auditing(scan)).toMatchObject({ exitCode: 9, error });
  });
});
