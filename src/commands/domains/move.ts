import type { Needs } from '../../cli/define/context.ts';
import type { Globals } from '../../cli/settings/globals.ts';
import type { Domain } from '../../cli/values/names.ts';
import { readServer, showServer } from '../../dns/client.ts';
import { chooseSets, toRecordSets } from '../../dns/compare.ts';
import { joinName } from '../../dns/record-value.ts';
import { type CliError, quote, usageError } from '../../errors.ts';
import { commandLine } from '../../shell-line.ts';
import { describeKnown } from '../shared/names.ts';
import { openResolver, parseNameserver } from './dns.ts';
import { recallStaging, type Staging } from './remember-staging.ts';

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
