import { createHash } from 'node:crypto';

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

/** The code of a system error, such as `ENOENT`; empty for anything else. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

/** The mark that a process puts into the names of its files: which machine, which process. */
export function ownerMark(machine: Machine): string {
  return `${hostMark(machine.hostname)}-${machine.pid}`;
}

/**
 * Whether the owner named by a mark has left its file behind: its process is dead, or the file is older than `staleMs`.
 * A process of another machine sharing the folder is judged by age alone, a number there means nothing here.
 */
export function isAbandoned(mark: string, ageMs: number, staleMs: number, machine: Machine): boolean {
  // A file from the future was written before the clock was set back; its age is not known, so it counts as old.
  if (Math.abs(ageMs) > staleMs) return true;
  const [host, pid] = mark.split('-');
  return host === hostMark(machine.hostname) && /^\d{1,10}$/.test(pid ?? '') && !machine.isAlive(Number(pid));
}

function hostMark(hostname: string): string {
  return createHash('sha256').update(hostname).digest('hex').slice(0, 8);
}
