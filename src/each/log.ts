import { closeSync, fdatasync, openSync, realpathSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { CliError, quoted, usageError } from '../errors.ts';
import type { Context } from '../kit/context.ts';
import type { RunOptions } from '../kit/each.ts';
import { acquireLock } from '../store/lock.ts';
import { explain } from '../store/problem.ts';
import { PRIVATE_FILE, targetOf } from '../store/read.ts';
import { type LoggedItems, type LogHeader, type OpenJob, readLog } from './read-log.ts';

/** How an item ended. */
interface LogEntry {
  /** See `Item.key`. */
  readonly item: string;
  readonly exitCode: number;
  /** The job that was queued, if its end was not seen. */
  readonly jobId?: string;
  readonly inDoubt?: true;
}

/**
 * The logs of a run: the one that it writes, and the one that it resumes, which is kept up to date as well: whoever resumes
 * that one again repeats nothing. Both are locked before they are read, and until `close`.
 *
 * Each line is written at once, so that a killed svc loses none; the disk has it before a change is sent. Lines that are
 * written while the disk is busy reach it together.
 */
export interface RunLog {
  /** What the log that is resumed says. */
  readonly known: LoggedItems;
  /** Opens the logs to write; a new one begins with what is known. Throws CliError `usage` if that is not possible. */
  begin(): void;
  /** A change is about to be sent. Rejects if another svc has taken over a log, and may send it as well. */
  begun(item: string): Promise<void>;
  /** The change that was begun has queued this job. */
  queued(item: string, job: OpenJob): void;
  /** The change that was begun was certainly not carried out. */
  refused(item: string): void;
  ended(entry: LogEntry): void;
  close(): void;
}

/**
 * Locks and reads the logs that the options name; undefined without one.
 * @throws CliError `usage` if one cannot be used, is in use, or belongs to another run.
 */
export async function openLogs(
  context: Context,
  { log, resume }: RunOptions,
  header: LogHeader,
): Promise<RunLog | undefined> {
  if (log === undefined && resume === undefined) return undefined;
  const { cwd, signal } = context.system;
  const files: LogFile[] = [];
  const close = () => {
    for (const file of files) file.close();
  };
  try {
    // A pipe can only be read: `--resume <(cat run-*.ndjson) --log run.ndjson`
    const resumed = resume === undefined ? undefined : placeOf(cwd, resume, log !== undefined);
    const written = log === undefined ? undefined : placeOf(cwd, log, false);
    if (resumed?.isFile) files.push(await lockFile(context, resumed));
    if (written !== undefined && written.path !== resumed?.path) {
      const file = await lockFile(context, written);
      files.push(file);
      if (!file.isNew) throw existsAlready(written.given);
    }
    const known = resumed === undefined ? NOTHING : await readLog(resumed.path, resumed.given, header, signal);
    return { known, ...writerOf(files, header, known), close };
  } catch (error) {
    close();
    throw error;
  }
}

const NOTHING: LoggedItems = { done: new Set(), open: new Map() };

/** Where a log is. */
interface Place {
  /** As the user wrote it. */
  readonly given: string;
  /** Without links, so that a log has one lock whatever it is called. */
  readonly path: string;
  /** False for a pipe. */
  readonly isFile: boolean;
}

/** Throws CliError `usage` for anything but a plain file. */
function placeOf(cwd: string, given: string, mayBePipe: boolean): Place {
  const unusable = (why: string) =>
    usageError(`The log ${quoted(given)} cannot be used: ${why}.`, 'Name a plain file.');
  const path = resolve(cwd, given);
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    // The name of a pipe, such as /dev/fd/63, leads to no file.
    if (mayBePipe && stats?.isFIFO()) return { given, path, isFile: false };
    if (stats !== undefined && !stats.isFile()) throw new Error('it is not a plain file');
    return { given, path: targetOf(join(realpathSync(dirname(path)), basename(path))), isFile: true };
  } catch (error) {
    throw unusable(explain(error));
  }
}

function existsAlready(given: string): CliError {
  const other = `To go on with it: --resume ${given}. Otherwise name another file.`;
  return usageError(`${quoted(given)} exists already.`, other);
}

/** A log that this process has locked. */
interface LogFile extends Pick<Place, 'given'> {
  /** Whether it is empty. */
  readonly isNew: boolean;
  /** Whether no other svc has taken it over, as happens to one that was stopped for long. */
  isHeld(): boolean;
  /** Opens it to append to. */
  open(): void;
  write(text: string): void;
  /** Resolves when the disk has what was written. */
  flush(): Promise<void>;
  close(): void;
}

/** Milliseconds between renewals of the lock. */
const RENEWAL_MS = 2_000;
const PATIENCE_MS = 500;

async function lockFile({ system: { machine, clock } }: Context, { given, path }: Place): Promise<LogFile> {
  const lock = await acquireLock(path, machine, clock, PATIENCE_MS).catch((error: unknown) => {
    if (error instanceof CliError && error.code === 'usage') throw inUse(given, path);
    throw error instanceof CliError
      ? error
      : usageError(`The log ${quoted(given)} cannot be locked: ${explain(error)}.`);
  });
  const renewal = setInterval(lock.renew, RENEWAL_MS).unref();
  let descriptor: number | undefined;
  return {
    given,
    isNew: (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0,
    isHeld: lock.isHeld,
    open() {
      descriptor = openSync(path, 'a', PRIVATE_FILE);
    },
    write(text) {
      const bytes = Buffer.from(text);
      for (let at = 0; descriptor !== undefined && at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    },
    flush: together(async () => {
      if (descriptor !== undefined) await promisify(fdatasync)(descriptor);
    }),
    close() {
      clearInterval(renewal);
      if (descriptor !== undefined) closeSync(descriptor);
      lock.release();
    },
  };
}

/** Returns a function that does the work, which starts after the call; calls while it is under way share the next one. */
function together(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        running = work();
        return running;
      });
    return next;
  };
}

function inUse(given: string, path: string): CliError {
  return usageError(
    `Another svc is using the log ${quoted(given)}. Nothing was sent.`,
    `Wait until it has ended, then repeat the command. If no other svc is running, remove ${path}.lock first.`,
  );
}

function writerOf(files: readonly LogFile[], header: LogHeader, known: LoggedItems): Omit<RunLog, 'known' | 'close'> {
  const failed = ({ given }: LogFile, error: unknown, code: 'usage' | 'unexpected' = 'unexpected') =>
    new CliError(code, `The log ${quoted(given)} cannot be written: ${explain(error)}.`, { cause: error });
  const each = (act: (file: LogFile) => void, code?: 'usage') => {
    for (const file of files) {
      try {
        act(file);
      } catch (error) {
        throw failed(file, error, code);
      }
    }
  };
  const flush = async (file: LogFile) => {
    await file.flush().catch((error: unknown) => {
      throw failed(file, error);
    });
  };
  const line = (entry: object) => each((file) => file.write(`${JSON.stringify(entry)}\n`));
  const checkHeld = () => {
    const lost = files.find((file) => !file.isHeld());
    if (lost !== undefined) throw takenOver(lost);
  };
  return {
    begin() {
      checkHeld();
      each((file) => {
        file.open();
        // The last line may be torn.
        file.write(file.isNew ? beginningOf(header, known) : '\n');
      }, 'usage');
    },
    async begun(item) {
      line({ item, begun: true });
      await Promise.all(files.map(flush));
      // Check after writing: an svc that takes over from here on reads the line.
      checkHeld();
    },
    queued(item, job) {
      line({ item, begun: true, ...job });
    },
    refused(item) {
      checkHeld();
      line({ item, begun: false });
    },
    ended(entry) {
      // Only the svc that holds the log may take back that an item was begun.
      if (entry.exitCode !== 0 && !entry.inDoubt) checkHeld();
      line(entry);
    },
  };
}

function takenOver({ given }: LogFile): CliError {
  return new CliError(
    'partial',
    `Another svc has taken over the log ${quoted(given)}, so this one sends nothing more.`,
  );
}

function beginningOf(header: LogHeader, { done, open }: LoggedItems): string {
  const lines = [
    header,
    ...[...done].map((item) => ({ item, exitCode: 0 })),
    ...[...open].map(([item, job]) => ({ item, begun: true, ...job })),
  ];
  return lines.map((one) => `${JSON.stringify(one)}\n`).join('');
}
