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
const SETS = WANTED.map(({ name, type }) => `${name} ${type}`);

/** Ways to answer for a set that leave the staged records to be seen. */
const GOOD = ['right', 'over TCP', 'SERVFAIL at first', 'REFUSED at first'] as const;
const BAD = ['SERVFAIL', 'REFUSED', 'silence', 'another owner', 'another value', 'nothing', 'no such name'] as const;
type Way = (typeof GOOD)[number] | (typeof BAD)[number];
type Mix = Readonly<Record<string, Way>>;

const way = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...GOOD) },
  { weight: 1, arbitrary: fc.constantFrom(...BAD) },
);
const mix: fc.Arbitrary<Mix> = fc.record(Object.fromEntries(SETS.map((set) => [set, way])));

/** A nameserver that answers for each set in the way of the mix; all else it answers as it should. */
function nameserver(mixNow: () => Mix) {
  const table = zoneTable(ZONE);
  let asked = new Map<string, number>();
  let last: Mix | undefined;
  return (question: DnsQuestion): DnsAnswer => {
    const current = mixNow();
    if (current !== last) asked = new Map();
    last = current;
    const set = `${question.name} ${question.type}`;
    const found = current[set];
    const turn = (asked.get(set) ?? 0) + 1;
    asked.set(set, turn);
    return found === undefined ? table(question) : inWay(found, question, turn, table(question));
  };
}

function inWay(found: Way, { name, type, over }: DnsQuestion, turn: number, right: DnsAnswer): DnsAnswer {
  const record = (owner: string, data: unknown) => ({ answers: [{ name: owner, type, ttl: 60, data } as never] });
  switch (found) {
    case 'right':
      return right;
    case 'over TCP':
      return over === 'udp' ? { truncated: true } : right;
    case 'SERVFAIL at first':
      return turn === 1 ? { code: SERVFAIL } : right;
    case 'REFUSED at first':
      return turn === 1 ? { code: REFUSED } : right;
    case 'SERVFAIL':
      return { code: SERVFAIL };
    case 'REFUSED':
      return { code: REFUSED };
    case 'silence':
      return undefined;
    case 'another owner':
      return record('evil.test', ZONE[`${name} ${type}`]?.[0]);
    case 'another value':
      return record(name, OTHER[type]);
    case 'nothing':
      return {};
    case 'no such name':
      return { code: NXDOMAIN };
  }
}

test('a move is complete only if every nameserver answers for every set of records with what was staged', async () => {
  let mixes: readonly Mix[] = [];
  const servers = await Promise.all(NAMESERVERS.map((_, index) => testDns(nameserver(() => mixes[index] ?? {}))));
  const world = await testWorld(() => ({ parent: NAMESERVERS, resolver: NAMESERVERS }));
  const expected = NAMESERVERS.map((host, index) => ({ host, port: servers[index]?.port ?? 0 }));
  const question = { domain: 'moved.test', expected, sets: toRecordSets(WANTED) };
  const resolver = createResolver([world], { triesMs: [5_000, 5_000] });
  const isComplete = async (now: readonly Mix[]) => {
    mixes = now;
    const ways = now.flatMap((one) => Object.values(one));
    const isGood = ways.every((one) => GOOD.some((good) => good === one));
    // Somebody who never answers is not waited for; whoever answers may take long.
    const triesMs = ways.includes('silence') ? [20, 20] : [5_000, 5_000];
    const { verdict, reports } = await checkDomain(question, resolver, { triesMs });
    if (isGood) expect(verdict).toBe('complete');
    else expect(['incomplete', 'broken_records', 'broken_nameservers']).toContain(verdict);
    const matching = reports.map((report) => report.matching);
    if (verdict === 'complete') expect(matching).toEqual(NAMESERVERS.map(() => SETS.length));
  };
  const right: Mix = Object.fromEntries(SETS.map((set) => [set, 'right']));
  // Each bad way alone, then any mix.
  for (const bad of BAD) await isComplete([right, { ...right, [SETS[1] ?? '']: bad }]);
  await isComplete([right, right]);
  await fc.assert(fc.asyncProperty(fc.tuple(mix, mix), isComplete), tries(300, 60_125));
}, 300_000);
