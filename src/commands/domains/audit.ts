import { getFullName, isCountedLoss, toText } from '../../dns/scanned.ts';
import { CliError, listNames } from '../../errors.ts';
import { findField } from '../../json/values.ts';
import { plural } from '../../terminal/format.ts';
import type { Text } from '../../terminal/screen.ts';
import { createDsError, type DsLookup } from './dns.ts';
import type { Scan } from './gather.ts';
import { countFaults } from './records.ts';

/** Lists what a move would lose; fails if it would, or if DNSSEC would make the domain vanish. */
export function auditScan(scan: Scan, ds: DsLookup) {
  const { domain, currentNameservers, records, problems, remarks, warnings } = scan;
  const lost = listLosses(scan);
  const audit = {
    domain: domain.ascii,
    nameservers: currentNameservers,
    records: records.length,
    lost,
    dnssec: ds.state,
    warnings: [...problems, remarks.sentence || [], ...warnings].flat(),
  };

  const signed = createDsError(domain.ascii, ds);
  if (problems.length + lost.length === 0) {
    const isSigned = signed?.code === 'alert';
    return { audit, failure: isSigned ? signed : (findDoubt(scan, signed) ?? signed) };
  }
  const alert = { series: domain.ascii, figure: 'records', value: lost.length, limit: 0, at: null };
  const alerts = [alert, ...(signed?.details.alerts ?? [])];
  const message = problems[0] ?? `${countLosses(scan)} of ${domain.ascii} cannot be staged.`;
  const sentences = [message, signed?.message].filter(Boolean).join(' ');
  return { audit, failure: new CliError('alert', sentences, { alerts }) };
}

function listLosses({ checked, domain }: Scan) {
  const toLoss = (record: unknown, problem: string) => ({
    name: getFullName(record, domain.ascii),
    type: toText(findField(record, 'type')),
    problem,
  });
  return [
    ...checked.problems.map(({ record, texts }) => toLoss(record, texts.at(-1) ?? '')),
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
  const message = `svc cannot tell whether the scan of ${domain.ascii} has every record: ${listNames(doubtful)} may say that some are missing.`;
  return new CliError('no_data', message, {
    lines: [sentence, signed?.message ?? []].flat(),
    hint: {
      say: 'To read the scan as it came:',
      run: [`svc domains import ${domain.ascii} --json`],
    },
  });
}

/** Counts what cannot be staged: `1 CAA record, 2 fields`. */
export function countLosses(scan: Scan): string {
  const count = scan.checked.lostFields.filter(isCountedLoss).length;
  const fields = count === 0 ? '' : plural(count, 'field');
  return [countFaults(scan), fields].filter(Boolean).join(', ');
}

const DNSSEC: Readonly<Record<DsLookup['state'], string>> = {
  present: 'on',
  absent: 'off',
  unknown: 'not known',
  not_asked: 'not asked',
};

/** Says whether DNSSEC is on. */
export function describeDnssec({ state }: DsLookup): Text {
  return state === 'present' ? { text: DNSSEC.present, tone: 'warn' } : DNSSEC[state];
}
