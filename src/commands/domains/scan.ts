import { scanDomain } from '../../api/operations.ts';
import type { Context } from '../../command/context.ts';
import type { Domain } from '../../command/parse/domain.ts';
import { type CheckedRecords, checkRecords } from '../../domains/records.ts';
import { CliError, quoted } from '../../errors.ts';
import type { Answer, AnswerStream } from '../../http/call.ts';
import { shown } from '../../io/screen.ts';
import { asArray, asText } from '../../spec/read.ts';
import type { DomainScan } from '../../spec/types.ts';
import { withProgress } from '../shared/with-progress.ts';
import { bothNames, isNameOf } from './names.ts';

/** What a scan found, and what that is worth. */
export interface Scan {
  readonly domain: Domain;
  /** The service's answer; empty where it was streamed. */
  readonly found: DomainScan;
  readonly records: readonly unknown[];
  readonly checked: CheckedRecords;
}

/** Scans a domain (operation 4) and says so while it takes long. */
export async function scan(
  context: Context,
  domain: Domain,
  stream?: AnswerStream,
): Promise<{ readonly answer: Answer<DomainScan>; readonly scan: Scan }> {
  const answer = await withProgress(context.io, `Scanning the DNS of ${bothNames(domain)}`, async () =>
    scanDomain(await context.api.client(), domain.ascii, stream),
  );
  const found = answer.value ?? {};
  const records = asArray(found.records);
  return { answer, scan: { domain, found, records, checked: checkRecords(records, domain.ascii) } };
}

/** What is wrong with a scan that answers for another domain than was asked for; `undefined` where it does not. */
export function strayOf({ domain, found }: Scan): string | undefined {
  const { apex } = found;
  if (typeof apex !== 'string' || apex.trim() === '' || isNameOf(domain, apex)) return undefined;
  return `The scan of ${bothNames(domain)} answers for another domain, ${quoted(apex)}.`;
}

/**
 * The list of records of a scan, where something is to be made of it. Throws where the answer has none, and where its
 * records are those of another domain.
 */
export function needRecords(scan: Scan): readonly unknown[] {
  const { found, records } = scan;
  const stray = strayOf(scan);
  const hint = `svc domains import ${scan.domain.ascii} --json`;
  if (stray !== undefined) {
    throw new CliError('unexpected', `${stray} Nothing was done with its records.`, { hint });
  }
  if (Array.isArray(found.records)) return records;
  throw new CliError('unexpected', 'The answer to the scan holds no list of records. Nothing was done with it.', {
    hint,
  });
}

/** The warnings of a scan or a plan as sentences; their form is not documented. */
export function warningsOf(warnings: unknown): string[] {
  if (warnings === undefined || warnings === null) return [];
  const list = Array.isArray(warnings) ? asArray(warnings) : [warnings];
  return list.map((warning) => asText(warning) ?? shown(warning));
}
