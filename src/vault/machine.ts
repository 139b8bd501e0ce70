import { codeOf } from '../errors.ts';

/** What the store needs to know about the process it runs in, and about the others. */
export interface Machine {
  readonly pid: number;
  /** The user's id; `undefined` where the platform has none. */
  readonly uid: number | undefined;
  readonly hostname: string;
  readonly platform: string;
  /** Whether a process of this machine lives. */
  isAlive(pid: number): boolean;
}

/** The parts of Node's `process` that describe a machine. */
interface ProcessLike {
  readonly pid: number;
  readonly platform: string;
  getuid?: (() => number) | undefined;
  kill(pid: number, signal: 0): unknown;
}

/** Describes the machine of a process; only the entry point has one to give. */
export function machineOf(self: ProcessLike, hostname: string): Machine {
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
        // EPERM: it lives, and belongs to somebody else.
        return codeOf(error) !== 'ESRCH';
      }
    },
  };
}
