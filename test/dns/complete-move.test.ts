import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toRecordSets, type WantedRecord } from '../../src/dns/compare.ts';
import { checkDomain } from '../../src/dns/domain-check.ts';
import { createResolver } from '../../src/dns/resolver.ts';
import { type DnsAnswer, type DnsQuestion, NXDOMAIN, REFUSED, SERVFAIL, testDns } from '../support/dns.ts';
import { testWorld, zoneTable } from '../support/dns-world.ts';
import { tries } from '../support/property.ts';

const NAMESERVERS = ['ns1.new.test', 'ns2.new.test'];
const WANTED: readonly WantedRecord[] = [
  { name: 'moved.test', type: 'A', value: '192.0.2.1' },
  { name: 'moved.test', type: 'MX', value: 'mail.moved.test', priority: 10 },
  { name: 'moved.test', type: 'TXT', value: 'v=spf1 mx -all' },
  { name: 'www.moved.test', type: 'AAAA', value: '2001:db8::1' },
];
const ZONE: Readonly<Record<string, readonly unknown[]>> = {
  'moved.test A': ['192.0.2.1'],
  'moved.test MX': [{ preference: 10, exchange: 'mail.moved.test' }],
  'moved.test TXT': [Buffer.from('v=spf1 mx -all')],
  'www.moved.test AAAA': ['2001:db8::1'],
};
const OTHER: Readonly<Record<string, unknown>> = {
  A: '203.0.113.9',
  MX: { preference: 10, exchange: 'mail.evil.test' },
  TXT: Buffer.from('v=spf1 +all'),
  AAAA: '2001:db8::9',
};
const SETS = Object.keys(ZONE);

/** What a way to answer for a set depends on. */
interface Asked extends DnsQuestion {
  readonly right: DnsAnswer;
  /** How often the set was asked for before. */
  readonly before: number;
}

const answered = (name: string, type: string, data: unknown) => {
  return { answers: [{ name, type, ttl: 60, data } as never] };
};

/** Ways to answer that leave the staged records to be seen, and others. */
const GOOD: Readonly<Record<string, (asked: Asked) => DnsAnswer>> = {
  right: ({ right }) => right,
  'over TCP': ({ over, right }) => (over === 'udp' ? { truncated: true } : right),
  'SERVFAIL at first': ({ before, right }) => (before === 0 ? { code: SERVFAIL } : right),
  'REFUSED at first': ({ before, right }) => (before === 0 ? { code: REFUSED } : right),
};
const BAD: Readonly<Record<string, (asked: Asked) => DnsAnswer>> = {
  SERVFAIL: () => ({ code: SERVFAIL }),
  REFUSED: () => ({ code: REFUSED }),
  silence: () => undefined,
  'another owner': ({ name, type }) => answered('evil.test', type, ZONE[`${name} ${type}`]?.[0]),
  'another value': ({ name, type }) => answered(name, type, OTHER[type]),
  nothing: () => ({}),
  'no such name': () => ({ code: NXDOMAIN }),
};
type Mix = Readonly<Record<string, string>>;

const way = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...Object.keys(GOOD)) },
  { weight: 1, arbitrary: fc.constantFrom(...Object.keys(BAD)) },
);
const mix: fc.Arbitrary<Mix> = fc.record(Object.fromEntries(SETS.map((set) => [set, way])));

/** A nameserver that answers for each set in the way of the mix; all else it answers as it should. */
function nameserver(mixNow: () => Mix) {
  const table = zoneTable(ZONE);
  let asked: string[] = [];
  let last: Mix | undefined;
  return (question: DnsQuestion): DnsAnswer => {
    const current = mixNow();
    if (current !== last) asked = [];
    last = current;
    const set = `${question.name} ${question.type}`;
    const before = asked.filter((other) => other === set).length;
    asked.push(set);
    const right = table(question);
    const found = current[set] ?? 'right';
    return { ...GOOD, ...BAD }[found]?.({ ...question, right, before });
  };
}

test('a move is complete only if every nameserver answers for every set of records with what was staged', async () => {
  let mixes: readonly Mix[] = [];
  const servers = await Promise.all(NAMESERVERS.map((_, index) => testDns(nameserver(() => mixes[index] ?? {}))));
  const world = await testWorld(() => ({ parent: NAMESERVERS, resolver: NAMESERVERS }));
  const expected = NAMESERVERS.map((host, index) => ({ host, port: servers[index]?.port ?? 0 }));
  const question = { domain: 'moved.test', expected, sets: toRecordSets(WANTED) };
  const isComplete = async (now: readonly Mix[]) => {
    mixes = now;
    const ways = now.flatMap((one) => Object.values(one));
    const isGood = ways.every((one) => one in GOOD);
    // Somebody who never answers is not waited for; whoever answers may take long.
    const triesMs = ways.includes('silence') ? [20, 20] : [5_000, 5_000];
    const { verdict, nameservers } = await checkDomain(question, createResolver([world], { triesMs }));
    if (isGood) expect(verdict).toBe('complete');
    else expect(['incomplete', 'broken_records', 'broken_nameservers']).toContain(verdict);
    const matching = nameservers.map((nameserver) => nameserver.matching);
    if (verdict === 'complete') expect(matching).toEqual(NAMESERVERS.map(() => SETS.length));
  };
  const right: Mix = Object.fromEntries(SETS.map((set) => [set, 'right']));
  // Each bad way alone, then any mix.
  for (const bad of Object.keys(BAD)) await isComplete([right, { ...right, [SETS[1] ?? '']: bad }]);
  await isComplete([right, right]);
  await fc.assert(fc.asyncProperty(fc.tuple(mix, mix), isComplete), tries(300, 60_125));
}, 300_000);
