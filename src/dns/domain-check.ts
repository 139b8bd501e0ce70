import { isIP } from 'node:net';
import type { Comparison, MoveFields } from '../contract/fields/dns.ts';
import { CliError } from '../errors.ts';
import {
  ask,
  DNS_PORT,
  type DnsServer,
  findDelegation,
  type Lookup,
  listValues,
  type Resolver,
  showServer,
} from './client.ts';
import { compareRecords, type RecordSet } from './compare.ts';
import { FAULTS, type QueryType, type ResourceRecord } from './message.ts';

interface DomainQuestion {
  /** The domain in lower case, without the final dot. */
  readonly domain: string;
  readonly expected: readonly DnsServer[];
  /** Nameservers that are not asked, but new in a delegation. */
  readonly alsoNew?: readonly DnsServer[];
  readonly sets: readonly RecordSet[];
}

type Move = Pick<MoveFields, 'verdict' | 'delegation' | 'nameservers' | 'viaResolver' | 'dnssec'>;
type Verdict = Move['verdict'];
type Delegated = NonNullable<Move['delegation']['registry']>;
/** The report on one nameserver; its comparison is empty unless it serves the domain. */
type Report = Move['nameservers'][number];

/**
 * Asks how far the move of a domain is.
 * @throws CliError `unavailable` if neither the parent zone nor a resolver answers
 */
export async function checkDomain(question: DomainQuestion, resolver: Resolver): Promise<Move> {
  const { domain, expected } = question;
  const [lookup, delegation, ds, nameservers] = await Promise.all([
    resolver.lookup(domain, 'NS'),
    findDelegation(domain, resolver),
    resolver.lookup(domain, 'DS'),
    Promise.all(expected.map((nameserver) => checkNameserver(nameserver, question, resolver))),
  ]);
  if (lookup.records === undefined && delegation === undefined) {
    throw new CliError('unavailable', `No DNS server answered about ${domain}: ${lookup.reason}.`, {
      lines: ['To ask another server, set SVC_DNS_SERVER=<host[:port]>.'],
    });
  }

  const classify = async (names: readonly string[], from: string): Promise<Delegated> => {
    const oldNames = await filterOld(names, question, resolver);
    return { nameservers: names, sees: judgeNames(names.length, oldNames.length), from };
  };
  const registry = delegation ? await classify(delegation.nameservers, delegation.from) : null;
  const servers = resolver.servers.map(showServer).join(', ');
  const seen = lookup.records ? await classify(listValues(lookup.records), servers) : null;
  const isOutOfReach = nameservers.every(
    ({ state }) => state === 'silent' || state === 'unreachable',
  );
  const viaResolver =
    isOutOfReach && seen?.sees === 'new' && lookup.records
      ? await compareThroughResolver(lookup.from, question, resolver)
      : null;
  const dnssec = readDnssec(ds);
  return {
    verdict: judgeMove(registry, seen, findObstacle(nameservers, viaResolver, dnssec)),
    delegation: { registry, resolver: seen },
    nameservers,
    viaResolver,
    dnssec,
  };
}

function judgeNames(count: number, oldCount: number): Delegated['sees'] {
  if (count === 0) return 'none';
  if (oldCount === 0) return 'new';
  return oldCount === count ? 'old' : 'mixed';
}

/** Returns the names that are none of the new nameservers, neither by name nor by address. */
async function filterOld(
  names: readonly string[],
  { expected, alsoNew = [] }: DomainQuestion,
  resolver: Resolver,
): Promise<string[]> {
  const newHosts = new Set([...expected, ...alsoNew].map(({ host }) => host));
  const areNew = await Promise.all(
    names.map(async (name) => {
      if (newHosts.has(name)) return true;
      const addresses = await resolver.addressesOf(name);
      return addresses.some((address) => newHosts.has(address));
    }),
  );
  return names.filter((_, index) => !areNew[index]);
}

async function checkNameserver(
  nameserver: DnsServer,
  question: DomainQuestion,
  resolver: Resolver,
): Promise<Report> {
  const { domain: name, sets } = question;
  const direct = { ...resolver.options, recursive: false };
  const askForOwn = async (server: DnsServer, type: QueryType) => {
    const { code, authoritative, answers } = await ask(server, { name, type }, direct);
    const isOwn = (record: ResourceRecord) => record.type === type && record.name === name;
    return { code, values: listValues(authoritative ? answers.filter(isOwn) : []) };
  };
  let report: Report = {
    nameserver: showServer(nameserver),
    asked: null,
    state: 'no_address',
    oldNameservers: [],
    matching: 0,
    different: [],
    unanswered: 0,
    unansweredSets: [],
  };
  for (const server of await findServers(nameserver, resolver)) {
    const { code, values } = await askForOwn(server, 'SOA');
    const state = code in FAULTS ? code : 'not_serving';
    report = { ...report, asked: showServer(server), state };
    if (code !== 'NOERROR' || values.length === 0) continue;

    const [ownNames, comparison] = await Promise.all([
      askForOwn(server, 'NS'),
      compareRecords(server, sets, direct),
    ]);
    // Its own NS records may send the world back to the old nameservers.
    const oldNameservers = await filterOld(ownNames.values, question, resolver);
    return { ...report, state: 'serves', oldNameservers, ...comparison };
  }
  return report;
}

/** Finds the first address of each kind; further ones belong to the same server. */
async function findServers(
  { host, port }: DnsServer,
  resolver: Resolver,
): Promise<readonly DnsServer[]> {
  const addresses = isIP(host) ? [host] : await resolver.addressesOf(host);
  const firstAddresses = [4, 6].flatMap(
    (version) => addresses.find((address) => isIP(address) === version) ?? [],
  );
  return firstAddresses.map((address) =>
    port === DNS_PORT ? resolver.serverAt(address) : { host: address, port },
  );
}

/** Compares the resolver's answers where a network lets DNS out to its own resolver only. */
async function compareThroughResolver(
  from: DnsServer,
  { sets }: DomainQuestion,
  { options }: Resolver,
): Promise<Comparison | null> {
  const comparison = await compareRecords(from, sets, { ...options, recursive: true });
  return comparison.matching + comparison.different.length > 0 ? comparison : null;
}

/** Judges how far a move is. Before the switch no obstacle counts yet. */
function judgeMove(
  registry: Delegated | null,
  seen: Delegated | null,
  obstacle: Verdict | undefined,
): Verdict {
  // The parent zone decides; the resolver does for names that exist inside one network only.
  const delegated = [registry, seen].find((view) => view !== null && view.sees !== 'none');
  if (!delegated) return 'not_delegated';
  if (delegated.sees === 'old') return 'not_started';
  if (obstacle !== undefined) return obstacle;
  if (delegated.sees === 'mixed') return 'mixed';
  return seen?.sees === 'new' ? 'complete' : 'propagating';
}

function findObstacle(
  reports: readonly Report[],
  viaResolver: Comparison | null,
  dnssec: Move['dnssec'],
): Verdict | undefined {
  if (viaResolver === null && reports.some(({ state }) => state !== 'serves')) {
    return 'broken_nameservers';
  }
  const comparisons = viaResolver ? [viaResolver] : reports;
  if (comparisons.some(({ different }) => different.length > 0)) return 'broken_records';
  // The resolver's answers do not show what each nameserver has.
  if (viaResolver !== null || reports.some(({ unanswered }) => unanswered > 0)) return 'incomplete';
  return dnssec.state === 'signed' ? 'dnssec_on' : undefined;
}

/** Says what the zone above has; whether its DS records fit the keys is for validators to judge. */
function readDnssec({ records }: Lookup): Move['dnssec'] {
  if (records === undefined) return { state: 'unknown', ds: null };
  const state = records.length === 0 ? 'unsigned' : 'signed';
  return { state, ds: records.map(({ value }) => value) };
}
