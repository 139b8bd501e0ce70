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

/** As {@link doubtOf}, for a path and the target of a link: a foreign link could lead to any file of the user. */
function doubtOfPath(path: string, machine: Machine, isOwn: boolean): Doubt | undefined {
  for (const look of [lstatSync, statSync]) {
    try {
      const stats = look(path, { throwIfNoEntry: false });
      const doubt = stats && doubtOf(stats, machine, isOwn);
      if (doubt !== undefined) return doubt;
    } catch {
      // Reading the file reports the error.
    }
  }
  return undefined;
}

/**
 * Refuses a file or folder of svc that others may have written: it decides where tokens are sent.
 * @param what names it at the start of the message
 * @param isOwn see {@link doubtOf}
 * @throws CliError `usage`
 */
export function checkTrusted(path: string, what: string, machine: Machine, isOwn = false): void {
  const doubt = doubtOfPath(path, machine, isOwn);
  if (doubt === undefined) return;
  throw usageError(`${what} ${path} ${doubt.why}; svc does not use it.`, wayOut(path, doubt, machine));
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
