import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { pathsIn } from '../store/folder.ts';
import { type KeepingPlaces, keepPrivately } from '../store/keep.ts';

/** Files of a login that may have a token, but that svc does not read by itself. */
const KEPT = /^login-kept-[0-9a-f]+\.txt$/;

/** The name of a new file with a token, or with answers that svc cannot read. */
function keptName(): string {
  return `login-kept-${randomBytes(6).toString('hex')}.txt`;
}

/** Keeps a bare token, as `SVC_TOKEN_FILE` takes it. Returns the path; undefined if no place takes it. */
export function keepToken(token: string, places: KeepingPlaces): string | undefined {
  return keepPrivately(keptName(), `${token}\n`, places);
}

/** Characters that the file of one login may have; the answers of an hour have far fewer. */
const MAX_LENGTH = 4 * 1024 * 1024;

/** Returns a function that adds an answer to one file and returns its path; undefined if it is in no file. */
export function answerKeeper(places: KeepingPlaces): (text: string) => string | undefined {
  const name = keptName();
  let kept: { path: string; text: string; answers: ReadonlySet<string> } | undefined;
  return (answer) => {
    if (kept?.answers.has(answer)) return kept.path;
    const text = `${kept?.text ?? ''}${answer}\n`;
    if (text.length > MAX_LENGTH) return undefined;
    const path = keepPrivately(name, text, places);
    if (path !== undefined) kept = { path, text, answers: new Set([...(kept?.answers ?? []), answer]) };
    return path;
  };
}

/** Removes the files that logins have kept in these folders, and returns their paths. */
export function forgetKept(folders: ReadonlyArray<string | undefined>): readonly string[] {
  const found = pathsIn(folders, (name) => KEPT.test(name));
  for (const path of found) rmSync(path, { force: true });
  return found;
}
