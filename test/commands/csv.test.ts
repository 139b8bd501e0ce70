import { expect, test } from 'vitest';
import { testWorld } from '../support/dns-world.ts';
import { inSandbox } from '../support/in-sandbox.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const USER = {
  user: { email: 'marie@example.com' },
  organization: { id: 'org_1', slug: 'acme', name: 'Acme, "the" one', role: 'owner' },
  organizations: [
    { id: 'org_1', slug: 'acme', name: 'Acme, "the" one', role: 'owner' },
    { id: 'org_2', slug: 'hostile', name: '=cmd|x\u001b[2J', role: 'member' },
  ],
};

const SCAN = {
  apex: 'example.com',
  currentNameservers: ['ns1.old.example'],
  records: [
    { subdomain: 'www', type: 'A', value: '192.0.2.1', ttl: 3600 },
    { subdomain: '', type: 'TXT', value: '=a, "b"', ttl: 300, proxied: true },
    { subdomain: '', type: 'MX', value: 'mail.example.com', ttl: 300, priority: 10 },
  ],
  warnings: ['the scan may have missed names'],
};

/** Each command with a table, and the rows that it prints. */
const TABLES: ReadonlyArray<readonly [argv: string, asks: string | undefined, answer: object, csv: string | RegExp]> = [
  [
    'orgs',
    'GET /v1/user',
    USER,
    `id,slug,name,role,active
org_1,acme,"Acme, ""the"" one",owner,true
org_2,hostile,'=cmd|x\\u{1b}[2J,member,false
`,
  ],
  [
    'domains import example.com',
    'POST /v1/domains/import/scan',
    SCAN,
    `name,type,ttl,priority,value,other
example.com,TXT,300,,"'=a, ""b""","{""proxied"":true}"
example.com,MX,300,10,mail.example.com,
www.example.com,A,3600,,192.0.2.1,
`,
  ],
  ['profiles', undefined, {}, 'profile,current,account,address,expires,org,organizationId,tokenId\n'],
  ['config', undefined, {}, /^setting,value,from,origin\napi-url,http:\S+,SVC_API_URL,environment\n/],
  ['orders', undefined, {}, 'sent,order,items,amount,currency,status,state,label,organization,key,address,account\n'],
  ['doctor', 'GET /v1/user', USER, /^check,state,found,fix\nfiles,good,/],
];

async function run(argv: string, asks: string | undefined, answer: object, more: readonly string[]) {
  const wire = await testWire();
  const [method = '', path = ''] = asks?.split(' ') ?? [];
  if (asks !== undefined) wire.on(method, path).always(200, answer);
  return await svc([...argv.split(' '), ...more], { url: wire.url, cwd: await temporaryFolder() });
}

test.each(TABLES)('svc %s prints its table with --csv', async (argv, asks, answer, csv) => {
  const { exitCode, stdout } = await run(argv, asks, answer, ['--csv']);
  if (typeof csv === 'string') expect(stdout).toBe(csv);
  else expect(stdout).toMatch(csv);
  expect([0, 9]).toContain(exitCode);
});

test.each(TABLES)('svc %s has one form at a time', async (argv) => {
  const wire = await testWire();
  for (const other of [['--json'], ['--jq', '.']]) {
    const done = await svc([...argv.split(' '), '--csv', ...other], { url: wire.url });
    expect(done).toMatchObject({
      exitCode: 2,
      stdout: '',
      error: { error: '--csv and --json cannot be used together.' },
    });
  }
  expect(wire.requests).toEqual([]);
});

test('the servers of a move are a table', async () => {
  const resolver = await testWorld(() => ({ parent: ['ns1.new.test'], resolver: ['ns1.new.test'] }));
  const { stdout } = await svc(['domains', 'status', 'moved.test', '--nameserver', 'ns1.new.test', '--csv'], {
    env: { SVC_DNS_SERVER: `${resolver.address}:${resolver.port}` },
  });
  expect(stdout).toMatch(
    /^nameserver,address,state,setsAsStaged,different,unanswered\nns1\.new\.test,127\.0\.0\.1:\d+,\w+,0,0,0\n$/,
  );
});

test('what a scan warns of stands beside its table', async () => {
  const { stderr } = await run('domains import example.com', 'POST /v1/domains/import/scan', SCAN, ['--csv']);
  expect(stderr).toContain('Warning: the scan may have missed names\n');
});

test.each([
  ['domains import example.com --csv --format zone', 'Use --csv or --format, not both.'],
  ['domains import example.com --csv --output x.json', 'Use --csv or --output, not both.'],
])('svc %s is refused', async (argv, message) => {
  const wire = await testWire();
  const done = await svc(argv.split(' '), { url: wire.url });
  expect(done).toMatchObject({ exitCode: 2, stdout: '' });
  expect(done.stderr).toContain(message);
  expect(wire.requests).toEqual([]);
});

const ORGS = TABLES[0] ?? ['', '', {}, ''];

test('--columns prints the chosen columns, in their order, and nothing else', async () => {
  const [argv, asks, answer] = ORGS;
  const printed = async (...more: string[]) => (await run(argv, asks, answer, more)).stdout;
  expect(await printed('--columns', 'slug, ID')).toBe('SLUG     ID\nacme     org_1\nhostile  org_2\n');
  expect(await printed('--columns', 'slug', '--no-header')).toBe('acme\nhostile\n');
  expect(await printed('--columns', 'active,slug', '--csv')).toBe('active,slug\ntrue,acme\nfalse,hostile\n');
  expect(await printed('--csv', '--no-header', '--columns', 'id')).toBe('org_1\norg_2\n');
  expect(await printed('--no-header')).toBe(
    'org_1  acme     Acme, "the" one  owner   true\norg_2  hostile  =cmd|x\\u{1b}[2J  member  false\n',
  );
});

test.each([
  ['svc orgs', 'NAME,SLUG,ROLE,ID', []],
  ['svc config', 'SETTING,VALUE,FROM', []],
  ['svc doctor', 'CHECK,STATE,FOUND', []],
  ['svc changes', 'WHEN,WHO,WHAT,SERVICE,RESULT,REQUEST', ['svc restart']],
  ['svc orders', 'SENT,ORDER,ITEMS,AMOUNT,STATUS,ORGANIZATION,KEY', ['svc buy --plan plan_wp_free --yes']],
  ['svc domains import kola-studio.example', 'NAME,TYPE,TTL,VALUE', []],
])('the heads that %s prints are the names of its columns: %s', async (line, heads, before) => {
  const home = await temporaryFolder();
  const { stdout } = await inSandbox(line, home, {}, before);
  const printed = stdout.split('\n').find((one) => one.trim().split(/ {2,}/).join(',') === heads);
  expect(printed, stdout).toBeDefined();
  const chosen = await inSandbox(`${line} --columns ${heads}`, home);
  expect(chosen.stdout.split('\n')[0]?.split(/ {2,}/).join(',')).toBe(heads);
});

test('an empty column keeps its place', async () => {
  const { stdout } = await run('domains import example.com', 'POST /v1/domains/import/scan', SCAN, [
    '--columns',
    'type,priority,other,name',
  ]);
  expect(stdout).toBe(
    'TYPE  PRIORITY  OTHER             NAME\nTXT             {"proxied":true}  example.com\n' +
      'MX    10                          example.com\nA                                 www.example.com\n',
  );
});

test.each([
  ['orgs --columns slug,nmae', 'There is no column "nmae". The columns are id, slug, name, role, active.'],
  ['orgs --columns ,', '--columns has an empty name.'],
  ['metrics a --watch --columns time', '--watch and --columns cannot be used together.'],
  ['domains import a.test b.test --columns domain', 'With several, --columns and --no-header are for --csv.'],
  ['metrics a b --csv --columns cpu', 'There is no column "cpu". The columns are service, time, series, value.'],
])('svc %s is refused before anything is sent', async (argv, message) => {
  const wire = await testWire();
  const done = await svc(argv.split(' '), { url: wire.url });
  expect(done).toMatchObject({ exitCode: 2, stdout: '' });
  expect(done.stderr).toContain(message);
  expect(wire.requests).toEqual([]);
});

test('the columns of a history are its series, which the answer names; numbers stand on the right', async () => {
  const wire = await testWire();
  const points = [{ time: '2026-03-01T12:00:00.000Z', cpu: 4.5, memory: 10 }];
  wire.on('GET', '/v1/services/a/metrics/history').always(200, { points });
  const since = ['metrics', 'a', '--since', '2026-03-01', '--until', '2026-03-02'];
  const { stdout } = await svc([...since, '--columns', 'memory,time'], { url: wire.url });
  expect(stdout).toBe('MEMORY  TIME\n    10  2026-03-01T12:00:00Z\n');
  const wrong = await svc([...since, '--columns', 'disk'], { url: wire.url });
  expect(wrong).toMatchObject({ exitCode: 2, stdout: '' });
  expect(wrong.stderr).toContain('There is no column "disk". The columns are time, cpu, memory.');
});

test('a drawn table has a limit, and says how to get past it', async () => {
  const records = Array.from({ length: 1_001 }, (_, at) => ({ subdomain: `h${at}`, type: 'A', value: '192.0.2.1' }));
  const scan = { ...SCAN, records };
  const asks = 'POST /v1/domains/import/scan';
  const drawn = await run('domains import example.com', asks, scan, ['--columns', 'name']);
  expect(drawn).toMatchObject({ exitCode: 2, stdout: '' });
  expect(drawn.stderr).toContain('The table has more than 1,000 rows.');
  const csv = await run('domains import example.com', asks, scan, ['--columns', 'name', '--csv', '--no-header']);
  expect(csv.stdout.split('\n')).toHaveLength(1_002);
});
