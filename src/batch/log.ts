import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Needs } from '../cli/define/context.ts';
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
  /** A hash of the options that decide what is sent. */
  readonly options: string;
}

/** Any other line: that the item with this `Item.key` was begun, or what became of it. */
export interface LogEntry {
  readonly item: string;
  /** False if it was certainly not carried out. */
  readonly begun?: boolean;
  /** A job whose end was not seen. */
  readonly jobId?: string;
  /** Whether the item may have been carried out although it has an exit code. */
  readonly inDoubt?: boolean;
  readonly exitCode?: number;
  readonly code?: string | null;
  readonly attempts?: number;
  readonly ms?: number;
}

/** See {@link openLog}. */
export type RunLog = Awaited<ReturnType<typeof openLog>>;

const MAX_BYTES = 1024 * 1024 * 1024;
const RENEWAL_MS = 2_000;
const PATIENCE_MS = 500;

/**
 * Opens the log of a run, or begins it. It is locked before it is read, and until `close`, so that
 * no other svc does the same items.
 * @throws CliError `usage` if it cannot be used, is in use, or belongs to another run.
 */
export async function openLog(
  { store, time, program }: Needs<'store' | 'time' | 'program'>,
  given: string,
  header: LogHeader,
) {
  const path = pathOf(program.cwd(), given);
  const lock = await acquireLock(path, store.machine, time.clock, PATIENCE_MS).catch(
    (error: unknown) => {
      if (!(error instanceof CliError))
        throw usageError(`The log ${quoted(given)} cannot be locked: ${explain(error)}.`);
      if (error.code !== 'usage') throw error;
      const hint = `Wait until it has ended, then repeat the command. If no other svc is running, remove ${path}.lock first.`;
      throw usageError(`Another svc is using the log ${quoted(given)}. Nothing was sent.`, hint);
    },
  );
  const renewal = setInterval(lock.renew, RENEWAL_MS).unref();
  const release = () => {
    clearInterval(renewal);
    lock.release();
  };
  try {
    const isNew = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
    const known = entriesIn(isNew ? [] : await linesOf(path, given, header, time.signal));
    return { ...known, ...writerOf(path, given, isNew ? [header] : [], lock.isHeld, release) };
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
 * loses none; the disk has it before a change is sent. The first failure to write ends the run.
 * @param isHeld whether no other svc has taken the log over, as happens to one that was stopped for
 * long
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
  /** The first failure ends the run. */
  const failed = (cause: unknown, code: ErrorCode = 'unexpected') => {
    const unwritten = `The log ${quoted(given)} cannot be written: ${explain(cause)}.`;
    const error = cause instanceof CliError ? cause : new CliError(code, unwritten, { cause });
    fail(error);
    return error;
  };
  const checkHeld = () => {
    const message = `Another svc has taken over the log ${quoted(given)}, so this one sends nothing more.`;
    if (!isHeld()) throw failed(new CliError('partial', message));
  };
  const write = (entry: LogEntry) => {
    try {
      file?.add(entry);
    } catch (error) {
      throw failed(error);
    }
  };
  return {
    /** Opens it to write. Throws CliError `usage`; `toFail` is called with each later error. */
    begin(toFail: (error: CliError) => void): void {
      checkHeld();
      try {
        file = openLines(path);
        file.add(...head);
      } catch (error) {
        throw failed(error, 'usage');
      }
      fail = toFail;
    },
    /** Resolves when the disk has it that the item is begun. */
    async begun(item: string): Promise<void> {
      write({ item, begun: true });
      await file?.flush().catch((error: unknown) => {
        throw failed(error);
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

/** Throws CliError `usage` if the log belongs to another run. */
async function linesOf(path: string, given: string, header: LogHeader, signal: AbortSignal) {
  const name = quoted(given);
  const bytes = await readUpTo(path, MAX_BYTES, signal).catch((error: unknown) => {
    throw usageError(`The log ${name} cannot be read: ${explain(error)}.`);
  });
  if (bytes === undefined) throw usageError(`The log ${name} is too large.`);
  const text = bytes.toString('utf8');
  const [first = '', ...lines] = text.split('\n');
  const found = lineIn(first);
  if (found['log'] === undefined)
    throw usageError(`${name} is not a log of svc.`, 'Name another file.');
  checkFormat(found['log'], header.log, given);
  for (const part of ['command', 'address', 'organization', 'options'] as const) {
    if (found[part] === header[part]) continue;
    const was = part === 'options' ? '' : `: ${quoted(asText(found[part]) ?? 'none')}`;
    throw usageError(
      `${name} is the log of a run with another ${part}${was}.`,
      'Name another file, or repeat that run.',
    );
  }
  // What one run is sure of may be in doubt in another.
  if (text.lastIndexOf('{"log":') > 0) {
    throw usageError(`${name} has the lines of several logs.`, 'Resume each log by itself.');
  }
  return lines;
}

/**
 * Returns the items that are done, and those that were begun and have no certain end, with the job
 * that was queued; without one the item is in doubt. Torn lines are ignored.
 */
function entriesIn(lines: readonly string[]) {
  const done = new Set<string>();
  const open = new Map<string, ReadonlySet<string>>();
  for (const line of lines) {
    const { item, jobId, begun, inDoubt, exitCode } = lineIn(line);
    if (typeof item !== 'string') continue;
    if (exitCode === 0) done.add(item);
    const jobs = open.get(item) ?? [];
    if (typeof jobId === 'string') open.set(item, new Set([...jobs, jobId]));
    else if (begun === true || inDoubt === true) open.set(item, new Set(jobs));
    else open.delete(item);
  }
  // Of two jobs nobody knows which is the one to wait for.
  const jobOf = new Map(
    [...open].map(([item, jobs]) => [item, jobs.size === 1 ? [...jobs][0] : undefined] as const),
  );
  return { done, jobOf };
}

function lineIn(text: string): JsonObject {
  const line = parseJson(text);
  return isObject(line) ? line : {};
}
