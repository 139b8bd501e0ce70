import { lstatSync, type Stats, statSync } from 'node:fs';
import { type Hint, usageError } from '../errors.ts';
import { shellWord } from '../shell-line.ts';
import type { Machine } from './machine.ts';

const WORLD_WRITABLE = 0o002;

/** A reason not to trust a file. */
interface Doubt {
  /** The rest of a sentence that begins with the path. */
  readonly why: string;
  /** Whether it belongs to another user. */
  readonly isForeign: boolean;
}

/**
 * Returns a doubt if users other than this one, root and a group may have written a file or folder; never on Windows,
 * which has no modes.
 * @param isOwn whether it has to belong to this user, and not to root
 */
export function doubtOf(
  { uid, mode }: Pick<Stats, 'uid' | 'mode'>,
  machine: Machine,
  isOwn = false,
): Doubt | undefined {
  if (machine.uid === undefined) return undefined;
  if (uid !== machine.uid && (uid !== 0 || isOwn))
    return { why: `belongs to another user (uid ${uid})`, isForeign: true };
  const isLink = (mode & 0o170000) === 0o120000;
  if (isLink || (mode & WORLD_WRITABLE) === 0) return undefined;
  return { why: 'can be changed by every user of this machine', isForeign: false };
}

/**
 * Refuses a file or folder of svc that others may have written: it decides where tokens are sent. So does a foreign link,
 * which could lead to any file of the user.
 * @param what names it at the start of the message
 * @param isOwn see {@link doubtOf}
 * @throws CliError `usage`
 */
export function checkTrusted(path: string, what: string, machine: Machine, isOwn = false): void {
  for (const look of [lstatSync, statSync]) {
    const stats = statsOf(look, path);
    const doubt = stats && doubtOf(stats, machine, isOwn);
    if (doubt) throw usageError(`${what} ${path} ${doubt.why}; svc does not use it.`, wayOut(path, doubt, machine));
  }
}

/** Returns undefined for what cannot be seen: reading it reports the error. */
function statsOf(look: typeof lstatSync, path: string): Stats | undefined {
  try {
    return look(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function wayOut(path: string, { isForeign }: Doubt, machine: Machine): Hint {
  const elsewhere = 'set SVC_CONFIG_DIR to a folder of your own.';
  if (!isForeign) {
    return {
      say: `Check what is in it and close it to others, or ${elsewhere}`,
      run: [`chmod o-w ${shellWord(path)}`],
    };
  }
  return machine.uid === 0 ? `Repeat the command without sudo, or ${elsewhere}` : `S${elsewhere.slice(1)}`;
}
