import { codeOf } from '../errors.ts';

/** As far as files and locks depend on it. */
export interface Machine {
  readonly pid: number;
  /** Undefined on platforms without user ids. */
  readonly uid: number | undefined;
  readonly hostname: string;
  readonly platform: string;
  isAlive(pid: number): boolean;
}

/** Only the entry point may pass the global `process`. */
export function machineOf(
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
        return true;
      } catch (error) {
        // EPERM: it is running, as another user.
        return codeOf(error) !== 'ESRCH';
      }
    },
  };
}
