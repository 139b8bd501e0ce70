import { asObject, findField, isObject } from '../json/values.ts';
import { normalizeScanned } from './scanned.ts';
import { findRecordName, getFullName, groupBy, toText } from './summary.ts';
import { toComparableValue } from './zone-tokens.ts';

interface Pair {
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * `held` are the entries of the answer with the name, type and value of a requested one, whatever
 * the TTL and priority. `added` were not requested, `missing` have nothing in their place, and
 * `lost` are also those with another value.
 */
export type RecordDiff = NonNullable<ReturnType<typeof diffRecords>>;

/**
 * Compares requested records with the `stagedRecords` of operation 5, whose form is not documented.
 * Ignores fields that one side lacks, and the spelling of names and values. Undefined unless they
 * are a list of records, and if one is lost that may be an entry without a name: a platform may
 * leave out the empty name of the apex.
 */
export function diffRecords(asked: readonly unknown[], answered: unknown, apex: string) {
  if (!Array.isArray(answered)) return undefined;
  const entries = new Map(
    answered.map((entry) => [normalizeScanned(unwrapRecord(entry), apex), entry]),
  );
  const staged = [...entries.keys()];
  const isRecord = (entry: unknown) =>
    ['type', 'value'].every((field) => typeof findField(entry, field) === 'string');
  if (!staged.every(isRecord)) return undefined;
  const typeOf = (entry: unknown) => toText(findField(entry, 'type')).toUpperCase();
  const nameAndType = (entry: unknown) => `${getFullName(entry, apex)} ${typeOf(entry)}`;
  const whole = (entry: unknown) =>
    `${nameAndType(entry)} ${toComparableValue(typeOf(entry), toText(findField(entry, 'value')))}`;
  const byValue = pairEntries(asked, staged, whole, false);
  // The rest counts as a changed value only if each side has one record left of that name and type.
  const byName = pairEntries(byValue.before, byValue.after, nameAndType, true);
  if (
    byValue.before.length > 0 &&
    byValue.after.some((entry) => findRecordName(entry) === undefined)
  ) {
    return undefined;
  }
  return {
    held: byValue.pairs.map(({ after }) => entries.get(after)),
    added: byName.after,
    lost: byValue.before,
    missing: byName.before,
    changed: [...byValue.pairs.filter(isRetimed), ...byName.pairs],
  };
}

/** Pairs entries by a key, in order; with `single`, only if each side has one of that key. */
function pairEntries(
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

/** An entry may have the record in a field of its own, beside what the platform says of it. */
export function unwrapRecord(entry: unknown): unknown {
  const { record } = asObject(entry);
  return isObject(record) ? record : entry;
}

function isRetimed({ before, after }: Pair): boolean {
  return ['ttl', 'priority'].some((field) => {
    const [one, other] = [
      findField(before, field) ?? undefined,
      findField(after, field) ?? undefined,
    ];
    return one !== undefined && other !== undefined && one !== other;
  });
}
