import type { Answer } from 'dns-packet';
import { describe, expect, test } from 'vitest';
import { createResolver, readServer } from '../../src/dns/client.ts';
import { toRecordSets, type WantedRecord } from '../../src/dns/compare.ts';
import { checkDomain } from '../../src/dns/domain-check.ts';
import { BADVERS, type DnsAnswer, type DnsQuestion, REFUSED, testDns } from '../support/dns.ts';
import { type DnsWorld, SOME_DS, testWorld, zoneTable } from '../support/dns-world.ts';
import { closedPort } from '../support/tcp.ts';

const NEW = ['ns1.new.test', 'ns2.new.test'];
const OLD = ['ns1.old.test', 'ns2.old.test'];
const MOVED: DnsWorld = { parent: NEW, resolver: NEW };
/** Longer than any answer takes, however busy the machine is. */
const PATIENT = [120_000];
/** Where somebody is asked who never answers. */
const QUICK = [2_000];

const WANTED: readonly WantedRecord[] = [
  { name: 'moved.test', type: 'A', value: '192.0.2.1' },
  { name: 'www.moved.test', type: 'AAAA', value: '2001:DB8:0:0::1' },
];
const ZONE = { 'moved.test A': ['192.0.2.1'], 'www.moved.test AAAA': ['2001:db8::1'] };

interface Setting {
  readonly nameserver?: (question: DnsQuestion) => DnsAnswer;
  readonly wanted?: readonly WantedRecord[];
  /** How the new nameservers are named; each on the port of the scripted one. */
  readonly expected?: readonly string[];
  readonly alsoNew?: readonly string[];
  readonly triesMs?: readonly number[];
}

async function check(world: DnsWorld, setting: Setting = {}) {
  const {
    nameserver = zoneTable(ZONE),
    wanted = WANTED,
    expected = NEW,
    triesMs = PATIENT,
  } = setting;
  const alsoNew = (setting.alsoNew ?? []).map((host) => readServer(host, ''));
  const served = await testDns(nameserver);
  const resolver = createResolver([await testWorld(() => world)], { triesMs });
  const servers = expected.map((host) => readServer(`${host}:${served.port}`, ''));
  return checkDomain(
    { domain: 'moved.test', expected: servers, alsoNew, sets: toRecordSets(wanted) },
    resolver,
  );
}

test.each<[string, DnsWorld, string, dnssec?: string, ...expected: string[]]>([
  [
    'a switch that the resolver cannot judge is propagating',
    { parent: NEW, resolver: undefined },
    'propagating',
  ],
  [
    'the zone above counts more than what the old zone claims',
    { parent: OLD, resolver: NEW },
    'not_started',
  ],
  [
    'old and new side by side are mixed',
    { parent: [OLD[0] ?? '', NEW[0] ?? ''], resolver: OLD },
    'mixed',
  ],
  [
    'a domain that the zone above says it has not is not delegated',
    { parent: [], resolver: undefined },
    'not_delegated',
  ],
  [
    'a domain that only the resolver knows is judged by it',
    { parent: [], resolver: NEW },
    'complete',
  ],
  ['without the zone above, the resolver decides', { resolver: OLD }, 'not_started'],
  [
    'a DS record counts for nothing before the switch',
    { parent: OLD, resolver: OLD, ds: [SOME_DS] },
    'not_started',
    'signed',
  ],
  ['with a DS record no switch is complete', { ...MOVED, ds: [SOME_DS] }, 'dnssec_on', 'signed'],
  [
    'a DS record is named before caches that have the old nameservers',
    { parent: NEW, resolver: OLD, ds: [SOME_DS] },
    'dnssec_on',
    'signed',
  ],
  [
    'DS records that nobody answers for are unknown, and not absent',
    { ...MOVED, ds: 'fails' },
    'complete',
    'unknown',
  ],
  [
    'new nameservers given by address are recognized by address',
    MOVED,
    'complete',
    'unsigned',
    '127.0.0.1',
  ],
  ['an address that is none of theirs is not', MOVED, 'not_started', 'unsigned', '127.0.0.9'],
  [
    'one of two new nameservers set is a move that is complete',
    { parent: NEW.slice(1), resolver: NEW.slice(1) },
    'complete',
  ],
])('%s', async (_title, world, verdict, state = 'unsigned', ...expected) => {
  expect(await check(world, expected.length > 0 ? { expected } : {})).toMatchObject({
    verdict,
    dnssec: { state },
  });
});

test('a nameserver of the staging that is not asked is a new one, too', async () => {
  const [expected, alsoNew] = [NEW.slice(0, 1), NEW.slice(1)];
  expect(await check(MOVED, { expected, alsoNew })).toMatchObject({ verdict: 'complete' });
});

test('what is wrong with a new nameserver is said before its DS record', async () => {
  const refusing = () => ({ code: REFUSED, authoritative: false }) as const;

  expect(await check({ ...MOVED, ds: [SOME_DS] }, { nameserver: refusing })).toMatchObject({
    verdict: 'broken_nameservers',
    dnssec: { state: 'signed', ds: [expect.stringMatching(/^\d+ \d+ \d+ [0-9A-F]+$/)] },
  });
});

test.each<
  [string, (question: DnsQuestion) => DnsAnswer, state: string, expected?: readonly string[]]
>([
  ['refuses', () => ({ code: REFUSED, authoritative: false }), 'not_serving'],
  [
    'answers without authority',
    ({ name }) => ({ ...soaOf(name), authoritative: false }),
    'not_serving',
  ],
  ['has another zone', () => soaOf('other.test'), 'not_serving'],
  ['has no address', zoneTable(ZONE), 'no_address', ['ns9.new.test', 'ns1.new.test']],
])(
  'a new nameserver that %s breaks the domain after the switch',
  async (_title, nameserver, state, expected = NEW) => {
    const after = await check(MOVED, { nameserver, expected });
    expect(after).toMatchObject({ verdict: 'broken_nameservers', nameservers: [{ state }, {}] });
    const before = await check({ parent: OLD, resolver: OLD }, { nameserver, expected });
    expect(before).toMatchObject({ verdict: 'not_started' });
  },
);

test('if no nameserver can be reached, the resolver is asked for the records', async () => {
  const nothing = await testDns(() => undefined);
  const resolver = await testDns(zoneTable({ ...ZONE, 'ns1.new.test A': ['127.0.0.1'] }));
  const expected = [readServer(`ns1.new.test:${nothing.port}`, '')];
  const question = { domain: 'moved.test', expected, sets: toRecordSets(WANTED) };
  const checked = await checkDomain(question, createResolver([resolver], { triesMs: QUICK }));
  const viaResolver = { matching: 2, different: [], unanswered: 0 };
  expect(checked).toMatchObject({
    verdict: 'incomplete',
    viaResolver,
    nameservers: [{ state: 'silent' }],
  });
});

test('a nameserver with an IPv6 address alone is asked there', async () => {
  const resolver = await testDns(zoneTable({ 'ns1.new.test AAAA': ['::1'] }));
  const port = await closedPort();
  const expected = [readServer(`ns1.new.test:${port}`, '')];
  const question = { domain: 'moved.test', expected, sets: [] };
  const checked = await checkDomain(question, createResolver([resolver], { triesMs: QUICK }));
  expect(checked.nameservers).toMatchObject([{ asked: `[::1]:${port}`, state: 'unreachable' }]);
});

test('a nameserver that stops answering is not asked the rest', async () => {
  let asked = 0;
  const hosts = Array.from({ length: 100 }, (_, index) => `h${index}.moved.test`);
  const wanted = hosts.map((name) => ({ name, type: 'A' as const, value: '192.0.2.1' }));
  const nameserver = (question: DnsQuestion): DnsAnswer => {
    if (question.name === 'moved.test') return zoneTable(ZONE)(question);
    asked += 1;
    return undefined;
  };
  const checked = await check(MOVED, {
    nameserver,
    wanted,
    expected: NEW.slice(0, 1),
    triesMs: QUICK,
  });
  expect(checked).toMatchObject({
    verdict: 'incomplete',
    nameservers: [{ state: 'serves', unanswered: 100 }],
  });
  expect(asked).toBeLessThan(20);
});

test('a nameserver that refuses some records is asked for all of them: that is no silence', async () => {
  const table = zoneTable(ZONE);
  const nameserver = (question: DnsQuestion) =>
    question.type === 'TXT' ? ({ code: REFUSED, authoritative: false } as const) : table(question);
  const texts = Array.from({ length: 20 }, (_, index) => ({
    name: `t${index}.moved.test`,
    type: 'TXT' as const,
    value: 'text',
  }));

  const { nameservers } = await check(MOVED, { nameserver, wanted: [...texts, ...WANTED] });

  expect(nameservers).toMatchObject([{ matching: 2, unanswered: 20 }, { matching: 2 }]);
});

test('an answer counts for the names that its CNAME records lead to', async () => {
  const alias = (name: string, data: string) => ({ name, type: 'CNAME' as const, ttl: 60, data });
  const address: Answer = { name: 'c.test', type: 'AAAA', ttl: 60, data: '2001:db8::1' };
  const answers = [alias('b.test', 'c.test'), alias('WWW.moved.test', 'b.test'), address];
  const table = zoneTable(ZONE);
  const nameserver = (question: DnsQuestion) =>
    question.type === 'AAAA' ? { answers } : table(question);
  expect((await check(MOVED, { nameserver })).verdict).toBe('complete');
});

test('a text with bytes that are not UTF-8 is not the text that was staged in their place', async () => {
  const wanted: readonly WantedRecord[] = [{ name: 'moved.test', type: 'TXT', value: 'a\ufffd' }];
  const nameserver = zoneTable({ 'moved.test TXT': [Buffer.from([0x61, 0xff])] });
  expect((await check(MOVED, { nameserver, wanted })).verdict).toBe('broken_records');
});

test('a second resolver is asked where the first fails, and without any answer there is no verdict', async () => {
  const failing = await testWorld(() => ({ parent: NEW, resolver: undefined }));
  const working = await testWorld(() => MOVED);
  const lookup = await createResolver([failing, working], { triesMs: PATIENT }).lookup(
    'moved.test',
    'NS',
  );
  expect(lookup).toMatchObject({ records: [{}, {}], from: { port: working.port } });
  const question = { domain: 'moved.test', expected: [], sets: [] };
  await expect(checkDomain(question, createResolver([]))).rejects.toMatchObject({
    code: 'unavailable',
  });
});

describe('a zone below the domain on the same nameserver', () => {
  const staged: readonly WantedRecord[] = [
    ...WANTED,
    { name: 'sub.moved.test', type: 'NS', value: 'ns1.staged.test' },
  ];
  const child = { 'sub.moved.test NS': ['ns1.new.test', 'ns2.new.test'] };
  const soa = { mname: 'ns1.new.test', rname: 'admin.new.test', serial: 1 };

  test('answers with its own NS records, which is no difference', async () => {
    const nameserver = zoneTable({ ...ZONE, ...child, 'sub.moved.test SOA': [soa] });
    const checked = await check(MOVED, { nameserver, wanted: staged });

    expect(checked).toMatchObject({ verdict: 'complete', nameservers: [{ matching: 3 }, {}] });
  });

  test('answers so through a resolver, too, where no nameserver can be reached', async () => {
    const hosts = { 'ns1.new.test A': ['127.0.0.1'] };
    const table = zoneTable({ ...ZONE, ...hosts, ...child, 'sub.moved.test SOA': [soa] });
    const resolver = await testDns((question) => ({ ...table(question), authoritative: false }));
    const expected = [readServer(`ns1.new.test:${await closedPort()}`, '')];
    const question = { domain: 'moved.test', expected, sets: toRecordSets(staged) };

    const checked = await checkDomain(question, createResolver([resolver], { triesMs: QUICK }));

    expect(checked.viaResolver).toMatchObject({ matching: 3, different: [] });
  });

  test('is looked at only where there is one: another delegation is a difference', async () => {
    const nameserver = zoneTable({ ...ZONE, ...child });
    expect((await check(MOVED, { nameserver, wanted: staged })).verdict).toBe('broken_records');
    const missing = zoneTable({ ...ZONE, 'sub.moved.test SOA': [soa] });
    expect((await check(MOVED, { nameserver: missing, wanted: staged })).verdict).toBe(
      'broken_records',
    );
  });

  test('is not asked for where the delegation is as it was staged', async () => {
    const referral = (question: DnsQuestion) =>
      question.name === 'sub.moved.test'
        ? {
            authoritative: false,
            authorities: [
              { name: 'sub.moved.test', type: 'NS', ttl: 60, data: 'ns1.staged.test' } as Answer,
            ],
          }
        : zoneTable(ZONE)(question);

    expect((await check(MOVED, { nameserver: referral, wanted: staged })).verdict).toBe('complete');
  });
});

test('a server that has no answer but an extended response code has not lost the records', async () => {
  const nameserver = (question: DnsQuestion): DnsAnswer =>
    question.type === 'AAAA' ? { code: BADVERS } : zoneTable(ZONE)(question);

  expect(await check(MOVED, { nameserver })).toMatchObject({
    verdict: 'incomplete',
    nameservers: [{ different: [], unansweredSets: [{ type: 'AAAA', reason: 'OTHER' }] }, {}],
  });
});

test.each<[what: string, names: readonly string[], old: readonly string[]]>([
  ['the new ones', NEW, []],
  ['the old ones', OLD, OLD],
  ['one of each', ['ns1.old.test', 'ns1.new.test'], ['ns1.old.test']],
  ['others in upper case', ['NS1.NEW.test', 'NS9.OLD.test'], ['ns9.old.test']],
])('a new nameserver may name %s itself', async (_what, names, oldNameservers) => {
  const nameserver = zoneTable({ ...ZONE, 'moved.test NS': names });

  expect(await check(MOVED, { nameserver })).toMatchObject({
    verdict: 'complete',
    nameservers: [{ oldNameservers }, { oldNameservers }],
  });
});

function soaOf(name: string) {
  const data = { mname: 'ns1.new.test', rname: 'admin.new.test', serial: 1 };
  return { answers: [{ name, type: 'SOA' as const, ttl: 60, data }] };
}
