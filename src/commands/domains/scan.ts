import { scanCall } from '../../api/operations.ts';
import { isEmpty } from '../../api/own-level.ts';
import type { Needs } from '../../cli/define/context.ts';
import type { Domain } from '../../cli/values/names.ts';
import { type DomainScan, RECORD_TYPES } from '../../contract/types.ts';
import { type CheckedRecords, checkRecords } from '../../dns/records.ts';
import { normalizeScanned, readScanRemarks } from '../../dns/scanned.ts';
import { findMail, getType } from '../../dns/summary.ts';
import type { ZoneFault } from '../../dns/zone-tokens.ts';
import { CliError, quote } from '../../errors.ts';
import { asArray, asText, findField, type JsonObject } from '../../json/values.ts';
import { maskSecrets } from '../../terminal/mask.ts';
import { formatJsonValue } from '../../terminal/screen.ts';
import { describeDomain, isNameOf, readNameservers } from './dns.ts';

/** The answer to a scan of a domain, read and checked. */
export type Scan = ReturnType<typeof readScan>;

function readScan(domain: Domain, found: DomainScan) {
  const records = asArray(found.records).map((entry) => normalizeScanned(entry, domain.ascii));
  const checked = checkRecords(records, domain.ascii);
  const mismatch = describeMismatch(domain, found.apex);
  const error = describeError(found);
  const unlisted = Array.isArray(found.records)
    ? undefined
    : 'The scan returned no list of records.';
  return {
    domain,
    found,
    /** The records in the form of the record table, where they can be read so. */
    records,
    checked,
    unread: [],
    mail: findMail(records, domain.ascii),
    currentNameservers: readNameservers(found.currentNameservers),
    /** The sentence of a scan that is about another domain. */
    mismatch,
    /** The sentence with the documented error of a scan that returned something all the same. */
    error,
    /** Why nothing can be done with the scan. */
    problems: [mismatch, error, unlisted].filter((text) => text !== undefined),
    // People read them, and so does who gets the plan.
    remarks: readScanRemarks(found, maskSecrets),
    warnings: listWarnings(found.warnings, checked),
  };
}

/**
 * Scans the DNS of a domain (operation 4).
 * @param getCommand makes the command to propose with another domain
 */
export async function scanZone(
  context: Needs<'api' | 'io'>,
  domain: Domain,
  getCommand: (domain: string) => string,
) {
  const send = async () => (await context.api.client()).call<DomainScan>(scanCall(domain.ascii));
  const answer = await context.io
    .during(`Scanning the DNS of ${describeDomain(domain)}`, send)
    .catch((error: unknown) => {
      const isUnknown = error instanceof CliError && error.code === 'not_found';
      throw isUnknown ? proposeParent(error, domain, getCommand) : error;
    });
  return { answer, scan: readScan(domain, answer.value) };
}

function describeMismatch(domain: Domain, apex: unknown): string | undefined {
  if (typeof apex !== 'string' || apex.trim() === '' || isNameOf(domain, apex)) return undefined;
  return `The scan of ${describeDomain(domain)} is about another domain, ${quote(apex)}.`;
}

/** Proposes `example.com` if there is no `www.example.com`. */
function proposeParent(
  error: CliError,
  { ascii }: Domain,
  getCommand: (domain: string) => string,
): CliError {
  const parent = ascii.slice(ascii.indexOf('.') + 1);
  if (!parent.includes('.')) return error;
  return error
    .withLines(`A scan needs the apex domain, which may be ${parent}.`)
    .with({ hint: getCommand(parent) });
}

function describeError(found: DomainScan): string | undefined {
  const error = findField(found, 'error');
  if (isEmpty(error)) return undefined;
  return `The scan has an error: ${formatJsonValue(findField(maskSecrets({ error }), 'error'))}.`;
}

/** Throws `unexpected` for a scan with which nothing can be done. */
export function requireRecords({ domain, problems: [problem] }: Scan): void {
  if (problem === undefined) return;
  const hint = `svc domains import ${domain.ascii} --json`;
  throw new CliError('unexpected', `${problem} Nothing was changed.`, { hint });
}

/** Lists the warnings of a scan or a plan as sentences; their form is not documented. */
export function listWarnings(warnings: unknown, checked: CheckedRecords): string[] {
  const sentences = [warnings ?? []]
    .flat()
    .map((warning) => asText(warning) ?? formatJsonValue(warning));
  return [...sentences.filter((text) => !isKnown(text, checked)), ...checked.warnings];
}

/** Whether a warning only repeats that records of a type cannot be staged. */
function isKnown(warning: string, { problems }: CheckedRecords): boolean {
  if (!/\b(?:cannot|can't|not|unsupported)\b/i.test(warning)) return false;
  const words = new Set(warning.toUpperCase().match(/\w+/g));
  const types = problems.map(({ record }) => getType(record));
  return types.some((type) => words.has(type) && !RECORD_TYPES.some((known) => known === type));
}

/** Records to stage, faulty ones included. */
export interface Gathered extends Pick<Scan, 'checked' | 'currentNameservers' | 'warnings'> {
  readonly scan?: Scan;
  /** The records that mail needs and that were there: `mx`, `spf`, `dmarc`. */
  readonly mail: JsonObject;
  /** The lines of a zone file that svc cannot read. */
  readonly unread: readonly ZoneFault[];
}

/** Scans a domain. Throws `unexpected` for a scan of which nothing can be staged. */
export async function gatherFromScan(
  context: Needs<'api' | 'io'>,
  domain: Domain,
  getCommand: (domain: string) => string,
): Promise<Gathered> {
  const { scan } = await scanZone(context, domain, getCommand);
  requireRecords(scan);
  return { ...scan, scan };
}
