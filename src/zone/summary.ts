import { asObject, isObject, type JsonObject, otherFields } from '../json/values.ts';
import { fullName, partBelow } from './record-value.ts';

/** A record of a scan as people read it; fields that are missing are empty. */
interface ShownRecord {
  readonly type: string;
  readonly value: string;
  readonly ttl: string;
  readonly priority: string;
  /** Fields that the record table does not have. */
  readonly other: JsonObject;
}

/** The records of one name. */
export interface RecordGroup {
  /** The whole name, without a last dot. */
  readonly name: string;
  readonly records: ShownRecord[];
}

const FIELDS = ['subdomain', 'type', 'value', 'ttl', 'priority'];

/** The records of a scan by name, the apex first and then by the alphabet; records of a name keep their order. */
export function groupByName(records: readonly unknown[], apex: string): RecordGroup[] {
  const groups = new Map<string, ShownRecord[]>();
  for (const entry of records) {
    const name = nameOf(entry, apex);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [toShown(entry)]);
    else group.push(toShown(entry));
  }
  const rank = (name: string) => (name === apex ? 0 : 1);
  const byName = (one: string, other: string) => rank(one) - rank(other) || (one < other ? -1 : one > other ? 1 : 0);
  return [...groups].sort(([one], [other]) => byName(one, other)).map(([name, shown]) => ({ name, records: shown }));
}

function toShown(entry: unknown): ShownRecord {
  if (!isObject(entry)) return { type: '', value: toText(entry), ttl: '', priority: '', other: {} };
  return {
    type: toText(entry['type']),
    value: toText(entry['value']),
    ttl: toText(entry['ttl']),
    priority: toText(entry['priority']),
    other: otherFields(entry, FIELDS),
  };
}

/** The name that a record of unknown form is about: staging takes labels, but answers may hold `@` or full names. */
export function nameOf(entry: unknown, apex: string): string {
  const { subdomain, name } = asObject(entry);
  const given = toText(subdomain ?? name).toLowerCase();
  return fullName(given === '@' ? '' : (partBelow(given, apex) ?? given), apex);
}

/** Any JSON value as text; nothing for what is absent. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Which of the records that mail depends on are there. */
export interface MailRecords {
  /** Mail to the domain arrives. */
  readonly mx: boolean;
  /** Mail from the domain is believed (RFC 7208). */
  readonly spf: boolean;
  /** What to do with mail that is not believed (RFC 7489). */
  readonly dmarc: boolean;
}

/** Finds the records that mail depends on, in records of any form. */
export function findMail(records: readonly unknown[], apex: string): MailRecords {
  const found = { mx: false, spf: false, dmarc: false };
  for (const entry of records) {
    const { type, value } = asObject(entry);
    const name = nameOf(entry, apex);
    const kind = toText(type).toUpperCase();
    const text = toText(value).replace(/^"/, '').toLowerCase();
    if (kind === 'MX' && name === apex) found.mx = true;
    if (kind === 'TXT' && name === apex && text.startsWith('v=spf1')) found.spf = true;
    if (kind === 'TXT' && name === `_dmarc.${apex}` && text.startsWith('v=dmarc1')) found.dmarc = true;
  }
  return found;
}

/** What `before` has and `after` does not, by the names that people know. */
export function findLostMail(before: MailRecords, after: MailRecords): string[] {
  const names = { mx: 'MX', spf: 'SPF', dmarc: 'DMARC' } as const;
  return (['mx', 'spf', 'dmarc'] as const).filter((kind) => before[kind] && !after[kind]).map((kind) => names[kind]);
}
