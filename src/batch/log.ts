import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Needs } from '../cli/define/context.ts';
import type { RunOptions } from '../cli/define/each.ts';
import { CliError, type ErrorCode, quoted, usageError } from '../errors.ts';
import { asText, isObject, type JsonObject, parseJson } from '../json/values.ts';
import { targetOf } from '../store/files.ts';
import { type LineFile, openLines } from '../store/lines.ts';
import { acquireLock } from '../store/lock.ts';
import { readUpTo } from '../store/named-file.ts';
import { checkFormat, explain } from '../store/problem.ts';

/** The first line of a log. */
export interface LogHeader {
  readonly log: 1;
  readonly command: string;
  readonly address: string;
  readonly organization: string | null;
  /**
   * A hash of the options that decide what is sent; undefined to read the log of any command that
   * begins like this one.
   */
  readonly options: string | undefined;
}

/** Any other line: that the item with this `Item.key` was begun, or what became of it. */
export interface LogEntry {
  readonly item: string;
  /** False if it was certainly not carried out. */
  readonly begun?: boolean;
  /** A job whose end was not seen. */
  readonly jobId?: string;
  readonly org?: string | undefined;
  /** Whether the item may have been carried out although it has an exit code. */
  readonly inDoubt?: boolean;
  readonly exitCode?: number;
  readonly code?: string | null;
  readonly attempts?: number;
  readonly ms?: number;
}

/** See {@link itemsIn}. */
export type LoggedItems = ReturnType<typeof itemsIn>;

/** See {@link openLog}. */
export type RunLog = NonNullable<Awaited<ReturnType<typeof openLog>>>;

const MAX_BYTES = 1024 * 1024 * 1024;
const RENEWAL_MS = 2_000;
const PATIENCE_MS = 500;

/**
 * Opens the log that the options name; undefined without one. It is locked before it is read, and
 * until `close`, so that no other svc does the same items.
 * @param isOld whether there must be one to go on with
 * @throws CliError `usage` if it cannot be used, is in use, or belongs to another run.
 */
export async function openLog(
  context: Needs<'store' | 'time' | 'program'>,
  { log, resume }: RunOptions,
  header: LogHeader,
  isOld: boolean,
) {
  const given = log ?? resume;
  if (given === undefined) return undefined;
  const path = pathOf(context.program.cwd(), given);
  const lock = await acquireLock(
    path,
    context.store.machine,
    context.time.clock,
    PATIENCE_MS,
  ).catch((error: unknown) => {
    if (!(error instanceof CliError))
      throw usageError(`The log ${quoted(given)} cannot be locked: ${explain(error)}.`);
    if (error.code !== 'usage') throw error;
    const hint = `Wait until it has ended, then repeat the command. If no other svc is running, remove ${path}.lock first.`;
    throw usageError(`Another svc is using the log ${quoted(given)}. Nothing was sent.`, hint);
  });
  const renewal = setInterval(lock.renew, RENEWAL_MS).unref();
  const release = () => {
    clearInterval(renewal);
    lock.release();
  };
  try {
    const isNew = !isOld && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
    if (log !== undefined && !isNew) {
      const other = `To go on with it: --resume ${given}. Otherwise name another file.`;
      throw usageError(`${quoted(given)} exists already.`, other);
    }
    const known = isNew ? itemsIn([]) : await readLog(path, given, header, context.time.signal);
    return { known, ...writerOf(path, given, isNew ? [header] : [], lock.isHeld, release) };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Returns where a log is, without links, so that it has one lock whatever it is called.
 * @throws CliError `usage` for anything but a plain file with one name
 */
function pathOf(cwd: string, given: string): string {
  const path = resolve(cwd, given);
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() === false) throw new Error('it is not a plain file');
    if (stats !== undefined && stats.nlink > 1)
      throw new Error('it has several names (hard links)');
    return targetOf(join(realpathSync(dirname(path)), basename(path)));
  } catch (error) {
    throw usageError(
      `The log ${quoted(given)} cannot be used: ${explain(error)}.`,
      'Name a plain file.',
    );
  }
}

/**
 * Writes a log that this process has locked. Each line is written at once, so that a killed svc
 * loses none; the disk has it before a change is sent. What cannot be written is an error.
 * @param isHeld whether no other svc has taken it over, as happens to one that was stopped for long
 */
function writerOf(
  path: string,
  given: string,
  head: readonly object[],
  isHeld: () => boolean,
  release: () => void,
) {
  let file: LineFile | undefined;
  let fail = (_error: CliError) => {};
  const failed = (code: ErrorCode, message: string, cause?: unknown) => {
    const error = new CliError(code, message, { cause });
    fail(error);
    return error;
  };
  const unwritten = (cause: unknown, code: ErrorCode = 'unexpected') =>
    failed(code, `The log ${quoted(given)} cannot be written: ${explain(cause)}.`, cause);
  const checkHeld = () => {
    const message = `Another svc has taken over the log ${quoted(given)}, so this one sends nothing more.`;
    if (!isHeld()) throw failed('partial', message);
  };
  const write = (...entries: readonly object[]) => {
    try {
      file?.add(...entries);
    } catch (error) {
      throw unwritten(error);
    }
  };
  return {
    /**
     * Opens it to write. Throws CliError `usage`; `toFail` is called with each later error, and
     * ends the run.
     */
    begin(toFail: (error: CliError) => void): void {
      checkHeld();
      try {
        file = openLines(path);
        file.add(...head);
      } catch (error) {
        throw unwritten(error, 'usage');
      }
      fail = toFail;
    },
    async begun(item: string): Promise<void> {
      write({ item, begun: true });
      await file?.flush().catch((error: unknown) => {
        throw unwritten(error);
      });
      // Check after writing: an svc that takes over from here on reads the line.
      checkHeld();
    },
    add(entry: LogEntry): void {
      const isOver = entry.begun !== true && entry.inDoubt !== true && entry.jobId === undefined;
      // Only the svc that holds the log may take back that an item was begun.
      if (isOver && entry.exitCode !== 0) checkHeld();
      write(entry);
    },
    close(): void {
      file?.close();
      release();
    },
  };
}

/**
 * Reads what was done. Torn lines are ignored. Throws CliError `usage` if the log belongs to
 * another command.
 */
async function readLog(path: string, given: string, header: LogHeader, signal: AbortSignal) {
  const bytes = await readUpTo(path, MAX_BYTES, signal).catch((error: unknown) => {
    throw usageError(`The log ${quoted(given)} cannot be read: ${explain(error)}.`);
  });
  if (bytes === undefined) throw usageError(`The log ${quoted(given)} is too large.`);
  const text = bytes.toString('utf8');
  const [first = '', ...lines] = text.split('\n');
  checkHeader(given, lineIn(first), header);
  // What one run is sure of may be in doubt in another.
  if (text.lastIndexOf('{"log":') > 0) {
    throw usageError(
      `${quoted(given)} has the lines of several logs.`,
      'Resume each log by itself.',
    );
  }
  return itemsIn(lines);
}

/**
 * Says what was done, and what was begun and has no certain end, with the job that was queued;
 * without one it is in doubt. An item in both is done.
 */
function itemsIn(lines: readonly string[]) {
  const done = new Set<string>();
  const open = new Map<
    string,
    ReadonlyArray<{ readonly jobId: string; readonly org: string | undefined }>
  >();
  for (const line of lines) {
    const { item, jobId, org, begun, inDoubt, exitCode } = lineIn(line);
    if (typeof item !== 'string') continue;
    const jobs = open.get(item) ?? [];
    const others = jobs.filter((job) => job.jobId !== jobId);
    if (typeof jobId === 'string') open.set(item, [...others, { jobId, org: asText(org) }]);
    else if (begun === true || inDoubt === true) open.set(item, jobs);
    else open.delete(item);
    if (exitCode === 0) done.add(item);
  }
  // Of two jobs nobody knows which is the one to wait for.
  const jobs = [...open].map(
    ([key, [job, ...others]]) => [key, others.length === 0 ? job : undefined] as const,
  );
  return { done, open: new Map(jobs) };
}

function lineIn(text: string): JsonObject {
  const line = parseJson(text);
  return isObject(line) ? line : {};
}

const PARTS: ReadonlyArray<readonly [field: keyof LogHeader, what: string]> = [
  ['command', 'another command'],
  ['address', 'another platform address'],
  ['organization', 'another organization'],
  ['options', 'the same command with other options'],
];

function checkHeader(given: string, found: JsonObject, header: LogHeader): void {
  const name = quoted(given);
  if (found['log'] === undefined)
    throw usageError(`${name} is not a log of svc.`, 'Give the file of --log.');
  checkFormat(found['log'], header.log, given);
  const isAnyAction =
    header.options === undefined && String(found['command']).startsWith(`${header.command} `);
  const expected = isAnyAction
    ? { ...header, command: found['command'], options: found['options'] }
    : header;
  const [field, what] = PARTS.find(([part]) => found[part] !== expected[part]) ?? [];
  if (field === undefined) return;
  const was =
    field === 'options' || found[field] === null ? '' : `: ${quoted(String(found[field]))}`;
  throw usageError(
    `${name} is the log of ${what}${was}.`,
    'Resume it with the command that began it.',
  );
}
