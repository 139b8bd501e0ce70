import { existsSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { targetOf } from '../../store/read.ts';
import { unfinishedName } from '../../store/write.ts';
import { changeCredentials } from './change.ts';
import { isJournalName, namesIn } from './journal.ts';
import { CREDENTIALS_FILE, credentialsPath, journalsOf, type Place, readCredentials } from './read.ts';
import type { CredentialRecord } from './records.ts';

/** What was forgotten. */
export interface AllForgotten {
  readonly removed: readonly CredentialRecord[];
  /** Damaged files that were removed; svc cannot tell which tokens were in them. */
  readonly files: readonly string[];
}

/** What `svc` sets aside: a damaged credentials file, or a journal that was only half written. */
const SET_ASIDE = /^(.*)\.corrupt-/;

/**
 * Forgets every sign-in, and removes every file that may hold a token of one: journals, damaged files and what a killed
 * writer left. Writes nothing where there is none. What a login of a living process has reserved stays.
 */
export async function forgetAll(place: Place): Promise<AllForgotten> {
  let removed: readonly CredentialRecord[] = [];
  if (needsChange(place)) {
    await changeCredentials(place, {
      edit: (stored) => {
        removed = stored.credentials;
        return removed.length === 0 ? stored : { current: undefined, credentials: [] };
      },
      onDamage: 'set aside',
    });
  }
  const files = setAsideFiles(place);
  for (const path of files) rmSync(path, { force: true });
  return { removed, files };
}

/** Whether the credentials file has a sign-in or is damaged, or a file beside it may have one. */
function needsChange(place: Place): boolean {
  if (existsSync(unfinishedName(targetOf(credentialsPath(place)))) || journalsOf(place).length > 0) return true;
  try {
    return readCredentials(place).credentials.length > 0;
  } catch {
    // Damaged; whatever else is wrong with it is the error of the change.
    return true;
  }
}

function setAsideFiles(place: Place): string[] {
  const target = targetOf(credentialsPath(place));
  const folders = new Set([place.folder, dirname(target), ...(place.stateDir === undefined ? [] : [place.stateDir])]);
  return [...folders].flatMap((folder) =>
    namesIn(folder)
      .filter((name) => {
        const [, original = ''] = SET_ASIDE.exec(name) ?? [];
        return original === CREDENTIALS_FILE || original === basename(target) || isJournalName(original);
      })
      .map((name) => join(folder, name)),
  );
}
