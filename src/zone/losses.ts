import { listed, quoted } from '../errors.ts';
import type { JsonObject } from '../json/values.ts';
import { DNS_RECORD } from '../spec/fields/dns.ts';
import { groupBy, recordName, valueText } from './summary.ts';

/** A field of a valid record that staging has no place for. */
export interface LostField {
  readonly field: string;
  /** As it was given. */
  readonly record: JsonObject;
}

/** What a record is called elsewhere, where it is from, and when it was made or changed: not what it does. */
const HARMLESS: readonly RegExp[] = [
  /^(?:name|fqdn|host|zone|source|comment|uuid)$/i,
  /^(?:zone|record)_?name$/i,
  /(?:^|_)id$|[a-z]Id$|^ID$/,
  /^(?:last_?)?(?:created|updated|modified|changed)(?:_?(?:at|on|time))?$/i,
];

/** Returns the fields of a valid record that are not sent and may change what it does. */
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
    const names = all.map(({ record }) => `${recordName(record, apex)} ${valueText(record['type']).toUpperCase()}`);
    return `${listed([...new Set(names)])}: the field ${quoted(field)} cannot be staged, and is lost.`;
  });
}

/**
 * One sentence for each list or count at the top of a scan that says of itself that something is not in it, such as
 * `skippedTypes` and `failed_count`.
 */
export function leftOutOf(scan: JsonObject): string[] {
  return Object.entries(scan).flatMap(([name, value]) => {
    const isSome = typeof value === 'object' ? !isEmpty(value) : typeof value !== 'boolean' && Number(value) > 0;
    const words = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
    if (!isSome || !/(?:^|[^a-z])(?:missing|skipped|ignored|failed|unsupported)(?:[^a-z]|$)/.test(words)) return [];
    return [`The scan left something out: ${name} ${JSON.stringify(value)}.`];
  });
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
