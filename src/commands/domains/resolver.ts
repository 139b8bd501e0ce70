import { createResolver, type Resolver, type ResolverOptions } from '../../dns/resolver.ts';
import { findServer, type NamedHost, readServer, showServer, systemServers } from '../../dns/server.ts';
import { CliError } from '../../errors.ts';
import { asArray, asObject, asText } from '../../json/values.ts';
import type { Context } from '../../kit/context.ts';
import { type Domain, parseDomain } from '../../kit/values/domain.ts';

/** Returns the ASCII name, followed by the Unicode name if it differs. */
export function bothNames({ ascii, unicode }: Domain): string {
  return ascii === unicode ? ascii : `${ascii} (${unicode})`;
}

/** Whether a text names this domain: in any case, with or without a last dot, in ASCII or Unicode. */
export function isNameOf({ ascii }: Domain, text: string): boolean {
  try {
    return parseDomain(text.trim(), 'apex').ascii === ascii;
  } catch {
    return false;
  }
}

/** Returns the host names of nameservers. Their form is not documented: a text, texts, or objects with a name. */
export function nameserversOf(value: unknown): string[] {
  const entries = typeof value === 'string' ? value.split(/[\s,;]+/) : asArray(value);
  return entries.flatMap((entry) => {
    const { hostname, host, name, nameserver } = asObject(entry);
    const names = [entry, hostname, host, name, nameserver].map(asText);
    return names.filter((text) => text !== undefined).slice(0, 1);
  });
}

/** Whether a text can be set as a nameserver: a host with its domain, or an address. */
export function isNameserver(text: string): boolean {
  try {
    return /[.:]/.test(readServer(text, 'nameserver').host);
  } catch {
    return false;
  }
}

const DNS_SERVER = 'SVC_DNS_SERVER';
const MAX_SYSTEM_SERVERS = 3;

/** Returns the resolver in `SVC_DNS_SERVER`, if it is set. Throws a usage error for an invalid one. */
export function namedResolver({ env }: Context): NamedHost | undefined {
  const given = env[DNS_SERVER]?.trim();
  return given ? readServer(given, DNS_SERVER) : undefined;
}

/**
 * Opens the resolver of `SVC_DNS_SERVER`, or else those of the system.
 * @throws CliError `usage` for an invalid variable, `unavailable` if its server has no address.
 */
export async function openResolver(context: Context, options: ResolverOptions = {}): Promise<Resolver> {
  const named = namedResolver(context);
  if (named === undefined) return createResolver(systemServers().slice(0, MAX_SYSTEM_SERVERS), options);
  const server = await findServer(named);
  if (server !== undefined) return createResolver([server], options);
  throw new CliError('unavailable', `${DNS_SERVER} is ${showServer(named)}, which has no address.`);
}

/** Top-level domains that are in no public DNS (RFC 2606, 6761, 6762, 7686, 9476, and ICANN for `internal`). */
const NOT_PUBLIC = new Set(['alt', 'example', 'internal', 'invalid', 'local', 'localhost', 'onion', 'test']);

/** Whether the resolver can know a domain. Reserved names are known only to one that was set up for them. */
export function isResolvable(context: Context, domain: string): boolean {
  return namedResolver(context) !== undefined || !NOT_PUBLIC.has(domain.split('.').at(-1) ?? '');
}
