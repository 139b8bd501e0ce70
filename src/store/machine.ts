import { readFileSync } from 'node:fs';
import { getErrorCode, tryOr } from '../errors.ts';

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
