import { describeProblem, type Problem } from '../../domains/records.ts';
import { groupByName, type RecordGroup } from '../../domains/summary.ts';
import type { CsvTable } from '../../io/csv.ts';
import { safeLine } from '../../io/safe-text.ts';
import { dim, type Screen, shown, type Text } from '../../io/screen.ts';

/** Rows of records that a terminal shows; a pipe gets all. */
export const ROWS_ON_A_TERMINAL = 40;
/** Lines about records at fault that are shown one by one. */
const MOST_PROBLEMS = 20;

/** Above this many rows the table would take seconds: its package measures every cell with great care. */
const MOST_TABLE_ROWS = 1000;

/**
 * Shows records by name, with their other fields where there are any.
 * @param max rows to show; all where it is `undefined`, as in a pipe.
 */
export function showRecords(screen: Screen, records: readonly unknown[], apex: string, max: number | undefined): void {
  const groups = groupByName(records, apex);
  if (Math.min(max ?? records.length, records.length) > MOST_TABLE_ROWS) {
    screen.verbatim(groups.flatMap(linesOf).join('\n'));
    return;
  }
  const rows = groups.flatMap(({ name, records: ofName }) =>
    ofName.map(({ type, ttl, priority, value, other }): Text[] => [
      name,
      type,
      ttl,
      priority,
      value,
      Object.keys(other).length === 0 ? '' : dim(shown(other)),
    ]),
  );
  screen.table({
    head: [
      { name: 'Name', once: true },
      'Type',
      { name: 'TTL', align: 'right' },
      { name: 'Priority', align: 'right' },
      'Value',
      'Other',
    ],
    rows,
    ...(max === undefined ? {} : { max }),
  });
}

/** Records as a table, the name of each in full. */
export function recordTable(records: readonly unknown[], apex: string): CsvTable {
  const rows = groupByName(records, apex).flatMap(({ name, records: ofName }) =>
    ofName.map(({ type, ttl, priority, value, other }) => [
      ...[name, type, ttl, priority, value],
      Object.keys(other).length === 0 ? '' : other,
    ]),
  );
  return { head: ['name', 'type', 'ttl', 'priority', 'value', 'other'], rows };
}

/** Each record on a line of its own with its whole name, as `grep` likes it. */
function linesOf({ name, records }: RecordGroup): string[] {
  return records.map(({ type, ttl, priority, value, other }) => {
    const more = Object.keys(other).length === 0 ? '' : shown(other);
    const data = [priority, value, more].filter((text) => text !== '').join(' ');
    return safeLine(`  ${name}  ${type}  ${ttl}  ${data}`);
  });
}

/** How many records the problems are about; one record may have several. */
export function countRecords(problems: readonly Problem[]): number {
  return new Set(problems.map(({ index }) => index)).size;
}

/** Problems as lines, the rest of many counted. */
export function problemLines(problems: readonly Problem[], lines?: readonly number[]): string[] {
  return firstLines(problems.map((problem) => describeProblem(problem, lines)));
}

/** The first of many lines about records at fault, the rest counted. */
export function firstLines(lines: readonly string[]): string[] {
  const more = lines.length - MOST_PROBLEMS;
  return more > 0 ? [...lines.slice(0, MOST_PROBLEMS), `and ${more} more`] : [...lines];
}
