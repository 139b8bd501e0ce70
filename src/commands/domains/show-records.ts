import type { Context } from '../../command/context.ts';
import { CliError } from '../../errors.ts';
import type { DnsRecord } from '../../spec/types.ts';
import type { CsvTable } from '../../terminal/csv.ts';
import { plural } from '../../terminal/numbers.ts';
import { safeLine } from '../../terminal/safe-text.ts';
import { dim, type Screen, shown, type Text } from '../../terminal/screen.ts';
import { describeProblem, type Problem } from '../../zone/records.ts';
import { findLostMail, findMail, groupByName, type RecordGroup } from '../../zone/summary.ts';
import type { Gathered } from './gather.ts';

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
function firstLines(lines: readonly string[]): string[] {
  const more = lines.length - MOST_PROBLEMS;
  return more > 0 ? [...lines.slice(0, MOST_PROBLEMS), `and ${more} more`] : [...lines];
}

/**
 * Decides which records are staged. Records at fault end the command with nothing staged, unless they are to be left out:
 * by `--skip-invalid`, or by a person who says so. `--yes` does not say so, since it never chooses.
 * @throws CliError `usage`.
 */
export async function settleRecords(
  { io }: Context,
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
      await io.warn(`${sentence}:`);
      for (const line of listed) await io.note(`  ${line}`);
    }
    const leavesOut = skipInvalid || (isAsked && (await io.confirm(`Leave ${leftOut(problems)} out and go on?`)));
    if (!leavesOut) {
      throw new CliError('usage', `${sentence}. Nothing was staged.`, {
        lines: isAsked ? [] : listed,
        hint: 'the same command with --skip-invalid, to leave out what is listed',
      });
    }
  }
  if (records.length === 0) throw new CliError('usage', 'There is no record to stage. Nothing was staged.');
  return records;
}

/** Sentences about what is going to be staged; for people to read before they confirm. */
export function doubtsOf({ checked, mail, warnings }: Gathered, records: readonly DnsRecord[], apex: string): string[] {
  const lost = findLostMail(mail, findMail(records, apex));
  const mailDoubt = `${lost.join(' and ')} ${lost.length === 1 ? 'was' : 'were'} there at the scan and will not be staged: mail of ${apex} may stop.`;
  const { duplicates } = checked;
  const duplicateNote = `${plural(duplicates, 'record')} came more than once and will be staged once.`;
  return [
    ...warnings,
    ...checked.warnings,
    ...(lost.length > 0 ? [mailDoubt] : []),
    ...(duplicates > 0 ? [duplicateNote] : []),
  ];
}

function leftOut(problems: Gathered['checked']['problems']): string {
  return countRecords(problems) === 1 ? 'it' : 'these';
}
