import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { Comparison, MoveFields } from '../contract/fields/move.ts';
import { CliError } from '../errors.ts';
import { ask } from './client.ts';
import { compareRecords, type RecordSet } from './compare.ts';
import { bareName, type DnsReply, FAULTS } from './message.ts';
import { findDelegation, type Lookup, type Resolver } from './resolver.ts';
import { DNS_PORT, type DnsServer, showServer } from './server.ts';

interface DomainQuestion {
  /** In lower case, without the final dot. */
  readonly domain: string;
  readonly expected: readonly DnsServer[];
  /** Not asked, but new in a delegation. */
  readonly alsoNew?: readonly DnsServer[];
  readonly sets: readonly RecordSet[];
}

type DomainCheck = Pick<
  MoveFields,
  'verdict' | 'delegation' | 'nameservers' | 'viaResolver' | 'dnssec'
>;
type Verdict = DomainCheck['verdict'];
type Delegated = NonNullable<DomainCheck['delegation']['registry']>;

/**
 * Asks how far the move of a domain is. Throws `unavailable` if neither the parent zone nor a
 * resolver answers.
 */
export async function checkDomain(
  question: DomainQuestion,
  resolver: Resolver,
): Promise<DomainCheck> {
  const { domain, expected, alsoNew = [] } = question;
  const isNew = createNewTest([...expected, ...alsoNew], resolver);
  const [viewed, delegation, ds, reports] = await Promise.all([
    resolver.lookup(domain, 'NS'),
    findDelegation(domain, resolver),
    resolver.lookup(domain, 'DS'),
    Promise.all(
      expected.map((nameserver) => checkNameserver(nameserver, question, isNew, resolver)),
    ),
  ]);
  if (viewed.records === undefined && delegation === undefined) {
    throw new CliError('unavailable', `No DNS server answered about ${domain}: ${viewed.reason}.`, {
      lines: ['To ask another server, set SVC_DNS_SERVER=<host[:port]>.'],
    });
  }
  const sightOf = createSight(isNew);
  const registry = delegation ? await sightOf(delegation.nameservers, delegation.from) : null;
  const asked = resolver.servers.map(showServer).join(', ');
  const seen = viewed.records
    ? await sightOf(viewed.records.map(({ value }) => value).sort(), asked)
    : null;
  const viaResolver = await askResolverInstead(reports, seen, viewed, question, resolver);
  // The parent zone decides; the resolver does for names that exist inside one network only.
  const sees =
    [registry?.sees, seen?.sees].find((found) => found !== undefined && found !== 'none') ?? 'none';
  const dnssec = judgeDnssec(ds, reports, domain, sees === 'new' || sees === 'mixed');
  const broken = dnssec.state === 'broken' ? 'broken_dnssec' : brokenBy(reports, viaResolver);
  const nameservers = reports.map(({ keys: _, ...report }) => report);
  const verdict = verdictOn(sees, broken, seen?.sees === 'new');
  return { verdict, delegation: { registry, resolver: seen }, nameservers, viaResolver, dnssec };
}

/** Before the switch nothing counts as broken yet. */
function verdictOn(
  sees: Delegated['sees'],
  broken: Verdict | undefined,
  isSeenByAll: boolean,
): Verdict {
  if (sees === 'none') return 'not_delegated';
  if (sees === 'old') return 'not_started';
  if (broken !== undefined || sees === 'mixed') return broken ?? 'mixed';
  return isSeenByAll ? 'complete' : 'propagating';
}

function brokenBy(reports: readonly Report[], viaResolver: Comparison | null): Verdict | undefined {
  if (viaResolver === null && reports.some(({ state }) => state !== 'serves'))
    return 'broken_nameservers';
  const comparisons = viaResolver ? [viaResolver] : reports;
  if (comparisons.some(({ different }) => different.length > 0)) return 'broken_records';
  // The resolver's answers do not show what each nameserver has.
  if (viaResolver !== null || reports.some(({ unanswered }) => unanswered > 0)) return 'incomplete';
  return undefined;
}

/** Tells new nameservers from others: by name, or by address if they were given so. */
function createNewTest(newOnes: readonly DnsServer[], resolver: Resolver) {
  const hosts = new Set(newOnes.map(({ host }) => host));
  return async (name: string) =>
    hosts.has(name) || (await resolver.addressesOf(name)).some((address) => hosts.has(address));
}

type NewTest = ReturnType<typeof createNewTest>;

function createSight(isNew: NewTest) {
  return async (nameservers: readonly string[], from: string): Promise<Delegated> => {
    const news = await Promise.all(nameservers.map(isNew));
    const some = news.every(Boolean) ? 'new' : 'mixed';
    const sees = news.some(Boolean) ? some : 'old';
    return { nameservers, sees: nameservers.length === 0 ? 'none' : sees, from };
  };
}

/** The comparison is empty unless the nameserver serves the domain. */
type Report = DomainCheck['nameservers'][number] & {
  /** The data of its DNSKEY records; undefined without an answer. */
  readonly keys: readonly string[] | undefined;
};

async function checkNameserver(
  nameserver: DnsServer,
  { domain, sets }: DomainQuestion,
  isNew: NewTest,
  resolver: Resolver,
): Promise<Report> {
  const direct = { ...resolver.options, recursive: false };
  const none = {
    oldNameservers: [],
    matching: 0,
    different: [],
    unanswered: 0,
    unansweredSets: [],
    keys: undefined,
  };
  let report: Report = {
    nameserver: showServer(nameserver),
    asked: null,
    state: 'no_address',
    ...none,
  };
  for (const server of await serversOf(nameserver, resolver)) {
    const { code, authoritative, answers } = await ask(
      server,
      { name: domain, type: 'SOA' },
      direct,
    );
    const hasZone =
      authoritative && answers.some(({ type, name }) => type === 'SOA' && name === domain);
    report = {
      ...report,
      asked: showServer(server),
      state: FAULTS.find((fault) => fault === code) ?? 'not_serving',
    };
    if (code !== 'NOERROR' || !hasZone) continue;
    const [keys, names, comparison] = await Promise.all([
      ask(server, { name: domain, type: 'DNSKEY' }, direct),
      ask(server, { name: domain, type: 'NS' }, direct),
      compareRecords(server, sets, direct),
    ]);
    const own = keys.answers.filter(({ type }) => type === 'DNSKEY').map(({ value }) => value);
    return {
      ...report,
      state: 'serves',
      oldNameservers: await findOldNames(names, domain, isNew),
      ...comparison,
      keys: keys.code === 'NOERROR' ? own : undefined,
    };
  }
  return report;
}

/** The nameservers in a zone's own NS records that are none of the new ones. */
async function findOldNames(
  { authoritative, answers }: DnsReply,
  domain: string,
  isNew: NewTest,
): Promise<string[]> {
  if (!authoritative) return [];
  const own = answers.filter(({ type, name }) => type === 'NS' && name === domain);
  const names = own.map(({ value }) => value).sort();
  const areNew = await Promise.all(names.map(isNew));
  return names.filter((_, index) => areNew[index] !== true);
}

/** The first address of each kind; further ones belong to the same server. */
async function serversOf(
  { host, port }: DnsServer,
  resolver: Resolver,
): Promise<readonly DnsServer[]> {
  const addresses = isIP(host) ? [host] : await resolver.addressesOf(host);
  const first = [4, 6].flatMap(
    (version) => addresses.find((address) => isIP(address) === version) ?? [],
  );
  return first.map((address) =>
    port === DNS_PORT ? resolver.serverAt(address) : { host: address, port },
  );
}

/** For networks that let DNS out to their own resolver only, where every nameserver looks dead. */
async function askResolverInstead(
  reports: readonly Report[],
  seen: Delegated | null,
  viewed: Lookup,
  { sets }: DomainQuestion,
  { options }: Resolver,
): Promise<Comparison | null> {
  const outOfReach = reports.every(({ state }) => state === 'silent' || state === 'unreachable');
  if (!outOfReach || seen?.sees !== 'new' || viewed.records === undefined) return null;
  const comparison = await compareRecords(viewed.from, sets, { ...options, recursive: true });
  return comparison.matching + comparison.different.length > 0 ? comparison : null;
}

function judgeDnssec(
  { records }: Lookup,
  reports: readonly Report[],
  domain: string,
  isSwitched: boolean,
): DomainCheck['dnssec'] {
  if (records === undefined) return { state: 'unknown', ds: null };
  if (records.length === 0) return { state: 'unsigned', ds: [] };
  const ds = records.map(({ value }) => value);
  const answers = reports.map(({ keys }) => keys).filter((keys) => keys !== undefined);
  if (answers.length === 0) return { state: 'unknown', ds };
  const fits = (keys: readonly string[]) =>
    ds.some((one) => keys.some((key) => matchesKey(one, key, domain)));
  if (answers.every(fits)) return { state: 'signed', ds };
  return { state: isSwitched ? 'broken' : 'will_break', ds };
}

/** Hash functions of DS records by digest type (RFC 4034, 4509 and 6605). */
const DIGESTS: Readonly<Record<string, string>> = { 1: 'sha1', 2: 'sha256', 4: 'sha384' };

/** Whether a DS record matches a DNSKEY record, both as in a zone file (RFC 4034, section 5). */
export function matchesKey(ds: string, dnskey: string, domain: string): boolean {
  const [keyTag, algorithm, digestType = '', digest] = ds.split(' ');
  const [flags, protocol, keyAlgorithm, publicKey = ''] = dnskey.split(' ');
  const head = Buffer.of(Number(flags) >> 8, Number(flags), Number(protocol), Number(keyAlgorithm));
  const key = Buffer.concat([head, Buffer.from(publicKey, 'base64')]);
  if (algorithm !== keyAlgorithm || Number(keyTag) !== keyTagOf(key)) return false;
  const hash = DIGESTS[digestType];
  // Rarer digests are not computed; a match of key tag and algorithm is likely enough.
  if (hash === undefined) return true;
  const computed = createHash(hash);
  for (const label of bareName(domain).split('.'))
    computed.update(Buffer.of(label.length)).update(label);
  return computed.update(Buffer.of(0)).update(key).digest('hex').toUpperCase() === digest;
}

/** RFC 4034, appendix B. */
function keyTagOf(key: Buffer): number {
  let sum = 0;
  for (const [index, byte] of key.entries()) sum += index % 2 === 0 ? byte << 8 : byte;
  return (sum + (sum >>> 16)) & 0xffff;
}
