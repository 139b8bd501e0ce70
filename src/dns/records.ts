import { type DnsRecord, RECORD_TYPES, type RecordType } from '../contract/types.ts';
import { listed, quoted } from '../errors.ts';
import { asObject, isObject, type JsonObject } from '../json/values.ts';
import { findSubdomainFault, joinName, VALUE_FAULTS } from './record-value.ts';
import { describeLosses, findLostFields, findOtherNumber, type LostField } from './scanned.ts';
import { getFullName, groupBy, toText } from './summary.ts';
import { toComparableValue } from './zone-tokens.ts';

/** What is wrong with a record that cannot be staged; it may have several. */
export interface Problem {
  /** In the list, from 0. */
  readonly index: number;
  readonly message: string;
  /** See {@link describeRecord}. */
  readonly about: string;
  /** As it was given. */
  readonly record: unknown;
}

/** Those to stage have the five documented fields only. */
export type CheckedRecords = ReturnType<typeof checkRecords>;

const MAX_TTL_SECONDS = 2_147_483_647;
const MAX_PRIORITY = 65_535;

/**
 * Checks records against the record table of operation 5. Changes two things only: a type is
 * raised, and a priority of 0 is left out for types without one. MX and SRV may lack theirs: the
 * document calls it optional. SOA records and NS records of the apex are left out, since the new
 * nameservers have their own.
 */
export function checkRecords(raw: readonly unknown[], apex: string) {
  const problems: Problem[] = [];
  const lostFields: LostField[] = [];
  const unique = new Map<string, DnsRecord>();
  const leftOut: unknown[] = [];
  let valid = 0;
  for (const [index, record] of raw.entries()) {
    if (isOfNameservers(record, apex)) {
      leftOut.push(record);
      continue;
    }
    const checked = checkRecord(record, apex);
    if (Array.isArray(checked)) {
      problems.push(
        ...checked.map((message) => ({
          index,
          message,
          about: describeRecord(record, apex),
          record,
        })),
      );
      continue;
    }
    valid += 1;
    const key = toComparableText(checked);
    if (!unique.has(key)) unique.set(key, checked);
    lostFields.push(...findLostFields(asObject(record)));
  }
  const records = [...unique.values()];
  const warnings = [
    ...describeSkipped(leftOut, apex),
    ...describeLosses(lostFields, apex),
    ...findWarnings(records, apex),
  ];
  const duplicates = valid - records.length;
  return { records, problems, leftOut, lostFields, warnings, duplicates };
}

function isOfNameservers(record: unknown, apex: string): boolean {
  const { type, subdomain } = asObject(record);
  const name = toText(type).toUpperCase();
  if (name === 'NS') return typeof subdomain === 'string' && getFullName(record, apex) === apex;
  return name === 'SOA';
}

function describeSkipped(leftOut: readonly unknown[], apex: string): string[] {
  const groups = groupBy(leftOut, (record) => toText(asObject(record)['type']).toUpperCase());
  return [...groups].map(([type, records]) => {
    const values = records.map((record) => toText(asObject(record)['value']));
    const named = type === 'NS' ? ` (${listed([...new Set(values)])})` : '';
    return `${apex} ${type}${named}: left out, since the new nameservers have their own.`;
  });
}

/** The same for records that the DNS cannot tell apart: it ignores the case of names. */
function toComparableText({ subdomain, type, value, ttl, priority }: DnsRecord): string {
  const data = type === 'TXT' ? value : toComparableValue(type, value);
  return JSON.stringify([subdomain.toLowerCase(), type, data, ttl, priority]);
}

/** `lines` are those of the zone file that the records came from. */
export function describeProblem(
  { index, about, message }: Problem,
  lines?: readonly number[],
): string {
  const line = lines?.[index];
  if (line !== undefined) return `line ${line}${about && `, ${about}`}: ${message}`;
  return `${about || `records[${index}]`}: ${message}`;
}

/** The type and the full name, such as `CAA at www.example.com`; empty without a name. */
export function describeRecord(record: unknown, apex: string): string {
  const { subdomain, type } = asObject(record);
  const name = typeof subdomain === 'string' ? getFullName(record, apex) : '';
  return name === '' || typeof type !== 'string' || type === '' ? name : `${type} at ${name}`;
}

/** The record to stage, or what is wrong with it. */
function checkRecord(entry: unknown, apex: string): DnsRecord | string[] {
  if (!isObject(entry)) return ['is not a record with fields'];
  const { subdomain, type: given, value, ttl, priority } = entry;
  if (given === undefined) return ['type is missing'];
  if (typeof given !== 'string' || given === '') {
    return [`type must be one of ${RECORD_TYPES.join(', ')}`];
  }
  // ASCII letters only: toUpperCase also turns the long s into an S.
  const upper = /^[A-Za-z]+$/.test(given) ? given.toUpperCase() : given;
  const type = RECORD_TYPES.find((name) => name === upper);
  if (type === undefined) {
    return [
      `the platform does not support ${/^\w{1,10}$/.test(given) ? upper : quoted(given)} records`,
    ];
  }
  const faults = findFaults(entry, type, apex);
  if (
    faults.length > 0 ||
    typeof subdomain !== 'string' ||
    typeof value !== 'string' ||
    typeof ttl !== 'number'
  ) {
    return faults;
  }
  return {
    subdomain,
    type,
    value,
    ttl,
    ...(typeof priority === 'number' && mayHavePriority(type) && { priority }),
  };
}

function findFaults(entry: JsonObject, type: RecordType, apex: string): string[] {
  const { subdomain, value, ttl, priority } = entry;
  const valueFault = findTextFault(value, VALUE_FAULTS[type]);
  const other = type === 'SRV' && valueFault === undefined ? findOtherNumber(entry) : undefined;
  const faults = {
    subdomain: findTextFault(subdomain, (text) => findSubdomainFault(text, apex)),
    value: valueFault,
    ttl: isWholeNumber(ttl, MAX_TTL_SECONDS)
      ? undefined
      : `must be a whole number from 0 to ${MAX_TTL_SECONDS}, in seconds`,
    priority: findPriorityFault(type, priority ?? undefined),
    ...(other && { [other]: `is not the one in the value, ${quoted(toText(value))}` }),
  };
  return Object.entries(faults).flatMap(([field, fault]) => {
    if (fault === undefined) return [];
    return [`${field} ${Object.hasOwn(entry, field) ? fault : 'is missing'}`];
  });
}

function findTextFault(
  text: unknown,
  findFault: (text: string) => string | undefined,
): string | undefined {
  return typeof text === 'string' ? findFault(text) : 'must be text';
}

function findPriorityFault(type: RecordType, priority: unknown): string | undefined {
  if (priority === undefined) return undefined;
  if (mayHavePriority(type)) {
    return isWholeNumber(priority, MAX_PRIORITY)
      ? undefined
      : `must be a whole number from 0 to ${MAX_PRIORITY}`;
  }
  // Some services write 0 for types without priority.
  return priority === 0 ? undefined : `is for MX and SRV only, not for ${type}`;
}

function mayHavePriority(type: string): boolean {
  return type === 'MX' || type === 'SRV';
}

function isWholeNumber(value: unknown, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max;
}

const SHORT_TTL_SECONDS = 60;
const LONG_TTL_SECONDS = 86_400;

function findWarnings(records: readonly DnsRecord[], apex: string): string[] {
  const names = (keep: (record: DnsRecord) => boolean) => [
    ...new Set(
      records.filter(keep).map((record) => `${joinName(record.subdomain, apex)} ${record.type}`),
    ),
  ];
  const doubts: [names: string[], text: string][] = [
    [names(({ ttl }) => ttl < SHORT_TTL_SECONDS), `the TTL is below ${SHORT_TTL_SECONDS} seconds`],
    [
      names(({ ttl }) => ttl > LONG_TTL_SECONDS),
      'the TTL is longer than a day, so mistakes stay in caches that long',
    ],
    [findCrowdedAliases(records, apex), 'a name with a CNAME can have no other records'],
    [
      names(({ subdomain, type }) => type === 'CNAME' && subdomain === ''),
      'a CNAME is not allowed at the apex',
    ],
    [
      names(({ type, priority }) => mayHavePriority(type) && priority === undefined),
      'it has no priority and is sent without one, so the platform chooses it',
    ],
    [
      findSets(records, apex, (set) => new Set(set.map(({ ttl }) => ttl)).size > 1),
      'the records of this set have different TTLs, and the DNS has one for all of them. Write the same one in each',
    ],
    [
      findSets(records, apex, isNullBesideOthers),
      'the target "." says that there is no such service, and other records beside it name one. Keep either',
    ],
    [names(hasShortTarget), 'the target has no dot, but host names must be written in full'],
  ];
  return doubts.flatMap(([found, text]) =>
    found.length === 0 ? [] : [`${listed(found)}: ${text}.`],
  );
}

/** The DNS ignores case. */
function findCrowdedAliases(records: readonly DnsRecord[], apex: string): string[] {
  const groups = [...groupBy(records, ({ subdomain }) => subdomain.toLowerCase())];
  const crowded = groups.filter(
    ([, group]) => group.length > 1 && group.some(({ type }) => type === 'CNAME'),
  );
  return crowded.map(([name]) => `${joinName(name, apex)} CNAME`);
}

/** Names the sets (records of one name and type) with a trait. */
function findSets(
  records: readonly DnsRecord[],
  apex: string,
  hasTrait: (set: readonly DnsRecord[]) => boolean,
): string[] {
  const sets = groupBy(records, ({ subdomain, type }) => `${subdomain.toLowerCase()} ${type}`);
  return [...sets.values()]
    .filter(hasTrait)
    .flatMap((set) =>
      set.slice(0, 1).map(({ subdomain, type }) => `${joinName(subdomain, apex)} ${type}`),
    );
}

/** RFC 7505 (section 3) allows no MX beside a null MX; RFC 2782 has the same target for SRV. */
function isNullBesideOthers(set: readonly DnsRecord[]): boolean {
  const isNull = ({ type, value }: DnsRecord) =>
    (type === 'MX' || type === 'SRV') && /(?:^| )\.$/.test(value);
  return set.some(isNull) && set.some((record) => !isNull(record));
}

function hasShortTarget({ type, value }: DnsRecord): boolean {
  if (type === 'A' || type === 'AAAA' || type === 'TXT') return false;
  const target = value.split(/ +/).at(-1) ?? '';
  return target !== '.' && !target.includes('.');
}
