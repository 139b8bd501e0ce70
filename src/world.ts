import type { Clock } from './clock.ts';
import type { Runtime } from './runtime.ts';
import type { Machine } from './store/machine.ts';
import type { Host, OutputStream, ShellJob, TerminalInput } from './terminal/terminal.ts';

/** The signals that end a command: Ctrl-C, `kill`, and a terminal that was closed. */
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
  /** The home folder according to the system; empty if unknown. */
  readonly home: string;
  readonly version: string;
  /** When svc was built, in ISO 8601; empty if unknown. */
  readonly built: string;
  /** The short hash of the commit that svc was built from, with `-dirty` if files had changed; empty if unknown. */
  readonly commit: string;
  readonly runtime: Runtime;
  readonly packageFolder: string;
  readonly defaultApiUrl?: string | undefined;
  readonly stdin: TerminalInput;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly clock: Clock;
  readonly random: () => number;
  /** Calls the listener for each signal; returns a function that stops listening. */
  onSignal(listener: (signal: StopSignal) => void): () => void;
  /** Absent on Windows. */
  readonly job?: ShellJob | undefined;
  exit(code: number): void;
  readonly host?: Host | undefined;
}
