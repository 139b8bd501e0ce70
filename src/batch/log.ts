import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Needs } from '../cli/define/context.ts';
import { CliError, type ErrorCode, quote, usageError } from '../errors.ts';
import { repeatLine } from '../shell-line.ts';
import { resolveLink } from '../store/files.ts';
import { type LineFile, openLines } from '../store/lines.ts';
import { acquireLock } from '../store/lock.ts';
import { readUpTo } from '../store/named-file.ts';
import { describeSystemError } from '../store/problem.ts';
import { type LogEntry, type LogHeader, type LogState, parseLog, readEntries } from './log-text.ts';

/** A log that this process has locked; {@link openLog} makes it. */
export interface BatchLog extends ReturnType<typeof createWriter> {
  readonly givenPath: string;
  /** The content of the log when it was opened. */
  readonly state: LogState;
  /** The time of its last line then, in ms since the epoch. */
  readonly writtenAtMs: number;
}

const MAX_BYTES = 1024 * 1024 * 1024;
const RENEWAL_MS = 2_000;
const PATIENCE_MS = 500;

/**
 * Opens the log of a run, or begins it. It is locked before it is read, and until `close`, so that
 * no other svc does the same items.
 * @throws CliError `usage` if it cannot be used or belongs to another run, `in_use` if another svc
 * is using it.
 */
export async function openLog(
  context: Needs<'store' | 'time' | 'program' | 'line'>,
  givenPath: string,
  header: LogHeader,
): Promise<BatchLog> {
  const name = quote(givenPath);
  const path = findLog(context.program.cwd(), givenPath);
  const lock = await lockLog(context, path, name);
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    const text = stats?.size ? await readLog(path, name, context.time.signal) : undefined;
    return {
      givenPath,
      state: text === undefined ? readEntries([]) : parseLog(text, givenPath, header),
      writtenAtMs: stats?.mtimeMs ?? 0,
      ...createWriter(path, name, lock, text === undefined ? header : undefined),
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function lockLog(
  { store, time, line }: Needs<'store' | 'time' | 'line'>,
  path: string,
  name: string,
) {
  try {
    const lock = await acquireLock(path, store.machine, time.clock, PATIENCE_MS);
    const renewal = setInterval(lock.renew, RENEWAL_MS).unref();
    return {
      /** Whether no other svc has taken the log over, as from one that was stopped for long. */
      isHeld: lock.isHeld,
      release() {
        clearInterval(renewal);
        lock.release();
      },
    };
  } catch (error) {
    if (!(error instanceof CliError)) {
      throw usageError(`The log ${name} cannot be locked: ${describeSystemError(error)}.`);
    }
    if (error.code !== 'in_use') throw error;
    const say = `Wait until it has ended, then repeat the command. If no other svc is running, remove ${path}.lock first.`;
    throw new CliError('in_use', `Another svc is using the log ${name}. Nothing was sent.`, {
      hint: { say, run: [repeatLine(line)], kind: 'retry' },
    });
  }
}

async function readLog(path: string, name: string, signal: AbortSignal): Promise<string> {
  const bytes = await readUpTo(path, MAX_BYTES, signal).catch((error: unknown) => {
    throw usageError(`The log ${name} cannot be read: ${describeSystemError(error)}.`);
  });
  if (bytes === undefined) throw usageError(`The log ${name} is too large.`);
  return bytes.toString('utf8');
}

/**
 * Returns where a log is, without links, so that it has one lock whatever it is called.
 * @throws CliError `usage` for anything but a plain file with one name
 */
function findLog(cwd: string, givenPath: string): string {
  const path = resolve(cwd, givenPath);
  try {
    if (givenPath === '-') throw new Error('a run needs a file to go on with');
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() === false) throw new Error('it is not a plain file');
    if (stats !== undefined && stats.nlink > 1) {
      throw new Error('it has several names (hard links)');
    }
    return resolveLink(join(realpathSync(dirname(path)), basename(path)));
  } catch (error) {
    const message = `The log ${quote(givenPath)} cannot be used: ${describeSystemError(error)}.`;
    throw usageError(message, 'Name a plain file.');
  }
}

/**
 * Makes the writer of a log. Each line is written at once, so that a killed svc loses none; the
 * disk has it before a change is sent. The first failure to write ends the run.
 */
function createWriter(
  path: string,
  name: string,
  lock: Awaited<ReturnType<typeof lockLog>>,
  header: LogHeader | undefined,
) {
  let lines: LineFile | undefined;
  let onFailure = (_error: CliError) => {};
  const fail = (cause: unknown, code: ErrorCode = 'unexpected') => {
    const message = `The log ${name} cannot be written: ${describeSystemError(cause)}.`;
    const error = cause instanceof CliError ? cause : new CliError(code, message, { cause });
    onFailure(error);
    return error;
  };
  const checkHeld = () => {
    if (lock.isHeld()) return;
    const message = `Another svc has taken over the log ${name}, so this one sends nothing more.`;
    throw fail(new CliError('partial', message));
  };
  const write = (line: object) => {
    try {
      lines?.add(line);
    } catch (error) {
      throw fail(error);
    }
  };
  return {
    /** Opens it to write. Throws CliError `usage`; `report` is called with each later error. */
    begin(report: (error: CliError) => void): void {
      checkHeld();
      try {
        lines = openLines(path);
        if (header !== undefined) lines.add(header);
      } catch (error) {
        throw fail(error, 'usage');
      }
      onFailure = report;
    },
    /** Resolves when the disk has it that the item is begun. */
    async addBegun(item: string): Promise<void> {
      write({ item, begun: true });
      await lines?.flush().catch((error: unknown) => {
        throw fail(error);
      });
      // Checked after writing: an svc that takes over from here on reads the line.
      checkHeld();
    },
    add(entry: LogEntry): void {
      const isOver = entry.begun !== true && entry.inDoubt !== true && entry.jobId === undefined;
      // Only the svc that holds the log may take back that an item was begun.
      if (isOver && entry.exitCode !== 0) checkHeld();
      write(entry);
    },
    /** Notes that nothing is left to send. */
    addEnd(nowMs: number): void {
      checkHeld();
      write({ ended: new Date(nowMs).toISOString() });
    },
    close(): void {
      lines?.close();
      lock.release();
    },
  };
}
