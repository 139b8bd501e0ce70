import type { Clock } from './clock.ts';
import type { Runtime } from './runtime.ts';
import type { Machine } from './store/machine.ts';
import type { ShellJob } from './terminal/job.ts';
import type { Host, OutputStream, TerminalInput } from './terminal/terminal.ts';

/** Ctrl-C, `kill`, and a terminal that was closed. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** One of {@link STOP_SIGNALS}. */
export type StopSignal = (typeof STOP_SIGNALS)[number];

/** Everything outside the program. Only `start.ts` reads the real one; tests pass their own. */
export interface World {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The current folder; undefined if it was removed. */
  readonly cwd: string | undefined;
  readonly machine: Machine;
  /** The home folder, as the system says; empty if unknown. */
  readonly home: string;
  readonly version: string;
  /** The time of the build in ISO 8601; empty if unknown. */
  readonly built: string;
  /** A short hash, with `-dirty` if files had changed; empty if unknown. */
  readonly commit: string;
  readonly runtime: Runtime;
  readonly packageFolder: string;
  readonly defaultApiUrl?: string | undefined;
  readonly stdin: TerminalInput;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly clock: Clock;
  readonly random: () => number;
  /** Returns a function that stops listening. */
  onSignal(listener: (signal: StopSignal) => void): () => void;
  /** The job of the shell; absent on Windows. */
  readonly job?: ShellJob | undefined;
  exit(code: number): void;
  readonly host?: Host | undefined;
}
