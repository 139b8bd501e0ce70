import { join } from 'node:path';
import type { Needs } from '../../cli/define/context.ts';
import type { Globals } from '../../cli/settings/globals.ts';
import type { Domain } from '../../cli/values/domain.ts';
import type { MoveFields } from '../../contract/fields/move.ts';
import type { DnsRecord } from '../../contract/types.ts';
import { chooseSets, type RecordSet, toRecordSets } from '../../dns/compare.ts';
import { joinName } from '../../dns/record-value.ts';
import { checkRecords } from '../../dns/records.ts';
import type { Resolver } from '../../dns/resolver.ts';
import { type DnsServer, readServer, showServer } from '../../dns/server.ts';
import { CliError, quoted } from '../../errors.ts';
import { asArray, asText, type JsonObject } from '../../json/values.ts';
import { commandLine } from '../../shell-line.ts';
import { changeDocument, type DocumentKind, readDocument } from '../../store/document.ts';
import { describeSystemError } from '../../store/problem.ts';
import { nameserverIn, openResolver } from './dns.ts';

/** A damaged one counts as absent. */
const STAGING: DocumentKind<JsonObject> = { format: 1, empty: {}, parse: (fields) => fields };

/** What `svc domains status` looks for. */
export interface Staging {
  readonly nameservers: readonly string[];
  readonly records: readonly DnsRecord[];
  readonly service: string;
  /** ISO 8601. */
  readonly stagedAt: string;
  /** A file with the records as they should be: the one that was given, or the saved scan. */
  readonly file?: string | undefined;
}

/** Saves it over an earlier one of the domain; warns if that fails. */
export async function rememberStaging(
  context: Needs<'io' | 'store' | 'time'>,
  domain: string,
  staging: Staging,
): Promise<boolean> {
  const { io, store, time } = context;
  try {
    const place = { path: pathOf(context, domain), machine: store.machine, clock: time.clock };
    await changeDocument(place, STAGING, ({ write }) =>
      write({ file: undefined, domain, ...staging }),
    );
    return true;
  } catch (error) {
    const sentence = `svc cannot save what was staged (${describeSystemError(error)}). svc domains status will need --nameserver.`;
    await io.warn(sentence, 'staging_not_saved');
    return false;
  }
}

/** The last one of a domain from this machine. */
function recallStaging(context: Needs<'store'>, domain: string): Staging | undefined {
  const { content } = readDocument(pathOf(context, domain), STAGING, context.store.machine);
  const { nameservers, records, service, stagedAt, file } = content;
  const checked = checkRecords(asArray(records), domain);
  // Without one of its records, a move would look complete too early.
  if (!Array.isArray(records) || checked.problems.length > 0) return undefined;
  return {
    nameservers: asArray(nameservers).filter((name) => typeof name === 'string'),
    records: checked.records,
    service: asText(service) ?? '',
    stagedAt: asText(stagedAt) ?? '',
    file: asText(file),
  };
}

/** A parsed domain has neither slashes nor a leading dot, so it is safe as a file name. */
function pathOf(context: Needs<'store'>, domain: string): string {
  return join(context.store.configFolder(), 'domains', `${domain}.json`);
}

/** Ready to be checked. */
export interface Move {
  readonly domain: Domain;
  readonly resolver: Resolver;
  readonly expected: readonly DnsServer[];
  /** Those of the last staging, which count as new as well. */
  readonly remembered: readonly DnsServer[];
  readonly expectedFrom: MoveFields['expected']['from'];
  readonly command: string;
  readonly given: string | undefined;
  readonly staging: Staging | undefined;
  readonly sets: readonly RecordSet[];
}

/**
 * A move to the named nameservers, or to those of the staging. Throws a usage error without any.
 * @param given what was staged; by default what this machine remembers
 */
export async function openMove(
  context: Needs<'store' | 'time' | 'env'>,
  domain: Domain,
  named: readonly string[],
  given?: Staging,
  records?: string,
): Promise<Move> {
  const recalled =
    given === undefined || given.nameservers.length === 0
      ? recallStaging(context, domain.ascii)
      : undefined;
  const staging = given
    ? { ...given, nameservers: recalled?.nameservers ?? given.nameservers }
    : recalled;
  const remembered = (staging?.nameservers ?? []).flatMap(nameserverIn);
  const expected =
    named.length > 0 ? named.map((text) => readServer(text, '--nameserver')) : remembered;
  if (expected.length === 0) throw withoutNameservers(domain.ascii, staging, records);
  const unnamed = records !== undefined && recalled === undefined ? 'file' : 'staging';
  const wanted = (staging?.records ?? []).map((record) => ({
    ...record,
    name: joinName(record.subdomain, domain.ascii),
  }));
  return {
    domain,
    resolver: await openResolver(context),
    expected,
    remembered,
    expectedFrom: named.length > 0 ? 'flag' : unnamed,
    command: statusCommand(domain.ascii, named.length > 0 ? expected.map(showServer) : [], records),
    given: records,
    staging,
    sets: chooseSets(toRecordSets(wanted), domain.ascii),
  };
}

function withoutNameservers(
  domain: string,
  staging: Staging | undefined,
  records: string | undefined,
): CliError {
  if (staging !== undefined && records === undefined) {
    return new CliError(
      'usage',
      `${domain} was staged, but the answer named no nameservers that svc can read.`,
      {
        lines: ["Ask the platform's support for them, and pass them with --nameserver <host>."],
      },
    );
  }
  const message =
    records === undefined
      ? `${domain} was not staged from this machine, so svc does not know its new nameservers.`
      : `${quoted(records)} does not say which nameservers ${domain} will have.`;
  return new CliError('usage', message, {
    lines: [
      'Pass them with --nameserver <host> (printed by svc domains add).',
      'Or pass the answer of svc domains add --json, with --records <file>.',
    ],
  });
}

interface TypedStaging {
  readonly service?: string | undefined;
  readonly records?: string | undefined;
  readonly skipInvalid?: boolean;
}

/** The command that stages a domain, with what was typed. */
export function addCommand(
  domain: string,
  { service, records, skipInvalid }: TypedStaging,
  globals: Globals,
): string {
  const options = { service, import: true, records, 'skip-invalid': skipInvalid };
  return commandLine(['domains', 'add', domain], options, globals);
}

/** The command that checks a move. */
export function statusCommand(
  domain: string,
  nameserver: readonly string[] = [],
  records?: string,
): string {
  return commandLine(['domains', 'status', domain], { nameserver, records });
}
