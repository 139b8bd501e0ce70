import type { Context } from '../../command/context.ts';
import { type Domain, parseDomain } from '../../command/values/domain.ts';
import { createResolver, type Resolver, type ResolverOptions } from '../../dns/resolver.ts';
import { findServer, type NamedHost, readServer, showServer, systemServers } from '../../dns/server.ts';
import { CliError } from '../../errors.ts';
import { asArray, asObject, asText } from '../../json/values.ts';

/** A domain as it goes over the wire, with the name that people read behind it where that is another. */
export function bothNames({ ascii, unicode }: Domain): string {
  return ascii === unicode ? ascii : `${ascii} (${unicode})`;
}

/** Whether a text in an answer means this domain, however it is spelt: in capitals, with a last dot, in its own letters. */
export function isNameOf({ ascii }: Domain, text: string): boolean {
  try {
    return parseDomain(text.trim(), 'apex').ascii === ascii;
  } catch {
    return false;
  }
}

/** The host names in a list of nameservers, whose form is not documented: texts, or objects with a name in them. */
export function nameserversOf(value: unknown): string[] {
  return asArray(value).flatMap((entry) => {
    const { hostname, host, name, nameserver } = asObject(entry);
    const text = asText(entry) ?? asText(hostname) ?? asText(host) ?? asText(name) ?? asText(nameserver);
    return text === undefined ? [] : [text];
  });
}

/** The variable that names the resolver to ask instead of the system's. */
const DNS_SERVER = 'SVC_DNS_SERVER';

/** Resolvers of the system that are tried before svc gives up. */
const MOST_SERVERS = 3;

/** The resolver that `SVC_DNS_SERVER` names. Throws a usage error where that is no server. */
export function namedResolver({ system: { env } }: Context): NamedHost | undefined {
  const given = env[DNS_SERVER]?.trim();
  return given ? readServer(given, DNS_SERVER) : undefined;
}

/**
 * The resolver of this run: that of `SVC_DNS_SERVER`, else those of the system.
 * @throws CliError `usage` where the variable names no server, `unavailable` where that server has no address.
 */
export async function openResolver(context: Context, options: ResolverOptions = {}): Promise<Resolver> {
  const named = namedResolver(context);
  if (named === undefined) return createResolver(systemServers().slice(0, MOST_SERVERS), options);
  const server = await findServer(named);
  if (server !== undefined) return createResolver([server], options);
  throw new CliError('unavailable', `${DNS_SERVER} names ${showServer(named)}, which has no address.`);
}

/** Top-level domains that are in no public DNS (RFC 2606, 6761, 6762, 7686, 9476, and ICANN for `internal`). */
const NOT_PUBLIC = new Set(['alt', 'example', 'internal', 'invalid', 'local', 'localhost', 'onion', 'test']);

/** Whether the resolver of this run can know a domain: reserved names are known at most to one that was set up for them. */
export function isKnowable(context: Context, domain: string): boolean {
  return namedResolver(context) !== undefined || !NOT_PUBLIC.has(domain.split('.').at(-1) ?? '');
}
