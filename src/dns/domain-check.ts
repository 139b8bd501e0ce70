import { isIP } from 'node:net';
import type { Comparison, MoveFields } from '../contract/fields/move.ts';
import { CliError } from '../errors.ts';
import { ask } from './client.ts';
import { compareRecords, type RecordSet } from './compare.ts';
import { type DnsReply, FAULTS } from './message.ts';
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
  const sightOf = createDelegationClassifier(isNew);
  const registry = delegation ? await sightOf(delegation.nameservers, delegation.from) : null;
  const asked = resolver.servers.map(showServer).join(', ');
  const seen = viewed.records
    ? await sightOf(viewed.records.map(({ value }) => value).sort(), asked)
    : null;
  const viaResolver = await askResolverInstead(reports, seen, viewed, question, resolver);
  // The parent zone decides; the resolver does for names that exist inside one network only.
  const sees =
    [registry?.sees, seen?.sees].find((found) => found !== undefined && found !== 'none') ?? 'none';
  const dnssec = readDnssec(ds);
  const obstacle =
    findObstacle(reports, viaResolver) ?? (dnssec.state === 'signed' ? 'dnssec_on' : undefined);
  const verdict = judgeMove(sees, obstacle, seen?.sees === 'new');
  return {
    verdict,
    delegation: { registry, resolver: seen },
    nameservers: reports,
    viaResolver,
    dnssec,
  };
}

/** Decides how far a move is. Before the switch no obstacle counts yet. */
function judgeMove(
  sees: Delegated['sees'],
  obstacle: Verdict | undefined,
  isSeenByAll: boolean,
): Verdict {
  if (sees === 'none') return 'not_delegated';
  if (sees === 'old') return 'not_started';
  if (obstacle !== undefined) return obstacle;
  if (sees === 'mixed') return 'mixed';
  return isSeenByAll ? 'complete' : 'propagating';
}

function findObstacle(
  reports: readonly Report[],
  viaResolver: Comparison | null,
): Verdict | undefined {
  if (viaResolver === null && reports.some(({ state }) => state !== 'serves')) {
    return 'broken_nameservers';
  }
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

function createDelegationClassifier(isNew: NewTest) {
  return async (nameservers: readonly string[], from: string): Promise<Delegated> => {
    const news = await Promise.all(nameservers.map(isNew));
    const some = news.every(Boolean) ? 'new' : 'mixed';
    const sees = news.some(Boolean) ? some : 'old';
    return { nameservers, sees: nameservers.length === 0 ? 'none' : sees, from };
  };
}

/** The comparison is empty unless the nameserver serves the domain. */
type Report = DomainCheck['nameservers'][number];

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
  };
  let report: Report = {
    nameserver: showServer(nameserver),
    asked: null,
    state: 'no_address',
    ...none,
  };
  for (const server of await findServers(nameserver, resolver)) {
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
    const [names, comparison] = await Promise.all([
      ask(server, { name: domain, type: 'NS' }, direct),
      compareRecords(server, sets, direct),
    ]);
    return {
      ...report,
      state: 'serves',
      oldNameservers: await findOldNames(names, domain, isNew),
      ...comparison,
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
async function findServers(
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

/** Says what the zone above has; whether its DS records fit the keys is for validators to judge. */
function readDnssec({ records }: Lookup): DomainCheck['dnssec'] {
  if (records === undefined) return { state: 'unknown', ds: null };
  const state = records.length === 0 ? 'unsigned' : 'signed';
  return { state, ds: records.map(({ value }) => value) };
}
