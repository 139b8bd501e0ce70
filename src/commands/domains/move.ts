import type { Needs } from '../../cli/define/context.ts';
import type { Globals } from '../../cli/settings/globals.ts';
import type { Domain } from '../../cli/values/domain.ts';
import type { MoveFields } from '../../contract/fields/dns.ts';
import { chooseSets, type RecordSet, toRecordSets } from '../../dns/compare.ts';
import { joinName } from '../../dns/record-value.ts';
import type { Resolver } from '../../dns/resolver.ts';
import { type DnsServer, readServer, showServer } from '../../dns/server.ts';
import { CliError, quote } from '../../errors.ts';
import { commandLine } from '../../shell-line.ts';
import { openResolver, parseNameserver } from './dns.ts';
import { recallStaging, type Staging } from './remember-staging.ts';

/** A move that is ready to be checked. */
export interface Move {
  readonly domain: Domain;
  readonly resolver: Resolver;
  readonly expected: readonly DnsServer[];
  /** The nameservers of the last staging, which count as new as well. */
  readonly remembered: readonly DnsServer[];
  readonly expectedFrom: MoveFields['expected']['from'];
  /** The command that checks it again. */
  readonly command: string;
  /** The file of `--records`. */
  readonly recordsFile: string | undefined;
  readonly staging: Staging | undefined;
  readonly sets: readonly RecordSet[];
}

/** The nameservers and the staging of a move, as somebody names them. */
interface NamedMove {
  readonly nameservers: readonly string[];
  /** The staging; by default the last one from this machine. */
  readonly staging?: Staging | undefined;
  readonly recordsFile?: string | undefined;
}

/**
 * Opens a move to the named nameservers, or to those of the staging. Throws a usage error without
 * any.
 */
export async function openMove(
  context: Needs<'store' | 'time' | 'env'>,
  domain: Domain,
  named: NamedMove,
): Promise<Move> {
  const { recordsFile } = named;
  const isNamed = named.nameservers.length > 0;
  const hasNameservers = named.staging !== undefined && named.staging.nameservers.length > 0;
  const recalled = hasNameservers ? undefined : recallStaging(context, domain.ascii);
  const staging = named.staging
    ? { ...named.staging, nameservers: recalled?.nameservers ?? named.staging.nameservers }
    : recalled;

  const remembered = (staging?.nameservers ?? []).flatMap(parseNameserver);
  const expected = isNamed
    ? named.nameservers.map((text) => readServer(text, '--nameserver'))
    : remembered;
  if (expected.length === 0) throw createNamelessError(domain.ascii, staging, recordsFile);

  const isFromFile = recordsFile !== undefined && recalled === undefined;
  const origin = isFromFile ? 'file' : 'staging';
  const records = (staging?.records ?? []).map((record) => ({
    ...record,
    name: joinName(record.subdomain, domain.ascii),
  }));
  const typedNameservers = isNamed ? expected.map(showServer) : [];
  return {
    domain,
    resolver: await openResolver(context),
    expected,
    remembered,
    expectedFrom: isNamed ? 'flag' : origin,
    command: getStatusCommand(domain.ascii, typedNameservers, recordsFile),
    recordsFile,
    staging,
    sets: chooseSets(toRecordSets(records), domain.ascii),
  };
}

/** Makes the error of a move of which nobody knows the new nameservers. */
function createNamelessError(
  domain: string,
  staging: Staging | undefined,
  recordsFile: string | undefined,
): CliError {
  if (recordsFile !== undefined) {
    const message = `${quote(recordsFile)} does not say which nameservers ${domain} will have.`;
    return new CliError('usage', message, { lines: ['Add --nameserver <host>.'] });
  }
  if (staging !== undefined) {
    const message = `${domain} was staged, but the answer named no nameservers that svc can read.`;
    const lines = ["Ask the platform's support for them, and pass them with --nameserver <host>."];
    return new CliError('usage', message, { lines });
  }
  return new CliError('usage', `No move of ${domain} was started on this machine.`, {
    lines: ['To check one from elsewhere: --nameserver <host>.'],
    hint: {
      say: 'To start one:',
      run: [commandLine(['domains', 'add', domain], { import: true })],
    },
  });
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
