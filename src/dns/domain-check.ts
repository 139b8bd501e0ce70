import { isIP } from 'node:net';
import type { Comparison, MoveFields } from '../contract/fields/dns.ts';
import { CliError } from '../errors.ts';
import { ask } from './client.ts';
import { compareRecords, type RecordSet } from './compare.ts';
import { FAULTS } from './message.ts';
import { findDelegation, type Lookup, type Resolver } from './resolver.ts';
import { DNS_PORT, type DnsServer, showServer } from './server.ts';

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
  return new DomainCheck(question, resolver).run();
}

class DomainCheck {
  readonly #question: DomainQuestion;
  readonly #resolver: Resolver;
  readonly #newHosts: ReadonlySet<string>;

  constructor(question: DomainQuestion, resolver: Resolver) {
    this.#question = question;
    this.#resolver = resolver;
    const newServers = [...question.expected, ...(question.alsoNew ?? [])];
    this.#newHosts = new Set(newServers.map(({ host }) => host));
  }

  async run(): Promise<Move> {
    const { domain, expected } = this.#question;
    const [lookup, delegation, ds, nameservers] = await Promise.all([
      this.#resolver.lookup(domain, 'NS'),
      findDelegation(domain, this.#resolver),
      this.#resolver.lookup(domain, 'DS'),
      Promise.all(expected.map((nameserver) => this.#checkNameserver(nameserver))),
    ]);
    if (lookup.records === undefined && delegation === undefined) {
      throw new CliError(
        'unavailable',
        `No DNS server answered about ${domain}: ${lookup.reason}.`,
        { lines: ['To ask another server, set SVC_DNS_SERVER=<host[:port]>.'] },
      );
    }

    const registry = delegation
      ? await this.#classify(delegation.nameservers, delegation.from)
      : null;
    const names = lookup.records?.map(({ value }) => value).sort();
    const servers = this.#resolver.servers.map(showServer).join(', ');
    const resolverView = names ? await this.#classify(names, servers) : null;
    const viaResolver = await this.#askResolverInstead(nameservers, resolverView, lookup);
    const dnssec = readDnssec(ds);
    return {
      verdict: judgeMove(registry, resolverView, findObstacle(nameservers, viaResolver, dnssec)),
      delegation: { registry, resolver: resolverView },
      nameservers,
      viaResolver,
      dnssec,
    };
  }

  /** Whether a nameserver is one of the new ones: by its name, or by its address. */
  async #isNew(name: string): Promise<boolean> {
    if (this.#newHosts.has(name)) return true;
    const addresses = await this.#resolver.addressesOf(name);
    return addresses.some((address) => this.#newHosts.has(address));
  }

  async #classify(nameservers: readonly string[], from: string): Promise<Delegated> {
    const oldNames = await this.#filterOld(nameservers);
    let sees: Delegated['sees'] = 'mixed';
    if (oldNames.length === nameservers.length) sees = 'old';
    if (oldNames.length === 0) sees = 'new';
    if (nameservers.length === 0) sees = 'none';
    return { nameservers, sees, from };
  }

  async #filterOld(names: readonly string[]): Promise<string[]> {
    const areNew = await Promise.all(names.map((name) => this.#isNew(name)));
    return names.filter((_, index) => !areNew[index]);
  }

  async #checkNameserver(nameserver: DnsServer): Promise<Report> {
    const { domain, sets } = this.#question;
    const direct = { ...this.#resolver.options, recursive: false };
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
    for (const server of await this.#findServers(nameserver)) {
      const soa = await ask(server, { name: domain, type: 'SOA' }, direct);
      const state = FAULTS.find((fault) => fault === soa.code) ?? 'not_serving';
      report = { ...report, asked: showServer(server), state };
      const hasZone = soa.answers.some(({ type, name }) => type === 'SOA' && name === domain);
      if (soa.code !== 'NOERROR' || !soa.authoritative || !hasZone) continue;

      const [oldNameservers, comparison] = await Promise.all([
        this.#findOldNames(server),
        compareRecords(server, sets, direct),
      ]);
      return { ...report, state: 'serves', oldNameservers, ...comparison };
    }
    return report;
  }

  /** Finds the nameservers in a zone's own NS records that are none of the new ones. */
  async #findOldNames(server: DnsServer): Promise<string[]> {
    const { domain } = this.#question;
    const direct = { ...this.#resolver.options, recursive: false };
    const { authoritative, answers } = await ask(server, { name: domain, type: 'NS' }, direct);
    if (!authoritative) return [];
    const records = answers.filter(({ type, name }) => type === 'NS' && name === domain);
    return this.#filterOld(records.map(({ value }) => value).sort());
  }

  /** Finds the first address of each kind; further ones belong to the same server. */
  async #findServers({ host, port }: DnsServer): Promise<readonly DnsServer[]> {
    const addresses = isIP(host) ? [host] : await this.#resolver.addressesOf(host);
    const firstAddresses = [4, 6].flatMap(
      (version) => addresses.find((address) => isIP(address) === version) ?? [],
    );
    return firstAddresses.map((address) =>
      port === DNS_PORT ? this.#resolver.serverAt(address) : { host: address, port },
    );
  }

  /** Compares the resolver's answers where a network lets DNS out to its own resolver only. */
  async #askResolverInstead(
    reports: readonly Report[],
    seen: Delegated | null,
    lookup: Lookup,
  ): Promise<Comparison | null> {
    const isOutOfReach = reports.every(
      ({ state }) => state === 'silent' || state === 'unreachable',
    );
    if (!isOutOfReach || seen?.sees !== 'new' || lookup.records === undefined) return null;
    const options = { ...this.#resolver.options, recursive: true };
    const comparison = await compareRecords(lookup.from, this.#question.sets, options);
    return comparison.matching + comparison.different.length > 0 ? comparison : null;
  }
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
