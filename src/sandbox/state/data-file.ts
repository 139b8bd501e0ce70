import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { usageError } from '../../errors.ts';

/**
 * The text of the data file; `undefined` where there is none yet.
 * @throws CliError `usage` when it is there but cannot be read.
 */
export function readDataFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined;
    throw usageError(`The data file ${path} cannot be read: ${codeOf(cause)}`);
  }
}

/**
 * Replaces the data file: a crash or a full disk leaves either the old text or the new one, never a part.
 * @throws Error of the file system when it cannot be written; the old file is then untouched.
 */
export function writeDataFile(path: string, text: string): void {
  const temporary = `${path}.tmp`;
  rmSync(temporary, { force: true });
  const file = openSync(temporary, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  syncFolder(dirname(path));
}

/** Makes the rename itself durable. Windows cannot open a folder; there the rename has to do. */
function syncFolder(folder: string): void {
  let handle: number;
  try {
    handle = openSync(folder, 'r');
  } catch {
    return;
  }
  try {
    fsyncSync(handle);
  } catch (cause) {
    if (codeOf(cause) !== 'EPERM' && codeOf(cause) !== 'EINVAL') throw cause;
  } finally {
    closeSync(handle);
  }
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
}
