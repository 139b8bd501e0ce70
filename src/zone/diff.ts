import { asArray, asObject, isObject } from '../json/values.ts';
import { nameOf, toText } from './summary.ts';
import { comparableValue } from './tokens.ts';

/** How what was staged differs from what was to be staged. */
export interface RecordDiff {
  /** How many records are on both sides. */
  readonly same: number;
  /** How many of those asked for are staged by name, type and value, whatever their TTL and priority. */
  readonly held: number;
  /** Staged, though nobody asked for it. */
  readonly added: readonly unknown[];
  /** Asked for, and not staged. */
  readonly missing: readonly unknown[];
  /** Staged with another value, TTL or priority. */
  readonly changed: ReadonlyArray<{ readonly before: unknown; readonly after: unknown }>;
}

type Pair = { readonly before: unknown; readonly after: unknown };

/**
 * Compares the records that were asked for with the `stagedRecords` of operation 5, whose form is not documented:
 * `undefined` where they are not a list of records. A field that one side does not have is no difference, nor is the
 * case of a name, a last dot, the quotes of a text or another spelling of the same IPv6 address.
 */
export function diffRecords(asked: readonly unknown[], staged: unknown, apex: string): RecordDiff | undefined {
  if (!Array.isArray(staged) || !asArray(staged).every(isRecord)) return undefined;
  const typeOf = (entry: unknown) => toText(asObject(entry)['type']).toUpperCase();
  const nameAndType = (entry: unknown) => `${nameOf(entry, apex)} ${typeOf(entry)}`;
  const valueIn = (entry: unknown) => comparableValue(typeOf(entry), toText(asObject(entry)['value']));
  const wholeKey = (entry: unknown) => `${nameAndType(entry)} ${valueIn(entry)}`;
  const byValue = match(asked, staged, wholeKey, false);
  // What is left over is one record with a new value only where one is left on each side.
  const byName = match(byValue.before, byValue.after, nameAndType, true);
  const retimed = byValue.pairs.filter(isRetimed);
  return {
    same: byValue.pairs.length - retimed.length,
    held: byValue.pairs.length,
    added: byName.after,
    missing: byName.before,
    changed: [...retimed, ...byName.pairs],
  };
}

/** Pairs the entries of two lists by a key, in order; with `single` only where each side has one of that key. */
function match(
  before: readonly unknown[],
  after: readonly unknown[],
  keyOf: (entry: unknown) => string,
  single: boolean,
) {
  const groupByKey = (entries: readonly unknown[]) => {
    const groups = new Map<string, unknown[]>();
    for (const entry of entries) {
      const key = keyOf(entry);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [entry]);
      else group.push(entry);
    }
    return groups;
  };
  const [left, right] = [groupByKey(before), groupByKey(after)];
  const pairs: Pair[] = [];
  const paired = new Set<unknown>();
  for (const [key, mine] of left) {
    const theirs = right.get(key) ?? [];
    if (single && (mine.length !== 1 || theirs.length !== 1)) continue;
    for (let index = 0; index < Math.min(mine.length, theirs.length); index += 1) {
      pairs.push({ before: mine[index], after: theirs[index] });
      paired.add(mine[index]).add(theirs[index]);
    }
  }
  const rest = (entries: readonly unknown[]) => entries.filter((entry) => !paired.has(entry));
  return { pairs, before: rest(before), after: rest(after) };
}

function isRecord(entry: unknown): boolean {
  return isObject(entry) && typeof entry['type'] === 'string' && typeof entry['value'] === 'string';
}

function isRetimed({ before, after }: Pair): boolean {
  const [one, other] = [asObject(before), asObject(after)];
  return ['ttl', 'priority'].some((field) => {
    const [mine, theirs] = [one[field] ?? undefined, other[field] ?? undefined];
    return mine !== undefined && theirs !== undefined && mine !== theirs;
  });
}
