import { DNS_RECORD, DOMAIN_SCAN } from '../contract/fields/dns.ts';
import { listNames, quote } from '../errors.ts';
import { groupBy } from '../group-by.ts';
import { asArray, asObject, isObject, type JsonObject, otherFields } from '../json/values.ts';
import { getSubdomain, isUint16, joinName } from './record-value.ts';
import { toAsciiName } from './zone-tokens.ts';

/**
 * Brings a record of the platform's own scan or staging, whose form is not documented, into that of
 * the record table. What has another form stays as it is. Never used for a file of the user, where
 * it would be a guess.
 */
export function normalizeScanned(entry: unknown, apex: string): unknown {
  if (!isObject(entry)) return entry;
  const { subdomain, value } = entry;
  const type = getType(entry);
  const record = { ...entry };
  if (typeof subdomain === 'string') record['subdomain'] = toSubdomain(subdomain, apex);
  if (WITH_TARGET.test(type) && typeof value === 'string') record['value'] = toAsciiName(value);
  const inFront = IN_FRONT[type];
  const numbers = ['ttl', 'priority'];
  if (inFront) numbers.push('preference');
  for (const field of numbers) {
    const text = record[field];
    if (typeof text === 'string' && /^\d{1,10}$/.test(text)) record[field] = Number(text);
  }
  if (inFront) settlePriority(record, inFront);
  return type === 'SRV' ? withWeightAndPort(record) : record;
}

const WITH_TARGET = /^(?:CNAME|NS|MX|SRV)$/;

/**
 * A priority in front of the value: `10 mail.example.com`, and for SRV before weight, port and
 * target.
 */
const IN_FRONT: Readonly<Record<string, RegExp>> = {
  MX: /^(\d{1,5})[ \t]+(\S+)$/,
  SRV: /^(\d{1,5})[ \t]+(\d+[ \t]+\d+[ \t]+\S+)$/,
};

/**
 * Brings the priority of a record into its field. Of two that differ, the value or `preference`
 * stays as it is, and is named as wrong or lost.
 */
function settlePriority(record: Record<string, unknown>, inFront: RegExp): void {
  const { preference, priority, value } = record;
  const fieldPriority = priority ?? preference ?? undefined;
  if (fieldPriority === undefined || preference === fieldPriority) delete record['preference'];
  const [, digits, rest] = inFront.exec(toText(value)) ?? [];
  const number = Number(digits);
  if (rest !== undefined && (fieldPriority ?? number) === number) {
    record['value'] = rest;
    record['priority'] = number;
  } else if (fieldPriority !== undefined) record['priority'] = fieldPriority;
}

function withWeightAndPort(entry: JsonObject): JsonObject {
  const { weight, port, ...record } = entry;
  const numbers = [weight, port].map(toText);
  const value = toText(entry['value']);
  if (/^\S+$/.test(value) && numbers.every(isUint16)) {
    return { ...record, value: [...numbers, value].join(' ') };
  }
  return findOtherNumber(entry) === undefined ? record : entry;
}

/** Finds the `weight` or `port` of an SRV record that is not the one in its value. */
export function findOtherNumber(record: JsonObject): 'weight' | 'port' | undefined {
  const words = toText(record['value']).split(/[ \t]+/);
  const inValue = words.length === 3 ? words : [];
  return (['weight', 'port'] as const).find(
    (field, index) => !['', inValue[index]].includes(toText(record[field])),
  );
}

/** A field of a valid record that staging has no place for. */
export interface LostField {
  readonly field: string;
  readonly record: JsonObject;
}

/** Names elsewhere, origins and times: not what a record does. */
const HARMLESS: readonly RegExp[] = [
  /^(?:name|fqdn|host|zone|source|comment|uuid)$/i,
  /^(?:zone|record)_?name$/i,
  /(?:^|_)id$|[a-z]Id$|^ID$/,
  /^(?:last_?)?(?:created|updated|modified|changed)(?:_?(?:at|on|time))?$/i,
];

/**
 * Finds the fields of a valid record that staging has no place for: those beyond the record table
 * that are not empty and may change what it does. False is not empty.
 */
export function findLostFields(record: JsonObject): LostField[] {
  const type = getType(record);
  const isKept = (field: string, value: unknown) =>
    Object.hasOwn(DNS_RECORD, field) ||
    isEmpty(value) ||
    // `created: false` is no time.
    (typeof value !== 'boolean' && HARMLESS.some((form) => form.test(field))) ||
    (field === 'class' && toText(value).toUpperCase() === 'IN') ||
    // These are in the value, or refused.
    (type === 'SRV' && (field === 'weight' || field === 'port'));
  return Object.entries(record).flatMap(([field, value]) =>
    isKept(field, value) ? [] : [{ field, record }],
  );
}

/** Describes lost fields: one sentence for each. */
export function describeLosses(lost: readonly LostField[], apex: string): string[] {
  return [...groupBy(lost, ({ field }) => field)].flatMap(([field, losses]) => {
    const records = losses.map(({ record }) => record);
    const text = `the field ${quote(field)} cannot be staged, and is lost`;
    return describeRecords(records, apex, text);
  });
}

/** Whether the loss may change what a record does: a field that is false may have a default. */
export function isCountedLoss({ field, record }: LostField): boolean {
  return record[field] !== false;
}

/** Most characters of a value in a sentence; `svc domains import` shows all. */
const MAX_VALUE_LENGTH = 100;

/** Names of instants, such as `scannedAt`. */
const INSTANT_NAME = /(?:[a-z\d]At|_at)$/;

/**
 * Reads what a scan says beside the documented fields: svc cannot tell whether records are missing.
 * @param mask hides what people must not see
 */
export function readScanRemarks(scan: JsonObject, mask: (fields: JsonObject) => unknown) {
  const fields = Object.entries(otherFields(scan, [...Object.keys(DOMAIN_SCAN), 'error'])).filter(
    ([name, value]) => value !== false && !isEmpty(value) && !INSTANT_NAME.test(name),
  );
  const texts = Object.entries(asObject(mask(Object.fromEntries(fields)))).map(
    ([name, value]) => `${name} ${JSON.stringify(value).slice(0, MAX_VALUE_LENGTH)}`,
  );
  const sentence = `The scan says more than svc understands: ${listNames(texts)}.`;
  const recordCount = asArray(scan['records']).length;
  return {
    /** One sentence with all of it, with secrets masked; empty if it says nothing. */
    sentence: texts.length === 0 ? '' : sentence,
    /** The fields after which nobody can vouch that the scan has every record. */
    doubtful: fields.filter(([, value]) => isDoubtful(value, recordCount)).map(([name]) => name),
  };
}

/** Whether a value may be about records that are missing: a yes, a list, or a larger count. */
function isDoubtful(value: unknown, recordCount: number): boolean {
  if (typeof value === 'number') return value > recordCount;
  return value === true || value instanceof Object;
}

function isEmpty(value: unknown): boolean {
  return toText(value) === '' || (value instanceof Object && Object.keys(value).length === 0);
}

/**
 * Lists records by full name, the apex first. The cells are type, TTL, priority and value, empty if
 * missing; `other` are the fields beyond the record table, undefined without any.
 */
export function listRows(records: readonly unknown[], apex: string) {
  const groups = groupBy(records, (entry) => getFullName(entry, apex));
  const names = [...groups.keys()].filter((name) => name !== apex).sort();
  return [apex, ...names].flatMap((name) =>
    (groups.get(name) ?? []).map((entry) => {
      const record = isObject(entry) ? entry : { value: entry };
      const { type, ttl, priority, value } = record;
      const fields = otherFields(record, Object.keys(DNS_RECORD));
      const other = isEmpty(fields) ? undefined : fields;
      return { name, cells: [type, ttl, priority, value].map(toText), other };
    }),
  );
}

/** Fields that may have the name of a record of unknown form. */
export const NAME_FIELDS = ['subdomain', 'name', 'host', 'fqdn', 'hostname', 'label'];

/** Finds the name in a record of unknown form; undefined if it has none. */
export function findRecordName(entry: unknown): unknown {
  const record = asObject(entry);
  const field = NAME_FIELDS.find((name) => record[name] !== undefined && record[name] !== null);
  return record[field ?? ''];
}

/**
 * Returns the full name of a record of unknown form: answers may give a label, `@` or a full name.
 * Without one, that of the apex.
 */
export function getFullName(entry: unknown, apex: string): string {
  return joinName(toSubdomain(toText(findRecordName(entry)), apex).toLowerCase(), apex);
}

/** Returns the part of a name before the apex; a name elsewhere counts as such a part. */
function toSubdomain(text: string, apex: string): string {
  const name = toAsciiName(text);
  return name === '@' ? '' : (getSubdomain(name, apex) ?? name);
}

/** Returns the type of a record of unknown form, in capitals; empty if it has none. */
export function getType(entry: unknown): string {
  return toText(asObject(entry)['type']).toUpperCase();
}

/** Says something about records: each name and type once, as a list of at most one sentence. */
export function describeRecords(records: readonly unknown[], apex: string, text: string): string[] {
  const names = records.map((record) => `${getFullName(record, apex)} ${getType(record)}`);
  return names.length === 0 ? [] : [`${listNames([...new Set(names)])}: ${text}.`];
}

/** Returns a full name as in a zone file of the apex: `@`, `www`. */
export function toZoneName(name: string, apex: string): string {
  return getSubdomain(name, apex) || '@';
}

/** Returns any JSON value as text; empty for a missing one. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Finds the records that mail needs: MX, SPF (RFC 7208) and DMARC (RFC 7489). */
export function findMail(records: readonly unknown[], apex: string) {
  const lines = records.map((entry) => {
    const value = toText(asObject(entry)['value']).replace(/^"/, '');
    return `${getFullName(entry, apex)} ${getType(entry)} ${value.toLowerCase()}`;
  });
  const has = (start: string) => lines.some((line) => line.startsWith(start));
  return {
    mx: has(`${apex} MX `),
    spf: has(`${apex} TXT v=spf1`),
    dmarc: has(`_dmarc.${apex} TXT v=dmarc1`),
  };
}

/** Finds the mail records that `before` has and `after` lacks: `MX`, `SPF`, `DMARC`. */
export function findLostMail(before: JsonObject, after: ReturnType<typeof findMail>): string[] {
  const lost = Object.entries(after).filter(([kind, isThere]) => before[kind] === true && !isThere);
  return lost.map(([kind]) => kind.toUpperCase());
}
