import { DNS_RECORD } from '../contract/fields/dns.ts';
import { asBoolean, asObject, isObject, type JsonObject, otherFields } from '../json/values.ts';
import { toAsciiName } from './ascii-name.ts';
import { getSubdomain, joinName } from './record-value.ts';

/**
 * Scanned records by name, the apex first. The cells are name (as in a zone file), type, TTL,
 * priority and value, empty if missing; `other` are the fields beyond the record table.
 */
export function shownRecords(records: readonly unknown[], apex: string) {
  const groups = groupBy(records, (entry) => getFullName(entry, apex));
  const names = [...groups.keys()].filter((name) => name !== apex).sort();
  return [apex, ...names].flatMap((name) =>
    (groups.get(name) ?? []).map((entry) => {
      const record = isObject(entry) ? entry : { value: entry };
      const { type, ttl, priority, value } = record;
      const cells = [toZoneName(name, apex), ...[type, ttl, priority, value].map(toText)];
      return { cells, other: otherFields(record, Object.keys(DNS_RECORD)) };
    }),
  );
}

/** In the order of their first occurrence. */
export function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Fields that may have the name of a record of unknown form. */
export const NAME_FIELDS = ['subdomain', 'name', 'host', 'fqdn', 'hostname', 'label'];

/** The name in a record of unknown form; undefined if it has none. */
export function findRecordName(entry: unknown): unknown {
  const record = asObject(entry);
  const field = NAME_FIELDS.find((name) => record[name] !== undefined && record[name] !== null);
  return record[field ?? ''];
}

/**
 * The full name of a record of unknown form: answers may give a label, `@` or a full name. Without
 * one, that of the apex.
 */
export function getFullName(entry: unknown, apex: string): string {
  const given = toAsciiName(toText(findRecordName(entry))).toLowerCase();
  return joinName(given === '@' ? '' : (getSubdomain(given, apex) ?? given), apex);
}

/** A full name as in a zone file of the apex: `@`, `www`. */
export function toZoneName(name: string, apex: string): string {
  return getSubdomain(name, apex) || '@';
}

/** Any JSON value as text; empty for a missing one. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Which records that mail needs are there: MX, SPF (RFC 7208) and DMARC (RFC 7489). */
export function findMail(records: readonly unknown[], apex: string) {
  const found = { mx: false, spf: false, dmarc: false };
  for (const entry of records) {
    const { type, value } = asObject(entry);
    const place = `${toText(type).toUpperCase()} ${getFullName(entry, apex)}`;
    const text = toText(value).replace(/^"/, '').toLowerCase();
    if (place === `MX ${apex}`) found.mx = true;
    if (place === `TXT ${apex}` && text.startsWith('v=spf1')) found.spf = true;
    if (place === `TXT _dmarc.${apex}` && text.startsWith('v=dmarc1')) found.dmarc = true;
  }
  return found;
}

/** The mail records that `before` has and `after` lacks: `MX`, `SPF`, `DMARC`. */
export function findLostMail(before: JsonObject, after: ReturnType<typeof findMail>): string[] {
  const lost = (['mx', 'spf', 'dmarc'] as const).filter(
    (kind) => asBoolean(before[kind]) && !after[kind],
  );
  return lost.map((kind) => kind.toUpperCase());
}
