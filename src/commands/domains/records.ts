import { type Needs, proposeRepeats } from '../../cli/define/context.ts';
import type { DnsRecord } from '../../contract/operations.ts';
import type { CheckedRecords, Problem } from '../../dns/records.ts';
import {
  findLostMail,
  findMail,
  getFullName,
  getType,
  listRows,
  toZoneName,
} from '../../dns/scanned.ts';
import type { ZoneFault } from '../../dns/zone-tokens.ts';
import { CliError, cancelledError, usageError } from '../../errors.ts';
import { groupBy } from '../../group-by.ts';
import type { JsonObject } from '../../json/values.ts';
import { plural } from '../../terminal/format.ts';
import { dim, formatJsonValue, type Screen } from '../../terminal/screen.ts';
import { type DsLookup, describeDsRisk, isAboutDnssec } from './dns.ts';

/** Records that were checked, and lines of a file that cannot be read at all. */
interface Checked {
  readonly checked: CheckedRecords;
  readonly unread: readonly ZoneFault[];
}

/** Records to stage, faulty ones included. */
export interface Candidates extends Checked {
  /** The records that mail needs and that were there: `mx`, `spf`, `dmarc`. */
  readonly mail: JsonObject;
  readonly warnings: readonly string[];
}

/**
 * Counts faulty records by type, `2 CAA and 1 MX records`, and lines of a file; empty without any.
 */
export function countFaults({ checked: { problems }, unread }: Checked): string {
  const types = problems.map(({ record }) => getCountedType(record)).sort();
  const counts = [...groupBy(types, (type) => type)].map(
    ([type, { length }]) => `${length} ${type}`,
  );
  const noun = problems.length === 1 ? 'record' : 'records';
  return joinWords([
    ...(counts.length === 0 ? [] : [`${joinWords(counts)} ${noun}`]),
    ...(unread.length === 0 ? [] : [plural(unread.length, 'unreadable line')]),
  ]);
}

/** Returns the type of a record as it is counted; what is no name of a type is `other`. */
function getCountedType(record: unknown): string {
  const type = getType(record);
  return /^[A-Z]\w{0,9}$/.test(type) ? type : 'other';
}

function joinWords(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** Types without which sites and mail go on: they guard, sign or describe. */
const DISPENSABLE_TYPES: ReadonlySet<string> = new Set([
  'CAA',
  'DS',
  'DNSKEY',
  'CDS',
  'CDNSKEY',
  'RRSIG',
  'NSEC',
  'NSEC3',
  'NSEC3PARAM',
  'TLSA',
  'SSHFP',
  'OPENPGPKEY',
  'SMIMEA',
  'HINFO',
  'RP',
  'LOC',
  'SOA',
  'ZONEMD',
]);
/** Types that add to the addresses of a name, and stand for them where there are none. */
const BESIDE_ADDRESSES = /^(?:HTTPS|SVCB)$/;

/**
 * Whether all that cannot be staged may be left out unread: without anything else the site, mail or
 * a part of the domain may stop, so that a person has to choose.
 */
export function canSkipAll(
  { checked: { problems, records }, unread }: Checked,
  apex: string,
): boolean {
  const named = records.filter(({ type }) => /^(?:A|AAAA|CNAME)$/.test(type));
  const hasAddress = new Set(named.map((record) => getFullName(record, apex)));
  const canSkip = ({ record }: Problem) => {
    const type = getCountedType(record);
    const isBeside = BESIDE_ADDRESSES.test(type) && hasAddress.has(getFullName(record, apex));
    return isBeside || DISPENSABLE_TYPES.has(type);
  };
  return records.length > 0 && unread.length === 0 && problems.every(canSkip);
}

/**
 * Settles which records are staged. Faulty ones are skipped with `--skip-invalid` or after a yes,
 * which `--yes` is not: it never chooses.
 * @throws CliError `usage` if they are not skipped, or none remain.
 */
export async function settleRecords(
  context: Needs<'io' | 'line'>,
  gathered: Checked,
  apex: string,
  skipInvalid: boolean,
): Promise<readonly DnsRecord[]> {
  const { io } = context;
  const { records } = gathered.checked;
  const faulty = countFaults(gathered);
  if (faulty !== '') {
    const lines = listProblems(gathered, io.json);
    if (!skipInvalid && !io.interactive) {
      const hint = canSkipAll(gathered, apex)
        ? {
            say: `To stage the others without ${faulty}, add --skip-invalid.`,
            run: proposeRepeats(context, ['--skip-invalid']),
          }
        : suggestCorrecting(faulty, records.length);
      const message = `${faulty} cannot be staged. Nothing was staged.`;
      throw new CliError('usage', message, { lines, hint });
    }

    await io.warn(`${faulty} cannot be staged:`, 'cannot_be_staged', lines);
    if (!skipInvalid && !(await io.confirm(`Leave out ${faulty} and continue?`))) {
      throw cancelledError('usage', 'Nothing was staged.');
    }
  }
  if (records.length > 0) return records;
  throw usageError('There is no record to stage. Nothing was staged.');
}

/** Proposes no command: a program would run it without reading what is lost. */
function suggestCorrecting(faulty: string, others: number): string {
  const loss =
    others === 0
      ? 'No other record would be left to stage.'
      : `With --skip-invalid the others are staged without ${faulty}, and the site, mail or a part of the domain may stop.`;
  return `Correct them in a file for --records. ${loss}`;
}

/** Lists the warnings to read before confirming. */
export function listDoubts(
  { checked: { duplicates }, mail, warnings }: Candidates,
  records: readonly DnsRecord[],
  apex: string,
  ds?: DsLookup,
): string[] {
  const isSigned = ds?.state === 'present';
  const doubts = isSigned ? [describeDsRisk(apex)] : [];
  doubts.push(...warnings.filter((warning) => !(isSigned && isAboutDnssec(warning))));
  const lost = findLostMail(mail, findMail(records, apex)).join(' and ');
  if (lost !== '') {
    doubts.push(
      `The scan found ${lost} records, but they will not be staged: mail for ${apex} may stop.`,
    );
  }
  if (duplicates > 0) {
    doubts.push(`${plural(duplicates, 'record')} appeared more than once and will be staged once.`);
  }
  return doubts;
}

/**
 * Shows records, grouped by name: at most `max` rows with long values cut, or without it all of
 * them whole.
 */
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
    rows: listRows(records, apex).map(({ name, cells: [type = '', ttl = '', ...data], other }) => {
      // As in a zone file, with the priority in front.
      const value = data.filter(Boolean).join(' ');
      const others = other ? dim(formatJsonValue(other)) : '';
      return [toZoneName(name, apex), type, ttl, value, others];
    }),
    max,
  });
}

/** Lists the first problems, in the order of the file, and how many more there are. */
export function listProblems(
  { checked: { problems }, unread }: Checked,
  isWhole = false,
): string[] {
  const faults = unread.map(({ line, message }) => ({ line, texts: [message] }));
  const inOrder = [...faults, ...problems].sort((one, other) => one.line - other.line);
  return limitLines(
    inOrder.flatMap(({ texts }) => texts),
    isWhole,
  );
}

const MAX_LINES = 20;

/** Returns the first lines, and how many more there are; for programs all of them. */
export function limitLines(lines: readonly string[], isWhole = false): string[] {
  if (isWhole || lines.length <= MAX_LINES) return [...lines];
  return [...lines.slice(0, MAX_LINES), `and ${lines.length - MAX_LINES} more`];
}
