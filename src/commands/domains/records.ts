import { proposeRepeats } from '../../cli/define/ask.ts';
import type { Needs } from '../../cli/define/context.ts';
import type { DnsRecord } from '../../contract/types.ts';
import { describeProblem, type Problem } from '../../dns/records.ts';
import { isCountedLoss } from '../../dns/scanned.ts';
import {
  findLostMail,
  findMail,
  getFullName,
  groupBy,
  shownRecords,
  toText,
} from '../../dns/summary.ts';
import { CliError, cancelled, listed } from '../../errors.ts';
import { findField } from '../../json/values.ts';
import { plural } from '../../terminal/numbers.ts';
import { dim, formatJsonValue, type Screen, type Text } from '../../terminal/screen.ts';
import { type DsLookup, dsAdvice, dsFailure, isAboutDnssec } from './dns.ts';
import { firstLines } from './first-lines.ts';
import { faultsOf, type Gathered, type Scan } from './scan.ts';

/**
 * Counts faulty records by type, `2 CAA and 1 MX records`, and lines of a file; empty without any.
 */
export function countByType(problems: readonly Problem[], unreadLines = 0): string {
  const faulty = faultyRecords(problems);
  const groups = [...groupBy(faulty, ({ record }) => typeOf(record))].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const counts = inWords(groups.map(([type, { length }]) => `${length} ${type}`));
  const records =
    faulty.length === 0 ? [] : [`${counts} ${faulty.length === 1 ? 'record' : 'records'}`];
  return inWords([
    ...records,
    ...(unreadLines === 0 ? [] : [plural(unreadLines, 'unreadable line')]),
  ]);
}

/** One problem for each record, which may have several. */
function faultyRecords(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((problem) => [problem.index, problem])).values()];
}

function typeOf(record: unknown): string {
  const type = toText(findField(record, 'type'));
  return /^[A-Za-z]\w{0,9}$/.test(type) ? type.toUpperCase() : 'other';
}

function inWords(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** Types without which sites and mail go on: they guard, sign or describe. */
const DISPENSABLE_TYPES: ReadonlySet<string> = new Set([
  ...['CAA', 'DS', 'DNSKEY', 'CDS', 'CDNSKEY', 'RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM'],
  ...['TLSA', 'SSHFP', 'OPENPGPKEY', 'SMIMEA', 'HINFO', 'RP', 'LOC', 'SOA', 'ZONEMD'],
]);
/** Types that add to the addresses of a name, and stand for them where there are none. */
const TYPES_BESIDE_ADDRESSES: ReadonlySet<string> = new Set(['HTTPS', 'SVCB']);
const ADDRESS_TYPES: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME']);

/**
 * Whether all that cannot be staged may be left out unread: without anything else the site, mail or
 * a part of the domain may stop, so that a person has to choose.
 */
export function canSkipAll(
  { problems, records }: Gathered['checked'],
  unread: Gathered['unread'],
  apex: string,
): boolean {
  const named = records.filter(({ type }) => ADDRESS_TYPES.has(type));
  const hasAddress = new Set(named.map((record) => getFullName(record, apex)));
  const canSkip = ({ record }: Problem) => {
    const type = typeOf(record);
    const isBeside = TYPES_BESIDE_ADDRESSES.has(type) && hasAddress.has(getFullName(record, apex));
    return isBeside || DISPENSABLE_TYPES.has(type);
  };
  return records.length > 0 && unread.length === 0 && problems.every(canSkip);
}

/**
 * The records to stage. Faulty ones are left out with `--skip-invalid` or after a yes, which
 * `--yes` is not: it never chooses.
 * @throws CliError `usage` if they are not left out, or none remain.
 */
export async function settleRecords(
  context: Needs<'io' | 'line'>,
  gathered: Gathered,
  apex: string,
  skipInvalid: boolean,
): Promise<readonly DnsRecord[]> {
  const { io } = context;
  const { checked, lines, unread } = gathered;
  const { problems, records } = checked;
  const left = countByType(problems, unread.length);
  if (left !== '') {
    if (!skipInvalid && !io.interactive) throw cannotBeStagedError(context, gathered, apex);
    const listed = problemLines(problems, { lines, faults: unread, isWhole: io.json });
    await io.warn(`${left} cannot be staged:`, 'cannot_be_staged', listed);
    if (!skipInvalid && !(await io.confirm(`Leave out ${left} and continue?`))) {
      throw cancelled('usage', 'Nothing was staged.');
    }
  }
  if (records.length === 0)
    throw new CliError('usage', 'There is no record to stage. Nothing was staged.');
  return records;
}

/** Proposes to skip the faulty records only where no site needs one of them. */
function cannotBeStagedError(
  { io, line }: Needs<'io' | 'line'>,
  { checked, lines, unread }: Gathered,
  apex: string,
): CliError {
  const { problems, records } = checked;
  const left = countByType(problems, unread.length);
  const message = `${left} cannot be staged. Nothing was staged.`;
  const details = { lines: problemLines(problems, { lines, faults: unread, isWhole: io.json }) };
  if (canSkipAll(checked, unread, apex)) {
    const say = `To stage the others without ${left}, add --skip-invalid.`;
    const run = proposeRepeats({ io, line }, ['--skip-invalid']);
    return new CliError('usage', message, { ...details, hint: { say, run } });
  }

  const others =
    records.length === 0
      ? 'No other record would be left to stage.'
      : `With --skip-invalid the others are staged without ${left}, and the site, mail or a part of the domain may stop.`;
  // No command is proposed: a program would run it without reading what is lost.
  const hint = { say: `Correct them in a file for --records. ${others}`, run: [] };
  return new CliError('usage', message, { ...details, hint });
}

/** Warnings to read before confirming. */
export function doubtsOf(
  { checked: { duplicates }, mail, warnings }: Gathered,
  records: readonly DnsRecord[],
  apex: string,
  ds?: DsLookup,
): string[] {
  const isSigned = ds?.state === 'present';
  const doubts = isSigned ? [dsAdvice(apex)] : [];
  doubts.push(...warnings.filter((warning) => !(isSigned && isAboutDnssec(warning))));
  const lost = findLostMail(mail, findMail(records, apex)).join(' and ');
  if (lost !== '')
    doubts.push(
      `The scan found ${lost} records, but they will not be staged: mail for ${apex} may stop.`,
    );
  if (duplicates > 0)
    doubts.push(`${plural(duplicates, 'record')} appeared more than once and will be staged once.`);
  return doubts;
}

/** Grouped by name; at most `max` rows with long values cut, without it all of them whole. */
export function showRecords(
  screen: Screen,
  records: readonly unknown[],
  apex: string,
  max?: number,
): void {
  screen.table({
    head: [
      { name: 'Name', once: true, whole: max === undefined },
      'Type',
      { name: 'TTL', align: 'right' },
      { name: 'Value', wraps: max === undefined },
      'Other',
    ],
    rows: shownRecords(records, apex).map(
      ({ cells: [name = '', type = '', ttl = '', ...data], other }) => {
        // As in a zone file, with the priority in front.
        const value = data.filter(Boolean).join(' ');
        return [
          name,
          type,
          ttl,
          value,
          Object.keys(other).length === 0 ? '' : dim(formatJsonValue(other)),
        ];
      },
    ),
    ...(max === undefined ? {} : { max }),
  });
}

interface FromFile {
  /** Where the records of a zone file begin. */
  readonly lines?: readonly number[] | undefined;
  /** What of it cannot be read at all. */
  readonly faults?: Gathered['unread'];
  readonly isWhole?: boolean;
}

/** The first problems, in the order of the file, and how many more there are. */
export function problemLines(
  problems: readonly Problem[],
  { lines, faults = [], isWhole = false }: FromFile = {},
): string[] {
  const found = [
    ...faults.map(({ line, message }) => ({ line, text: message })),
    ...problems.map((problem) => ({
      line: lines?.[problem.index] ?? 0,
      text: describeProblem(problem, lines),
    })),
  ];
  const inOrder = found.sort((one, other) => one.line - other.line);
  return firstLines(
    inOrder.map(({ text }) => text),
    isWhole,
  );
}

/** Lists what a move would lose; fails if it would, or if DNSSEC would make the domain vanish. */
export function auditOf(scan: Scan, ds: DsLookup) {
  const { domain, currentNameservers, records, remarks, warnings } = scan;
  const lost = listLosses(scan);
  const wrong = faultsOf(scan);
  const audit = {
    domain: domain.ascii,
    nameservers: currentNameservers,
    records: records.length,
    lost,
    dnssec: ds.state,
    warnings: [
      ...wrong,
      ...(remarks.sentence === undefined ? [] : [remarks.sentence]),
      ...warnings,
    ],
  };

  const signed = dsFailure(domain.ascii, ds);
  if (wrong.length + lost.length === 0) {
    const isSigned = signed?.code === 'alert';
    return { audit, failure: isSigned ? signed : (findDoubt(scan, signed) ?? signed) };
  }
  const alert = { series: domain.ascii, figure: 'records', value: lost.length, limit: 0, at: null };
  const alerts = [alert, ...(signed?.details.alerts ?? [])];
  const message = wrong[0] ?? `${lossesIn(scan)} of ${domain.ascii} cannot be staged.`;
  const sentences = [message, signed?.message].filter((text) => text !== undefined);
  return { audit, failure: new CliError('alert', sentences.join(' '), { alerts }) };
}

function listLosses({ checked, domain }: Scan) {
  const toLoss = (record: unknown, problem: string) => ({
    name: getFullName(record, domain.ascii),
    type: toText(findField(record, 'type')),
    problem,
  });
  return [
    ...faultyRecords(checked.problems).map((problem) =>
      toLoss(problem.record, describeProblem(problem)),
    ),
    ...checked.lostFields
      .filter(isCountedLoss)
      .map(({ field, record }) =>
        toLoss(record, `${field} ${JSON.stringify(record[field])} is lost`),
      ),
  ];
}

/** Returns the error of a scan that says more than svc knows: records may be missing. */
function findDoubt({ domain, remarks }: Scan, signed: CliError | undefined): CliError | undefined {
  const { doubtful, sentence } = remarks;
  if (doubtful.length === 0) return undefined;
  const message = `svc cannot tell whether the scan of ${domain.ascii} has every record: ${listed(doubtful)} may say that some are missing.`;
  return new CliError('no_data', message, {
    lines: [sentence, signed?.message].filter((text) => text !== undefined),
    hint: {
      say: 'To read the scan as it came:',
      run: [`svc domains import ${domain.ascii} --json`],
    },
  });
}

/** Counts what cannot be staged: `1 CAA record, 2 fields`. */
export function lossesIn({ checked: { problems, lostFields } }: Scan): string {
  const count = lostFields.filter(isCountedLoss).length;
  const fields = count === 0 ? '' : plural(count, 'field');
  return [countByType(problems), fields].filter(Boolean).join(', ');
}

const DNSSEC: Readonly<Record<DsLookup['state'], string>> = {
  present: 'on',
  absent: 'off',
  unknown: 'not known',
  not_asked: 'not asked',
};

/** Whether DNSSEC is on. */
export function dnssecText({ state }: DsLookup): Text {
  return state === 'present' ? { text: DNSSEC.present, tone: 'warn' } : DNSSEC[state];
}
