import { ask } from './ask.ts';
import { DnsFault } from './fault.ts';
import type { DnsReply } from './message.ts';
import { type Resolver, type ResolverOptions, referralOf } from './resolver.ts';

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
