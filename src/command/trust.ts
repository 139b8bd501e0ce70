import { lstatSync, type Stats, statSync } from 'node:fs';
import { usageError } from '../errors.ts';
import type { Machine } from '../vault/machine.ts';
import { shellWord } from './next.ts';

const WORLD_WRITABLE = 0o002;

/** Somebody beside the user and root may have written something. */
export interface Doubt {
  /** The rest of a sentence that begins with the path. */
  readonly why: string;
  readonly isForeign: boolean;
}

/**
 * Who else may have written a file or a folder: its owner, or everybody. `undefined` if only the user, root and a group
 * can have, and on Windows, where modes say nothing.
 */
export function doubtOf({ uid, mode }: Pick<Stats, 'uid' | 'mode'>, machine: Machine): Doubt | undefined {
  if (machine.uid === undefined) return undefined;
  if (uid !== machine.uid && uid !== 0) return { why: `belongs to another user (uid ${uid})`, isForeign: true };
  const isLink = (mode & 0o170000) === 0o120000;
  if (isLink || (mode & WORLD_WRITABLE) === 0) return undefined;
  return { why: 'can be changed by every user of this machine', isForeign: false };
}

/** The same for what a path names. A link belongs to the user as well: it could lead to any other file of theirs. */
export function doubtOfPath(path: string, machine: Machine): Doubt | undefined {
  for (const look of [lstatSync, statSync]) {
    const stats = lookAt(() => look(path, { throwIfNoEntry: false }));
    const doubt = stats && doubtOf(stats, machine);
    if (doubt !== undefined) return doubt;
  }
  return undefined;
}

/**
 * Refuses a file or folder of the configuration that somebody else may have written: it says where tokens travel.
 * @param what what it is, as a sentence begins with it
 * @throws CliError `usage` that names the path and the way out
 */
export function checkTrusted(path: string, what: string, machine: Machine): void {
  const doubt = doubtOfPath(path, machine);
  if (doubt === undefined) return;
  const mended = machine.uid === 0 ? 'the same command without sudo' : undefined;
  const mend = doubt.isForeign ? mended : `chmod o-w ${shellWord(path)}, after a look at what is in it`;
  const otherwise = 'SVC_CONFIG_DIR=<a folder of your own>';
  throw usageError(
    `${what} ${path} ${doubt.why}; svc does not use it.`,
    mend === undefined ? otherwise : `${mend}; or ${otherwise}`,
  );
}

/** What cannot be looked at is the error of whoever reads it. */
function lookAt(look: () => Stats | undefined): Stats | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
