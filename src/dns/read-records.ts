import { quote, usageError } from '../errors.ts';
import { readUserJson } from '../json/user-json.ts';
import { asObject, type JsonObject } from '../json/values.ts';
import { toAsciiName } from './ascii-name.ts';
import { describeOtherFormat } from './other-formats.ts';
import { readZoneFile } from './read-zone.ts';
import { findEscapeDoubt } from './zone-doubts.ts';
import type { ZoneFault } from './zone-tokens.ts';

/** The most bytes to read of a file of records: 5 MiB. */
export const MAX_RECORDS_BYTES = 5 * 1024 * 1024;

/** The content of a file of records. */
export interface RecordsFile {
  readonly records: readonly unknown[];
  /** The line that each record of a zone file starts on. */
  readonly lines?: readonly number[];
  /** The lines of a zone file that svc cannot read. */
  readonly faults: readonly ZoneFault[];
  /** Sentences about records that may do something else than they did where they come from. */
  readonly doubts: readonly string[];
  readonly plan?: JsonObject;
}

/**
 * Reads records from a plan of `svc domains import`, a JSON array of records, or a zone file.
 * @throws CliError `usage` for any other text, and for a plan of another domain
 */
export function readRecords(text: string, apex: string, name: string): RecordsFile {
  const start = text.trimStart().charAt(0);
  const hint = `svc domains import ${apex} --output plan.json`;
  if (start === '') throw usageError(`${name} is empty.`, hint);
  if (start !== '{' && start !== '[') return readZoneRecords(text, apex, name);

  const value = readUserJson(text.replace(/^\ufeff/, ''), name);
  if (Array.isArray(value)) return toFile(value, apex);

  const plan = asObject(value);
  const { records, apex: planned } = plan;
  if (!Array.isArray(records)) {
    throw usageError(`${name} is a JSON object without a list named records.`, hint);
  }
  if (
    typeof planned === 'string' &&
    toAsciiName(planned).toLowerCase().replace(/\.$/, '') !== apex.toLowerCase()
  ) {
    throw usageError(`${name} has the records of ${quote(planned)}, not of ${apex}.`, hint);
  }
  return { ...toFile(records, apex), plan };
}

function toFile(records: readonly unknown[], apex: string): RecordsFile {
  return { records, faults: [], doubts: findEscapeDoubt(records, apex) };
}

function readZoneRecords(text: string, apex: string, name: string): RecordsFile {
  const zone = readZoneFile(text, apex);
  const isNoZone = zone.faults.length > 0 && zone.records.length === 0;
  const format = isNoZone ? describeOtherFormat(text) : undefined;
  if (format !== undefined) {
    throw usageError(
      `${name} looks like ${format}, not like a zone file. svc reads zone files (RFC 1035, as BIND has them), plans and JSON arrays of records.`,
      `Export the zone as a BIND zone file, or let svc scan it: svc domains import ${apex} --output plan.json`,
    );
  }

  return zone;
}
