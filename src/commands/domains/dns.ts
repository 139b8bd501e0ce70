import { lookup } from 'node:dns/promises';
import type { Needs } from '../../cli/define/context.ts';
import { type Domain, parseDomain } from '../../cli/values/names.ts';
import type { StagedDomain } from '../../contract/operations.ts';
import {
  createResolver,
  type DnsServer,
  findResolverDoubt,
  listSystemServers,
  type Resolver,
  readServer,
  showServer,
} from '../../dns/client.ts';
import { CliError, tryOr } from '../../errors.ts';
import { asArray, asObject, asText } from '../../json/values.ts';

/** Returns the ASCII name, followed by the Unicode name if it differs. */
export function describeDomain({ ascii, unicode }: Domain): string {
  return ascii === unicode ? ascii : `${ascii} (${unicode})`;
}

/** Whether a text names the domain: in any case, with or without a last dot, in ASCII or Unicode. */
export function isNameOf({ ascii }: Domain, text: string): boolean {
  return tryOr(() => parseDomain(text.trim(), 'apex').ascii === ascii, false);
}

/** Reads the host names of nameservers, whose form is not documented. */
export function readNameservers(value: unknown): string[] {
  const entries = typeof value === 'string' ? value.split(/[\s,;]+/) : asArray(value);
  return entries.flatMap((entry) => {
    const { hostname, host, name, nameserver } = asObject(entry);
    return [entry, hostname, host, name, nameserver].map(asText).find(Boolean) ?? [];
  });
}

/** Parses a nameserver that somebody else has named; empty if it is none. */
export function parseNameserver(text: string): readonly DnsServer[] {
  return tryOr(() => [readServer(text, 'nameserver')], []);
}

/** Reads the fields of the answer to a staging, without its wrapper. */
export function readStagingAnswer(answer: unknown) {
  const { stagedRecords, nameservers }: StagedDomain = asObject(answer);
  // A host with its domain, or an address: others cannot be set.
  const isNameserver = (text: string) =>
    parseNameserver(text).some(({ host }) => /[.:]/.test(host));
  return {
    staged: stagedRecords ?? undefined,
    nameservers: readNameservers(nameservers).filter(isNameserver),
  };
}

const DNS_SERVER = 'SVC_DNS_SERVER';

const MAX_SYSTEM_SERVERS = 3;

/** Finds the resolver in `SVC_DNS_SERVER`. Throws a usage error for an invalid one. */
export function findNamedResolver({ env }: Needs<'env'>): DnsServer | undefined {
  const given = env[DNS_SERVER]?.trim();
  return given ? readServer(given, DNS_SERVER) : undefined;
}

/**
 * Opens the resolver of `SVC_DNS_SERVER`, or else those of the system. Throws `unavailable` if it
 * has no address.
 */
export async function openResolver(
  context: Needs<'time' | 'env'>,
  triesMs?: readonly number[],
): Promise<Resolver> {
  const options = { triesMs, signal: context.time.signal };
  const named = findNamedResolver(context);
  if (named === undefined) {
    return createResolver(listSystemServers().slice(0, MAX_SYSTEM_SERVERS), options);
  }
  const { address } = await lookup(named.host).catch(() => {
    const message = `${DNS_SERVER} is ${showServer(named)}, which has no address.`;
    throw new CliError('unavailable', message);
  });
  return createResolver([{ ...named, host: address }], options);
}

/** Domains that no public DNS has (RFC 2606, 6761, 6762, 7686, 9476; ICANN for `internal`). */
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

/** Whether a resolver can know the domain; reserved names need one that was set up for them. */
export function isResolvable(context: Needs<'env'>, domain: string): boolean {
  return (
    findNamedResolver(context) !== undefined || !NOT_PUBLIC.has(domain.split('.').at(-1) ?? '')
  );
}

/** The answer to whether the parent zone has DS records of a domain, which turn DNSSEC on. */
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
    if (found.code === 'NXDOMAIN') {
      const doubt = await findResolverDoubt(domain, resolver);
      if (doubt !== undefined) return { state: 'unknown', reason: doubt };
    }
    return { state: found.records.length > 0 ? 'present' : 'absent' };
  } catch (error) {
    return { state: 'unknown', reason: toNoAnswer(error).message };
  }
}

/** Returns the error of a lookup that nobody answered, and throws any other. */
export function toNoAnswer(error: unknown): CliError {
  if (error instanceof CliError && error.code === 'unavailable') return error;
  throw error;
}

/** Describes what DNSSEC does to a move. */
export function describeDsRisk(domain: string): string {
  return `DNSSEC is on for ${domain}. If you switch nameservers while it has a DS record, the domain stops resolving.`;
}

/** Creates the error of a check that DNSSEC does not pass; undefined where it is off. */
export function createDsError(domain: string, ds: DsLookup): CliError | undefined {
  if (ds.state === 'unknown') {
    return new CliError(
      'no_data',
      `svc could not find out whether DNSSEC is on for ${domain} (${ds.reason}).`,
    );
  }
  if (ds.state !== 'present') return undefined;
  const alerts = [{ series: domain, figure: 'dnssec', value: 1, limit: 0, at: null }];
  return new CliError('alert', describeDsRisk(domain), { alerts });
}

/** Whether a warning is about DNSSEC, which svc explains itself. */
export function isAboutDnssec(warning: string): boolean {
  return /\bDNSSEC\b|\bDS record/i.test(warning);
}
