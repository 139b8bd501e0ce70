import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CliError, quoted, usageError } from '../errors.ts';
import type { Context } from '../kit/context.ts';
import type { RunOptions } from '../kit/each.ts';
import { targetOf } from '../store/files.ts';
import { type LineFile, openLines } from '../store/lines.ts';
import { acquireLock } from '../store/lock.ts';
import { explain } from '../store/problem.ts';
import { isOver, type LogEntry, type LoggedItems, type LogHeader, readLog } from './read-log.ts';

/**
 * The log of a run. It is locked before it is read, and until `close`.
 *
 * Each line is written at once, so that a killed svc loses none; the disk has it before a change is sent. What cannot be
 * written is an error, as is another svc that has taken the log over and may send the same.
 */
export interface RunLog {
  /** What it says of earlier runs. */
  readonly known: LoggedItems;
  /**
   * Opens it to write. Throws CliError `usage` if that is not possible.
   * @param fail ends the run: called with each later error, before it is thrown
   */
  begin(fail: (error: CliError) => void): void;
  /** A change is about to be sent. */
  begun(item: string): Promise<void>;
  /** Says what became of it. */
  add(entry: LogEntry): void;
  close(): void;
}

const NOTHING: LoggedItems = { done: new Set(), open: new Map() };
/** Milliseconds between renewals of the lock. */
const RENEWAL_MS = 2_000;
const PATIENCE_MS = 500;

/** How a log is opened. */
interface Opening extends Pick<RunOptions, 'log' | 'resume'> {
  readonly header: LogHeader;
  /** Whether there must be one to go on with. */
  readonly isOld: boolean;
}

/**
 * Locks and reads the log that the options name; undefined without one.
 * @throws CliError `usage` if it cannot be used, is in use, or belongs to another run.
 */
export async function openLog(
  { cwd, machine, clock, signal }: Context,
  { log, resume, header, isOld }: Opening,
): Promise<RunLog | undefined> {
  const given = log ?? resume;
  if (given === undefined) return undefined;
  const path = pathOf(cwd(), given);
  const lock = await acquireLock(path, machine, clock, PATIENCE_MS).catch((error: unknown) => {
    if (!(error instanceof CliError)) throw usageError(`The log ${quoted(given)} cannot be locked: ${explain(error)}.`);
    throw error.code === 'usage' ? inUse(given, path) : error;
  });
  const renewal = setInterval(lock.renew, RENEWAL_MS).unref();
  const release = () => {
    clearInterval(renewal);
    lock.release();
  };
  try {
    const isNew = !isOld && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
    if (log !== undefined && !isNew) throw existsAlready(given);
    const known = isNew ? NOTHING : await readLog(path, given, header, signal);
    return { known, ...writerOf({ given, path, isHeld: lock.isHeld, release }, isNew ? [header] : []) };
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
    if (stats !== undefined && stats.nlink > 1) throw new Error('it has several names (hard links)');
    return targetOf(join(realpathSync(dirname(path)), basename(path)));
  } catch (error) {
    throw usageError(`The log ${quoted(given)} cannot be used: ${explain(error)}.`, 'Name a plain file.');
  }
}

function existsAlready(given: string): CliError {
  const other = `To go on with it: --resume ${given}. Otherwise name another file.`;
  return usageError(`${quoted(given)} exists already.`, other);
}

function inUse(given: string, path: string): CliError {
  return usageError(
    `Another svc is using the log ${quoted(given)}. Nothing was sent.`,
    `Wait until it has ended, then repeat the command. If no other svc is running, remove ${path}.lock first.`,
  );
}

/** A log that this process has locked. */
interface Locked {
  readonly given: string;
  readonly path: string;
  /** Whether no other svc has taken it over, as happens to one that was stopped for long. */
  isHeld(): boolean;
  release(): void;
}

function writerOf({ given, path, isHeld, release }: Locked, head: readonly object[]): Omit<RunLog, 'known'> {
  let file: LineFile | undefined;
  let fail = (_error: CliError) => {};
  const failed = (error: CliError) => {
    fail(error);
    return error;
  };
  const unwritten = (error: unknown, code: 'usage' | 'unexpected' = 'unexpected') =>
    failed(new CliError(code, `The log ${quoted(given)} cannot be written: ${explain(error)}.`, { cause: error }));
  const checkHeld = () => {
    if (!isHeld()) throw failed(takenOver(given));
  };
  const add = (entry: LogEntry) => {
    try {
      file?.add(entry);
    } catch (error) {
      throw unwritten(error);
    }
  };
  return {
    begin(toFail) {
      checkHeld();
      try {
        file = openLines(path);
        file.add(...head);
      } catch (error) {
        throw unwritten(error, 'usage');
      }
      fail = toFail;
    },
    async begun(item) {
      add({ item, begun: true });
      await file?.flush().catch((error: unknown) => {
        throw unwritten(error);
      });
      // Check after writing: an svc that takes over from here on reads the line.
      checkHeld();
    },
    add(entry) {
      // Only the svc that holds the log may take back that an item was begun.
      if (isOver(entry) && entry.exitCode !== 0) checkHeld();
      add(entry);
    },
    close() {
      file?.close();
      release();
    },
  };
}

function takenOver(given: string): CliError {
  const message = `Another svc has taken over the log ${quoted(given)}, so this one sends nothing more.`;
  return new CliError('partial', message);
}
