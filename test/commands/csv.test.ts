import { expect, test } from 'vitest';
import { against } from '../support/against.ts';
import { testWorld } from '../support/dns-world.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

const ROWS = [
  { id: 'org_1', slug: 'acme', name: 'Acme, "the" one', role: 'owner' },
  { id: 'org_2', slug: 'hostile', name: '=cmd|x\u001b[2J', role: 'member' },
];

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

const ME = { 'GET /v1/user': [{ organization: ROWS[0], organizations: ROWS }] };
const scanned = (answer: object = SCAN) => ({ 'POST /v1/domains/import/scan': [answer] });

const ORGS_CSV = `id,slug,name,role,active
org_1,acme,"Acme, ""the"" one",owner,true
org_2,hostile,'=cmd|x\\u{1b}[2J,member,false
`;
const RECORDS_CSV = `name,type,ttl,priority,value,other
example.com,TXT,300,,"'=a, ""b""","{""proxied"":true}"
example.com,MX,300,10,mail.example.com,
www.example.com,A,3600,,192.0.2.1,
`;
// An empty column keeps its place.
const GAPS =
  'TYPE  PRIORITY  OTHER             NAME\nTXT             {"proxied":true}  example.com\n' +
  'MX    10                          example.com\nA                                 www.example.com\n';
const HISTORY = { points: [{ time: '2026-03-01T12:00:00.000Z', cpu: 4.5, memory: 10 }] };
const A_DAY = 'metrics a --since 2026-03-01 --until 2026-03-02 --columns';

const LARGE =
  '{"points":[{"time":"2026-03-01T12:00:00Z","bytes":9007199254740993,"delta":-5.25},' +
  '{"time":"2026-03-01T13:00:00Z","bytes":12345678901234567891,"delta":1.5}]}';

const LAST_LARGE = '2026-03-01T13:00:00Z,12345678901234567891,1.5';

test.each([
  ['2026-03-01', ['2026-03-01T12:00:00Z,9007199254740993,-5.25', LAST_LARGE]],
  ['2026-03-01T13:00:00Z', [LAST_LARGE]],
])('points since %s have every digit of large numbers', async (since, expected) => {
  const run = await against(`metrics a --since ${since} --until 2026-03-02 --csv`, {
    'GET /v1/services/a/metrics/history': [LARGE],
  });

  const [head, ...rows] = run.stdout.trimEnd().split('\n');
  expect(head).toBe('time,bytes,delta');
  expect(rows).toEqual(expected);
});

test.each<[line: string, answers: Record<string, object[]>, stdout: unknown]>([
  ['orgs --csv', ME, ORGS_CSV],
  ['domains import example.com --csv', scanned(), RECORDS_CSV],
  ['profiles --csv', {}, 'profile,current,account,address,expires,org,organizationId,tokenId\n'],
  [
    'config --csv',
    {},
    expect.stringMatching(/^setting,value,from,origin\napi-url,http:\S+,SVC_API_URL,environment\n/),
  ],
  ['doctor --csv', ME, expect.stringMatching(/^check,state,found,fix\nfiles,good,/)],
  // Columns in their order, and nothing else.
  ['orgs --columns slug,ID', ME, 'SLUG     ID\nacme     org_1\nhostile  org_2\n'],
  ['orgs --csv --no-header --columns id', ME, 'org_1\norg_2\n'],
  ['domains import example.com --columns type,priority,other,name', scanned(), GAPS],
  // Those of a history are the series of the answer.
  [
    `${A_DAY} memory,time`,
    { 'GET /v1/services/a/metrics/history': [HISTORY] },
    'MEMORY  TIME\n    10  2026-03-01T12:00:00Z\n',
  ],
])('svc %s prints its table', async (line, answers, stdout) => {
  const run = await against(line, answers, { cwd: await temporaryFolder() });
  expect(run.stdout).toEqual(stdout);
  expect([0, 9]).toContain(run.exitCode);
  // What a scan warns of stands beside its table.
  expect(run.stderr.includes('Warning: the scan may have missed names\n')).toBe(
    line.startsWith('domains'),
  );
});

test.each([
  ['orgs --csv --json', '--csv and --json cannot be used together.'],
  ['orgs --csv --jq .', '--csv and --json cannot be used together.'],
  ['domains import example.com --csv --output x.json', 'Use --csv or --output, not both.'],
  [
    'orgs --columns slug,nmae',
    'There is no column "nmae". The columns are id, slug, name, role, active.',
  ],
  [
    'domains import a.test b.test --columns domain',
    'In a batch, --columns and --no-header are for --csv.',
  ],
])('svc %s is refused before anything is sent', async (line, message) => {
  const run = await against(line, {});
  expect(run).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining(message),
    sent: [],
  });
});

test('the servers of a move are a table', async () => {
  const resolver = await testWorld(() => ({
    parent: ['ns1.new.test'],
    resolver: ['ns1.new.test'],
  }));
  const env = { SVC_DNS_SERVER: `${resolver.host}:${resolver.port}` };
  const { stdout } = await svc(
    'domains status moved.test --nameserver ns1.new.test --csv'.split(' '),
    { env },
  );
  expect(stdout).toMatch(
    /^nameserver,address,state,setsAsStaged,different,unanswered\nns1\.new\.test,127\.0\.0\.1:\d+,\w+,0,0,0\n$/,
  );
});
