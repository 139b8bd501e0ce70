import type { Context } from '../../command/context.ts';
import { createResolver, type Resolver, type ResolverOptions } from '../../dns/resolver.ts';
import { findServer, systemServers } from '../../dns/server.ts';
import { readServer } from '../../dns/server-text.ts';
import { CliError } from '../../errors.ts';

/** The variable that names the resolver to ask instead of the system's. */
const DNS_SERVER = 'SVC_DNS_SERVER';

/** Resolvers of the system that are tried before svc gives up. */
const MOST_SERVERS = 3;

/** The resolver of this run: that of `SVC_DNS_SERVER`, else those of the system. */
export async function openResolver({ env }: Context, options: ResolverOptions = {}): Promise<Resolver> {
  const given = env[DNS_SERVER]?.trim();
  if (!given) return createResolver(systemServers().slice(0, MOST_SERVERS), options);
  const server = await findServer(readServer(given, DNS_SERVER));
  if (server !== undefined) return createResolver([server], options);
  throw new CliError('unavailable', `The resolver ${given} of ${DNS_SERVER} has no address.`);
}

/** Top-level domains that are in no public DNS (RFC 2606, 6761, 6762, 7686, 9476, and ICANN for `internal`). */
const NOT_PUBLIC = new Set(['alt', 'example', 'internal', 'invalid', 'local', 'localhost', 'onion', 'test']);

/** Whether the resolver of this run can know a domain: reserved names are known at most to one that was set up for them. */
export function isKnowable({ env }: Context, domain: string): boolean {
  return Boolean(env[DNS_SERVER]?.trim()) || !NOT_PUBLIC.has(domain.split('.').at(-1) ?? '');
}
