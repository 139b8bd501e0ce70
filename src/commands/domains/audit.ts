import { CliError } from '../../errors.ts';
import { asObject } from '../../json/values.ts';
import { plural } from '../../terminal/numbers.ts';
import type { Text } from '../../terminal/screen.ts';
import { describeProblem } from '../../zone/records.ts';
import { recordName, valueText } from '../../zone/summary.ts';
import type { DsLookup } from './dnssec.ts';
import { mismatchOf, type Scan } from './gather.ts';
import { nameserversOf } from './resolver.ts';
import { countByType } from './settle-records.ts';

/** What a move of a scanned domain would lose, and what else to know before it. */
export function auditOf(scan: Scan, ds: DsLookup) {
  const { domain, found, records, checked, warnings } = scan;
  // One record may have several problems.
  const problems = [...new Map(checked.problems.map((problem) => [problem.index, problem])).values()];
  return {
    domain: domain.ascii,
    nameservers: nameserversOf(found.currentNameservers),
    records: records.length,
    lost: problems.map((problem) => ({
      name: recordName(problem.record, domain.ascii),
      type: valueText(asObject(problem.record)['type']),
      problem: describeProblem(problem),
    })),
    dnssec: ds.state,
    warnings: [mismatchOf(scan), unlisted(scan), ...warnings].filter((text) => text !== undefined),
  };
}

function unlisted({ found }: Scan): string | undefined {
  return Array.isArray(found.records) ? undefined : 'The scan returned no list of records.';
}

/** Returns the error of a scan if a move would lose something. */
export function auditFailure(scan: Scan): CliError | undefined {
  const { domain, checked } = scan;
  const wrong = mismatchOf(scan) ?? unlisted(scan);
  const count = new Set(checked.problems.map(({ index }) => index)).size;
  if (wrong === undefined && count === 0) return undefined;
  const message = wrong ?? `${countByType(checked.problems)} of ${domain.ascii} cannot be staged.`;
  const alerts = [{ series: domain.ascii, figure: 'records', value: count, limit: 0, at: null }];
  return new CliError('alert', message, { alerts });
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
  const { found, records, checked, warnings } = scan;
  const wrong = mismatchOf(scan) === undefined ? countByType(checked.problems) : 'all: of another domain';
  return [
    String(records.length),
    { text: wrong, tone: 'warn' },
    nameserversOf(found.currentNameservers).join(', '),
    ds === undefined ? '' : dnssecText(ds),
    warnings.length === 0 ? '' : plural(warnings.length, 'warning'),
  ];
}
