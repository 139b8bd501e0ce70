import { ask, type DnsFault, type DnsOptions } from './client.ts';
import { bareName, type DnsQuestion, type DnsReply, type QueryType, type ResourceRecord } from './message.ts';
import { DNS_PORT, type DnsServer } from './server.ts';

/**
 * The records of a name and type.
 * - `none`: the name exists, but has no record of that type.
 * - `no_such_name`: the name does not exist.
 * - `failed`: no resolver answered.
 */
export type Lookup =
  | { readonly outcome: 'found'; readonly records: readonly ResourceRecord[]; readonly from: DnsServer }
  | { readonly outcome: 'none' | 'no_such_name'; readonly from: DnsServer }
  | { readonly outcome: 'failed'; readonly reason: string };

/** How a resolver asks its servers. */
export type ResolverOptions = Omit<DnsOptions, 'recursive'>;

/** See {@link createResolver}. */
export type Resolver = ReturnType<typeof createResolver>;

/** Creates a resolver of the public DNS that asks each server in turn until one answers. */
export function createResolver(servers: readonly DnsServer[], options: ResolverOptions = {}) {
  /** Throws only the signal's reason. */
  const lookup = async (name: string, type: QueryType): Promise<Lookup> => {
    const question = { name: bareName(name), type };
    const reasons: string[] = [];
    for (const server of servers) {
      const judged = await tryServer(server, question, options);
      if (judged.outcome !== 'failed') return judged;
      reasons.push(judged.reason);
    }
    return { outcome: 'failed', reason: reasons.join('; ') || 'this machine has no resolver set up' };
  };
  return {
    servers,
    lookup,
    /** The addresses of a host, IPv4 first; empty if it has none or the lookup failed. */
    async addressesOf(host: string): Promise<readonly string[]> {
      const lookups = await Promise.all([lookup(host, 'A'), lookup(host, 'AAAA')]);
      return lookups.flatMap((found) => (found.outcome === 'found' ? found.records.map(({ value }) => value) : []));
    },
    /**
     * The server at an address, on the usual port; if a resolver has that address, on its port: on a test machine one
     * server on a port of its own plays the resolver and the nameservers.
     */
    serverAt: (address: string): DnsServer =>
      servers.find((server) => server.address === address) ?? { address, port: DNS_PORT },
  };
}

const WORDS: Readonly<Record<DnsFault, string>> = {
  silent: 'no answer in time',
  unreachable: 'cannot be reached',
  garbled: 'answers with something that is no DNS',
};

async function tryServer(from: DnsServer, question: DnsQuestion, options: ResolverOptions): Promise<Lookup> {
  const reply = await ask(from, question, { ...options, recursive: true });
  const failed = (reason: string) => ({ outcome: 'failed', reason: `${from.address}: ${reason}` }) as const;
  if (typeof reply === 'string') return failed(WORDS[reply]);
  if (reply.code === 'NXDOMAIN') return { outcome: 'no_such_name', from };
  if (reply.code !== 'NOERROR') return failed(reply.code);
  const answers = reply.answers.filter(({ type }) => type === question.type);
  const records = answers.length === 0 && question.type === 'NS' ? referralOf(reply, question.name) : answers;
  return records.length === 0 ? { outcome: 'none', from } : { outcome: 'found', records, from };
}

/** The nameservers of a zone, from the referral of a server of its parent zone. */
export function referralOf({ authorities }: DnsReply, zone: string): readonly ResourceRecord[] {
  return authorities.filter(({ type, name }) => type === 'NS' && name === bareName(zone));
}

/** The delegation of a domain in its parent zone, which changes at the registrar. */
export interface Delegation {
  /** Sorted; empty if the domain is not delegated. */
  readonly nameservers: readonly string[];
  readonly from: string;
}

/** How many nameservers of the parent zone are tried; one answer is enough. */
const MAX_PARENT_SERVERS = 3;

/**
 * Asks the parent zone of a domain for its delegation, past the caches of resolvers. Resolves to `undefined` if the
 * parent zone cannot be found or asked, as behind a firewall that lets DNS out to one resolver only.
 */
export async function findDelegation(
  domain: string,
  resolver: Resolver,
  options: ResolverOptions = {},
): Promise<Delegation | undefined> {
  for (const host of await parentNameservers(domain, resolver)) {
    const [address] = await resolver.addressesOf(host);
    if (address === undefined) continue;
    const question = { name: domain, type: 'NS' } as const;
    const reply = await ask(resolver.serverAt(address), question, { ...options, recursive: false });
    const nameservers = typeof reply === 'string' ? undefined : delegatedBy(reply, domain);
    if (nameservers !== undefined) return { nameservers: [...nameservers].sort(), from: host };
  }
  return undefined;
}

/** The nameservers of the nearest zone above the domain. The root counts as none. */
async function parentNameservers(domain: string, resolver: Resolver): Promise<readonly string[]> {
  const labels = domain.split('.');
  for (let first = 1; first < labels.length; first += 1) {
    const found = await resolver.lookup(labels.slice(first).join('.'), 'NS');
    if (found.outcome === 'failed') return [];
    if (found.outcome === 'found') return found.records.slice(0, MAX_PARENT_SERVERS).map(({ value }) => value);
  }
  return [];
}

/** Reads the delegation from a reply of the parent zone; `undefined` if that server does not serve the parent zone. */
function delegatedBy(reply: DnsReply, domain: string): readonly string[] | undefined {
  if (reply.code === 'NXDOMAIN' && reply.authoritative) return [];
  if (reply.code !== 'NOERROR') return undefined;
  const own = reply.answers.filter(({ type }) => type === 'NS');
  const found = own.length > 0 ? own : referralOf(reply, domain);
  if (found.length > 0) return found.map(({ value }) => value);
  return reply.authoritative ? [] : undefined;
}
