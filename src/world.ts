import type { Clock } from './clock.ts';
import type { Machine } from './vault/machine.ts';

/** The signals that end svc. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** Everything outside the program. Tests pass a small one; only the entry point reads the real one. */
export interface World {
  /** The command line after the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The current folder; absent where it was removed. */
  readonly cwd: string | undefined;
  readonly machine: Machine;
  /** The home folder as the system tells it; empty where it does not. */
  readonly home: string;
  readonly nodeVersion: string;
  /** svc's own version. */
  readonly version: string;
  /** How to start this program again: the runtime and the script. */
  readonly self: readonly string[];
  /** The folder that svc is installed in. */
  readonly packageFolder: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly clock: Clock;
  readonly random: () => number;
  /** Calls the listener for each signal; returns how to stop listening. */
  onSignal(listener: (signal: StopSignal) => void): () => void;
  /** Ends the process at once, for a second Ctrl-C. */
  exit(code: number): void;
}
