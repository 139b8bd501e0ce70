import type { Context } from '../../command/context.ts';
import { createResolver, type Resolver, type ResolverOptions } from '../../dns/resolver.ts';
import { findServer, type NamedHost, showServer, systemServers } from '../../dns/server.ts';
import { readServer } from '../../dns/server-text.ts';
import { CliError } from '../../errors.ts';

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
