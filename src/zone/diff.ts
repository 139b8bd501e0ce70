import { asArray, asObject, isObject } from '../json/values.ts';
import { groupBy, nameOf, toText } from './summary.ts';
import { comparableValue } from './tokens.ts';

/** A requested record and the staged one. */
interface Pair {
  readonly before: unknown;
  readonly after: unknown;
}

/** How the staged records differ from the requested ones. */
export interface RecordDiff {
  /** How many records are equal on both sides. */
  readonly same: number;
  /** How many requested records are staged with their name, type and value, whatever the TTL and priority. */
  readonly held: number;
  /** Staged, but not requested. */
  readonly added: readonly unknown[];
  /** Requested, but not staged. */
  readonly missing: readonly unknown[];
  /** Staged with another value, TTL or priority. */
  readonly changed: readonly Pair[];
}

/**
 * Compares requested records with the `stagedRecords` of operation 5, whose form is not documented; returns undefined
 * unless they are a list of records. Ignores fields that one side lacks, the case of names, a final dot, the quotes of a
 * text, and the spelling of an IPv6 address.
 */
export function diffRecords(asked: readonly unknown[], staged: unknown, apex: string): RecordDiff | undefined {
  if (!Array.isArray(staged) || !asArray(staged).every(isRecord)) return undefined;
  const typeOf = (entry: unknown) => toText(asObject(entry)['type']).toUpperCase();
  const nameAndType = (entry: unknown) => `${nameOf(entry, apex)} ${typeOf(entry)}`;
  const valueIn = (entry: unknown) => comparableValue(typeOf(entry), toText(asObject(entry)['value']));
  const wholeKey = (entry: unknown) => `${nameAndType(entry)} ${valueIn(entry)}`;
  const byValue = match(asked, staged, wholeKey, false);
  // The rest counts as a changed value only if each side has one record left of that name and type.
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

/** Pairs the entries of two lists by a key, in order; with `single`, only if each side has one entry of that key. */
function match(
  before: readonly unknown[],
  after: readonly unknown[],
  keyOf: (entry: unknown) => string,
  single: boolean,
) {
  const [left, right] = [groupBy(before, keyOf), groupBy(after, keyOf)];
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
  return ['ttl', 'priority'].some((field) => {
    const [one, other] = [asObject(before)[field] ?? undefined, asObject(after)[field] ?? undefined];
    return one !== undefined && other !== undefined && one !== other;
  });
}
