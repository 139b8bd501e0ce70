import { againWith } from '../../command/ask.ts';
import type { Context } from '../../command/context.ts';
import { CliError, cancelled } from '../../errors.ts';
import type { JsonObject } from '../../json/values.ts';
import type { DnsRecord } from '../../spec/types.ts';
import type { CsvTable } from '../../terminal/csv.ts';
import { plural } from '../../terminal/numbers.ts';
import { safeLine } from '../../terminal/safe-text.ts';
import { dim, type Screen, shown } from '../../terminal/screen.ts';
import { fullName } from '../../zone/record-value.ts';
import { describeProblem, type Problem } from '../../zone/records.ts';
import { findLostMail, findMail, groupByName } from '../../zone/summary.ts';
import { type DsLookup, dsAdvice, isAboutDnssec } from './dnssec.ts';
import type { Gathered } from './gather.ts';

/** Most rows that a terminal shows; a pipe gets all. */
export const ROWS_ON_A_TERMINAL = 40;

/** Most faulty records that are listed. */
const MOST_PROBLEMS = 20;

/** A table of more rows would take seconds, since its package measures every cell. */
const MOST_TABLE_ROWS = 1000;

/**
 * Shows records grouped by name.
 * @param max rows to show, with long values cut. Without it all records are shown whole.
 */
export function showRecords(screen: Screen, records: readonly unknown[], apex: string, max?: number): void {
  const rows = rowsOf(records, apex);
  if (Math.min(max ?? records.length, records.length) > MOST_TABLE_ROWS) {
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

/** Returns the records as a table for `--csv`, with the full name in every row. */
export function recordTable(records: readonly unknown[], apex: string): CsvTable {
  const rows = rowsOf(records, apex).map(({ cells: [name = '', ...cells], other }) => {
    const subdomain = name === '@' ? '' : name;
    return [fullName(subdomain, apex), ...cells, other ?? ''];
  });
  return { head: ['name', 'type', 'ttl', 'priority', 'value', 'other'], rows };
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

/** Counts the records that have problems; one record may have several. */
export function countRecords(problems: readonly Problem[]): number {
  return new Set(problems.map(({ index }) => index)).size;
}

/** Describes the first problems, a line each, and counts the rest. */
export function problemLines(problems: readonly Problem[], lines?: readonly number[]): string[] {
  return firstLines(problems.map((problem) => describeProblem(problem, lines)));
}

function firstLines(lines: readonly string[]): string[] {
  const more = lines.length - MOST_PROBLEMS;
  return more > 0 ? [...lines.slice(0, MOST_PROBLEMS), `and ${more} more`] : [...lines];
}

/**
 * Returns the records to stage. Faulty ones are left out with `--skip-invalid` or after a yes to the question; `--yes`
 * does not answer it, because it never chooses.
 * @throws CliError `usage` if faulty records are not left out, or none remain.
 */
export async function settleRecords(
  { io, system }: Context,
  { checked, lines, unread }: Gathered,
  skipInvalid: boolean,
): Promise<readonly DnsRecord[]> {
  const { problems, records } = checked;
  const count = countRecords(problems) + unread.length;
  if (count > 0) {
    const sentence = `${plural(count, 'record')} cannot be staged`;
    const listed = [...firstLines(unread), ...problemLines(problems, lines)];
    const isAsked = !skipInvalid && io.interactive;
    if (skipInvalid || isAsked) {
      await io.warn(`${sentence}:`, 'cannot_be_staged');
      for (const line of listed) await io.note(`  ${line}`);
    }
    if (isAsked && !(await io.confirm(`Skip ${countRecords(problems) === 1 ? 'it' : 'these'} and continue?`))) {
      throw cancelled('usage', 'Nothing was staged.');
    }
    if (!skipInvalid && !isAsked) {
      throw new CliError('usage', `${sentence}. Nothing was staged.`, {
        lines: listed,
        hint: {
          say: 'To leave out such records, add --skip-invalid.',
          run: againWith({ io, system }, ['--skip-invalid']),
        },
      });
    }
  }
  if (records.length === 0) throw new CliError('usage', 'There is no record to stage. Nothing was staged.');
  return records;
}

/** Returns warnings to read before confirming. */
export function doubtsOf(
  { checked, mail, warnings }: Gathered,
  records: readonly DnsRecord[],
  apex: string,
  ds?: DsLookup,
): string[] {
  const isSigned = ds?.state === 'present';
  const lost = findLostMail(mail, findMail(records, apex));
  const mailDoubt = `The scan found ${lost.join(' and ')} records, but they will not be staged: mail for ${apex} may stop.`;
  const { duplicates } = checked;
  const duplicateNote = `${plural(duplicates, 'record')} appeared more than once and will be staged once.`;
  return [
    ...(isSigned ? [dsAdvice(apex)] : []),
    ...warnings.filter((warning) => !(isSigned && isAboutDnssec(warning))),
    ...(lost.length > 0 ? [mailDoubt] : []),
    ...(duplicates > 0 ? [duplicateNote] : []),
  ];
}
