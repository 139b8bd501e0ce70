import { unwrap } from '../../api/own-level.ts';
import type { Needs } from '../../cli/define/context.ts';
import type { Domain } from '../../cli/values/names.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { MAX_RECORDS_BYTES, type RecordsFile, readRecords } from '../../dns/read-records.ts';
import { checkRecords } from '../../dns/records.ts';
import { normalizeScanned } from '../../dns/scanned.ts';
import { findMail } from '../../dns/summary.ts';
import { quote, usageError } from '../../errors.ts';
import {
  asArray,
  asObject,
  asText,
  isObject,
  type JsonObject,
  parseJson,
} from '../../json/values.ts';
import { isNameOf, readNameservers } from './dns.ts';
import { readStagingAnswer } from './judge-staging.ts';
import { countFaults, limitLines, listProblems } from './records.ts';
import type { Staging } from './remember-staging.ts';
import { type Gathered, listWarnings } from './scan.ts';

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
  { name, text }: { readonly name: string; readonly text: string },
  apex: string,
): RecordsFile {
  const file = readRecords(text, apex, name);
  if (!file.faults.some(({ isOfWholeFile }) => isOfWholeFile)) return file;

  const [first, ...others] = file.faults.map(({ message }) => message);
  if (others.length === 0) throw usageError(`Zone file, ${first}`);
  throw usageError(`${name} cannot be read. Correct these lines:`).withLines(
    ...limitLines([first ?? '', ...others], io.json),
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
  const checked = checkRecords(records, domain.ascii, lines);
  return {
    checked,
    unread: faults,
    mail: plan?.['mail'] === undefined ? findMail(records, domain.ascii) : asObject(plan['mail']),
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
  const recordsFile = await readRecordsFile(context, path);
  const { name } = recordsFile;
  const answer = findAnswer(recordsFile.text, domain, name);
  const { staged, nameservers } = readStaging(answer);
  const {
    records,
    lines,
    faults: unread,
  } = answer === undefined
    ? parseRecordsFile(context, recordsFile, ascii)
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
    service: '',
    stagedAt: '',
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
  const written = text.split('\n').filter((line) => line.trim() !== '');
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
