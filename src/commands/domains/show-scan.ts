import type { Needs } from '../../cli/define/context.ts';
import { DOMAIN_SCAN } from '../../contract/fields/dns.ts';
import { listRows, toText } from '../../dns/scanned.ts';
import { asText, findField, otherFields } from '../../json/values.ts';
import { plural } from '../../terminal/format.ts';
import { dim, formatJsonValue, type NextStep, type Screen } from '../../terminal/screen.ts';
import { describeDnssec } from './audit.ts';
import { type DsLookup, describeDomain, isNameOf } from './dns.ts';
import type { Scan } from './gather.ts';
import { canSkipAll, countFaults, listProblems, showRecords } from './records.ts';

/** A scan as `svc domains import` shows it. */
export interface ImportedScan {
  readonly scan: Scan;
  /** The file to which it was written. */
  readonly written: string | undefined;
  /** A plan or a zone file to print instead of the overview. */
  readonly text: string | undefined;
  readonly maxRows: number | undefined;
  readonly ds: DsLookup | undefined;
  /** Whether `svc domains add` needs no `--service`. */
  readonly hasService: boolean;
}

/** Values of more columns are probably cut by a terminal of 80. */
const LONG_VALUE = 45;

/** Shows a scan, with what of it cannot be staged. */
export function showScan(screen: Screen, imported: ImportedScan): void {
  const { scan, written, text, maxRows, ds } = imported;
  if (text !== undefined) {
    screen.exact();
    screen.verbatim(text);
    return;
  }
  const { found, records, currentNameservers } = scan;
  const { ascii } = scan.domain;
  const hasTable = written === undefined && ds === undefined && records.length > 0;
  showHeading(screen, imported, hasTable);
  const zone = asText(found.apex);
  screen.fields([
    ['Zone', zone !== undefined && isNameOf(scan.domain, zone) ? undefined : zone],
    ['Nameservers', currentNameservers.join(', ') || formatJsonValue(found.currentNameservers)],
    ['Records', Array.isArray(found.records) ? undefined : formatJsonValue(found.records)],
    ['DNSSEC', ds && describeDnssec(ds)],
  ]);
  if (hasTable) showRecords(screen, records, ascii, maxRows);

  showProblems(screen, scan);
  screen.unknownFields(otherFields(found, [...Object.keys(DOMAIN_SCAN), 'error']));
  if (written !== undefined) {
    screen.success(`Wrote ${plural(records.length, 'record')} to ${written}.`);
  }
  screen.next(suggestNextSteps(imported));
}

function showHeading(screen: Screen, { scan, maxRows }: ImportedScan, hasTable: boolean): void {
  const { domain, found, records } = scan;
  const count = Array.isArray(found.records) ? `: ${plural(found.records.length, 'record')}` : '';
  const hasLong = records.some((record) => toText(findField(record, 'value')).length > LONG_VALUE);
  const isCut = hasTable && maxRows !== undefined && hasLong;
  const note = isCut ? dim(' (long values are cut: --full)') : '';
  screen.heading([`DNS of ${describeDomain(domain)}${count}`, note]);
}

function showProblems(screen: Screen, scan: Scan): void {
  for (const text of [scan.mismatch, scan.error]) {
    if (text) screen.warning(`${text} None of its records can be staged.`);
  }
  for (const warning of scan.warnings) screen.warning(warning);
  const faulty = countFaults(scan);
  if (faulty === '') return;
  screen.warning(`${faulty} cannot be staged:`);
  screen.list(listProblems(scan));
}

/** Warns of what a person reads beside the table, where everybody else gets data. */
export async function warnOfScan({ io }: Needs<'io'>, scan: Scan): Promise<void> {
  const { mismatch, error } = scan;
  const { sentence } = scan.remarks;
  if (mismatch) await io.warn(mismatch, 'other_domain');
  if (error) await io.warn(error, 'scan_error');
  if (sentence) await io.warn(sentence, 'scan_says_more');
  for (const warning of scan.warnings) await io.warn(warning, 'scan_warning');
  const faulty = countFaults(scan);
  if (faulty === '') return;
  await io.warn(`${faulty} cannot be staged:`, 'cannot_be_staged', listProblems(scan));
}

function suggestNextSteps({ scan, written, hasService }: ImportedScan): NextStep[] {
  const { domain, records, problems } = scan;
  if (records.length === 0 || problems.length > 0) return [];
  const service = hasService ? '' : ' --service <id>';
  const add = `svc domains add ${domain.ascii}${service} --import`;
  if (written !== undefined) {
    return [[`${add} --records ${written}`, 'once you have checked the file']];
  }

  const edit: NextStep = [
    `svc domains import ${domain.ascii} --output plan.json`,
    'to edit them first',
  ];
  const faulty = countFaults(scan);
  if (faulty === '') return [edit, [add, 'to stage them']];
  if (!canSkipAll(scan, domain.ascii)) return [edit];
  return [edit, [`${add} --skip-invalid`, `without the ${faulty}`]];
}

/** Makes the rows of a table with whole names, for programs. */
export function toRows({ records, domain }: Scan) {
  return listRows(records, domain.ascii).map(({ name, cells, other = '' }) => [
    name,
    ...cells,
    other,
  ]);
}
