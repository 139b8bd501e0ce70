import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../errors.ts';
import { isObject, parseJson } from '../../spec/read.ts';
import type { Machine } from '../../store/machine.ts';
import { readPrivateFile } from '../../store/read.ts';
import { parseRecord } from './format.ts';
import type { CredentialRecord } from './records.ts';

const NAME = /^login-([0-9a-f]{8}-\d+)-[0-9a-f]+\.json$/;

/** A journal that was found: a reservation that is still blank, or one sign-in that no merge has seen yet. */
export interface Journal {
  readonly path: string;
  /** The sign-in in it; absent while it is blank or only half written. */
  readonly record: CredentialRecord | undefined;
  readonly isBlank: boolean;
  /** Which process made it. */
  readonly owner: string;
}

/** The name of a new journal. */
export function journalName(owner: string, random: string): string {
  return `login-${owner}-${random}.json`;
}

/** Whether a file may be a journal. */
export function isJournalName(name: string): boolean {
  return NAME.test(name);
}

/** The text of a journal; `folder` is the configuration folder that the sign-in belongs to. */
export function journalText(record: CredentialRecord, folder: string): string {
  return `${JSON.stringify({ version: 1, folder, credential: record }, undefined, 2)}\n`;
}

/**
 * The journals in a place that belong to a configuration folder. Those in the folder itself belong to it by their
 * place, whatever path it was mounted under when they were written; of the others, half a journal may be of any folder.
 */
export function findJournals(place: string, folder: string, machine: Machine): Journal[] {
  return namesIn(place).flatMap((name) => {
    const owner = NAME.exec(name)?.[1];
    return owner === undefined
      ? []
      : readJournal(join(place, name), owner, place === folder ? undefined : folder, machine);
  });
}

function readJournal(path: string, owner: string, folder: string | undefined, machine: Machine): Journal[] {
  let text: string | undefined;
  try {
    text = readPrivateFile(path, machine)?.text;
  } catch {
    // Of another user, or unreadable: no reason to fail what the user wants to do now.
    return [];
  }
  if (text === undefined) return [];
  const content = parseJson(text);
  if (folder !== undefined && isObject(content) && content['folder'] !== folder) return [];
  const record = isObject(content) ? parseRecord(content['credential']) : undefined;
  return [{ path, record, isBlank: text.trim() === '', owner }];
}

/** The names in a folder; none where there is no folder that may be read. */
export function namesIn(place: string): readonly string[] {
  try {
    return readdirSync(place);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(codeOf(error))) return [];
    throw error;
  }
}
