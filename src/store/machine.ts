import { lstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { CliError, getErrorCode, type Hint, tryOr, usageError } from '../errors.ts';
import { shellWord } from '../shell-line.ts';

/** The machine and the process, as far as files and locks depend on them. */
export interface Machine {
  readonly pid: number;
  /** The user's id; undefined on platforms without such ids. */
  readonly uid: number | undefined;
  readonly hostname: string;
  readonly platform: string;
  isAlive(pid: number): boolean;
}

/** Describes the machine of a process; the entry point alone may pass the global `process`. */
export function createMachine(
  self: Pick<NodeJS.Process, 'pid' | 'platform' | 'getuid' | 'kill'>,
  hostname: string,
): Machine {
  return {
    pid: self.pid,
    uid: self.getuid?.(),
    hostname,
    platform: self.platform,
    isAlive(pid) {
      try {
        self.kill(pid, 0);
        return !isZombie(pid);
      } catch (error) {
        // EPERM: it is running, as another user.
        return getErrorCode(error) !== 'ESRCH';
      }
    },
  };
}

/** Whether a process has ended, and nobody has asked how: in a container that may stay so. */
function isZombie(pid: number): boolean {
  // Only Linux tells.
  const stat = tryOr(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '');
  // The name of the program stands in parentheses, and may have some itself.
  return /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}

const WORLD_WRITABLE = 0o002;

const OPEN_TO_ALL = 'can be changed by every user of this machine';

/**
 * Finds whether users other than this one, root and a group may have written a file or folder, in
 * words that follow its path.
 * @param isOwn whether it has to belong to this user, and not to root
 */
export function findTrustProblem(
  { uid, mode }: Pick<Stats, 'uid' | 'mode'>,
  machine: Machine,
  isOwn = false,
): string | undefined {
  // Windows has no modes.
  if (machine.uid === undefined) return undefined;
  if (uid !== machine.uid && (uid !== 0 || isOwn)) return `belongs to another user (uid ${uid})`;
  const isLink = (mode & 0o170000) === 0o120000;
  return isLink || (mode & WORLD_WRITABLE) === 0 ? undefined : OPEN_TO_ALL;
}

/**
 * Throws CliError `usage`, which begins with `what`, for what others may have written: it decides
 * where tokens are sent. So does a foreign link, which could lead to any file of the user.
 */
export function checkTrusted(path: string, what: string, machine: Machine, isOwn = false): void {
  for (const look of [lstatSync, statSync]) {
    // Reading what cannot be seen reports the error.
    const stats = tryOr(() => look(path, { throwIfNoEntry: false }), undefined);
    const problem = stats && findTrustProblem(stats, machine, isOwn);
    if (problem) {
      const message = `${what} ${path} ${problem}; svc does not use it.`;
      throw usageError(message, suggestWayOut(path, problem, machine));
    }
  }
}

/** A place whose file system does not keep what svc needs to trust its own files. */
export class UnfitDisk extends CliError {
  constructor(path: string, problem: string) {
    const lost = problem.startsWith('belongs') ? 'owners' : 'modes';
    super(
      'usage',
      `The file system of ${dirname(path)} keeps no ${lost}: what svc makes there ${problem}.`,
      {
        // A folder where private files are not possible has two ways out.
        hint: 'Set SVC_CONFIG_DIR to a folder on another disk, or set SVC_TOKEN and SVC_API_URL, which need no file.',
      },
    );
  }
}

/**
 * Throws {@link UnfitDisk} for a file or folder that svc has just made and would not trust later:
 * WSL's /mnt/c, SMB, FUSE and vfat keep no modes, NFS with root_squash no owners.
 */
export function checkMade(path: string, machine: Machine, isOwn = false): void {
  const problem = findTrustProblem(lstatSync(path), machine, isOwn);
  if (problem !== undefined) throw new UnfitDisk(path, problem);
}

function suggestWayOut(path: string, problem: string, machine: Machine): Hint {
  const elsewhere = 'set SVC_CONFIG_DIR to a folder of your own.';
  if (problem === OPEN_TO_ALL) {
    const say = `Check what is in it and close it to others. If that changes nothing, its disk keeps no modes: ${elsewhere}`;
    return { say, run: [`chmod o-w ${shellWord(path)}`] };
  }
  if (machine.uid === 0) return `Repeat the command without sudo, or ${elsewhere}`;
  return `S${elsewhere.slice(1)} For a secret of a container that holds only the token, set SVC_TOKEN_FILE.`;
}
