import { closeSync, fdatasyncSync, fstatSync, openSync, realpathSync, writeSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Context } from '../command/context.ts';
import { CliError, quoted, usageError } from '../errors.ts';
import { isObject, parseJson } from '../json/values.ts';
import { acquireLock } from '../vault/lock.ts';
import { readUpTo } from '../vault/named-file.ts';
import { explain } from '../vault/problem.ts';
import { PRIVATE_FILE, targetOf } from '../vault/read.ts';

/** The first line of a log: what it belongs to. */
export interface LogHeader {
  readonly log: 1;
  readonly command: string;
  readonly address: string;
  readonly organization: string | null;
  readonly items: number;
  /** A hash of the command with its options and its list. */
  readonly list: string;
}

/** What a log says of its items. */
export interface Progress {
  readonly done: ReadonlySet<number>;
  readonly inDoubt: ReadonlySet<number>;
}

/** A log of a run. Each line is written at once, so that a killed svc loses none; the disk has it before a change is sent. */
export interface RunLog {
  /** A change is about to be sent, or was certainly not carried out. */
  begun(index: number, isBegun: boolean): void;
  ended(entry: { readonly index: number; readonly inDoubt?: true }): void;
  close(): void;
}

const MAX_BYTES = 1024 * 1024 * 1024;
/** How often the lock is renewed. */
const RENEWAL_MS = 2_000;
const PATIENCE_MS = 500;

/**
 * Reads what was done. Logs of several machines may follow each other in the file; a torn last line is ignored.
 * @throws CliError `usage` if the log cannot be read or belongs to another command or list.
 */
export async function readLog(
  { system: { cwd, signal } }: Context,
  path: string,
  header: LogHeader,
): Promise<Progress> {
  const text = await readText(resolve(cwd, path), signal);
  const done = new Set<number>();
  const inDoubt = new Set<number>();
  let headers = 0;
  for (const line of text.split('\n')) {
    const entry = parseJson(line);
    if (!isObject(entry)) continue;
    if ('log' in entry) {
      headers += 1;
      checkHeader(path, entry, header);
    }
    const { index } = entry;
    if (typeof index !== 'number') continue;
    done.delete(index);
    inDoubt.delete(index);
    if (entry['begun'] === true || entry['inDoubt'] === true) inDoubt.add(index);
    else if (entry['exitCode'] === 0) done.add(index);
  }
  if (headers === 0) throw usageError(`${quoted(path)} is not a log of svc.`, 'Give the file of --log.');
  return { done, inDoubt };
}

async function readText(path: string, signal: AbortSignal): Promise<string> {
  try {
    const bytes = await readUpTo(path, MAX_BYTES, signal);
    if (bytes !== undefined) return bytes.toString('utf8');
  } catch (error) {
    throw usageError(`The log ${path} cannot be read: ${explain(error)}.`);
  }
  throw usageError(`The log ${path} is too large.`);
}

const PARTS: ReadonlyArray<readonly [field: keyof LogHeader, what: string]> = [
  ['command', 'command'],
  ['address', 'service address'],
  ['organization', 'organization'],
  ['list', 'list, or with other options'],
];

function checkHeader(path: string, found: Readonly<Record<string, unknown>>, header: LogHeader): void {
  const other = PARTS.find(([field]) => found[field] !== header[field]);
  if (other === undefined) return;
  const [field, what] = other;
  const was = field === 'list' || found[field] === null ? '' : `: ${quoted(String(found[field]))}`;
  throw usageError(`${quoted(path)} is the log of another ${what}${was}.`, 'Resume it with the command that began it.');
}

/**
 * Opens a log to append to. A new one begins with the header and with what was known before.
 * @param isResumed whether this is the log that was read
 * @throws CliError `usage` if it cannot be written, holds another run, or is in use.
 */
export async function openLog(
  context: Context,
  given: string,
  header: LogHeader,
  isResumed: boolean,
  before: Progress,
): Promise<RunLog> {
  const { cwd, machine, clock } = context.system;
  const path = resolve(cwd, given);
  let descriptor: number | undefined;
  try {
    const target = targetOf(join(realpathSync(dirname(path)), basename(path)));
    const lock = await acquireLock(target, machine, clock, PATIENCE_MS);
    descriptor = openSync(target, 'a+', PRIVATE_FILE);
    const renewal = setInterval(lock.renew, RENEWAL_MS).unref();
    const close = () => {
      clearInterval(renewal);
      if (descriptor !== undefined) closeSync(descriptor);
      lock.release();
    };
    const log = writerOf(descriptor, path, lock.isHeld, close);
    const { size } = fstatSync(descriptor);
    if (size > 0 && !isResumed) {
      close();
      throw usageError(
        `${quoted(given)} exists already.`,
        `To go on with it: --resume ${given}. Otherwise name another file.`,
      );
    }
    // The last line may be torn.
    if (size > 0) log.write('\n');
    else log.begin(header, before);
    return log;
  } catch (error) {
    if (error instanceof CliError) throw error.code === 'usage' ? error : usageError(error.message, error.details.hint);
    throw usageError(`The log ${path} cannot be written: ${explain(error)}.`);
  }
}

function writerOf(descriptor: number, path: string, isHeld: () => boolean, close: () => void) {
  const write = (text: string) => {
    try {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    } catch (error) {
      throw new CliError('unexpected', `The log ${path} cannot be written: ${explain(error)}.`, { cause: error });
    }
  };
  const line = (entry: object) => write(`${JSON.stringify(entry)}\n`);
  return {
    write,
    begin(header: LogHeader, { done, inDoubt }: Progress) {
      line(header);
      for (const index of done) line({ index, exitCode: 0 });
      for (const index of inDoubt) line({ index, begun: true });
    },
    begun(index: number, isBegun: boolean) {
      if (!isHeld()) throw new CliError('unexpected', `Another svc has taken over the log ${path}.`);
      line({ index, begun: isBegun });
      if (isBegun) fdatasyncSync(descriptor);
    },
    ended: line,
    close,
  };
}
