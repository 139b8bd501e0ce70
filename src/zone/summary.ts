import { asObject, isObject, type JsonObject, otherFields } from '../json/values.ts';
import { DNS_RECORD } from '../spec/fields/dns.ts';
import { fullName, partBelow } from './record-value.ts';

/** The fields of a scanned record as text; missing ones are empty. */
interface ShownRecord {
  readonly type: string;
  readonly value: string;
  readonly ttl: string;
  readonly priority: string;
  readonly other: JsonObject;
}

interface RecordGroup {
  /** As in a zone file: relative to the apex, which is `@` itself. */
  readonly name: string;
  readonly records: ShownRecord[];
}

/** Groups scanned records by name: the apex, then alphabetically. The records of a name keep their order. */
export function groupByName(records: readonly unknown[], apex: string): RecordGroup[] {
  const groups = groupBy(records, (entry) => recordName(entry, apex));
  const names = [...groups.keys()].filter((name) => name !== apex).sort();
  const ordered = groups.has(apex) ? [apex, ...names] : names;
  return ordered.map((name) => ({ name: zoneName(name, apex), records: (groups.get(name) ?? []).map(toShown) }));
}

/** Groups the items by a key, in the order of their first occurrence. */
export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

function toShown(entry: unknown): ShownRecord {
  if (!isObject(entry)) return { type: '', value: valueText(entry), ttl: '', priority: '', other: {} };
  return {
    type: valueText(entry['type']),
    value: valueText(entry['value']),
    ttl: valueText(entry['ttl']),
    priority: valueText(entry['priority']),
    other: otherFields(entry, Object.keys(DNS_RECORD)),
  };
}

/** The full name of a record of unknown form: answers may give a label, `@` or a full name. */
export function recordName(entry: unknown, apex: string): string {
  const { subdomain, name } = asObject(entry);
  const given = valueText(subdomain ?? name).toLowerCase();
  return fullName(given === '@' ? '' : (partBelow(given, apex) ?? given), apex);
}

/** A full name as in a zone file of the apex: `@`, `www`. */
export function zoneName(name: string, apex: string): string {
  return partBelow(name, apex) || '@';
}

/** Any JSON value as text; empty for a missing one. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Whether a zone has the records that mail needs: MX, SPF (RFC 7208) and DMARC (RFC 7489). */
export interface MailRecords {
  readonly mx: boolean;
  readonly spf: boolean;
  readonly dmarc: boolean;
}

/** Finds the records that mail needs, in records of any form. */
export function findMail(records: readonly unknown[], apex: string): MailRecords {
  const found = { mx: false, spf: false, dmarc: false };
  for (const entry of records) {
    const { type, value } = asObject(entry);
    const name = recordName(entry, apex);
    const kind = valueText(type).toUpperCase();
    const text = valueText(value).replace(/^"/, '').toLowerCase();
    if (kind === 'MX' && name === apex) found.mx = true;
    if (kind === 'TXT' && name === apex && text.startsWith('v=spf1')) found.spf = true;
    if (kind === 'TXT' && name === `_dmarc.${apex}` && text.startsWith('v=dmarc1')) found.dmarc = true;
  }
  return found;
}

/** The mail records that `before` has and `after` lacks: `MX`, `SPF`, `DMARC`. */
export function findLostMail(before: MailRecords, after: MailRecords): string[] {
  const lost = (['mx', 'spf', 'dmarc'] as const).filter((kind) => before[kind] && !after[kind]);
  return lost.map((kind) => kind.toUpperCase());
}
