import { resolve } from 'node:path';
import type { Context } from '../../command/context.ts';
import { SCHEMA_VERSION } from '../../command/result.ts';
import type { Domain } from '../../command/values/domain.ts';
import { CliError, quoted, usageError } from '../../errors.ts';
import { asArray, asBoolean, asObject, asText, type JsonObject } from '../../json/values.ts';
import type { Answer, AnswerStream } from '../../service/call.ts';
import { scanDomain } from '../../service/operations.ts';
import type { DomainScan } from '../../spec/types.ts';
import { shown } from '../../terminal/screen.ts';
import { readUpTo } from '../../vault/named-file.ts';
import { explain } from '../../vault/problem.ts';
import { type CheckedRecords, checkRecords } from '../../zone/records.ts';
import { MAX_RECORDS_BYTES, readRecords } from '../../zone/records-file.ts';
import { findMail, type MailRecords } from '../../zone/summary.ts';
import { withProgress } from '../shared/with-progress.ts';
import { bothNames, isNameOf, nameserversOf } from './resolver.ts';

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

/** A scan as a file that people read and edit, and that `svc domains add --records` takes. */
interface Plan {
  readonly schemaVersion: number;
  readonly apex: string;
  readonly currentNameservers: unknown;
  /** As the scan returned them; these are what is staged later. */
  readonly records: readonly unknown[];
  readonly warnings: unknown;
  /** What the scan found for mail, to notice later what an edit took away. */
  readonly mail: MailRecords;
  /** ISO 8601. */
  readonly scannedAt: string;
}

function toPlan(scan: DomainScan, records: readonly unknown[], apex: string, now: number): Plan {
  return {
    schemaVersion: SCHEMA_VERSION,
    apex,
    currentNameservers: scan.currentNameservers ?? [],
    records,
    warnings: scan.warnings ?? [],
    mail: findMail(records, apex),
    scannedAt: new Date(now).toISOString(),
  };
}

/** The text of a plan. */
export function toPlanText(scan: DomainScan, records: readonly unknown[], apex: string, now: number): string {
  return `${JSON.stringify(toPlan(scan, records, apex, now), null, 2)}\n`;
}

/** What a plan says of mail; nothing where it was written by somebody else. */
function mailOfPlan(plan: JsonObject): MailRecords {
  const { mx, spf, dmarc } = asObject(plan['mail']);
  return { mx: asBoolean(mx) ?? false, spf: asBoolean(spf) ?? false, dmarc: asBoolean(dmarc) ?? false };
}

/** Records to stage, before anything is decided about those at fault. */
export interface Gathered {
  readonly checked: CheckedRecords;
  /** For a zone file: the line that each record starts on. */
  readonly lines: readonly number[] | undefined;
  /** Records of a zone file that are left out because they cannot be held, a sentence each. */
  readonly unread: readonly string[];
  /** What was there for mail before. */
  readonly mail: MailRecords;
  /** The nameservers that the scan found. */
  readonly currentNameservers: readonly string[];
  /** What the scan warned of. */
  readonly warnings: readonly string[];
}

/** Takes the records of a fresh scan (operation 4). */
export async function gatherFromScan(context: Context, domain: Domain): Promise<Gathered> {
  const { scan: scanned } = await scan(context, domain);
  return {
    checked: scanned.checked,
    lines: undefined,
    unread: [],
    mail: findMail(needRecords(scanned), domain.ascii),
    currentNameservers: nameserversOf(scanned.found.currentNameservers),
    warnings: warningsOf(scanned.found.warnings),
  };
}

/**
 * Takes the records of a plan, a JSON array or a zone file; `-` is stdin. Throws a usage error, also for records of a zone
 * file that cannot be held unless these are skipped.
 */
export async function gatherFromFile(
  context: Context,
  domain: Domain,
  path: string,
  skipInvalid: boolean,
): Promise<Gathered> {
  const name = path === '-' ? 'Standard input' : quoted(path);
  const text = decoded(await bytesOf(context, path, name), name);
  const unread: string[] = [];
  const onFault = (fault: CliError) => {
    if (!skipInvalid) throw fault.with({ hint: fault.details.hint ?? 'the same command with --skip-invalid' });
    unread.push(fault.message);
  };
  const { records, lines, plan } = readRecords(text, domain.ascii, { name, onFault });
  return {
    checked: checkRecords(records, domain.ascii),
    lines,
    unread,
    mail: plan?.['mail'] === undefined ? findMail(records, domain.ascii) : mailOfPlan(plan),
    currentNameservers: nameserversOf(plan?.['currentNameservers']),
    warnings: warningsOf(plan?.['warnings']),
  };
}

async function bytesOf({ io, system: { cwd, signal } }: Context, path: string, name: string): Promise<Buffer> {
  if (path === '-') return io.readInput(MAX_RECORDS_BYTES);
  if (path === '') throw usageError('--records is empty.', '--records plan.json (or - for standard input)');
  const file = resolve(cwd, path);
  try {
    const bytes = await readUpTo(file, MAX_RECORDS_BYTES, signal);
    if (bytes !== undefined) return bytes;
  } catch (error) {
    throw usageError(`${name} cannot be read: ${explain(error)}.`, '--records plan.json (or - for standard input)');
  }
  throw usageError(`${name} is larger than 5 MiB, which no list of DNS records is.`, 'give the records only');
}

/** Bytes that are no UTF-8 would be staged as other bytes than were meant. */
function decoded(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usageError(`${name} is not UTF-8 text.`, 'save it as UTF-8');
  }
}
