import { type Comparison, compareRecords, type RecordSet } from './compare.ts';
import { checkNameserver, type NameserverReport } from './nameserver.ts';
import { type Delegation, findDelegation, type Lookup, type Resolver, type ResolverOptions } from './resolver.ts';
import type { NamedHost } from './server.ts';
import { type DnssecState, isSwitched, type MoveVerdict, matchesKey, moveVerdict, type Sight } from './verdict.ts';

interface DomainQuestion {
  readonly domain: string;
  readonly expected: readonly NamedHost[];
  /** Further new nameservers; they are not asked, but count as new in a delegation. */
  readonly alsoNew?: readonly NamedHost[];
  readonly sets: readonly RecordSet[];
}

/** How far the move of a domain is, with the evidence. */
export interface DomainCheck {
  readonly verdict: MoveVerdict;
  /** The delegation in the parent zone; `undefined` if it could not be asked. */
  readonly parent: (Delegation & { readonly sight: Sight }) | undefined;
  /** The nameservers that the resolver sees; `undefined` if it failed. */
  readonly resolver: { readonly nameservers: readonly string[]; readonly sight: Sight } | undefined;
  readonly reports: readonly NameserverReport[];
  /** The answers of the resolver, used if no new nameserver could be reached from this machine. */
  readonly viaResolver: Comparison | undefined;
  readonly dnssec: { readonly state: DnssecState; readonly ds: readonly string[] | undefined };
}

/** Neither the parent zone nor a resolver could be asked about a domain. */
export class NoView extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'NoView';
  }
}

/**
 * Asks the DNS how far the move of a domain is.
 * @throws NoView if neither the parent zone nor a resolver answered; the signal's reason when aborted.
 */
export async function checkDomain(
  { domain, expected, alsoNew = [], sets }: DomainQuestion,
  resolver: Resolver,
  options: ResolverOptions = {},
): Promise<DomainCheck> {
  const [seen, delegation, ds, reports] = await Promise.all([
    resolver.lookup(domain, 'NS'),
    findDelegation(domain, resolver, options),
    resolver.lookup(domain, 'DS'),
    Promise.all(expected.map((nameserver) => checkNameserver(nameserver, domain, sets, resolver, options))),
  ]);
  if (seen.outcome === 'failed' && delegation === undefined) throw new NoView(seen.reason);
  const sightOf = createSight([...expected, ...alsoNew], resolver);
  const parent = delegation && { ...delegation, sight: await sightOf(delegation.nameservers) };
  const names = nameserversOf(seen);
  const view = names && { nameservers: names, sight: await sightOf(names) };
  const viaResolver = await askResolverInstead(reports, view?.sight, seen, sets, options);
  const evidence = { parent: parent?.sight, resolver: view?.sight };
  const dnssec = judgeDnssec(ds, reports, domain, isSwitched(evidence));
  const comparisons = viaResolver ? [viaResolver] : reports;
  const verdict = moveVerdict({
    ...evidence,
    dnssec: dnssec.state,
    nameserversServe: viaResolver !== undefined || reports.every(({ state }) => state === 'serves'),
    recordsMatch: comparisons.every(({ different }) => different.length === 0),
    // The resolver's answers do not show what each nameserver has.
    recordsAnswered: viaResolver === undefined && reports.every(({ unanswered }) => unanswered.length === 0),
  });
  return { verdict, parent, resolver: view, reports, viaResolver, dnssec };
}

/** Tells new nameservers from others: by name, or by address if the new ones were given as addresses. */
function createSight(newOnes: readonly NamedHost[], resolver: Resolver) {
  const hosts = new Set(newOnes.map(({ host }) => host));
  const isNew = async (name: string) =>
    hosts.has(name) || (await resolver.addressesOf(name)).some((address) => hosts.has(address));
  return async (names: readonly string[]): Promise<Sight> => {
    if (names.length === 0) return 'none';
    const news = await Promise.all(names.map(isNew));
    if (news.every(Boolean)) return 'new';
    return news.some(Boolean) ? 'mixed' : 'old';
  };
}

function nameserversOf(seen: Lookup): readonly string[] | undefined {
  if (seen.outcome === 'failed') return undefined;
  return seen.outcome === 'found' ? seen.records.map(({ value }) => value).sort() : [];
}

/** Asks the resolver if every nameserver looks dead, as in networks that let DNS out to their own resolver only. */
async function askResolverInstead(
  reports: readonly NameserverReport[],
  sight: Sight | undefined,
  seen: Lookup,
  sets: readonly RecordSet[],
  options: ResolverOptions,
): Promise<Comparison | undefined> {
  const outOfReach = reports.every(({ state }) => state === 'silent' || state === 'unreachable');
  if (!outOfReach || sight !== 'new' || seen.outcome !== 'found') return undefined;
  const comparison = await compareRecords(seen.from, sets, { ...options, recursive: true });
  return comparison.matching + comparison.different.length > 0 ? comparison : undefined;
}

function judgeDnssec(
  lookup: Lookup,
  reports: readonly NameserverReport[],
  domain: string,
  switched: boolean,
): DomainCheck['dnssec'] {
  if (lookup.outcome === 'failed') return { state: 'unknown', ds: undefined };
  if (lookup.outcome !== 'found') return { state: 'unsigned', ds: [] };
  const ds = lookup.records.map(({ value }) => value);
  const answers = reports.flatMap(({ keys }) => (keys === undefined ? [] : [keys]));
  if (answers.length === 0) return { state: 'unknown', ds };
  const fits = (keys: readonly string[]) => ds.some((one) => keys.some((key) => matchesKey(one, key, domain)));
  if (answers.every(fits)) return { state: 'signed', ds };
  return { state: switched ? 'broken' : 'will_break', ds };
}
