import { listed, quoted } from '../errors.ts';
import { asObject, isObject } from '../json/values.ts';
import { type DnsRecord, RECORD_TYPES, type RecordType } from '../spec/types.ts';
import { type LostField, lossesByField, lostFieldsOf } from './losses.ts';
import { findSubdomainFault, findValueFault, fullName } from './record-value.ts';
import { findOtherNumber } from './scanned.ts';
import { groupBy, recordName } from './summary.ts';

/** A record that cannot be staged. */
export interface Problem {
  /** In the list, from 0. */
  readonly index: number;
  /** Empty if the whole entry is wrong. */
  readonly field: string;
  readonly message: string;
  /** The type and the full name, such as `CAA at www.example.com`; empty without a name. */
  readonly about: string;
  /** As it was given. */
  readonly record: unknown;
  readonly kind: 'unsupported_type' | 'invalid';
}

/** Records of a scan or a user, checked. */
export interface CheckedRecords {
  /** The records to stage, in their order, with the five documented fields only. */
  readonly records: DnsRecord[];
  readonly problems: Problem[];
  /** Fields of those records that are not sent and may change what they do. */
  readonly lostFields: LostField[];
  /** Sentences about lost fields, and about valid records that may not do what the user means. */
  readonly warnings: string[];
  readonly duplicates: number;
}

const MAX_TTL_SECONDS = 2_147_483_647;
const MAX_PRIORITY = 65_535;

/**
 * Checks records of a scan or a user against the record table of operation 5. Changes two things only: a type in lower
 * case is raised, and a priority of 0 is left out for types without priority. MX and SRV may lack theirs: the document
 * calls it optional.
 */
export function checkRecords(raw: readonly unknown[], apex: string): CheckedRecords {
  const problems: Problem[] = [];
  const lostFields: LostField[] = [];
  const unique = new Map<string, DnsRecord>();
  let invalid = 0;
  for (const [index, entry] of raw.entries()) {
    const record = checkRecord(entry, apex, (kind, field, message) => {
      problems.push({ index, field, message, about: aboutOf(entry, apex), record: entry, kind });
    });
    if (record === undefined) invalid += 1;
    else {
      unique.set(JSON.stringify(record), record);
      lostFields.push(...lostFieldsOf(asObject(entry)));
    }
  }
  const records = [...unique.values()];
  const duplicates = raw.length - invalid - records.length;
  const warnings = [...lossesByField(lostFields, apex), ...findWarnings(records, apex)];
  return { records, problems, lostFields, warnings, duplicates };
}

/** Describes a problem in one line; `lines` are those of the zone file that the records came from. */
export function describeProblem(problem: Problem, lines?: readonly number[]): string {
  const { index, about, field, message, kind } = problem;
  const line = lines?.[index];
  const sentence = kind === 'unsupported_type' ? message : [field, message].filter(Boolean).join(' ');
  if (line !== undefined) return `line ${line}${about && `, ${about}`}: ${sentence}`;
  return `${about || `records[${index}]`}: ${sentence}`;
}

/** The type and the full name of a record of unknown form, such as `CAA at www.example.com`; empty without a name. */
export function aboutOf(record: unknown, apex: string): string {
  const { subdomain, type } = asObject(record);
  const name = typeof subdomain === 'string' ? recordName(record, apex) : '';
  return name === '' || typeof type !== 'string' || type === '' ? name : `${type} at ${name}`;
}

type Report = (kind: Problem['kind'], field: string, message: string) => void;

function checkRecord(entry: unknown, apex: string, report: Report): DnsRecord | undefined {
  if (!isObject(entry)) {
    report('invalid', '', 'is not a record with fields');
    return undefined;
  }
  const type = readType(entry['type'], report);
  if (type === undefined) return undefined;
  const subdomain = readText('subdomain', entry['subdomain'], (text) => findSubdomainFault(text, apex), report);
  const value = readText('value', entry['value'], (text) => findValueFault(type, text), report);
  const ttl = readTtl(entry['ttl'], report);
  const priority = readPriority(type, entry['priority'], report);
  const other = type === 'SRV' && value !== undefined ? findOtherNumber(entry) : undefined;
  if (other !== undefined) report('invalid', other, `is not the one in the value, ${quoted(value ?? '')}`);
  if (
    other !== undefined ||
    subdomain === undefined ||
    value === undefined ||
    ttl === undefined ||
    priority === undefined
  )
    return undefined;
  return { subdomain, type, value, ttl, ...(priority === 'none' ? {} : { priority }) };
}

function readType(type: unknown, report: Report): RecordType | undefined {
  if (typeof type !== 'string' || type === '') {
    report('invalid', 'type', type === undefined ? 'is missing' : `must be one of ${RECORD_TYPES.join(', ')}`);
    return undefined;
  }
  // ASCII letters only: toUpperCase also turns the long s into an S.
  const upper = /^[A-Za-z]+$/.test(type) ? type.toUpperCase() : type;
  const known = RECORD_TYPES.find((name) => name === upper);
  if (known === undefined)
    report(
      'unsupported_type',
      'type',
      `the platform does not support ${/^\w{1,10}$/.test(type) ? upper : quoted(type)} records`,
    );
  return known;
}

function readText(
  field: string,
  text: unknown,
  findFault: (text: string) => string | undefined,
  report: Report,
): string | undefined {
  if (typeof text !== 'string') {
    report('invalid', field, text === undefined ? 'is missing' : 'must be text');
    return undefined;
  }
  const fault = findFault(text);
  if (fault === undefined) return text;
  report('invalid', field, fault);
  return undefined;
}

function readTtl(ttl: unknown, report: Report): number | undefined {
  if (isWholeNumber(ttl, MAX_TTL_SECONDS)) return ttl;
  const fault = `must be a whole number from 0 to ${MAX_TTL_SECONDS}, in seconds`;
  report('invalid', 'ttl', ttl === undefined ? 'is missing' : fault);
  return undefined;
}

function readPriority(type: RecordType, priority: unknown, report: Report): number | 'none' | undefined {
  const isAbsent = priority === undefined || priority === null;
  if (type !== 'MX' && type !== 'SRV') {
    // Some services write 0 for types without priority.
    if (isAbsent || priority === 0) return 'none';
    report('invalid', 'priority', `is for MX and SRV only, not for ${type}`);
    return undefined;
  }
  if (isWholeNumber(priority, MAX_PRIORITY)) return priority;
  if (isAbsent) return 'none';
  report('invalid', 'priority', `must be a whole number from 0 to ${MAX_PRIORITY}`);
  return undefined;
}

function isWholeNumber(value: unknown, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max;
}

const SHORT_TTL_SECONDS = 60;
const LONG_TTL_SECONDS = 86_400;

function findWarnings(records: readonly DnsRecord[], apex: string): string[] {
  const names = (keep: (record: DnsRecord) => boolean) => [
    ...new Set(records.filter(keep).map((record) => `${fullName(record.subdomain, apex)} ${record.type}`)),
  ];
  const doubts: ReadonlyArray<readonly [names: readonly string[], text: string]> = [
    [names(({ ttl }) => ttl < SHORT_TTL_SECONDS), `the TTL is below ${SHORT_TTL_SECONDS} seconds`],
    [names(({ ttl }) => ttl > LONG_TTL_SECONDS), 'the TTL is longer than a day, so mistakes stay in caches that long'],
    [findCrowdedAliases(records, apex), 'a name with a CNAME can have no other records'],
    [names(({ subdomain, type }) => type === 'CNAME' && subdomain === ''), 'a CNAME is not allowed at the apex'],
    [
      names(({ subdomain, type }) => type === 'NS' && subdomain === ''),
      'NS records at the apex usually point to the nameservers you are leaving',
    ],
    [names(lacksPriority), 'it has no priority and is sent without one, so the platform chooses it'],
    [names(hasShortTarget), 'the target has no dot, but host names must be written in full'],
  ];
  return doubts.flatMap(([found, text]) => (found.length === 0 ? [] : [`${listed(found)}: ${text}.`]));
}

/** The names that have a CNAME and another record; the DNS ignores case. */
function findCrowdedAliases(records: readonly DnsRecord[], apex: string): string[] {
  const groups = [...groupBy(records, ({ subdomain }) => subdomain.toLowerCase())];
  const crowded = groups.filter(([, group]) => group.length > 1 && group.some(({ type }) => type === 'CNAME'));
  return crowded.map(([name]) => `${fullName(name, apex)} CNAME`);
}

function lacksPriority({ type, priority }: DnsRecord): boolean {
  return (type === 'MX' || type === 'SRV') && priority === undefined;
}

function hasShortTarget({ type, value }: DnsRecord): boolean {
  if (type === 'A' || type === 'AAAA' || type === 'TXT') return false;
  const target = value.split(/ +/).at(-1) ?? '';
  return target !== '.' && !target.includes('.');
}
