import { resolve } from 'node:path';
import type { Context } from '../../command/context.ts';
import type { Domain } from '../../command/parse/domain.ts';
import { findMail, type MailRecords } from '../../domains/mail.ts';
import { type CheckedRecords, checkRecords } from '../../domains/records.ts';
import { MAX_RECORDS_BYTES, readRecords } from '../../domains/records-file.ts';
import { type CliError, quoted, usageError } from '../../errors.ts';
import { readUpTo } from '../../store/named-file.ts';
import { explain } from '../../store/problem.ts';
import { nameserversOf } from './names.ts';
import { mailOfPlan } from './plan.ts';
import { needRecords, scan, warningsOf } from './scan.ts';

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
