import { join } from 'node:path';
import { scanCall } from '../../api/operations.ts';
import { isEmpty } from '../../api/own-level.ts';
import type { Needs } from '../../cli/define/context.ts';
import { SCHEMA_VERSION } from '../../cli/define/document.ts';
import type { Domain } from '../../cli/values/domain.ts';
import { onOneLine } from '../../contract/text.ts';
import { type DomainScan, RECORD_TYPES } from '../../contract/types.ts';
import { MAX_RECORDS_BYTES, type RecordsFile, readRecords } from '../../dns/read-records.ts';
import { type CheckedRecords, checkRecords, describeProblem } from '../../dns/records.ts';
import { normalizeScanned, readScanRemarks, type ScanRemarks } from '../../dns/scanned.ts';
import { findMail, toText } from '../../dns/summary.ts';
import { writeZone } from '../../dns/write-zone.ts';
import { findStrings, unquoteText, type ZoneFault } from '../../dns/zone-tokens.ts';
import { CliError, quoted, usageError } from '../../errors.ts';
import { asArray, asObject, asText, findField, type JsonObject } from '../../json/values.ts';
import { readPrivateFile } from '../../store/files.ts';
import { isFileName } from '../../store/named-file.ts';
import { describeSystemError } from '../../store/problem.ts';
import { withLockedFile } from '../../store/write.ts';
import { maskSecrets } from '../../terminal/mask.ts';
import { formatJsonValue } from '../../terminal/screen.ts';
import { bothNames, isNameOf, nameserversOf } from './dns.ts';
import { firstLines } from './first-lines.ts';

/** What a scan of a domain found. */
export interface Scan {
  readonly domain: Domain;
  readonly found: DomainScan;
  /** In the form of the record table, where they can be read so. */
  readonly records: readonly unknown[];
  readonly checked: CheckedRecords;
  /** The records that mail needs and that were there: `mx`, `spf`, `dmarc`. */
  readonly mail: JsonObject;
  readonly currentNameservers: readonly string[];
  /** A sentence, if it is about another domain. */
  readonly mismatch: string | undefined;
  readonly remarks: ScanRemarks;
  readonly warnings: readonly string[];
}

/** Operation 4. `commandFor` makes the command to propose with another domain. */
export async function scanZone(
  context: Needs<'api' | 'io'>,
  domain: Domain,
  commandFor: (domain: string) => string,
) {
  const answer = await context.io
    .during(`Scanning the DNS of ${bothNames(domain)}`, async () =>
      (await context.api.client()).call<DomainScan>(scanCall(domain.ascii)),
    )
    .catch((error) => {
      throw error instanceof CliError && error.code === 'not_found'
        ? withParent(error, domain, commandFor)
        : error;
    });
  const { value: found } = answer;
  const records = asArray(found.records).map((entry) => normalizeScanned(entry, domain.ascii));
  const checked = checkRecords(records, domain.ascii);
  // People read them, and so does who gets the plan.
  const remarks = readScanRemarks(found, maskSecrets);
  const warnings = warningsOf(found.warnings, checked);
  const { apex } = found;
  const isOther = typeof apex === 'string' && apex.trim() !== '' && !isNameOf(domain, apex);
  const mismatch = isOther
    ? `The scan of ${bothNames(domain)} is about another domain, ${quoted(apex)}.`
    : undefined;
  const currentNameservers = nameserversOf(found.currentNameservers);
  const mail = findMail(records, domain.ascii);
  const scan: Scan = {
    domain,
    found,
    records,
    checked,
    mail,
    currentNameservers,
    mismatch,
    remarks,
    warnings,
  };
  return { answer, scan };
}

/** Proposes `example.com` if there is no `www.example.com`. */
function withParent(
  error: CliError,
  { ascii }: Domain,
  commandFor: (domain: string) => string,
): CliError {
  const parent = ascii.slice(ascii.indexOf('.') + 1);
  if (!parent.includes('.')) return error;
  return error
    .withLines(`A scan needs the apex domain, which may be ${parent}.`)
    .with({ hint: commandFor(parent) });
}

/** Lists why nothing can be done with a scan. */
export function faultsOf(scan: Scan): readonly string[] {
  const unlisted = Array.isArray(scan.found.records)
    ? undefined
    : 'The scan returned no list of records.';
  return [scan.mismatch, describeScanError(scan), unlisted].filter((text) => text !== undefined);
}

/** Describes the documented error of a scan that returned something all the same. */
export function describeScanError({ found }: Pick<Scan, 'found'>): string | undefined {
  const error = findField(found, 'error');
  if (isEmpty(error)) return undefined;
  return `The scan has an error: ${formatJsonValue(findField(maskSecrets({ error }), 'error'))}.`;
}

/** Throws `unexpected` for a scan with {@link faultsOf}. */
export function requireRecords(scan: Scan): void {
  const [fault] = faultsOf(scan);
  const hint = `svc domains import ${scan.domain.ascii} --json`;
  if (fault !== undefined)
    throw new CliError('unexpected', `${fault} Nothing was changed.`, { hint });
}

/** The warnings of a scan or a plan as sentences; their form is not documented. */
function warningsOf(warnings: unknown, checked: CheckedRecords): string[] {
  const sentences = [warnings ?? []]
    .flat()
    .map((warning) => asText(warning) ?? formatJsonValue(warning));
  return [...sentences.filter((text) => !isKnown(text, checked)), ...checked.warnings];
}

/** Whether a warning only repeats that records of a type cannot be staged. */
function isKnown(warning: string, { problems }: CheckedRecords): boolean {
  if (!/\b(?:cannot|can't|not|unsupported)\b/i.test(warning)) return false;
  const words = new Set(warning.toUpperCase().match(/\w+/g));
  const types = problems.map(({ record }) => toText(findField(record, 'type')).toUpperCase());
  return types.some((type) => words.has(type) && !RECORD_TYPES.some((known) => known === type));
}

/** A scan as a file that people edit, and that `svc domains add --records` reads. */
export function toPlanText({ found, records, domain, remarks, mail }: Scan, now: number): string {
  const plan = {
    schemaVersion: SCHEMA_VERSION,
    apex: domain.ascii,
    currentNameservers: found.currentNameservers ?? [],
    records,
    warnings: [remarks.sentence ?? [], found.warnings ?? []].flat(),
    // Shows later whether an edit removed them.
    mail,
    scannedAt: new Date(now).toISOString(),
  };
  return `${JSON.stringify(plan, null, 2)}\n`;
}

/** Records to stage, faulty ones included. */
export interface Gathered
  extends Pick<Scan, 'checked' | 'mail' | 'currentNameservers' | 'warnings'> {
  readonly scan?: Scan;
  /** For a zone file: the line that each record starts on. */
  readonly lines?: readonly number[] | undefined;
  readonly unread: readonly ZoneFault[];
}

/** The text of a file of records; `-` is stdin. */
export async function readRecordsFile({ io }: Needs<'io'>, path: string) {
  const name = path === '-' ? 'Standard input' : quoted(path);
  return { name, text: await io.readText(path, '--records', MAX_RECORDS_BYTES) };
}

/** Throws `unexpected` for a scan of which nothing can be staged. */
export async function gatherFromScan(
  context: Needs<'api' | 'io'>,
  domain: Domain,
  commandFor: (domain: string) => string,
): Promise<Gathered> {
  const { scan } = await scanZone(context, domain, commandFor);
  requireRecords(scan);
  return { ...scan, scan, unread: [] };
}

/**
 * Reads the records of a text.
 * @throws CliError `usage` for one of which nothing can be read, or a line changes how others read
 */
export function parseRecordsFile(
  { io }: Needs<'io'>,
  { name, text }: { readonly name: string; readonly text: string },
  apex: string,
): RecordsFile {
  const file = readRecords(text, apex, name);
  if (!file.faults.some(({ isOfWholeFile }) => isOfWholeFile)) return file;

  const [first, ...others] = file.faults.map(({ message }) => message);
  if (others.length === 0) throw usageError(`Zone file, ${first}`);
  throw usageError(`${name} cannot be read. Correct these lines:`).withLines(
    ...firstLines([first ?? '', ...others], io.json),
  );
}

/** Reads a file of records, with the lines that svc cannot read. */
export async function gatherFromFile(
  context: Needs<'io'>,
  domain: Domain,
  path: string,
): Promise<Gathered> {
  const text = await readRecordsFile(context, path);
  const { records, lines, plan, faults, doubts } = parseRecordsFile(context, text, domain.ascii);
  const checked = checkRecords(records, domain.ascii);
  return {
    checked,
    lines,
    unread: faults,
    mail: plan?.['mail'] === undefined ? findMail(records, domain.ascii) : asObject(plan['mail']),
    currentNameservers: nameserversOf(plan?.['currentNameservers']),
    warnings: [...doubts, ...warningsOf(plan?.['warnings'], checked)],
  };
}

/**
 * A scan as a zone file for the nameservers that served it. Comments name those, and what svc
 * cannot write.
 */
export function toZoneText({ currentNameservers, checked, domain, remarks }: Scan): string {
  const nameservers = currentNameservers.map(onOneLine).join(', ');
  // A scan may have quotes around a text; quoted again, they would become a part of it.
  const records = checked.records.map((record) =>
    record.type === 'TXT'
      ? { ...record, value: unquoteText(record.value), strings: findStrings(record.value) }
      : record,
  );
  const comments = [
    ...(remarks.sentence === undefined ? [] : [remarks.sentence]),
    ...checked.leftOut.map((record) => `of the nameservers themselves: ${JSON.stringify(record)}`),
    ...checked.problems.map(
      (problem) => `left out, ${describeProblem(problem)}: ${JSON.stringify(problem.record)}`,
    ),
    ...checked.lostFields.map(
      ({ field, record }) => `without its ${field}: ${JSON.stringify(record)}`,
    ),
  ];
  const text = [
    nameservers === '' ? '' : `; Nameservers at the time of the scan: ${nameservers}\n`,
    writeZone(records, domain.ascii).text,
    ...comments.map((comment) => `; ${onOneLine(comment)}\n`),
  ].join('');
  // CI runners carry out `##[…]`, and do not see selectors in it. `\035` is a # as well (RFC 1035),
  // so texts stay the same.
  return text.replaceAll(/#(?=[\ufe0e\ufe0f]*#)/g, '\\035');
}

/**
 * Saves a scan as a zone file: the way back after a move. Never replaces an earlier scan.
 * @returns the path, of an earlier one if nothing has changed since; undefined, with a warning, if
 * that fails
 */
export async function saveZone(
  context: Needs<'io' | 'store' | 'time'>,
  scan: Scan,
): Promise<string | undefined> {
  const { io, store, time } = context;
  const { ascii } = scan.domain;
  const text = toZoneText(scan);
  const day = new Date(time.clock.now()).toISOString().slice(0, 10);
  try {
    for (let number = 1; ; number += 1) {
      const name = `${isFileName(ascii) ? '' : '_'}${ascii}.${day}${number === 1 ? '' : `-${number}`}.zone`;
      const path = join(store.configFolder(), 'domains', name);
      const isSaved = await withLockedFile(path, store.machine, time.clock, (file) => {
        const saved = readPrivateFile(path, store.machine)?.text;
        if (saved === undefined) file.write(text);
        return saved === undefined || saved === text;
      });
      if (isSaved) return path;
    }
  } catch (error) {
    await io.warn(
      `svc cannot save the current records of ${ascii} (${describeSystemError(error)}).`,
      'zone_not_saved',
    );
    return undefined;
  }
}
