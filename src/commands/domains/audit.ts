import { CliError } from '../../errors.ts';
import { asObject } from '../../json/values.ts';
import { plural } from '../../terminal/numbers.ts';
import type { Text } from '../../terminal/screen.ts';
import { describeProblem } from '../../zone/records.ts';
import { recordName, valueText } from '../../zone/summary.ts';
import { type DsLookup, dsFailure, nameserversOf } from './dns.ts';
import { countByType, faultyRecords } from './records.ts';
import { faultsOf, type Scan } from './scan.ts';

/** Says what a move of a scanned domain would lose, and fails if it would, or if DNSSEC would make the domain vanish. */
export function auditOf(scan: Scan, ds: DsLookup) {
  const { domain, found, records, checked, leftOut, warnings } = scan;
  const lossOf = (record: unknown, problem: string) => ({
    name: recordName(record, domain.ascii),
    type: valueText(asObject(record)['type']),
    problem,
  });
  const lost = [
    ...faultyRecords(checked.problems).map((problem) => lossOf(problem.record, describeProblem(problem))),
    ...checked.lostFields.map(({ field, record }) =>
      lossOf(record, `${field} ${JSON.stringify(record[field])} is lost`),
    ),
    ...leftOut.map((sentence) => lossOf(undefined, sentence)),
  ];
  const wrong = faultsOf(scan);
  const audit = {
    domain: domain.ascii,
    nameservers: nameserversOf(found.currentNameservers),
    records: records.length,
    lost,
    dnssec: ds.state,
    warnings: [...wrong, ...warnings],
  };
  const signed = dsFailure(domain.ascii, ds);
  if (wrong.length + lost.length === 0) return { audit, failure: signed };
  const alert = { series: domain.ascii, figure: 'records', value: lost.length, limit: 0, at: null };
  const message = wrong[0] ?? `${lossesIn(scan)} of ${domain.ascii} cannot be staged.`;
  const sentences = signed === undefined ? message : `${message} ${signed.message}`;
  const alerts = [alert, ...(signed?.details.alerts ?? [])];
  return { audit, failure: new CliError('alert', sentences, { alerts }) };
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
  const wrong = scan.mismatch === undefined ? lossesIn(scan) : 'all: of another domain';
  return [
    String(records.length),
    { text: wrong, tone: 'warn' },
    nameserversOf(found.currentNameservers).join(', '),
    ds === undefined ? '' : dnssecText(ds),
    warnings.length === 0 ? '' : plural(warnings.length, 'warning'),
  ];
}
