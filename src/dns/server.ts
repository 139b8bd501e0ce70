import { getServers } from 'node:dns';
import { isIP, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { findNameProblem } from '../contract/text.ts';
import { quote, usageError } from '../errors.ts';

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

/**
 * `host:port`; without the port if it is 53, with brackets around an IPv6 address before a port.
 */
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
  if (!(isAddress || isName) || host.includes('%')) {
    throw refusal(text, field, 'is not a host or an address');
  }
  const port = digits === undefined ? DNS_PORT : Number(digits);
  if (port < 1 || port > 65_535) throw refusal(text, field, 'has a port that does not exist');
  return { host, port };
}

function normalize(host: string): string {
  const bare = host.replace(/\.$/, '');
  // Only for names beyond ASCII: the conversion also decodes %41 and completes short addresses.
  return /^[\x21-\x7e]*$/.test(bare) ? bare.toLowerCase() : domainToASCII(bare);
}

function refusal(text: string, field: string, why: string) {
  const example = field.startsWith('-') ? `${field} ns1.example.com` : `${field}=127.0.0.1:5353`;
  return usageError(
    `${field} ${quote(text)} ${why}.`,
    `For example: ${example} (without a port it is 53)`,
  );
}
