import type { Needs } from '../../cli/define/context.ts';
import { type Domain, parseDomain } from '../../cli/values/domain.ts';
import { createResolver, type Resolver } from '../../dns/resolver.ts';
import {
  type DnsServer,
  findServer,
  listSystemServers,
  readServer,
  showServer,
} from '../../dns/server.ts';
import { CliError } from '../../errors.ts';
import { asArray, asObject, asText } from '../../json/values.ts';
import { tryRead } from '../../once.ts';

/** The ASCII name, followed by the Unicode name if it differs. */
export function bothNames({ ascii, unicode }: Domain): string {
  return ascii === unicode ? ascii : `${ascii} (${unicode})`;
}

/** In any case, with or without a last dot, in ASCII or Unicode. */
export function isNameOf({ ascii }: Domain, text: string): boolean {
  return tryRead(() => parseDomain(text.trim(), 'apex').ascii === ascii, false);
}

/** The host names of nameservers, whose form is not documented. */
export function nameserversOf(value: unknown): string[] {
  const entries = typeof value === 'string' ? value.split(/[\s,;]+/) : asArray(value);
  return entries.flatMap((entry) => {
    const { hostname, host, name, nameserver } = asObject(entry);
    return (
      [entry, hostname, host, name, nameserver].map(asText).find((text) => text !== undefined) ?? []
    );
  });
}

/** Reads a nameserver that somebody else has named; empty if it is none. */
export function nameserverIn(text: string): readonly DnsServer[] {
  return tryRead(() => [readServer(text, 'nameserver')], []);
}

const DNS_SERVER = 'SVC_DNS_SERVER';
const MAX_SYSTEM_SERVERS = 3;

/** The resolver in `SVC_DNS_SERVER`, if it is set. Throws a usage error for an invalid one. */
export function namedResolver({ env }: Needs<'env'>): DnsServer | undefined {
  const given = env[DNS_SERVER]?.trim();
  return given ? readServer(given, DNS_SERVER) : undefined;
}

/**
 * That of `SVC_DNS_SERVER`, or else those of the system. Throws `unavailable` if it has no address.
 */
export async function openResolver(
  context: Needs<'time' | 'env'>,
  triesMs?: readonly number[],
): Promise<Resolver> {
  const options = { triesMs, signal: context.time.signal };
  const named = namedResolver(context);
  if (named === undefined)
    return createResolver(listSystemServers().slice(0, MAX_SYSTEM_SERVERS), options);
  const server = await findServer(named);
  if (server !== undefined) return createResolver([server], options);
  throw new CliError('unavailable', `${DNS_SERVER} is ${showServer(named)}, which has no address.`);
}

/** In no public DNS (RFC 2606, 6761, 6762, 7686, 9476, and ICANN for `internal`). */
const NOT_PUBLIC = new Set([
  'alt',
  'example',
  'internal',
  'invalid',
  'local',
  'localhost',
  'onion',
  'test',
]);

/** Reserved names need a resolver that was set up for them. */
export function isResolvable(context: Needs<'env'>, domain: string): boolean {
  return namedResolver(context) !== undefined || !NOT_PUBLIC.has(domain.split('.').at(-1) ?? '');
}

/** Whether the parent zone has DS records of a domain, which turn DNSSEC on. */
export type DsLookup =
  | { readonly state: 'present' | 'absent' | 'not_asked' }
  | { readonly state: 'unknown'; readonly reason: string };

/** Asks whether DNSSEC is on, for at most two seconds. A failed lookup is not an error. */
export async function lookUpDs(context: Needs<'time' | 'env'>, domain: string): Promise<DsLookup> {
  if (!isResolvable(context, domain)) return { state: 'not_asked' };
  try {
    const resolver = await openResolver(context, [700, 1300]);
    const found = await resolver.lookup(domain, 'DS');
    if (found.records === undefined) return { state: 'unknown', reason: found.reason };
    return { state: found.records.length > 0 ? 'present' : 'absent' };
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'unavailable') throw error;
    return { state: 'unknown', reason: error.message };
  }
}

/** The warning before a move. */
export function dsAdvice(domain: string): string {
  return `DNSSEC is on for ${domain}. If you switch nameservers while it has a DS record, the domain stops resolving.`;
}

/** The error of a check that DNSSEC does not pass; undefined where it is off. */
export function dsFailure(domain: string, ds: DsLookup): CliError | undefined {
  if (ds.state === 'unknown')
    return new CliError(
      'no_data',
      `svc could not find out whether DNSSEC is on for ${domain} (${ds.reason}).`,
    );
  if (ds.state !== 'present') return undefined;
  const alerts = [{ series: domain, figure: 'dnssec', value: 1, limit: 0, at: null }];
  return new CliError('alert', dsAdvice(domain), { alerts });
}

/** Then svc explains it itself. */
export function isAboutDnssec(warning: string): boolean {
  return /\bDNSSEC\b|\bDS record/i.test(warning);
}

/**
 * The first step of a move, or none without DNSSEC. Nearly all caches forget a DS record within a
 * day.
 */
export function dsStep(domain: string, { state }: DsLookup, warnings: readonly string[]): string[] {
  if (state === 'absent') return [];
  const step = `emove the DS record of ${domain} at the registrar, and wait a day for caches to forget it.`;
  return [
    state === 'present' || warnings.some(isAboutDnssec) ? `R${step}` : `If DNSSEC is on, r${step}`,
  ];
}
