import { scanCall } from '../../api/call.ts';
import { isEmpty, unwrap } from '../../api/read-answer.ts';
import type { Needs } from '../../cli/define/context.ts';
import type { Domain } from '../../cli/values/names.ts';
import { type DomainScan, OPERATIONS, RECORD_TYPES } from '../../contract/operations.ts';
import { MAX_RECORDS_BYTES, type RecordsFile, readRecords } from '../../dns/read-records.ts';
import { type CheckedRecords, checkRecords } from '../../dns/records.ts';
import { findMail, getType, normalizeScanned, readScanRemarks } from '../../dns/scanned.ts';
import { CliError, quote, usageError } from '../../errors.ts';
import {
  asArray,
  asObject,
  asText,
  findField,
  isObject,
  type JsonObject,
  parseJson,
} from '../../json/values.ts';
import { maskSecrets } from '../../terminal/mask.ts';
import { formatJsonValue } from '../../terminal/screen.ts';
import { describeDomain, isNameOf, readNameservers, readStagingAnswer } from './dns.ts';
import { type Candidates, countFaults, limitLines, listProblems } from './records.ts';
import type { Staging } from './remember-staging.ts';

/** The answer to a scan of a domain, read and checked. */
export type Scan = ReturnType<typeof readScan>;

function readScan(domain: Domain, found: DomainScan) {
  const records = asArray(found.records).map((entry) => normalizeScanned(entry, domain.ascii));
  const checked = checkRecords(records, domain.ascii);
  const mismatch = describeMismatch(domain, found.apex);
  const error = describeError(found);
  const unlisted = Array.isArray(found.records) ? '' : 'The scan returned no list of records.';
  return {
    domain,
    found,
    /** The records in the form of the record table, where they can be read so. */
    records,
    checked,
    unread: [],
    mail: findMail(records, domain.ascii),
    currentNameservers: readNameservers(found.currentNameservers),
    /** The sentence of a scan that is about another domain; empty for any other. */
    mismatch,
    /** The sentence with the error of a scan that returned something all the same, or empty. */
    error,
    /** Why nothing can be done with the scan. */
    problems: [mismatch, error, unlisted].filter(Boolean),
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
      const parent = domain.ascii.slice(domain.ascii.indexOf('.') + 1);
      const isUnknown = error instanceof CliError && error.code === 'not_found';
      if (!isUnknown || !parent.includes('.')) throw error;
      // There may be a zone `example.com` where there is none of `www.example.com`.
      throw error
        .withLines(`A scan needs the apex domain, which may be ${parent}.`)
        .with({ hint: getCommand(parent) });
    });
  return { answer, scan: readScan(domain, answer.value) };
}

function describeMismatch(domain: Domain, apex: unknown): string {
  if (typeof apex !== 'string' || apex.trim() === '' || isNameOf(domain, apex)) return '';
  return `The scan of ${describeDomain(domain)} is about another domain, ${quote(apex)}.`;
}

function describeError(found: DomainScan): string {
  const error = findField(found, 'error');
  if (isEmpty(error)) return '';
  return `The scan has an error: ${formatJsonValue(findField(maskSecrets({ error }), 'error'))}.`;
}

/** Throws `unexpected` for a scan with which nothing can be done. */
export function requireRecords({ domain, problems: [problem] }: Scan): void {
  if (problem === undefined) return;
  const hint = `svc domains import ${domain.ascii} --json`;
  throw new CliError('unexpected', `${problem} Nothing was changed.`, { hint });
}

/** Lists the warnings of a scan or a plan as sentences; their form is not documented. */
function listWarnings(warnings: unknown, checked: CheckedRecords): string[] {
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

/** Records to stage of a file or a scan, and the nameservers of the domain at that time. */
export interface Gathered extends Candidates {
  readonly scan?: Scan;
  readonly currentNameservers: readonly string[];
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

/** Reads the text of a file of records; `-` is stdin. */
async function readRecordsFile({ io }: Needs<'io'>, path: string) {
  const name = path === '-' ? 'Standard input' : quote(path);
  return { name, text: await io.readText(path, '--records', MAX_RECORDS_BYTES) };
}

/**
 * Reads the records of a text.
 * @throws CliError `usage` for one of which nothing can be read, or a line changes how others read
 */
function parseRecordsFile(
  { io }: Needs<'io'>,
  text: string,
  apex: string,
  name: string,
): RecordsFile {
  const file = readRecords(text, apex, name);
  if (!file.faults.some(({ isOfWholeFile }) => isOfWholeFile)) return file;

  const lines = file.faults.map(({ message }) => message);
  if (lines.length === 1) throw usageError(`Zone file, ${lines[0]}`);
  throw usageError(`${name} cannot be read. Correct these lines:`).withLines(
    ...limitLines(lines, io.json),
  );
}

/** Reads a file of records, with the lines that svc cannot read. */
export async function gatherFromFile(
  context: Needs<'io'>,
  domain: Domain,
  path: string,
): Promise<Gathered> {
  const { ascii } = domain;
  const { name, text } = await readRecordsFile(context, path);
  const { records, lines, plan, faults, doubts } = parseRecordsFile(context, text, ascii, name);
  const checked = checkRecords(records, ascii, lines);
  return {
    checked,
    unread: faults,
    mail: plan?.['mail'] === undefined ? findMail(records, ascii) : asObject(plan['mail']),
    currentNameservers: readNameservers(plan?.['currentNameservers']),
    warnings: [...doubts, ...listWarnings(plan?.['warnings'], checked)],
  };
}

/**
 * Reads what was staged: from a plan, a zone file, or what `svc domains add --json` printed for one
 * domain or several.
 */
export async function readStagedFile(
  context: Needs<'io'>,
  domain: Domain,
  path: string,
): Promise<Staging> {
  const { ascii } = domain;
  const { name, text } = await readRecordsFile(context, path);
  const answer = findAnswer(text, domain, name);
  const { staged, nameservers } = readStaging(answer);
  const {
    records,
    lines,
    faults: unread,
  } = answer === undefined
    ? parseRecordsFile(context, text, ascii, name)
    : { records: asArray(staged).map((entry) => normalizeScanned(entry, ascii)), faults: [] };

  const checked = checkRecords(records, ascii, lines);
  const skipped = countFaults({ checked, unread });
  if (skipped !== '') {
    await context.io.warn(
      `${skipped} of ${name} cannot have been staged, and are not compared:`,
      'not_compared',
      listProblems({ checked, unread }, context.io.json),
    );
  }
  const file = answer === undefined ? path : undefined;
  return {
    nameservers,
    records: checked.records,
    file,
    recordsFile: path,
  };
}

function readStaging(answer: unknown) {
  return readStagingAnswer(unwrap(answer, OPERATIONS.stageDomain).value);
}

/** Finds the answer to a staging in a text: alone, or in the line of the domain. */
function findAnswer(text: string, domain: Domain, name: string): JsonObject | undefined {
  const whole = parseJson(text);
  const hasRecords = (answer: unknown) => Array.isArray(readStaging(answer).staged);
  const written = text.split('\n').filter((line) => line.trim());
  const lines = (whole === undefined ? written.map(parseJson) : [whole]).map(asObject);
  const isBatch = lines.length > 0 && lines.every((line) => 'item' in line && 'attempts' in line);
  if (!isBatch) {
    const isAnswer = isObject(whole) && hasRecords(whole) && !('apex' in whole);
    return isAnswer ? whole : undefined;
  }

  const line = lines.findLast(({ item, answer }) => {
    const itemName = asText(isObject(item) ? item['domain'] : item) ?? '';
    return isNameOf(domain, itemName) && hasRecords(answer);
  });
  if (line !== undefined) return asObject(line['answer']);
  throw usageError(
    `${name} has no staged records of ${domain.ascii}.`,
    'Save what svc domains add --json prints.',
  );
}
