import { DNS_RECORD } from '../contract/fields/dns.ts';
import { listNames } from '../errors.ts';
import { groupBy } from '../group-by.ts';
import { asBoolean, asObject, isObject, type JsonObject, otherFields } from '../json/values.ts';
import { toAsciiName } from './ascii-name.ts';
import { getSubdomain, joinName } from './record-value.ts';

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
      const other = Object.keys(fields).length === 0 ? undefined : fields;
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
  const name = toAsciiName(toText(findRecordName(entry))).toLowerCase();
  return joinName(name === '@' ? '' : (getSubdomain(name, apex) ?? name), apex);
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
  const mail = { mx: false, spf: false, dmarc: false };
  for (const entry of records) {
    const place = `${getType(entry)} ${getFullName(entry, apex)}`;
    const text = toText(asObject(entry)['value']).replace(/^"/, '').toLowerCase();
    if (place === `MX ${apex}`) mail.mx = true;
    if (place === `TXT ${apex}` && text.startsWith('v=spf1')) mail.spf = true;
    if (place === `TXT _dmarc.${apex}` && text.startsWith('v=dmarc1')) mail.dmarc = true;
  }
  return mail;
}

/** Finds the mail records that `before` has and `after` lacks: `MX`, `SPF`, `DMARC`. */
export function findLostMail(before: JsonObject, after: ReturnType<typeof findMail>): string[] {
  const lost = (['mx', 'spf', 'dmarc'] as const).filter(
    (kind) => asBoolean(before[kind]) && !after[kind],
  );
  return lost.map((kind) => kind.toUpperCase());
}
