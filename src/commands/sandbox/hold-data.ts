import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Context } from '../../command/context.ts';
import { CliError, usageError } from '../../errors.ts';
import { acquireLock } from '../../store/lock.ts';
import { asUsage, explain } from '../../store/problem.ts';
import { targetOf } from '../../store/read.ts';

/** Milliseconds between two signs of life; without them, the next sandbox takes the file for left behind. */
const RENEWAL_MS = 2_000;
/** Milliseconds that a sandbox which is just ending is given. */
const PATIENCE_MS = 500;

/** A data file that one sandbox has for itself. */
export interface HeldData {
  /** Its own path, whatever links lead to it. */
  readonly path: string;
  /** Whether no other sandbox has taken it over, as from one that was stopped for long. */
  isMine(): boolean;
  release(): void;
}

/** Takes the data file for this sandbox alone: two that write it would undo each other. Throws a usage error. */
export async function holdData({ system: { cwd, machine, clock } }: Context, given: string): Promise<HeldData> {
  const path = resolve(cwd, given);
  if (isFolder(path)) throw usageError(`The data file ${path} is a folder.`, `--data ${join(given, 'sandbox.json')}`);
  try {
    const target = targetOf(join(realpathSync(dirname(path)), basename(path)));
    const lock = await acquireLock(target, machine, clock, PATIENCE_MS);
    const renewal = setInterval(lock.renew, RENEWAL_MS).unref();
    return {
      path: target,
      isMine: lock.isHeld,
      release() {
        clearInterval(renewal);
        lock.release();
      },
    };
  } catch (error) {
    if (!(error instanceof CliError)) throw usageError(`The data file ${path} cannot be written: ${explain(error)}`);
    const isBusy = error.code === 'usage';
    throw isBusy
      ? usageError(`Another sandbox keeps its state in ${path}.`, `another file; ${error.details.hint}`)
      : asUsage(error);
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Why it cannot be looked at, taking it says.
    return false;
  }
}
