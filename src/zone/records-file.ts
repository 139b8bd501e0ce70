import { type CliError, quoted, usageError } from '../errors.ts';
import { readJson } from '../json/user-json.ts';
import { isObject, type JsonObject } from '../json/values.ts';
import { readZone } from './read.ts';

/** The largest file of records that is read, in bytes. */
export const MAX_RECORDS_BYTES = 5 * 1024 * 1024;

/** Records as a file has them, not yet checked. */
export interface RecordsFile {
  readonly records: readonly unknown[];
  /** For a zone file: the line that each record starts on. */
  readonly lines?: readonly number[];
  /** For a plan: the scan that it was written from. */
  readonly plan?: JsonObject;
}

/** How a text of records is read. */
export interface ReadOptions {
  /** What messages call the text. */
  readonly name?: string;
  /** Takes the error of a record of a zone file that cannot be held; it is thrown unless told otherwise. */
  readonly onFault?: (fault: CliError) => void;
}

/**
 * Reads records in any of three forms: a plan as `svc domains import --output plan.json` writes it, a JSON array of
 * records, or a zone file. Throws a usage error for what is none of them, for a plan of another domain, and for more than
 * 5 MiB.
 */
export function readRecords(text: string, apex: string, { name = 'The file', onFault }: ReadOptions = {}): RecordsFile {
  if (Buffer.byteLength(text) > MAX_RECORDS_BYTES) {
    throw usageError(`${name} is larger than 5 MiB, which no list of DNS records is.`, 'give the records only');
  }
  const start = text.trimStart().charAt(0);
  if (start === '') throw usageError(`${name} is empty.`, `svc domains import ${apex} --output plan.json`);
  if (start !== '{' && start !== '[') return readZone(text, apex, onFault);
  const value = readJson(text.replace(/^\ufeff/, ''), name);
  return Array.isArray(value) ? { records: value as unknown[] } : readPlan(value, apex, name);
}

function readPlan(value: unknown, apex: string, name: string): RecordsFile {
  const plan = isObject(value) ? value : {};
  const { records, apex: planned } = plan;
  if (!Array.isArray(records)) {
    throw usageError(
      `${name} is a JSON object without a list named records.`,
      `svc domains import ${apex} --output plan.json`,
    );
  }
  if (typeof planned === 'string' && planned.toLowerCase().replace(/\.$/, '') !== apex.toLowerCase()) {
    throw usageError(
      `${name} holds the records of ${quoted(planned)}, not of ${apex}.`,
      `svc domains import ${apex} --output plan.json`,
    );
  }
  return { records: records as unknown[], plan };
}
