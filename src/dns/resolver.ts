import { ask, type DnsOptions } from './client.ts';
import {
  type DnsQuestion,
  type DnsReply,
  FAULTS,
  type QueryType,
  type ResourceRecord,
  toBareName,
} from './message.ts';
import { DNS_PORT, type DnsServer } from './server.ts';

/**
 * The answer to a lookup. No resolver answered if it has no records; a name that has none, or does
 * not exist, has an empty list.
 */
export type Lookup =
  | { readonly records: readonly ResourceRecord[]; readonly from: DnsServer }
  | { readonly records?: undefined; readonly reason: string };

/** Resolvers that are asked in turn. */
export type Resolver = ReturnType<typeof createResolver>;

/** Asks each server in turn until one answers. */
export function createResolver(
  servers: readonly DnsServer[],
  options: Omit<DnsOptions, 'recursive'> = {},
) {
  const lookup = async (name: string, type: QueryType): Promise<Lookup> => {
    const question = { name: toBareName(name), type };
    const reasons: string[] = [];
    for (const from of servers) {
      const reply = await ask(from, question, { ...options, recursive: true });
      if (isAnswer(reply)) return { records: findAnswerRecords(question, reply), from };
      reasons.push(`${from.host}: ${FAULTS[reply.code] ?? reply.code}`);
    }
    return { reason: reasons.join('; ') || 'this machine has no resolver set up' };
  };
  return {
    servers,
    options,
    lookup,
    /** Looks up the addresses of a host, IPv4 first; empty if it has none or the lookup failed. */
    async addressesOf(host: string): Promise<readonly string[]> {
      const lookups = await Promise.all([lookup(host, 'A'), lookup(host, 'AAAA')]);
      return lookups.flatMap(({ records = [] }) => records.map(({ value }) => value));
    },
    /** Returns the server at an address: a resolver of a test plays the nameservers as well. */
    serverAt: (host: string): DnsServer =>
      servers.find((server) => server.host === host) ?? { host, port: DNS_PORT },
  };
}

/** Whether a reply says which records there are. */
export function isAnswer({ code }: DnsReply): boolean {
  return code === 'NOERROR' || code === 'NXDOMAIN';
}

/**
 * Finds the records that answer a question, also over its aliases; the nameservers of a zone also
 * from the referral to it.
 */
export function findAnswerRecords(
  { name, type }: DnsQuestion,
  { answers, authorities }: DnsReply,
): readonly ResourceRecord[] {
  const owners = new Set([name]);
  // A set grows while it is walked, so that a chain is followed to its end and a circle once.
  for (const owner of type === 'CNAME' ? [] : owners) {
    const aliases = answers.filter((record) => record.type === 'CNAME' && record.name === owner);
    for (const { value } of aliases) owners.add(value);
  }
  const records = answers.filter((record) => record.type === type && owners.has(record.name));
  if (records.length > 0 || type !== 'NS') return records;
  return authorities.filter((record) => record.type === 'NS' && record.name === name);
}

/** So many servers of the parent zone are asked; one answer is enough. */
const MAX_PARENT_SERVERS = 3;

/**
 * Asks the parent zone, past the caches of resolvers; undefined where a firewall lets DNS out to
 * one resolver only.
 */
export async function findDelegation(domain: string, resolver: Resolver) {
  for (const host of await findParentNameservers(domain, resolver)) {
    const [address] = await resolver.addressesOf(host);
    if (address === undefined) continue;
    const question = { name: domain, type: 'NS' } as const;
    const reply = await ask(resolver.serverAt(address), question, {
      ...resolver.options,
      recursive: false,
    });
    const records = isAnswer(reply) ? findAnswerRecords(question, reply) : [];
    // A server that knows of no delegation counts only if it serves the parent zone.
    if (records.length === 0 && !(isAnswer(reply) && reply.authoritative)) continue;
    return { nameservers: records.map(({ value }) => value).sort(), from: host };
  }
  return undefined;
}

/** Finds the nameservers of the nearest zone above the domain. The root counts as none. */
async function findParentNameservers(
  domain: string,
  resolver: Resolver,
): Promise<readonly string[]> {
  let parent = domain;
  while (parent.includes('.')) {
    parent = parent.slice(parent.indexOf('.') + 1);
    const { records } = await resolver.lookup(parent, 'NS');
    if (records === undefined) return [];
    if (records.length > 0) return records.slice(0, MAX_PARENT_SERVERS).map(({ value }) => value);
  }
  return [];
}
