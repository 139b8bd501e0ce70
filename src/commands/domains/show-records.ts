import type { JsonObject } from '../../json/values.ts';
import type { CsvTable } from '../../terminal/csv.ts';
import { safeLine } from '../../terminal/safe-text.ts';
import { dim, type Screen, shown } from '../../terminal/screen.ts';
import { fullName } from '../../zone/record-value.ts';
import { describeProblem, type Problem } from '../../zone/records.ts';
import { groupByName } from '../../zone/summary.ts';

/** Most rows that a terminal shows; a pipe gets all. */
export const ROWS_ON_A_TERMINAL = 40;

/** Most faulty records that are listed. */
const MAX_PROBLEMS = 20;

/** A table of more rows would take seconds, since its package measures every cell. */
const MAX_TABLE_ROWS = 1000;

/**
 * Shows records grouped by name.
 * @param max rows to show, with long values cut. Without it all records are shown whole.
 */
export function showRecords(screen: Screen, records: readonly unknown[], apex: string, max?: number): void {
  const rows = rowsOf(records, apex);
  if (Math.min(max ?? records.length, records.length) > MAX_TABLE_ROWS) {
    screen.verbatim(rows.map(lineOf).join('\n'));
    return;
  }
  screen.table({
    head: [
      { name: 'Name', once: true, whole: max === undefined },
      'Type',
      { name: 'TTL', align: 'right' },
      // As in a zone file, with the priority in front.
      { name: 'Value', below: max === undefined },
      'Other',
    ],
    rows: rows.map(({ cells: [name, type, ttl, ...data], other }) => [
      name,
      type,
      ttl,
      data.filter(Boolean).join(' '),
      other === undefined ? '' : dim(shown(other)),
    ]),
    ...(max === undefined ? {} : { max }),
  });
}

/** The head of {@link recordTable}. */
export const RECORD_COLUMNS = ['name', 'type', 'ttl', 'priority', 'value', 'other'] as const;

/** Returns the records as a table for `--csv`, with the full name in every row. */
export function recordTable(records: readonly unknown[], apex: string): CsvTable {
  const rows = rowsOf(records, apex).map(({ cells: [name = '', ...cells], other }) => {
    const subdomain = name === '@' ? '' : name;
    return [fullName(subdomain, apex), ...cells, other ?? ''];
  });
  return { head: RECORD_COLUMNS, rows };
}

interface Row {
  /** Name, type, TTL, priority and value. */
  readonly cells: readonly string[];
  readonly other: JsonObject | undefined;
}

function rowsOf(records: readonly unknown[], apex: string): Row[] {
  return groupByName(records, apex).flatMap((group) =>
    group.records.map(({ type, ttl, priority, value, other }) => ({
      cells: [group.name, type, ttl, priority, value],
      other: Object.keys(other).length === 0 ? undefined : other,
    })),
  );
}

/** One record on one line. */
function lineOf({ cells: [name, type, ttl, ...data], other }: Row): string {
  const text = [...data, other && shown(other)].filter(Boolean).join(' ');
  return safeLine(`  ${name}  ${type}  ${ttl}  ${text}`);
}

/** Describes the first problems, a line each, and counts the rest. */
export function problemLines(problems: readonly Problem[], lines?: readonly number[]): string[] {
  return firstLines(problems.map((problem) => describeProblem(problem, lines)));
}

/** Returns the first lines, and how many more there are. */
export function firstLines(lines: readonly string[]): string[] {
  const more = lines.length - MAX_PROBLEMS;
  return more > 0 ? [...lines.slice(0, MAX_PROBLEMS), `and ${more} more`] : [...lines];
}
