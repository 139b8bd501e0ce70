import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPlainFile } from '../store/plain-file.ts';
import type { Context } from './context.ts';

/** Where the names are, in the folder of the configuration: a file for each kind, one name a line. */
const FOLDER = 'known';

/** What completion scripts may offer although no one else can tell them. */
export type NameKind = 'profiles' | 'orgs' | 'services';

/** Names that every shell takes as they are; others are not offered. */
const HARMLESS = /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,99}$/;

/** Names that a file holds at most. */
const MOST_NAMES = 50;

/** Writes the names of a kind down for completion scripts, in place of those before. */
export function keepNames(context: Context, kind: NameKind, names: readonly (string | undefined)[]): void {
  write(context, kind, () => names);
}

/** Writes a name down before those that are there already. */
export function addName(context: Context, kind: NameKind, name: string): void {
  write(context, kind, (before) => [name, ...before]);
}

/** Writes down which profiles there are. */
export function keepProfiles(context: Context): void {
  write(context, 'profiles', () => context.vault.signIns().credentials.map(({ profile }) => profile));
}

/** The names of a kind that were written down, the latest first; none where there are none, or they cannot be read. */
export function knownNames(context: Context, kind: NameKind): readonly string[] {
  try {
    return readNames(join(context.vault.folder(), FOLDER, kind)).filter((name) => HARMLESS.test(name));
  } catch {
    return [];
  }
}

/** Nothing depends on these files, so nothing fails without them; no folder is made where svc has none. */
function write(
  context: Context,
  kind: NameKind,
  change: (before: readonly string[]) => readonly (string | undefined)[],
) {
  try {
    const folder = join(context.vault.folder(), FOLDER);
    const file = join(folder, kind);
    const wanted = change(readNames(file)).filter((name) => name !== undefined && HARMLESS.test(name));
    const names = [...new Set(wanted)].slice(0, MOST_NAMES);
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    replaceFile(
      file,
      `${file}.${context.system.machine.pid}-${context.system.random()}`,
      names.map((name) => `${name}\n`).join(''),
    );
  } catch {
    // Tab then offers less.
  }
}

/** Shells read at any moment, so the file changes as a whole. */
function replaceFile(file: string, unfinished: string, text: string): void {
  try {
    writeFileSync(unfinished, text, { mode: 0o600, flag: 'wx' });
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

function readNames(file: string): readonly string[] {
  try {
    return readPlainFile(file)?.split('\n') ?? [];
  } catch {
    return [];
  }
}
