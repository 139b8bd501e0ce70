import { groupBy } from '../group-by.ts';
import { asObject, findField, isObject } from '../json/values.ts';
import { findRecordName, getFullName, getType, normalizeScanned, toText } from './scanned.ts';
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
export function diffRecords(requested: readonly unknown[], stagedRecords: unknown, apex: string) {
  if (!Array.isArray(stagedRecords)) return undefined;
  const entries = new Map(
    stagedRecords.map((entry) => [normalizeScanned(unwrapRecord(entry), apex), entry]),
  );
  const staged = [...entries.keys()];
  const isRecord = (entry: unknown) =>
    ['type', 'value'].every((field) => typeof findField(entry, field) === 'string');
  if (!staged.every(isRecord)) return undefined;
  const getSet = (entry: unknown) => `${getFullName(entry, apex)} ${getType(entry)}`;
  const getWhole = (entry: unknown) =>
    `${getSet(entry)} ${toComparableValue(getType(entry), toText(findField(entry, 'value')))}`;
  const byValue = pairEntries(requested, staged, getWhole, false);
  // The rest counts as a changed value only if each side has one record left of that name and type.
  const byName = pairEntries(byValue.before, byValue.after, getSet, true);
  const isUnnamed = byValue.after.some((entry) => findRecordName(entry) === undefined);
  if (byValue.before.length > 0 && isUnnamed) return undefined;
  return {
    held: byValue.pairs.map(({ after }) => entries.get(after)),
    added: byName.after,
    lost: byValue.before,
    missing: byName.before,
    changed: [...byValue.pairs.filter(isRetimed), ...byName.pairs],
  };
}

/** Pairs entries by a key, in order; with `isSingle`, only if each side has one of that key. */
function pairEntries(
  before: readonly unknown[],
  after: readonly unknown[],
  getKey: (entry: unknown) => string,
  isSingle: boolean,
) {
  const otherGroups = groupBy(after, getKey);
  const pairs = [...groupBy(before, getKey)].flatMap(([key, group]): Pair[] => {
    const otherGroup = otherGroups.get(key) ?? [];
    const canPair = !isSingle || (group.length === 1 && otherGroup.length === 1);
    if (!canPair) return [];
    return otherGroup
      .slice(0, group.length)
      .map((entry, index) => ({ before: group[index], after: entry }));
  });
  const paired = new Set(pairs.flatMap(Object.values));
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
    const valueBefore = findField(before, field) ?? undefined;
    const valueAfter = findField(after, field) ?? valueBefore;
    return valueBefore !== undefined && valueBefore !== valueAfter;
  });
}
