import { dirname } from 'node:path';
import type { Clock } from '../clock.ts';
import { CliError } from '../errors.ts';
import type { Machine } from '../store/machine.ts';
import { asUsage, cannotSave } from '../store/problem.ts';
import { readPrivateFile } from '../store/read.ts';
import { type LockedFile, withLockedFile } from '../store/write.ts';
import { fromText, type Records, sealedPurchases, toText } from './record.ts';

/** The journal's file, and what changing it needs. */
export interface JournalPlace {
  readonly path: string;
  readonly machine: Machine;
  readonly clock: Clock;
}

/**
 * Reads the journal; nothing where there is none yet.
 * @throws CliError `usage` where the file cannot be read or understood, and once for one of svc 0.1, which is set aside.
 */
export async function readJournal(place: JournalPlace): Promise<Records> {
  const { path, machine } = place;
  try {
    const text = readPrivateFile(path, machine)?.text;
    if (text === undefined) return [];
    if (sealedPurchases(text) === undefined) return fromText(text, path);
  } catch (error) {
    throw error instanceof CliError ? asUsage(error) : error;
  }
  return changeJournal(place, (records) => [undefined, records]);
}

/**
 * Changes the journal under its lock, on the disk once this resolves. `edit` answers the new content, or nothing to leave
 * it as it is, and a result; it may be asked again after a lost lock.
 * @throws CliError `usage` where the file cannot be read, understood or written; see {@link readJournal}.
 */
export async function changeJournal<T>(
  { path, machine, clock }: JournalPlace,
  edit: (records: Records) => readonly [Records | undefined, T],
): Promise<T> {
  try {
    return await withLockedFile(path, machine, clock, (file) => {
      const [records, result] = edit(recordsOf(file, path));
      if (records !== undefined) file.write(Buffer.from(toText(records)));
      return result;
    });
  } catch (error) {
    throw asUsage(cannotSave('the list of purchases', dirname(path), error, 'SVC_CONFIG_DIR=<another folder>'));
  }
}

function recordsOf(file: LockedFile, path: string): Records {
  const text = file.read()?.text;
  if (text === undefined) return [];
  const sealed = sealedPurchases(text);
  if (sealed === undefined) return fromText(text, path);
  if (sealed.length === 0) return [];
  const aside = file.setAside('old');
  throw new CliError('usage', `Purchases of an older svc, whose outcome is unknown, were moved to ${aside}.`, {
    lines: [...sealed, 'svc cannot resume them: look which of these orders exist before you place them again.'],
    hint: 'the same command again, which no longer knows of them',
  });
}
