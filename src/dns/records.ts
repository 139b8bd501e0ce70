import { type DnsRecord, RECORD_TYPES, type RecordType } from '../contract/operations.ts';
import { listNames, quote } from '../errors.ts';
import { groupBy } from '../group-by.ts';
import { asObject, isObject, type JsonObject } from '../json/values.ts';
import { findSubdomainFault, mayHavePriority, VALUE_FAULTS } from './record-value.ts';
import {
  describeLosses,
  describeRecords,
  findLostFields,
  findOtherNumber,
  getFullName,
  getType,
  type LostField,
  toText,
} from './scanned.ts';
import { toComparableValue } from './zone-tokens.ts';

/** A record that cannot be staged, as it came. */
export interface Problem {
  readonly record: unknown;
  /** The line of a zone file on which it begins; 0 for a record from elsewhere. */
  readonly line: number;
  /** Sentences about what is wrong with it, each with its place or name. */
  readonly texts: readonly string[];
}

/** Checked records; those to stage have the five documented fields only. */
export type CheckedRecords = ReturnType<typeof checkRecords>;

const MAX_TTL_SECONDS = 2_147_483_647;
const MAX_PRIORITY = 65_535;

/**
 * Checks records against the record table of operation 5. Changes two things only: a type is
 * raised, and a priority of 0 is left out for types without one. MX and SRV may lack theirs: the
 * document calls it optional. SOA records and NS records of the apex are left out, since the new
 * nameservers have their own.
 * @param lines those of the zone file on which the records begin
 */
export function checkRecords(raw: readonly unknown[], apex: string, lines: readonly number[] = []) {
  const problems: Problem[] = [];
  const lostFields: LostField[] = [];
  const unique = new Map<string, DnsRecord>();
  const leftOut: unknown[] = [];
  let duplicates = 0;
  for (const [index, record] of raw.entries()) {
    if (isOfNameservers(record, apex)) {
      leftOut.push(record);
      continue;
    }

    const checked = checkRecord(record, apex);
    if (Array.isArray(checked)) {
      const line = lines[index] ?? 0;
      const name = describeRecord(record, apex);
      const places = line === 0 ? [name || `records[${index}]`] : [`line ${line}`, name];
      const place = places.filter(Boolean).join(', ');
      problems.push({ record, line, texts: checked.map((fault) => `${place}: ${fault}`) });
      continue;
    }

    const key = toComparableText(checked);
    if (unique.has(key)) duplicates += 1;
    else unique.set(key, checked);
    lostFields.push(...findLostFields(asObject(record)));
  }

  const records = [...unique.values()];
  const warnings = [
    ...describeSkipped(leftOut, apex),
    ...describeLosses(lostFields, apex),
    ...findWarnings(records, apex),
  ];
  return { records, problems, leftOut, lostFields, warnings, duplicates };
}

function isOfNameservers(record: unknown, apex: string): boolean {
  const { subdomain } = asObject(record);
  const type = getType(record);
  if (type === 'NS') return typeof subdomain === 'string' && getFullName(record, apex) === apex;
  return type === 'SOA';
}

function describeSkipped(leftOut: readonly unknown[], apex: string): string[] {
  const groups = groupBy(leftOut, getType);
  return [...groups].map(([type, records]) => {
    const values = records.map((record) => toText(asObject(record)['value']));
    const named = type === 'NS' ? ` (${listNames([...new Set(values)])})` : '';
    return `${apex} ${type}${named}: left out, since the new nameservers have their own.`;
  });
}

/**
 * Returns the same text for records that the DNS cannot tell apart: it ignores the case of names.
 */
function toComparableText({ subdomain, type, value, ttl, priority }: DnsRecord): string {
  const data = type === 'TXT' ? value : toComparableValue(type, value);
  return JSON.stringify([subdomain.toLowerCase(), type, data, ttl, priority]);
}

/** Returns the type and the full name, such as `CAA at www.example.com`; empty without a name. */
export function describeRecord(record: unknown, apex: string): string {
  const { subdomain, type } = asObject(record);
  const name = typeof subdomain === 'string' ? getFullName(record, apex) : '';
  return name === '' || typeof type !== 'string' || type === '' ? name : `${type} at ${name}`;
}

/** Returns the record to stage, or what is wrong with it. */
function checkRecord(entry: unknown, apex: string): DnsRecord | string[] {
  if (!isObject(entry)) return ['is not a record with fields'];
  const typeName = entry['type'];
  if (typeName === undefined) return ['type is missing'];
  if (typeof typeName !== 'string' || typeName === '') {
    return [`type must be one of ${RECORD_TYPES.join(', ')}`];
  }
  // ASCII letters only: toUpperCase also turns the long s into an S.
  const upper = /^[A-Za-z]+$/.test(typeName) ? typeName.toUpperCase() : typeName;
  const type = RECORD_TYPES.find((name) => name === upper);
  if (type === undefined) {
    const shownName = /^\w{1,10}$/.test(typeName) ? upper : quote(typeName);
    return [`the platform does not support ${shownName} records`];
  }

  const faults = findFaults(entry, type, apex);
  if (faults.length > 0) return faults;
  const { subdomain, value, ttl, priority } = entry as unknown as DnsRecord;
  const hasPriority = typeof priority === 'number' && mayHavePriority(type);
  return { subdomain, type, value, ttl, ...(hasPriority && { priority }) };
}

function findFaults(entry: JsonObject, type: RecordType, apex: string): string[] {
  const { subdomain, value, ttl, priority } = entry;
  const valueFault = typeof value === 'string' ? VALUE_FAULTS[type](value) : 'must be text';
  const otherField =
    type === 'SRV' && valueFault === undefined ? findOtherNumber(entry) : undefined;
  const faults = {
    subdomain: typeof subdomain === 'string' ? findSubdomainFault(subdomain, apex) : 'must be text',
    value: valueFault,
    ttl: findRangeFault(ttl, MAX_TTL_SECONDS, ', in seconds'),
    priority: findPriorityFault(type, priority ?? undefined),
    ...(otherField && { [otherField]: `is not the one in the value, ${quote(toText(value))}` }),
  };
  return Object.entries(faults).flatMap(([field, fault]) => {
    if (fault === undefined) return [];
    return Object.hasOwn(entry, field) ? [`${field} ${fault}`] : [`${field} is missing`];
  });
}

function findPriorityFault(type: RecordType, priority: unknown): string | undefined {
  if (priority === undefined) return undefined;
  if (!mayHavePriority(type)) {
    // Some services write 0 for types without priority.
    return priority === 0 ? undefined : `is for MX and SRV only, not for ${type}`;
  }
  return findRangeFault(priority, MAX_PRIORITY);
}

function findRangeFault(value: unknown, max: number, unit = ''): string | undefined {
  const isWhole = typeof value === 'number' && Number.isInteger(value);
  const isInRange = isWhole && value >= 0 && value <= max;
  return isInRange ? undefined : `must be a whole number from 0 to ${max}${unit}`;
}

const SHORT_TTL_SECONDS = 60;
const LONG_TTL_SECONDS = 86_400;

/** Whether a record of a set, those of one name and type, calls for a warning. */
type IsOdd = (record: DnsRecord, set: readonly DnsRecord[], name: readonly DnsRecord[]) => boolean;

const WARNINGS: readonly (readonly [text: string, isOdd: IsOdd])[] = [
  [`the TTL is below ${SHORT_TTL_SECONDS} seconds`, ({ ttl }) => ttl < SHORT_TTL_SECONDS],
  [
    'the TTL is longer than a day, so mistakes stay in caches that long',
    ({ ttl }) => ttl > LONG_TTL_SECONDS,
  ],
  [
    'a name with a CNAME can have no other records',
    ({ type }, _set, name) => type === 'CNAME' && name.length > 1,
  ],
  [
    'a CNAME is not allowed at the apex',
    ({ subdomain, type }) => type === 'CNAME' && subdomain === '',
  ],
  [
    'it has no priority and is sent without one, so the platform chooses it',
    ({ type, priority }) => mayHavePriority(type) && priority === undefined,
  ],
  [
    'the records of this set have different TTLs, and the DNS has one for all of them. Write the same one in each',
    ({ ttl }, [first]) => first?.ttl !== ttl,
  ],
  [
    'the target "." says that there is no such service, and other records beside it name one. Keep either',
    (record, set) => isNull(record) && set.some((other) => !isNull(other)),
  ],
  ['the target has no dot, but host names must be written in full', hasShortTarget],
];

function findWarnings(records: readonly DnsRecord[], apex: string): string[] {
  // The DNS ignores case.
  const names = groupBy(records, ({ subdomain }) => subdomain.toLowerCase());
  const groups = [...names.values()].flatMap((name) =>
    [...groupBy(name, getType).values()].map((set) => ({ set, name })),
  );
  return WARNINGS.flatMap(([text, isOdd]) => {
    const oddRecords = groups.flatMap(({ set, name }) =>
      set.filter((record) => isOdd(record, set, name)),
    );
    return describeRecords(oddRecords, apex, text);
  });
}

/** RFC 7505 (section 3) allows no MX beside a null MX; RFC 2782 has the same target for SRV. */
function isNull({ type, value }: DnsRecord): boolean {
  return mayHavePriority(type) && /(?:^| )\.$/.test(value);
}

function hasShortTarget({ type, value }: DnsRecord): boolean {
  if (type === 'A' || type === 'AAAA' || type === 'TXT') return false;
  const target = value.split(/ +/).at(-1) ?? '';
  return target !== '.' && !target.includes('.');
}
