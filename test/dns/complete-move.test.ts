import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createResolver } from '../../src/dns/client.ts';
import { toRecordSets, type WantedRecord } from '../../src/dns/compare.ts';
import { checkDomain } from '../../src/dns/domain-check.ts';
import {
  type DnsAnswer,
  type DnsQuestion,
  NXDOMAIN,
  REFUSED,
  SERVFAIL,
  testDns,
} from '../support/dns.ts';
import { testWorld, zoneTable } from '../support/dns-world.ts';
import { tries } from '../support/property.ts';

const NAMESERVERS = ['ns1.new.test', 'ns2.new.test'];
const WANTED: readonly WantedRecord[] = [
  { name: 'moved.test', type: 'A', value: '192.0.2.1' },
  { name: 'moved.test', type: 'MX', value: 'mail.moved.test', priority: 10 },
  { name: 'moved.test', type: 'TXT', value: 'v=spf1 mx -all' },
];
const ZONE: Readonly<Record<string, readonly unknown[]>> = {
  'moved.test A': ['192.0.2.1'],
  'moved.test MX': [{ preference: 10, exchange: 'mail.moved.test' }],
  'moved.test TXT': [Buffer.from('v=spf1 mx -all')],
};
const OTHER: Readonly<Record<string, unknown>> = {
  A: '203.0.113.9',
  MX: { preference: 10, exchange: 'mail.evil.test' },
  TXT: Buffer.from('v=spf1 +all'),
};

/** What a way to answer for a set depends on. */
interface Asked extends DnsQuestion {
  readonly right: DnsAnswer;
  readonly isFirst: boolean;
}
type Way = (asked: Asked) => DnsAnswer;

const answered = (name: string, type: string, data: unknown) => {
  return { answers: [{ name, type, ttl: 60, data } as never] };
};

/** Ways to answer that leave the staged records to be seen, and others. */
const GOOD: Readonly<Record<string, Way>> = {
  right: ({ right }) => right,
  'over TCP': ({ over, right }) => (over === 'udp' ? { truncated: true } : right),
  'SERVFAIL at first': ({ isFirst, right }) => (isFirst ? { code: SERVFAIL } : right),
  'REFUSED at first': ({ isFirst, right }) => (isFirst ? { code: REFUSED } : right),
};
const BAD: Readonly<Record<string, Way>> = {
  SERVFAIL: () => ({ code: SERVFAIL }),
  REFUSED: () => ({ code: REFUSED }),
  silence: () => undefined,
  'another owner': ({ name, type }) => answered('evil.test', type, ZONE[`${name} ${type}`]?.[0]),
  'another value': ({ name, type }) => answered(name, type, OTHER[type]),
  nothing: () => ({}),
  'no such name': () => ({ code: NXDOMAIN }),
};

/** How a nameserver answers for each set. */
type Mix = Readonly<Record<string, string>>;
const oneOf = (ways: object) => fc.constantFrom(...Object.keys(ways));
const way = fc.oneof({ weight: 8, arbitrary: oneOf(GOOD) }, { weight: 1, arbitrary: oneOf(BAD) });
const mix: fc.Arbitrary<Mix> = fc.record(
  Object.fromEntries(Object.keys(ZONE).map((set) => [set, way])),
);

test('a move is complete only if every nameserver answers for every set of records with what was staged', async () => {
  let mixes: readonly Mix[] = [];
  const asked = new Set<string>();
  const table = zoneTable(ZONE);
  const answer = (index: number) => (question: DnsQuestion) => {
    const set = `${question.name} ${question.type}`;
    const isFirst = !asked.has(`${index} ${set}`);
    asked.add(`${index} ${set}`);
    return { ...GOOD, ...BAD }[mixes[index]?.[set] ?? 'right']?.({
      ...question,
      right: table(question),
      isFirst,
    });
  };
  const servers = await Promise.all(NAMESERVERS.map((_, index) => testDns(answer(index))));
  const world = await testWorld(() => ({ parent: NAMESERVERS, resolver: NAMESERVERS }));
  const expected = servers.map(({ port }, index) => ({ host: NAMESERVERS[index] ?? '', port }));
  const question = { domain: 'moved.test', expected, sets: toRecordSets(WANTED) };
  /** A slow machine that got no answer at all is given more time. */
  const look = async (waitMs: number): ReturnType<typeof checkDomain> => {
    asked.clear();
    const resolver = createResolver([world], { triesMs: [waitMs, waitMs] });
    return checkDomain(question, resolver).catch((error) => {
      if (error.code !== 'unavailable' || waitMs > 20_000) throw error;
      return look(waitMs * 4);
    });
  };
  const isComplete = async (now: readonly Mix[]) => {
    mixes = now;
    const ways = now.flatMap((one) => Object.values(one));
    // Somebody who never answers is not waited for; whoever answers may take long.
    const { verdict } = await look(ways.includes('silence') ? 20 : 20_000);
    if (ways.every((one) => one in GOOD)) expect(verdict).toBe('complete');
    else expect(verdict).toMatch(/^(?:incomplete|broken_records|broken_nameservers)$/);
  };
  // Each bad way alone, then any mix.
  for (const one of Object.keys(BAD)) await isComplete([{}, { 'moved.test MX': one }]);
  await fc.assert(fc.asyncProperty(fc.tuple(mix, mix), isComplete), tries(300, 60_125));
}, 300_000);
