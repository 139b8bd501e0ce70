import { expect, test } from 'vitest';
import { testWorld } from '../support/dns-world.ts';
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
  ['profiles', undefined, {}, 'profile,current,baseUrl,email,organizationId,org,tokenId,expiresAt\n'],
  ['config', undefined, {}, /^name,value,origin,where\napi-url,http:\S+,environment,SVC_API_URL\n/],
  [
    'buy --pending',
    undefined,
    {},
    'idempotencyKey,createdAt,summary,apiUrl,organization,resume,profile,tokenEnding,placed,notPlaced\n',
  ],
  ['doctor', 'GET /v1/user', USER, /^name,state,found,fix\nfiles,good,/],
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
    /^nameserver,asked,state,matching,different,unanswered\nns1\.new\.test,127\.0\.0\.1:\d+,\w+,0,0,0\n$/,
  );
});

test('what a scan warns of stands beside its table', async () => {
  const { stderr } = await run('domains import example.com', 'POST /v1/domains/import/scan', SCAN, ['--csv']);
  expect(stderr).toContain('Warning: the scan may have missed names\n');
});

test.each([
  ['buy --plan p1 --csv', '--csv needs --pending.'],
  ['domains import example.com --csv --format zone', 'Use --csv or --format, not both.'],
  ['domains import example.com --csv --output x.json', 'Use --csv or --output, not both.'],
])('svc %s is refused', async (argv, message) => {
  const wire = await testWire();
  const done = await svc(argv.split(' '), { url: wire.url });
  expect(done).toMatchObject({ exitCode: 2, stdout: '' });
  expect(done.stderr).toContain(message);
  expect(wire.requests).toEqual([]);
});
