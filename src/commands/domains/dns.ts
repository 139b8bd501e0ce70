import { lookup } from 'node:dns/promises';
import type { Needs } from '../../cli/define/context.ts';
import type { Globals } from '../../cli/settings/globals.ts';
import { type Domain, parseDomain } from '../../cli/values/names.ts';
import type { StagedDomain } from '../../contract/operations.ts';
import {
  createResolver,
  type DnsServer,
  listSystemServers,
  type Resolver,
  readServer,
  showServer,
} from '../../dns/client.ts';
import { chooseSets, toRecordSets } from '../../dns/compare.ts';
import { joinName } from '../../dns/record-value.ts';
import { CliError, quote, tryOr, usageError } from '../../errors.ts';
import { asArray, asObject, asText } from '../../json/values.ts';
import { commandLine } from '../../shell-line.ts';
import { describeKnown } from '../shared/names.ts';
import { recallStaging, type Staging } from './remember-staging.ts';

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
function parseNameserver(text: string): readonly DnsServer[] {
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
async function openResolver(
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

/** A move that is ready to be checked. */
export type Move = Awaited<ReturnType<typeof openMove>>;

/**
 * Opens a move to the named nameservers, or to those of the staging, by default the last one from
 * this machine. Throws a usage error without any.
 */
export async function openMove(
  context: Needs<'store' | 'time' | 'env' | 'settings'>,
  domain: Domain,
  namedServers: readonly string[],
  givenStaging?: Staging,
) {
  const isNamed = namedServers.length > 0;
  const hasNameservers = Boolean(givenStaging?.nameservers.length);
  const recalled = hasNameservers ? undefined : recallStaging(context, domain.ascii);
  const nameservers = recalled?.nameservers ?? givenStaging?.nameservers ?? [];
  const staging = givenStaging ? { ...givenStaging, nameservers } : recalled;
  const remembered = nameservers.flatMap(parseNameserver);
  const expected = isNamed
    ? namedServers.map((text) => readServer(text, '--nameserver'))
    : remembered;
  if (expected.length === 0) throw createNamelessError(domain.ascii, staging);

  const recordsFile = staging?.recordsFile;
  const isFromFile = recordsFile !== undefined && recalled === undefined;
  const origin = isFromFile ? ('file' as const) : ('staging' as const);
  const records = (staging?.records ?? []).map((record) => ({
    ...record,
    name: joinName(record.subdomain, domain.ascii),
  }));
  const typedNameservers = isNamed ? expected.map(showServer) : [];
  return {
    domain,
    resolver: await openResolver(context),
    expected,
    /** The nameservers of the last staging, which count as new as well. */
    remembered,
    expectedFrom: isNamed ? ('flag' as const) : origin,
    /** The command that checks it again. */
    command: getStatusCommand(domain.ascii, typedNameservers, recordsFile),
    staging,
    sets: chooseSets(toRecordSets(records), domain.ascii),
    /** The service to which it moves, as people know it, where svc knows it. */
    service: describeKnown(context, 'services', staging?.service),
    hasDashboard: context.settings.dashboard() !== undefined,
  };
}

/** Makes the error of a move of which nobody knows the new nameservers. */
function createNamelessError(domain: string, staging: Staging | undefined): CliError {
  if (staging?.recordsFile !== undefined) {
    const file = quote(staging.recordsFile);
    const message = `${file} does not say which nameservers ${domain} will have.`;
    return usageError(message).withLines('Add --nameserver <host>.');
  }
  if (staging !== undefined) {
    const message = `${domain} was staged, but the answer named no nameservers that svc can read.`;
    return usageError(message).withLines(
      "Ask the platform's support for them, and pass them with --nameserver <host>.",
    );
  }
  return usageError(`No move of ${domain} was started on this machine.`, {
    say: 'To start one:',
    run: [commandLine(['domains', 'add', domain], { import: true })],
  }).withLines('To check one from elsewhere: --nameserver <host>.');
}

interface TypedStaging {
  readonly service?: string | undefined;
  readonly records?: string | undefined;
  readonly skipInvalid?: boolean;
}

/** Makes the command that stages a domain, with what was typed. */
export function getAddCommand(
  domain: string,
  { service, records, skipInvalid }: TypedStaging,
  globals: Globals,
): string {
  const options = { service, import: true, records, 'skip-invalid': skipInvalid };
  return commandLine(['domains', 'add', domain], options, globals);
}

/** Makes the command that checks a move. */
export function getStatusCommand(
  domain: string,
  nameserver: readonly string[] = [],
  records?: string,
): string {
  return commandLine(['domains', 'status', domain], { nameserver, records });
}
