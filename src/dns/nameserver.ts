import { isIP } from 'node:net';
import { ask, DnsFault, type DnsFaultKind } from './client.ts';
import type { RecordSet } from './compare.ts';
import { type Comparison, compareRecords, isAnswered } from './compare.ts';
import type { DnsReply } from './message.ts';
import type { Resolver, ResolverOptions } from './resolver.ts';
import { DNS_PORT, type DnsServer, type NamedHost } from './server.ts';

/**
 * Whether a nameserver serves a domain.
 * - `serves`: it has the zone.
 * - `not_serving`: it answers, and not for this zone or not for all of it.
 * - `no_address`: its name leads nowhere.
 */
export type NameserverState = 'serves' | 'not_serving' | 'no_address' | DnsFaultKind;

/** What one of the new nameservers says about a domain. */
export interface NameserverReport extends Comparison {
  readonly nameserver: NamedHost;
  readonly state: NameserverState;
  /** The address that was asked. */
  readonly server: DnsServer | undefined;
  /** Its DNSKEY records, as a zone file has them; `undefined` where it did not say. */
  readonly keys: readonly string[] | undefined;
}

const NOTHING: Comparison = { matching: 0, different: [], unanswered: 0 };

/** Asks a nameserver whether it serves a domain, with which DNSSEC keys, and for the records that it should have. */
export async function checkNameserver(
  nameserver: NamedHost,
  domain: string,
  sets: readonly RecordSet[],
  resolver: Resolver,
  options: ResolverOptions = {},
): Promise<NameserverReport> {
  let report: NameserverReport = { ...NOTHING, nameserver, state: 'no_address', server: undefined, keys: undefined };
  const direct = { ...options, recursive: false };
  for (const server of await serversOf(nameserver, resolver)) {
    const state = await askForZone(server, domain, options);
    report = { ...report, state, server };
    if (state !== 'serves') continue;
    const [keys, comparison] = await Promise.all([
      keysOf(server, domain, options),
      compareRecords(server, sets, direct),
    ]);
    return { ...report, ...comparison, keys, state: isAnswered(comparison) ? state : 'not_serving' };
  }
  return report;
}

/** The addresses of a host to ask, one of each kind: those that are set up twice belong to one server. */
async function serversOf({ host, port }: NamedHost, resolver: Resolver): Promise<readonly DnsServer[]> {
  const addresses = isIP(host) ? [host] : await resolver.addressesOf(host);
  const first = [4, 6].flatMap((version) => addresses.find((address) => isIP(address) === version) ?? []);
  return first.map((address) => (port === DNS_PORT ? resolver.serverAt(address) : { address, port }));
}

async function askForZone(server: DnsServer, domain: string, options: ResolverOptions): Promise<NameserverState> {
  const reply = await askOrFail(server, domain, 'SOA', options);
  if (typeof reply === 'string') return reply;
  const hasZone = reply.authoritative && reply.answers.some(({ type, name }) => type === 'SOA' && name === domain);
  return reply.code === 'NOERROR' && hasZone ? 'serves' : 'not_serving';
}

async function keysOf(
  server: DnsServer,
  domain: string,
  options: ResolverOptions,
): Promise<readonly string[] | undefined> {
  const reply = await askOrFail(server, domain, 'DNSKEY', options);
  if (typeof reply === 'string' || reply.code !== 'NOERROR') return undefined;
  return reply.answers.filter(({ type }) => type === 'DNSKEY').map(({ value }) => value);
}

async function askOrFail(
  server: DnsServer,
  name: string,
  type: 'SOA' | 'DNSKEY',
  options: ResolverOptions,
): Promise<DnsReply | DnsFaultKind> {
  try {
    return await ask(server, { name, type }, { ...options, recursive: false });
  } catch (error) {
    if (error instanceof DnsFault) return error.kind;
    throw error;
  }
}
