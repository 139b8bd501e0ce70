import { getServers } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';

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
