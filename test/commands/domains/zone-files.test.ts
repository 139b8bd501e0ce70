import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { against } from '../../support/against.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';

// What zone files mean is shown in test/dns; here, what the commands make of it.

const SCAN = 'POST /v1/domains/import/scan';
const stagingOf = (domain: string) => `POST /v1/services/s/domains/${domain}/import`;

/** Shows what `svc domains add` would stage of a zone file. */
const preview = (zone: string, ...more: readonly string[]) =>
  against(
    `domains add ex.com --service s --import --records - --dry-run ${more.join(' ')}`,
    {},
    { stdin: `$TTL 300\n${zone}`, token: null },
  );

/** Each warning of `--json`, with its code. */
const warningsOf = (stderr: string) =>
  stderr
    .trimEnd()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe('--skip-invalid is proposed for what neither a site nor mail needs', () => {
  test.each([
    ['a CAA record', 'www A 192.0.2.1\n@ CAA 0 issue "ca.example"'],
    ['a key of DNSSEC and its signature', 'w A 192.0.2.1\n@ DNSKEY 257 3 13 x=\n@ RRSIG A 13 x'],
    ['TLSA and SSHFP', 'w A 192.0.2.1\n_443._tcp.w TLSA 3 1 1 ab\nw SSHFP 4 2 ab'],
    ['HTTPS beside an address', '@ A 192.0.2.1\n@ HTTPS 1 . alpn=h2'],
    ['HTTPS beside an alias', 'w CNAME other.example.\nw HTTPS 1 . alpn=h2'],
  ])('%s', async (_what, zone) => {
    const { exitCode, error } = await preview(zone, '--json');

    expect(exitCode).toBe(2);
    expect(error['next']).toEqual([expect.stringContaining('--skip-invalid')]);
  });

  test.each([
    ['an alias of Route 53', '@ AWS ALIAS A lb.example.net. Z false\nwww A 192.0.2.1'],
    ['an alias of another house', '@ ANAME lb.example.net.\nwww A 192.0.2.1'],
    ['an unknown type at the apex', '@ TYPE65400 x\nwww A 192.0.2.1'],
    ['an SPF record', 'mail SPF "v=spf1 -all"\nwww A 192.0.2.1'],
    ['an address of www', '@ A 192.0.2.1\nwww A 192.0.2.256'],
    ['an alias of www', '@ A 192.0.2.1\nwww ALIAS lb.example.net.'],
    ['a key of mail', '@ A 192.0.2.1\nk._domainkey TXT "\\255"'],
    ['HTTPS where no address is', '@ A 192.0.2.1\nw HTTPS 1 other.example. alpn=h2'],
    ['a reverse name', '@ A 192.0.2.1\n1 PTR www.ex.com.'],
    ['a line that cannot be read', '@ A 192.0.2.1\na\\.b CAA 0 issue "x"'],
    ['all that there is', '@ CAA 0 issue "ca.example"'],
  ])('not for %s', async (_what, zone) => {
    const { exitCode, error } = await preview(zone, '--json');

    expect(exitCode).toBe(2);
    expect(error).not.toHaveProperty('next');
  });
});

test('all faults of a file are listed for programs, and the first twenty for people', async () => {
  const bad = Array.from({ length: 25 }, (_, at) => `a${at} ${at % 2 === 0 ? 'MX x' : 'A 1'}`);
  const zone = ['w A 192.0.2.1', ...bad].join('\n');
  const lines = (stderr: string) => [...stderr.matchAll(/\bline (\d+)/g)].map(([, line]) => line);
  const person = await preview(zone);
  const program = await preview(zone, '--json');
  const expected = bad.map((_, at) => String(at + 3));

  expect(person.exitCode).toBe(2);
  expect(lines(person.stderr)).toEqual(expected.slice(0, 20));
  expect(person.stderr).toContain('and 5 more');
  expect(program.exitCode).toBe(2);
  expect(lines(program.stderr)).toEqual(expected);
});

test('faults of the whole file are refused with all others, even with --skip-invalid', async () => {
  const run = await preview('a MX x\nb TXT "open\n$INCLUDE other.zone', '--skip-invalid');

  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toMatch(/Correct these lines:\n.*line 2.*\n.*line 3.*quote.*\n.*line 4/);
});

test('what cannot be compared is named by svc domains status', async () => {
  const cwd = await temporaryFolder();
  writeFileSync(join(cwd, 'z'), '$TTL 300\n@ A 192.0.2.1\na MX x\n@ CAA 0 issue "x"\n');
  const line = ['domains', 'status', 'ex.test', '--records', 'z', '--nameserver', '127.0.0.1:9'];
  const env = { SVC_DNS_SERVER: '127.0.0.1:9' };
  const { stderr } = await svc(line, { cwd, env });

  expect(stderr).toMatch(/are not compared:\n.*line 3, column 6: .*\n.*line 4, CAA at ex\.test: /);
});

test.each([
  ['NS of the apex', '@ NS ns1.old.example.\n@ NS ns2.old.example.', 'ns1.old.example, ns2.old'],
  ['a text of several strings', 'x TXT "a" "b"', 'several strings'],
  ['a proxied record', 'w A 192.0.2.2 ; cf_tags=cf-proxied:true', 'cf-proxied'],
  ['a set with two TTLs', 'w 60 A 192.0.2.2\nw A 192.0.2.3', 'different TTLs'],
  ['glue', 'sub NS ns1.old.example.\nns1.old.example. A 192.0.2.53', 'ns1.old.example: addr'],
])('%s is a doubt: exit 0, and a warning in the preview as well', async (_what, zone, words) => {
  const { exitCode, stderr } = await preview(`${zone}\n@ A 192.0.2.1`, '--json');

  expect(exitCode).toBe(0);
  expect(warningsOf(stderr)).toEqual([
    { warning: expect.stringContaining(words), code: 'records_doubtful' },
  ]);
});

test('a doubt stands above the question', async () => {
  const zone = '$TTL 300\n@ A 192.0.2.1\nx TXT "a" "b"\n';
  const cwd = await temporaryFolder();
  writeFileSync(join(cwd, 'z'), zone);
  const run = await against(
    'domains add ex.test --service s --import --records z',
    {},
    {
      cwd,
      stdin: 'no\n',
      terminal: { columns: 100, rows: 40 },
      env: { TERM: 'dumb', SVC_DNS_SERVER: '127.0.0.1:9' },
    },
  );

  const doubt = run.stderr.indexOf('several strings');
  const question = run.stderr.indexOf('Stage 2 records of ex.test');
  expect(doubt).toBeGreaterThan(-1);
  expect(question).toBeGreaterThan(doubt);
});

describe('the scan of the platform', () => {
  const A = { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 300 };

  const move = async (domain: string, records: readonly object[], staged: readonly object[]) => {
    const configDir = await temporaryFolder();
    const answers = {
      [SCAN]: [{ apex: domain, currentNameservers: [], records, warnings: [] }],
      [stagingOf(domain)]: [{ nameservers: ['ns1.new.example'], stagedRecords: staged }],
    };
    const line = `domains add ${domain} --service s --import --yes --json`;
    const run = await against(line, answers, { configDir });
    const zone = readFileSync(join(configDir, `domains/${domain}.2026-03-01.zone`), 'utf8');
    const { exitCode, stderr, sent } = run;
    return { exitCode, stderr, staged: sent[1]?.json, zone };
  };

  test('has NS and SOA records of the apex, which are named and not staged', async () => {
    const ns = { ...A, type: 'NS', value: 'ns1.old.example' };
    const soa = { ...A, type: 'SOA', value: 'ns1.old.example. h.old.example. 1 2 3 4 5' };
    const run = await move('ex.example', [A, ns, soa], [A]);

    expect(run).toMatchObject({ exitCode: 0, staged: { records: [A] } });
    expect(warningsOf(run.stderr)).toEqual([
      { warning: expect.stringContaining('NS (ns1.old.example)'), code: 'records_doubtful' },
      { warning: expect.stringContaining('ex.example SOA'), code: 'records_doubtful' },
    ]);
    expect(run.zone).toContain('; of the nameservers themselves: {"subdomain":"","type":"NS"');
  });

  test.each([
    ['www.müller.example', 'www'],
    ['WWW.MÜLLER.example.', 'WWW'],
    ['müller.example', ''],
    ['bücher.müller.example', 'xn--bcher-kva'],
    ['bücher', 'xn--bcher-kva'],
    ['*.mu\u0308ller.example', '*'],
  ])('may have names in Unicode: %s', async (name, subdomain) => {
    const given = { ...A, subdomain: name, type: 'CNAME', value: 'shop.müller.example' };
    const sent = { ...A, subdomain, type: 'CNAME', value: 'shop.xn--mller-kva.example' };
    const run = await move('xn--mller-kva.example', [given], [given]);

    expect(run).toMatchObject({ exitCode: 0, staged: { records: [sent] } });
  });

  test('has texts of several strings, which the saved zone keeps', async () => {
    const text = { ...A, subdomain: 'x', type: 'TXT', value: '"txtvers=1" "qtotal=1"' };
    const run = await move('ex.example', [text], [text]);

    expect(run).toMatchObject({ exitCode: 0, stderr: '', staged: { records: [text] } });
    expect(run.zone).toContain('IN TXT "txtvers=1" "qtotal=1"\n');
  });

  test('has texts with a backslash, which are sent as they came', async () => {
    const text = { ...A, subdomain: 'x', type: 'TXT', value: 'v=DKIM1\\; k=rsa' };
    const run = await move('ex.example', [text], [text]);

    expect(run).toMatchObject({ exitCode: 0, stderr: '', staged: { records: [text] } });
  });
});
