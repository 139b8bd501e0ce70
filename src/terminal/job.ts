import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

type Process = Pick<NodeJS.Process, 'pid' | 'platform' | 'kill' | 'on' | 'off'>;

/** The processes that a shell stops and continues together. */
export interface ShellJob {
  /**
   * Returns false if unknown. In the background the system stops a job that reads the terminal or
   * changes its mode.
   */
  isForeground(): Promise<boolean>;
  /** Sends a signal to all processes of the job, as the terminal does. */
  send(signal: 'SIGINT' | 'SIGQUIT' | 'SIGTSTP'): void;
  /**
   * Calls `leave` before Ctrl-Z stops the process, and `enter` when it continues, perhaps in the
   * background.
   */
  onStop(leave: () => void, enter: () => void): () => void;
}

/** Returns the job of this process. */
export function createJob(self: Process): ShellJob {
  const listeners = new Set<Readonly<Record<'leave' | 'enter', () => void>>>();
  const enterAll = () => {
    for (const { enter } of listeners) enter();
  };
  // One listener for all: the signal stops the process only if none is left.
  const stop = () => {
    for (const { leave } of listeners) leave();
    // Where no shell could continue it, the process goes on.
    self.off('SIGTSTP', stop).kill(self.pid, 'SIGTSTP');
    self.on('SIGTSTP', stop);
    setImmediate(enterAll);
  };
  return {
    async isForeground() {
      try {
        const { group, foreground } =
          self.platform === 'linux' ? readGroups() : await askGroups(self.pid);
        return group === foreground;
      } catch {
        return false; // no /proc, no ps
      }
    },
    send: (signal) => void self.kill(0, signal),
    onStop(leave, enter) {
      const listener = { leave, enter };
      if (listeners.size === 0) self.on('SIGTSTP', stop).on('SIGCONT', enterAll);
      listeners.add(listener);
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) {
          self.off('SIGTSTP', stop).off('SIGCONT', enterAll);
        }
      };
    },
  };
}

function readGroups() {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  // The name of the program may contain spaces and parentheses.
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { group, foreground };
}

/** Asks as macOS and the BSDs know it. */
async function askGroups(pid: number) {
  const { execFile } = await import('node:child_process');
  const words = ['-o', 'pgid=', '-o', 'tpgid=', '-p', String(pid)];
  const { stdout } = await promisify(execFile)('/bin/ps', words);
  const [group, foreground = 'unknown'] = stdout.trim().split(/\s+/);
  return { group, foreground };
}
