import { type CliError, quoted, usageError } from '../errors.ts';
import { readUserJson } from '../json/user-json.ts';
import { asObject, type JsonObject } from '../json/values.ts';
import { readZone } from './read.ts';

/** The most bytes to read of a file of records: 5 MiB. */
export const MAX_RECORDS_BYTES = 5 * 1024 * 1024;

/** The records of a file, not yet checked. */
interface RecordsFile {
  readonly records: readonly unknown[];
  /** Of a zone file: the line that each record starts on. */
  readonly lines?: readonly number[];
  /** Of a plan: the scan that it was written from. */
  readonly plan?: JsonObject;
}

interface ReadOptions {
  readonly name: string;
  readonly onFault: (fault: CliError) => void;
}

/**
 * Reads records from a plan of `svc domains import --output plan.json`, a JSON array of records, or a zone file. Throws
 * a usage error for any other text, and for a plan of another domain.
 */
export function readRecords(text: string, apex: string, { name, onFault }: ReadOptions): RecordsFile {
  const start = text.trimStart().charAt(0);
  if (start === '') throw usageError(`${name} is empty.`, `svc domains import ${apex} --output plan.json`);
  if (start !== '{' && start !== '[') return readZone(text, apex, onFault);
  const value = readUserJson(text.replace(/^\ufeff/, ''), name);
  return Array.isArray(value) ? { records: value as unknown[] } : readPlan(value, apex, name);
}

function readPlan(value: unknown, apex: string, name: string): RecordsFile {
  const plan = asObject(value);
  const { records, apex: planned } = plan;
  const hint = `svc domains import ${apex} --output plan.json`;
  if (!Array.isArray(records)) throw usageError(`${name} is a JSON object without a list named records.`, hint);
  if (typeof planned === 'string' && planned.toLowerCase().replace(/\.$/, '') !== apex.toLowerCase()) {
    throw usageError(`${name} has the records of ${quoted(planned)}, not of ${apex}.`, hint);
  }
  return { records: records as unknown[], plan };
}
