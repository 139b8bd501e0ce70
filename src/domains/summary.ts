import { asObject, isObject, type JsonObject, otherFields } from '../spec/read.ts';
import { fullName, partBelow } from './record-name.ts';

/** A record of a scan as people read it; fields that are missing are empty. */
export interface ShownRecord {
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
