import { type AskOptions, ask, DnsFault } from './client.ts';
import { bareName, type DnsReply, type QueryType, type Question, type ResourceRecord } from './message.ts';
import { DNS_PORT, type DnsServer } from './server.ts';

/**
 * What the DNS says about a name and a type.
 * - `found`: these records.
 * - `none`: the name has no record of that type.
 * - `no_such_name`: there is no such name.
 * - `failed`: no resolver could say.
 */
export type Lookup =
  | { readonly outcome: 'found'; readonly records: readonly ResourceRecord[]; readonly from: DnsServer }
  | { readonly outcome: 'none' | 'no_such_name'; readonly from: DnsServer }
  | { readonly outcome: 'failed'; readonly reason: string };

/** Asks the DNS as the world sees it, through resolvers. */
export interface Resolver {
  readonly servers: readonly DnsServer[];
  /** Never throws but the signal's reason. */
  lookup(name: string, type: QueryType): Promise<Lookup>;
  /** The addresses of a host, IPv4 first; none where it has none or nobody could say. */
  addressesOf(host: string): Promise<readonly string[]>;
  /** The server at an address, on the usual port; a resolver with a port of its own is that server too. */
  serverAt(address: string): DnsServer;
}

/** How a resolver works. */
export type ResolverOptions = Omit<AskOptions, 'recursive'>;

/** A resolver over the given servers: each is asked in turn until one knows. */
export function createResolver(servers: readonly DnsServer[], options: ResolverOptions = {}): Resolver {
  const resolver: Resolver = {
    servers,
    async lookup(name, type) {
      const question = { name: bareName(name), type };
      const reasons: string[] = [];
      for (const server of servers) {
        const judged = await tryServer(server, question, options);
        if (judged.outcome !== 'failed') return judged;
        reasons.push(judged.reason);
      }
      return { outcome: 'failed', reason: reasons.join('; ') || 'this machine has no resolver set up' };
    },
    async addressesOf(host) {
      const lookups = await Promise.all([resolver.lookup(host, 'A'), resolver.lookup(host, 'AAAA')]);
      return lookups.flatMap((found) => (found.outcome === 'found' ? found.records.map(({ value }) => value) : []));
    },
    // A resolver on another port stands for a whole DNS in small, as on a test machine: its nameservers are there too.
    serverAt: (address) => servers.find((server) => server.address === address) ?? { address, port: DNS_PORT },
  };
  return resolver;
}

async function tryServer(server: DnsServer, question: Question, options: ResolverOptions): Promise<Lookup> {
  try {
    return judge(await ask(server, question, { ...options, recursive: true }), question, server);
  } catch (error) {
    if (!(error instanceof DnsFault)) throw error;
    return { outcome: 'failed', reason: `${server.address}: ${error.message}` };
  }
}

function judge(reply: DnsReply, question: Question, from: DnsServer): Lookup {
  if (reply.code === 'NXDOMAIN') return { outcome: 'no_such_name', from };
  if (reply.code !== 'NOERROR') return { outcome: 'failed', reason: `${from.address}: ${reply.code}` };
  const answers = reply.answers.filter(({ type }) => type === question.type);
  const records = answers.length === 0 && question.type === 'NS' ? referralOf(reply, question.name) : answers;
  return records.length === 0 ? { outcome: 'none', from } : { outcome: 'found', records, from };
}

/** The nameservers that a reply refers to for a zone; for servers that hold the zone above. */
export function referralOf({ authorities }: DnsReply, zone: string): readonly ResourceRecord[] {
  return authorities.filter(({ type, name }) => type === 'NS' && name === bareName(zone));
}

/** What the zone above says about a domain: this is what the registrar's form changes. */
export interface Delegation {
  /** The nameservers, sorted; empty where the domain is not delegated. */
  readonly nameservers: readonly string[];
  /** The nameserver of the zone above that said so. */
  readonly from: string;
}

/** Nameservers of the zone above that are tried; one is enough. */
const MOST_PARENT_SERVERS = 3;

/**
 * Asks the zone above a domain itself, past the caches of resolvers, which nameservers the domain is delegated to.
 * `undefined` where the zone above cannot be found or asked, as behind a firewall that lets DNS out to one resolver only.
 */
export async function findDelegation(
  domain: string,
  resolver: Resolver,
  options: ResolverOptions = {},
): Promise<Delegation | undefined> {
  for (const host of await parentNameservers(domain, resolver)) {
    const [address] = await resolver.addressesOf(host);
    if (address === undefined) continue;
    try {
      const question = { name: domain, type: 'NS' } as const;
      const reply = await ask(resolver.serverAt(address), question, { ...options, recursive: false });
      const nameservers = delegatedBy(reply, domain);
      if (nameservers !== undefined) return { nameservers: [...nameservers].sort(), from: host };
    } catch (error) {
      if (!(error instanceof DnsFault)) throw error;
    }
  }
  return undefined;
}

/** The nameservers of the nearest zone above; the root is not asked about a top-level domain of its own. */
async function parentNameservers(domain: string, resolver: Resolver): Promise<readonly string[]> {
  const labels = domain.split('.');
  for (let first = 1; first < labels.length; first += 1) {
    const found = await resolver.lookup(labels.slice(first).join('.'), 'NS');
    if (found.outcome === 'failed') return [];
    if (found.outcome === 'found') return found.records.slice(0, MOST_PARENT_SERVERS).map(({ value }) => value);
  }
  return [];
}

/** What a reply of the zone above says; `undefined` where that server does not know the zone. */
function delegatedBy(reply: DnsReply, domain: string): readonly string[] | undefined {
  if (reply.code === 'NXDOMAIN' && reply.authoritative) return [];
  if (reply.code !== 'NOERROR') return undefined;
  const own = reply.answers.filter(({ type }) => type === 'NS');
  const found = own.length > 0 ? own : referralOf(reply, domain);
  if (found.length > 0) return found.map(({ value }) => value);
  return reply.authoritative ? [] : undefined;
}
