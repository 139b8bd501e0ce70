import { generateKeyPairSync } from 'node:crypto';
import type { Answer } from 'dns-packet';
import { expect, test } from 'vitest';
import { toRecordSets, type WantedRecord } from '../../src/dns/compare.ts';
import { checkDomain } from '../../src/dns/domain-check.ts';
import { createResolver } from '../../src/dns/resolver.ts';
import { readServer } from '../../src/dns/server.ts';
import { type DnsAnswer, type DnsQuestion, REFUSED, type ScriptedDns, testDns } from '../support/dns.ts';
import { type DnsWorld, SOME_DS, testWorld, zoneTable } from '../support/dns-world.ts';
import { dsFor } from '../support/dnssec.ts';

const NEW = ['ns1.new.test', 'ns2.new.test'];
const OLD = ['ns1.old.test', 'ns2.old.test'];
/** Longer than any answer takes, however busy the machine is. */
const PATIENT = { triesMs: [120_000] };
/** Where somebody is asked who never answers. */
const QUICK = { triesMs: [2_000] };

const WANTED: readonly WantedRecord[] = [
  { name: 'moved.test', type: 'A', value: '192.0.2.1' },
  { name: 'moved.test', type: 'MX', value: 'Mail.moved.test.', priority: 10 },
  { name: 'www.moved.test', type: 'AAAA', value: '2001:DB8:0:0::1' },
];
const ZONE = {
  'moved.test A': ['192.0.2.1'],
  'moved.test MX': [{ preference: 10, exchange: 'mail.moved.test' }],
  'www.moved.test AAAA': ['2001:db8::1'],
};

interface Setting {
  readonly world: DnsWorld;
  readonly nameserver?: (question: DnsQuestion) => DnsAnswer;
  readonly wanted?: readonly WantedRecord[];
  /** How the new nameservers are named; each on the port of the scripted one. */
  readonly expected?: readonly string[];
  readonly options?: typeof PATIENT;
}

async function check(setting: Setting) {
  const { world, nameserver = zoneTable(ZONE), wanted = WANTED, expected = NEW, options = PATIENT } = setting;
  const dns = await testWorld(() => world);
  const served = await testDns(nameserver);
  const resolver = createResolver([dns], options);
  const question = {
    domain: 'moved.test',
    expected: expected.map((host) => readServer(`${host}:${served.port}`, '--nameserver')),
    sets: toRecordSets(wanted),
  };
  return checkDomain(question, resolver);
}

// biome-ignore format: a table
test.each<[string, DnsWorld, string, dnssec?: string, ...expected: string[]]>([
  ['a switch that caches do not show yet is propagating', { parent: NEW, resolver: OLD }, 'propagating'],
  ['a switch that the resolver cannot judge is propagating', { parent: NEW, resolver: undefined }, 'propagating'],
  ['the zone above counts more than what the old zone claims', { parent: OLD, resolver: NEW }, 'not_started'],
  ['old and new side by side are mixed', { parent: [OLD[0] ?? '', NEW[0] ?? ''], resolver: OLD }, 'mixed'],
  ['a domain that nobody knows is not delegated', { parent: [], resolver: [] }, 'not_delegated'],
  ['a domain that only the resolver knows is judged by it', { parent: [], resolver: NEW }, 'complete'],
  ['without the zone above, the resolver decides', { resolver: OLD }, 'not_started'],
  ['a DS record that fits no key breaks nothing before the switch', { parent: OLD, resolver: OLD, ds: [SOME_DS] }, 'not_started', 'will_break'],
  ['a DS record that fits no key breaks the domain at the switch', { parent: NEW, resolver: OLD, ds: [SOME_DS] }, 'broken_dnssec', 'broken'],
  ['new nameservers given by address are recognized by address', { parent: NEW, resolver: NEW }, 'complete', 'unsigned', '127.0.0.1'],
  ['an address that is none of theirs is not', { parent: NEW, resolver: NEW }, 'not_started', 'unsigned', '127.0.0.9'],
  ['one of two new nameservers set is a move that is complete', { parent: NEW.slice(1), resolver: NEW.slice(1) }, 'complete'],
])('%s', async (_title, world, verdict, dnssec = 'unsigned', ...expected) => {
  const setting = { world, ...(expected.length > 0 && { expected }) };
  expect(await check(setting)).toMatchObject({ verdict, dnssec: { state: dnssec } });
});

test('a DS record has to fit a key of each new nameserver', async () => {
  const [key, other] = [someKey(), someKey()];
  const ds = [SOME_DS, dsFor('moved.test', key)];
  const resolver = createResolver([await testWorld(() => ({ parent: NEW, resolver: NEW, ds }))], PATIENT);
  const judged = async (...nameservers: ((question: DnsQuestion) => DnsAnswer)[]) => {
    const served = await Promise.all(nameservers.map((nameserver) => testDns(nameserver)));
    const expected = served.map(({ port }, index) => readServer(`${NEW[index]}:${port}`, '--nameserver'));
    const question = { domain: 'moved.test', expected, sets: toRecordSets(WANTED) };
    const { verdict, dnssec } = await checkDomain(question, resolver);
    return [verdict, dnssec.state];
  };
  const holding = (own: object) => zoneTable({ ...ZONE, 'moved.test DNSKEY': [own] });
  expect(await judged(holding(key), holding(key))).toEqual(['complete', 'signed']);
  expect(await judged(holding(key), holding(other))).toEqual(['broken_dnssec', 'broken']);
  const refusing = () => ({ code: REFUSED });
  expect(await judged(zoneTable(ZONE), refusing), 'a broken DNSSEC is named first').toContain('broken_dnssec');
});

test.each<[string, (question: DnsQuestion) => DnsAnswer, string]>([
  ['refuses', () => ({ code: REFUSED, authoritative: false }), 'not_serving'],
  ['answers without authority', ({ name }) => ({ ...soaOf(name), authoritative: false }), 'not_serving'],
  ['has another zone', () => soaOf('other.test'), 'not_serving'],
])('a new nameserver that %s breaks the domain after the switch', async (_title, nameserver, state) => {
  const after = await check({ world: { parent: NEW, resolver: NEW }, nameserver });
  expect([after.verdict, after.nameservers[0]?.state]).toEqual(['broken_nameservers', state]);
  const before = await check({ world: { parent: OLD, resolver: OLD }, nameserver });
  expect(before.verdict).toBe('not_started');
});

test('a new nameserver without an address is reported', async () => {
  const world = { parent: NEW.slice(0, 1), resolver: NEW.slice(0, 1) };
  const { verdict, nameservers } = await check({ world, expected: ['ns9.new.test', 'ns1.new.test'] });
  expect([verdict, nameservers.map(({ state }) => state)]).toEqual(['broken_nameservers', ['no_address', 'serves']]);
});

test('if no nameserver can be reached, the resolver is asked for the records', async () => {
  const nothing = await testDns(() => undefined);
  const resolver = await testDns(zoneTable({ ...ZONE, 'ns1.new.test A': ['127.0.0.1'] }));
  const expected = [readServer(`ns1.new.test:${nothing.port}`, '')];
  const question = { domain: 'moved.test', expected, sets: toRecordSets(WANTED) };
  const checked = await checkDomain(question, createResolver([resolver], QUICK));
  expect(checked).toMatchObject({ verdict: 'incomplete', viaResolver: { matching: 3, different: [], unanswered: 0 } });
  expect(checked.nameservers[0]?.state).toBe('silent');
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
  const expected = NEW.slice(0, 1);
  const world = { parent: NEW, resolver: NEW };
  const { verdict, nameservers } = await check({ world, nameserver, wanted, expected, options: QUICK });
  expect([verdict, nameservers[0]?.state, nameservers[0]?.unanswered]).toEqual(['incomplete', 'serves', 100]);
  expect(nameservers[0]?.unansweredSets.filter(({ reason }) => reason === 'not_asked').length).toBeGreaterThan(50);
  expect(asked).toBeLessThan(20);
});

test('an answer counts for the name that was asked for, and for the names that its CNAME records lead to', async () => {
  const address = (name: string) => ({ name, type: 'AAAA' as const, ttl: 60, data: '2001:db8::1' });
  const served = (...answers: readonly Answer[]) => {
    return (question: DnsQuestion): DnsAnswer => (question.type === 'AAAA' ? { answers } : zoneTable(ZONE)(question));
  };
  const world = { parent: NEW, resolver: NEW };
  expect((await check({ world, nameserver: served(address('WWW.moved.test')) })).verdict).toBe('complete');
  const foreign = await check({ world, nameserver: served(address('evil.test')) });
  expect(foreign.verdict).toBe('broken_records');
  expect(foreign.nameservers[0]?.different).toMatchObject([{ name: 'www.moved.test', found: [] }]);
  const alias = (name: string, data: string) => ({ name, type: 'CNAME' as const, ttl: 60, data });
  const chain = served(alias('b.test', 'c.test'), alias('www.moved.test', 'b.test'), address('c.test'));
  expect((await check({ world, nameserver: chain })).verdict).toBe('complete');
});

test('a text with bytes that are not UTF-8 is not the text that was staged in their place', async () => {
  const wanted: readonly WantedRecord[] = [{ name: 'moved.test', type: 'TXT', value: 'a\ufffd' }];
  const nameserver = zoneTable({ 'moved.test TXT': [Buffer.from([0x61, 0xff])] });
  const { verdict } = await check({ world: { parent: NEW, resolver: NEW }, nameserver, wanted });
  expect(verdict).toBe('broken_records');
});

test('without any answer there is no verdict', async () => {
  const silent: ScriptedDns = await testDns(() => undefined);
  const question = { domain: 'moved.test', expected: [readServer('ns1.new.test', '')], sets: [] };
  await expect(checkDomain(question, createResolver([silent], QUICK))).rejects.toMatchObject({ code: 'unavailable' });
  await expect(checkDomain(question, createResolver([], QUICK))).rejects.toThrow('no resolver');
});

test('a second resolver is asked where the first fails', async () => {
  const failing = await testWorld(() => ({ parent: NEW, resolver: undefined }));
  const working = await testWorld(() => ({ parent: NEW, resolver: NEW }));
  const lookup = await createResolver([failing, working], PATIENT).lookup('moved.test', 'NS');
  expect(lookup).toMatchObject({ records: [{}, {}], from: { port: working.port } });
});

function soaOf(name: string) {
  const data = { mname: 'ns1.new.test', rname: 'admin.new.test', serial: 1 };
  return { answers: [{ name, type: 'SOA' as const, ttl: 60, data }] };
}

function someKey() {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const key = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return { flags: 257, algorithm: 13, key };
}
