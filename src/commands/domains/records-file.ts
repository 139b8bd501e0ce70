import type { Needs } from '../../cli/define/context.ts';
import type { Domain } from '../../cli/values/domain.ts';
import { MAX_RECORDS_BYTES, type RecordsFile, readRecords } from '../../dns/read-records.ts';
import { checkRecords } from '../../dns/records.ts';
import { findMail } from '../../dns/summary.ts';
import { quote, usageError } from '../../errors.ts';
import { asObject } from '../../json/values.ts';
import { readNameservers } from './dns.ts';
import { limitLines } from './limit-lines.ts';
import { type Gathered, listWarnings } from './scan.ts';

/** Reads the text of a file of records; `-` is stdin. */
export async function readRecordsFile({ io }: Needs<'io'>, path: string) {
  const name = path === '-' ? 'Standard input' : quote(path);
  return { name, text: await io.readText(path, '--records', MAX_RECORDS_BYTES) };
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
