import { dirname } from 'node:path';
import type { Clock } from '../clock.ts';
import { CliError } from '../errors.ts';
import { withLockedFile } from '../store/locked-file.ts';
import type { Machine } from '../store/machine.ts';
import { readPrivateFile } from '../store/private-file.ts';
import { asUsage, cannotSave } from '../store/problem.ts';
import { emptyJournal, fromText, type JournalContent, toText } from './record.ts';

/** Reads the journal, which may not be there yet. Throws CliError `usage` where it cannot be read or understood. */
export function readJournal(path: string, machine: Machine): JournalContent | undefined {
  try {
    const file = readPrivateFile(path, machine);
    return file === undefined ? undefined : fromText(file.text, path);
  } catch (error) {
    throw error instanceof CliError ? asUsage(error) : error;
  }
}

/**
 * Changes the journal under its lock, on the disk once this resolves. `edit` answers the new content, or nothing to leave
 * it as it is, and a result; it may be asked again after a lost lock.
 * @throws CliError `usage` where the file cannot be read, understood or written.
 */
export async function changeJournal<T>(
  path: string,
  machine: Machine,
  clock: Clock,
  edit: (content: JournalContent) => readonly [JournalContent | undefined, T],
): Promise<T> {
  try {
    return await withLockedFile(path, machine, clock, (file) => {
      const text = file.read()?.text;
      const [content, result] = edit(text === undefined ? emptyJournal() : fromText(text, path));
      if (content !== undefined) file.write(Buffer.from(toText(content)));
      return result;
    });
  } catch (error) {
    throw asUsage(cannotSave('the list of purchases', dirname(path), error, 'SVC_CONFIG_DIR=<another folder>'));
  }
}
