import { DNS_RECORD } from '../contract/fields/dns.ts';
import { listed, quoted } from '../errors.ts';
import { isObject, type JsonObject } from '../json/values.ts';
import { toAsciiName } from './ascii-name.ts';
import { isUint16, partBelow } from './record-value.ts';
import { groupBy, recordName, valueText } from './summary.ts';

/**
 * Brings a record of the platform's own scan or staging, whose form is not documented, into that of
 * the record table. What has another form stays as it is. Never used for a file of the user, where
 * it would be a guess.
 */
export function readScanned(entry: unknown, apex: string): unknown {
  if (!isObject(entry)) return entry;
  const { subdomain } = entry;
  const record = { ...entry };
  if (typeof subdomain === 'string') {
    const name = toAsciiName(subdomain);
    record['subdomain'] = name === '@' ? '' : (partBelow(name, apex) ?? name);
  }
  const type = valueText(entry['type']).toUpperCase();
  const { value: data } = entry;
  if (WITH_TARGET.has(type) && typeof data === 'string') record['value'] = toAsciiName(data);
  const hasPriority = type === 'MX' || type === 'SRV';
  for (const field of hasPriority ? ['ttl', 'priority', 'preference'] : ['ttl', 'priority']) {
    const value = entry[field];
    if (typeof value === 'string' && /^\d{1,10}$/.test(value)) record[field] = Number(value);
  }
  if (!hasPriority) return record;
  settlePriority(record, IN_FRONT[type]);
  return type === 'SRV' ? withWeightAndPort(record) : record;
}

const WITH_TARGET: ReadonlySet<string> = new Set(['CNAME', 'NS', 'MX', 'SRV']);

/**
 * A priority in front of the value: `10 mail.example.com`, and for SRV before weight, port and
 * target.
 */
const IN_FRONT = {
  MX: /^(\d{1,5})[ \t]+(\S+)$/,
  SRV: /^(\d{1,5})[ \t]+(\d+[ \t]+\d+[ \t]+\S+)$/,
};

/** Of two that differ, the value or `preference` stays as it is, and is named as wrong or lost. */
function settlePriority(record: Record<string, unknown>, inFront: RegExp): void {
  const { preference, priority, value } = record;
  const given = priority ?? preference ?? undefined;
  if (given === undefined || preference === given) delete record['preference'];
  const [, digits, rest] = inFront.exec(valueText(value)) ?? [];
  if (rest !== undefined && (given === undefined || given === Number(digits)))
    Object.assign(record, { value: rest, priority: Number(digits) });
  else if (given !== undefined) record['priority'] = given;
}

function withWeightAndPort(entry: JsonObject): JsonObject {
  const { weight, port, ...record } = entry;
  const numbers = [weight, port].map(valueText);
  const value = valueText(entry['value']);
  if (/^\S+$/.test(value) && numbers.every(isUint16))
    return { ...record, value: [...numbers, value].join(' ') };
  return findOtherNumber(entry) === undefined ? record : entry;
}

/** The `weight` or `port` of an SRV record that is not the one in its value. */
export function findOtherNumber({
  value,
  weight,
  port,
}: JsonObject): 'weight' | 'port' | undefined {
  const words = valueText(value).split(/[ \t]+/);
  const [inWeight, inPort] = words.length === 3 ? words : [];
  const isSame = (field: unknown, word: string | undefined) =>
    valueText(field) === '' || valueText(field) === word;
  if (!isSame(weight, inWeight)) return 'weight';
  return isSame(port, inPort) ? undefined : 'port';
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

/** The fields of a valid record that are not sent and may change what it does. */
export function lostFieldsOf(record: JsonObject): LostField[] {
  const type = valueText(record['type']).toUpperCase();
  const isSaid = ([field, value]: readonly [string, unknown]) =>
    Object.hasOwn(DNS_RECORD, field) ||
    isEmpty(value) ||
    HARMLESS.some((form) => form.test(field)) ||
    (field === 'class' && valueText(value).toUpperCase() === 'IN') ||
    // In the value, or refused.
    (type === 'SRV' && (field === 'weight' || field === 'port'));
  return Object.entries(record)
    .filter((entry) => !isSaid(entry))
    .map(([field]) => ({ field, record }));
}

/** One sentence for each field that is lost. */
export function lossesByField(lost: readonly LostField[], apex: string): string[] {
  return [...groupBy(lost, ({ field }) => field)].map(([field, all]) => {
    const names = all.map(
      ({ record }) => `${recordName(record, apex)} ${valueText(record['type']).toUpperCase()}`,
    );
    return `${listed([...new Set(names)])}: the field ${quoted(field)} cannot be staged, and is lost.`;
  });
}

/** One sentence for each list or count of what is not in a scan, such as `skippedTypes`. */
export function leftOutOf(scan: JsonObject): string[] {
  return Object.entries(scan).flatMap(([name, value]) => {
    const isSome =
      typeof value === 'object' ? !isEmpty(value) : typeof value !== 'boolean' && Number(value) > 0;
    const words = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
    if (
      !isSome ||
      !/(?:^|[^a-z])(?:missing|skipped|ignored|failed|unsupported)(?:[^a-z]|$)/.test(words)
    )
      return [];
    return [`The scan left something out: ${name} ${JSON.stringify(value)}.`];
  });
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
