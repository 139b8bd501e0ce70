import { CliError } from '../../errors.ts';
import { asObject } from '../../json/values.ts';
import { plural } from '../../terminal/numbers.ts';
import type { Text } from '../../terminal/screen.ts';
import { describeProblem } from '../../zone/records.ts';
import { recordName, valueText } from '../../zone/summary.ts';
import { type DsLookup, dsFailure, nameserversOf } from './dns.ts';
import { countByType, faultyRecords } from './records.ts';
import { mismatchOf, type Scan } from './scan.ts';

/** What a move of a scanned domain would lose, and what else to know before it. */
export function auditOf(scan: Scan, ds: DsLookup) {
  const { domain, found, records, checked, leftOut, warnings } = scan;
  const lossOf = (record: unknown, problem: string) => ({
    name: recordName(record, domain.ascii),
    type: valueText(asObject(record)['type']),
    problem,
  });
  return {
    domain: domain.ascii,
    nameservers: nameserversOf(found.currentNameservers),
    records: records.length,
    lost: [
      ...faultyRecords(checked.problems).map((problem) => lossOf(problem.record, describeProblem(problem))),
      ...checked.lostFields.map(({ field, record }) =>
        lossOf(record, `${field} ${JSON.stringify(record[field])} is lost`),
      ),
      ...leftOut.map((sentence) => lossOf(undefined, sentence)),
    ],
    dnssec: ds.state,
    warnings: [mismatchOf(scan), unlisted(scan), ...warnings].filter((text) => text !== undefined),
  };
}

function unlisted({ found }: Scan): string | undefined {
  return Array.isArray(found.records) ? undefined : 'The scan returned no list of records.';
}

/** Returns the error of a scan if a move would lose something, or if DNSSEC would make the domain vanish. */
export function auditFailure(scan: Scan, ds: DsLookup): CliError | undefined {
  const { domain, checked, leftOut } = scan;
  const wrong = mismatchOf(scan) ?? unlisted(scan);
  const signed = dsFailure(domain.ascii, ds);
  const losses = lossesIn(scan);
  if (wrong === undefined && losses === '') return signed;
  const value = faultyRecords(checked.problems).length + checked.lostFields.length + leftOut.length;
  const alert = { series: domain.ascii, figure: 'records', value, limit: 0, at: null };
  const message = wrong ?? `${losses} of ${domain.ascii} cannot be staged.`;
  const sentences = signed === undefined ? message : `${message} ${signed.message}`;
  return new CliError('alert', sentences, { alerts: [alert, ...(signed?.details.alerts ?? [])] });
}

/** Counts what cannot be staged: `1 CAA record, 2 fields`. */
function lossesIn({ checked: { problems, lostFields }, leftOut }: Scan): string {
  const fields = lostFields.length === 0 ? '' : plural(lostFields.length, 'field');
  const rest = leftOut.length === 0 ? '' : 'what the scan left out';
  return [countByType(problems), fields, rest].filter(Boolean).join(', ');
}

const DNSSEC: Readonly<Record<DsLookup['state'], string>> = {
  present: 'on',
  absent: 'off',
  unknown: 'not known',
  not_asked: 'not asked',
};

/** Says whether DNSSEC is on. */
export function dnssecText({ state }: DsLookup): Text {
  return state === 'present' ? { text: DNSSEC.present, tone: 'warn' } : DNSSEC[state];
}

/** The columns of {@link scanRow}. */
export const SCAN_HEAD = [
  { name: 'Records', align: 'right' },
  { name: 'Cannot be staged', whole: true },
  'Nameservers',
  'DNSSEC',
  'Warnings',
] as const;

/** The row of one of several. */
export function scanRow(scan: Scan, ds: DsLookup | undefined): readonly Text[] {
  const { found, records, warnings } = scan;
  const wrong = mismatchOf(scan) === undefined ? lossesIn(scan) : 'all: of another domain';
  return [
    String(records.length),
    { text: wrong, tone: 'warn' },
    nameserversOf(found.currentNameservers).join(', '),
    ds === undefined ? '' : dnssecText(ds),
    warnings.length === 0 ? '' : plural(warnings.length, 'warning'),
  ];
}
