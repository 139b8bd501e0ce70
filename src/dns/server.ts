import { getServers } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { quoted, usageError } from '../errors.ts';

/** The port that nameservers listen on. */
export const DNS_PORT = 53;

/** A DNS server as it is asked: an address of the network, never a name. */
export interface DnsServer {
  readonly address: string;
  readonly port: number;
}

/** A host as a user or a nameserver record names it, and the port to ask. */
export interface NamedHost {
  /** A host name in lower case without a last dot, or an address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** A host and port as people write them: no port where it is 53, brackets around IPv6 where there is one. */
export function showServer({ host, port }: NamedHost): string {
  if (port === DNS_PORT) return host;
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The resolvers that the system is set up with, in its order. */
export function systemServers(): DnsServer[] {
  return getServers().flatMap((text) => {
    const [, bracketed, port] = /^\[(.+)\]:(\d+)$/.exec(text) ?? /^([\d.]+):(\d+)$/.exec(text) ?? [];
    const address = bracketed ?? text;
    return isIP(address) ? [{ address, port: port === undefined ? DNS_PORT : Number(port) }] : [];
  });
}

/** The server at a named host, which the system looks up where it is no address; `undefined` where it finds none. */
export async function findServer({ host, port }: NamedHost): Promise<DnsServer | undefined> {
  if (isIP(host)) return { address: host, port };
  try {
    return { address: (await lookup(host)).address, port };
  } catch {
    return undefined;
  }
}

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

/**
 * Reads a DNS server as people write it: `host`, `host:port`, an IPv6 address alone or in brackets with a port; the port
 * is 53 where none is given. Throws a usage error.
 */
export function readServer(text: string, field: string): NamedHost {
  const [, bracketed, bare, digits] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? [];
  const host = isIPv6(text) ? text : (bracketed ?? normal(bare ?? ''));
  const isHost = bracketed === undefined ? isIP(host) > 0 || HOST_NAME.test(host) : isIPv6(bracketed);
  if (!isHost || host.includes('%')) throw refusal(text, field, 'is not a host or an address');
  // `10.0.0` and `1.2.3.4.5` are forms that some systems complete to an address; a name server has a name or all of it.
  if (!isIP(host) && /(^|\.)\d+$/.test(host)) throw refusal(text, field, 'ends in a number and is no address');
  const port = digits === undefined ? DNS_PORT : Number(digits);
  if (port < 1 || port > 65_535) throw refusal(text, field, 'has a port that does not exist');
  return { host, port };
}

function normal(host: string): string {
  const bare = host.replace(/\.$/, '');
  // The conversion would change more than letters: it decodes %41 and completes short addresses.
  return /^[\x21-\x7e]*$/.test(bare) ? bare.toLowerCase() : domainToASCII(bare);
}

function refusal(text: string, field: string, why: string) {
  const example = field.startsWith('-') ? `${field} ns1.example.com` : `${field}=127.0.0.1:5353`;
  return usageError(
    `${field} ${quoted(text)} ${why}.`,
    `${example} (a host or an address, and a port where it is not 53)`,
  );
}
