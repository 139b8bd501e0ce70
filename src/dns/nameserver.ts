import { isIP } from 'node:net';
import { ask, type DnsFault, type DnsOptions } from './client.ts';
import { type Comparison, compareRecords, type RecordSet } from './compare.ts';
import type { Resolver, ResolverOptions } from './resolver.ts';
import { DNS_PORT, type DnsServer, type NamedHost } from './server.ts';

/**
 * Whether a nameserver serves a domain.
 * - `serves`: it has the zone.
 * - `not_serving`: it answers, but not for this zone.
 * - `no_address`: its name has no address.
 */
export type NameserverState = 'serves' | 'not_serving' | 'no_address' | DnsFault;

/** What a nameserver says of a domain. The comparison is empty unless it serves the domain. */
export interface NameserverReport extends Comparison {
  readonly nameserver: NamedHost;
  readonly state: NameserverState;
  readonly server: DnsServer | undefined;
  /** The data of its DNSKEY records, as in a zone file; `undefined` without an answer. */
  readonly keys: readonly string[] | undefined;
}

/** Asks a nameserver whether it serves a domain, then for its DNSSEC keys and the given records. */
export async function checkNameserver(
  nameserver: NamedHost,
  domain: string,
  sets: readonly RecordSet[],
  resolver: Resolver,
  options: ResolverOptions = {},
): Promise<NameserverReport> {
  const none = { matching: 0, different: [], unanswered: [], keys: undefined };
  let report: NameserverReport = { ...none, nameserver, state: 'no_address', server: undefined };
  const direct = { ...options, recursive: false };
  for (const server of await serversOf(nameserver, resolver)) {
    const state = await askForZone(server, domain, direct);
    report = { ...report, state, server };
    if (state !== 'serves') continue;
    const [keys, comparison] = await Promise.all([
      keysOf(server, domain, direct),
      compareRecords(server, sets, direct),
    ]);
    return { ...report, ...comparison, keys };
  }
  return report;
}

/** The first IPv4 and the first IPv6 address of a host; further ones belong to the same server. */
async function serversOf({ host, port }: NamedHost, resolver: Resolver): Promise<readonly DnsServer[]> {
  const addresses = isIP(host) ? [host] : await resolver.addressesOf(host);
  const first = [4, 6].flatMap((version) => addresses.find((address) => isIP(address) === version) ?? []);
  return first.map((address) => (port === DNS_PORT ? resolver.serverAt(address) : { address, port }));
}

async function askForZone(server: DnsServer, domain: string, options: DnsOptions): Promise<NameserverState> {
  const reply = await ask(server, { name: domain, type: 'SOA' }, options);
  if (typeof reply === 'string') return reply;
  const hasZone = reply.authoritative && reply.answers.some(({ type, name }) => type === 'SOA' && name === domain);
  return reply.code === 'NOERROR' && hasZone ? 'serves' : 'not_serving';
}

async function keysOf(server: DnsServer, domain: string, options: DnsOptions): Promise<readonly string[] | undefined> {
  const reply = await ask(server, { name: domain, type: 'DNSKEY' }, options);
  if (typeof reply === 'string' || reply.code !== 'NOERROR') return undefined;
  return reply.answers.filter(({ type }) => type === 'DNSKEY').map(({ value }) => value);
}
