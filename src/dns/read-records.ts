import { quote, usageError } from '../errors.ts';
import { readUserJson } from '../json/user-json.ts';
import { asObject, type JsonObject } from '../json/values.ts';
import { readZoneFile } from './read-zone.ts';
import { findEscapeDoubt } from './zone-doubts.ts';
import { toAsciiName, type ZoneFault } from './zone-tokens.ts';

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
  /** A JSON file's words beside its records; an array has none. */
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
  const document = Array.isArray(value) ? { records: value } : asObject(value);
  const { records, apex: planned } = document;
  if (!Array.isArray(records)) {
    throw usageError(`${name} is a JSON object without a list named records.`, hint);
  }
  if (
    typeof planned === 'string' &&
    toAsciiName(planned).toLowerCase().replace(/\.$/, '') !== apex.toLowerCase()
  ) {
    throw usageError(`${name} has the records of ${quote(planned)}, not of ${apex}.`, hint);
  }
  return { records, faults: [], doubts: findEscapeDoubt(records, apex), plan: document };
}

function readZoneRecords(text: string, apex: string, name: string): RecordsFile {
  const zone = readZoneFile(text, apex);
  const isNoZone = zone.faults.length > 0 && zone.records.length === 0;
  const format = isNoZone ? describeOtherFormat(text) : '';
  if (format !== '') {
    throw usageError(
      `${name} looks like ${format}, not like a zone file. svc reads zone files (RFC 1035, as BIND has them), plans and JSON arrays of records.`,
      `Export the zone as a BIND zone file, or let svc scan it: svc domains import ${apex} --output plan.json`,
    );
  }

  return zone;
}

/**
 * Formats in which other programs export records, by the first line that says something. In a zone
 * file blanks stand behind the first word, and a semicolon begins a comment.
 */
const FORMATS: readonly (readonly [format: string, firstLine: RegExp])[] = [
  ['a web page or XML', /^</],
  ['a configuration file of BIND (named.conf)', /^(?:zone|options)\b.*\{/],
  ['Terraform', /^(?:resource|provider|terraform)\b.*\{/],
  ['a table of PowerShell', /^HostName\s+RecordType\b/],
  // The kind of a record, its name, and colons between the fields.
  ['a data file of tinydns', /^(?=[^\s:]*\.)[+=.&@'^CZSN%36-][^\s:]+:\S/],
  ['YAML', /^(?:---|-\s+\S.*|(?:'[^']*'|"[^"]*"|[^\s:"]+):(?:\s.*)?)$/],
  ['a table (CSV)', /^(?:"[^",]*"|[A-Za-z ]*|[^\s",]*),[^,]*,/],
  ['a table (CSV)', /^(?:"[^";]*"|[A-Za-z ]*|[^\s";]*);[^;]*;/],
  ['a table', /^(?:"?(?:type|name|host|value|content|data|ttl|priority|record)"?(?:\t|$)){3,99}$/i],
];

/** Blank lines, comments and directives say nothing. */
const SAYS_SOMETHING = /^\ufeff?\s*[^\s;#$]/;

/**
 * Names the format of a text that is not a zone file, as a noun with its article; empty for others.
 */
function describeOtherFormat(text: string): string {
  const lines = text.split(/[\r\n]+/).filter((line) => SAYS_SOMETHING.test(line));
  const first = (lines[0]?.replace(/^\ufeff/, '') ?? '').trimEnd();
  const format = FORMATS.find(([, firstLine]) => firstLine.test(first));
  if (format !== undefined) return format[0];

  const isIndented = lines.length > 0 && lines.every((line) => /^\s/.test(line));
  return isIndented ? 'an indented text (each line begins with a blank, where names belong)' : '';
}
