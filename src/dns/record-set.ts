import { comparableValue } from '../domains/zone-values.ts';
import type { QueryType, ResourceRecord } from './message.ts';
import { bareName } from './presentation.ts';

/** A record that a nameserver should have, with its full name. */
export interface WantedRecord {
  readonly name: string;
  readonly type: QueryType;
  readonly value: string;
  readonly priority?: number | undefined;
}

/** All records of one name and type: what one question asks for. */
export interface RecordSet {
  readonly name: string;
  readonly type: QueryType;
  /** Each in the one form in which values are compared, sorted, without repetitions. */
  readonly values: readonly string[];
}

/** The records by name and type, in the order in which these first occur. */
export function toRecordSets(records: readonly WantedRecord[]): RecordSet[] {
  const sets = new Map<string, { name: string; type: QueryType; values: Set<string> }>();
  for (const record of records) {
    const name = bareName(record.name);
    const key = `${name} ${record.type}`;
    const set = sets.get(key) ?? { name, type: record.type, values: new Set() };
    sets.set(key, set);
    set.values.add(comparable(record));
  }
  return [...sets.values()].map(({ name, type, values }) => ({ name, type, values: [...values].sort() }));
}

/** The values of the records of a type, as {@link RecordSet.values} has them. */
export function valuesOf(records: readonly ResourceRecord[], type: QueryType): string[] {
  return [...new Set(records.filter((record) => record.type === type).map(comparable))].sort();
}

/** Data with its priority in front: the same text for whatever means the same. */
function comparable({ type, value, priority }: Pick<ResourceRecord, 'type' | 'value' | 'priority'>): string {
  const data = comparableValue(type, value);
  return priority === undefined ? data : `${priority} ${data}`;
}

/**
 * The sets that a nameserver of the domain can be asked for: not the nameservers of the apex, which change with the
 * move, and nothing below a name that is delegated further. At most `max`, spread evenly over all.
 */
export function chooseSets(sets: readonly RecordSet[], domain: string, max: number): RecordSet[] {
  const apex = bareName(domain);
  const cuts = new Set(sets.filter(({ name, type }) => type === 'NS' && name !== apex).map(({ name }) => name));
  const own = sets.filter(({ name, type }) => (type === 'NS' ? name !== apex : !isBelowAny(name, cuts)));
  const step = Math.max(1, own.length / max);
  return own.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

function isBelowAny(name: string, cuts: ReadonlySet<string>): boolean {
  if (cuts.size === 0) return false;
  const labels = name.split('.');
  return labels.some((_, first) => cuts.has(labels.slice(first).join('.')));
}
