import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { getServers } from 'node:dns';
import { on, once } from 'node:events';
import { createConnection, isIP, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { findNameProblem } from '../contract/text.ts';
import { quote, usageError } from '../errors.ts';
import { lazy } from '../lazy.ts';
import {
  createEmptyReply,
  type DnsQuestion,
  type DnsReply,
  decodeReply,
  encodeQuery,
  FAULTS,
  type QueryType,
  type ResourceRecord,
  toBareName,
} from './message.ts';

/** The port of nameservers, over UDP and TCP (RFC 1035, section 4.2). */
export const DNS_PORT = 53;

/** A server to ask, or as a user or an NS record names it. */
export interface DnsServer {
  /**
   * An IP address without brackets; before it is asked, also a name in lower case without the final
   * dot.
   */
  readonly host: string;
  readonly port: number;
}

/** Writes `host:port`, without the port if it is 53; IPv6 before a port is in brackets. */
export function showServer({ host, port }: DnsServer): string {
  if (port === DNS_PORT) return host;
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The resolvers of the system's configuration, in its order. */
export function listSystemServers(): DnsServer[] {
  return getServers().flatMap((text) => {
    const [, bracketed, port] =
      /^\[(.+)\]:(\d+)$/.exec(text) ?? /^([\d.]+):(\d+)$/.exec(text) ?? [];
    const host = bracketed ?? text;
    return isIP(host) ? [{ host, port: port === undefined ? DNS_PORT : Number(port) }] : [];
  });
}

/**
 * Reads `host`, `host:port`, an IPv6 address, or one in brackets with a port. Throws a usage error.
 */
export function readServer(text: string, field: string): DnsServer {
  const [, bracketed, bare, digits] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? [];
  const host = isIPv6(text) ? text : (bracketed ?? normalize(bare ?? ''));
  const isAddress = bracketed === undefined ? isIP(host) > 0 : isIPv6(bracketed);
  const isName = bracketed === undefined && findNameProblem(host, '_') === undefined;
  // A zone index such as `fe80::1%eth0` is valid on one machine only.
  const isHost = (isAddress || isName) && !host.includes('%');
  const port = digits === undefined ? DNS_PORT : Number(digits);
  if (isHost && port >= 1 && port <= 65_535) return { host, port };

  const why = isHost ? 'has a port that does not exist' : 'is not a host or an address';
  const example = field.startsWith('-') ? `${field} ns1.example.com` : `${field}=127.0.0.1:5353`;
  throw usageError(
    `${field} ${quote(text)} ${why}.`,
    `For example: ${example} (without a port it is 53)`,
  );
}

function normalize(host: string): string {
  const bare = host.replace(/\.$/, '');
  // Only for names beyond ASCII: the conversion also decodes %41 and completes short addresses.
  return /^[\x21-\x7e]*$/.test(bare) ? bare.toLowerCase() : domainToASCII(bare);
}

/**
 * The answer to a lookup. No resolver answered if it has no records; a name that has none, or does
 * not exist, has an empty list.
 */
export type Lookup =
  | { readonly records: readonly ResourceRecord[]; readonly from: DnsServer; readonly code: string }
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
      if (isAnswer(reply)) {
        return { records: findAnswerRecords(question, reply), from, code: reply.code };
      }
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

/**
 * Says why a resolver that denies a domain is not believed: it has no nameservers of the zone above
 * either, as in a network that wants a sign-in first, or has a resolver for its own names only.
 * Undefined if it has some, or does not answer.
 */
export async function findResolverDoubt(
  domain: string,
  resolver: Resolver,
): Promise<string | undefined> {
  const zone = domain.slice(domain.lastIndexOf('.') + 1);
  const above = await resolver.lookup(zone, 'NS');
  if (above.records === undefined || above.records.length > 0) return undefined;
  return `${showServer(above.from)} has no nameservers of ${zone}, so it does not know public DNS, or the name is wrong`;
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
    if (!isAnswer(reply)) continue;
    const records = findAnswerRecords(question, reply);
    // A server that knows of no delegation counts only if it serves the parent zone.
    if (records.length === 0 && !reply.authoritative) continue;
    return { nameservers: listValues(records), from: host };
  }
  return undefined;
}

/** Lists the data of records in a fixed order. */
export function listValues(records: readonly ResourceRecord[]): string[] {
  return records.map(({ value }) => value).sort();
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

/** The ways to ask a server. */
export interface DnsOptions {
  /** True asks a resolver to find the answer; false asks a nameserver for its own data. */
  readonly recursive: boolean;
  /** The wait of each try; UDP loses packets, so there is more than one. */
  readonly triesMs?: readonly number[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Three seconds in all: resolvers wait about that long themselves. */
const TRIES_MS: readonly number[] = [1000, 2000];

/** The ends of a try after which another one may go better. */
const PASSING: readonly DnsReply['code'][] = ['silent', 'garbled', 'SERVFAIL', 'REFUSED'];

/** The answers of servers that do not know EDNS, or not its version (RFC 6891, section 7). */
const WITHOUT_EDNS: readonly DnsReply['code'][] = ['FORMERR', 'NOTIMP', 'OTHER'];

/**
 * Asks one server, over TCP if the answer is too long for a packet. After any failure it asks
 * without EDNS, since some servers refuse or drop such questions. Throws only the signal's reason.
 */
export async function ask(
  server: DnsServer,
  question: DnsQuestion,
  { recursive, signal = new AbortController().signal, triesMs = TRIES_MS }: DnsOptions,
): Promise<DnsReply> {
  const library = await lazy.dnsPacket();
  let edns = true;
  let last = createEmptyReply('silent');
  for (const timeoutMs of triesMs) {
    // Ignores messages that answer something else, so that no one can forge an end.
    const send = async (carry: Carrier): Promise<DnsReply> => {
      const id = randomInt(0x1_0000);
      const query = encodeQuery(library, question, { id, recursive, edns });
      const late = AbortSignal.timeout(timeoutMs);
      let code: DnsReply['code'] = 'silent';
      try {
        for await (const bytes of carry(server, query, AbortSignal.any([late, signal]))) {
          const reply = decodeReply(library, bytes, question, id);
          if (reply !== undefined) return reply;
          code = 'garbled';
        }
      } catch {
        signal.throwIfAborted();
        if (!late.aborted) code = 'unreachable';
      }
      return createEmptyReply(code);
    };

    last = await send(carryOverUdp);
    if (edns && WITHOUT_EDNS.includes(last.code)) {
      edns = false;
      last = await send(carryOverUdp);
    }
    if (last.truncated) last = await send(carryOverTcp);
    // An answer that is cut here as well may lack records.
    if (last.truncated) last = createEmptyReply('garbled');
    if (!PASSING.includes(last.code)) break;
    edns = false;
  }
  return last;
}

/** Sends a query and yields what the server answers, until the signal aborts. */
type Carrier = (server: DnsServer, query: Buffer, signal: AbortSignal) => AsyncIterable<Buffer>;

/** Sends a packet from a random port. */
const carryOverUdp: Carrier = async function* (server, query, signal) {
  const socket = createSocket(isIPv6(server.host) ? 'udp6' : 'udp4');
  try {
    // Connected, so that the socket takes packets from this server only.
    socket.connect(server.port, server.host);
    await once(socket, 'connect', { signal });
    socket.send(query);
    for await (const [bytes] of on(socket, 'message', { signal })) yield bytes;
  } finally {
    socket.close();
  }
};

/** Carries answers of up to 64 KiB (RFC 7766); one that ends too early is cut. */
const carryOverTcp: Carrier = async function* (server, query, signal) {
  const socket = createConnection({ ...server, signal });
  socket.write(Buffer.concat([Buffer.of(query.length >> 8, query.length), query]));
  let received = Buffer.alloc(0);
  for await (const piece of socket) {
    received = Buffer.concat([received, piece]);
    if (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) break;
  }
  yield received.subarray(2);
};
