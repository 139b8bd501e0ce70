import type { Readable, Writable } from 'node:stream';
import type { Client, ClientOverrides } from '../../api/call.ts';
import type { Redactor } from '../../api/redact.ts';
import type { Clock } from '../../clock.ts';
import type { Assume } from '../../contract/assumptions.ts';
import { CliError, usageError } from '../../errors.ts';
import type { Send } from '../../http/send.ts';
import { repeatLine } from '../../shell-line.ts';
import type { CredentialsFolder, StoredCredentials } from '../../sign-in/credentials.ts';
import type { readEnvironmentToken } from '../../sign-in/token.ts';
import type { createIo, Io } from '../../terminal/io.ts';
import type { Screen } from '../../terminal/screen.ts';
import type { Host } from '../../terminal/terminal.ts';
import type { World } from '../../world.ts';
import type { Globals } from '../settings/globals.ts';
import type { ChosenCredential, Setting, Settings } from '../settings/settings.ts';
import type { NameNotes } from './name-notes.ts';

/** The parts that a command gets. The costly ones are made at their first use. */
export interface Context {
  /** The platform. */
  readonly api: Clients;
  /** Names for what the API document does not show. */
  readonly assume: Assume;
  readonly io: CommandIo;
  /** The values of the global options. */
  readonly globals: Globals;
  readonly settings: Settings;
  /** The files that svc keeps on this machine. */
  readonly store: KeptFiles;
  readonly time: CommandTime;
  readonly env: World['env'];
  /** The words that were typed behind `svc`. */
  readonly line: readonly string[];
  readonly program: ProgramFacts;
  /** Present if the command is carried out for each of several items. */
  readonly batch?: InBatch | undefined;
}

/**
 * The parts that a function uses. Only `run` and the hooks of a literal, and who calls them, take
 * all; a function takes values first, then at most four parts.
 */
export type Needs<Part extends keyof Context> = Pick<Context, Part>;

export interface Clients {
  /** Starts quickest: for one or two requests. */
  client(): Promise<Client>;
  /** Keeps connections open: for polling and watching. */
  pollingClient(): Promise<Client>;
  /**
   * Makes a client with this credential, or with none, and no organization, whatever the settings
   * say; `deadlineMs` stands for `--timeout`.
   */
  clientFor(
    credential: ChosenCredential | undefined,
    address?: Setting,
    deadlineMs?: number,
  ): Promise<Client>;
  /** Makes clients for a batch: each has a gate, retries and a deadline, and shows nothing. */
  gatedClients(options: {
    readonly signal: AbortSignal;
    /** The organization that stands for that of the settings. */
    readonly org: Setting | undefined;
    readonly atOnce: number;
  }): Promise<(own: ClientOverrides) => Client>;
  /** Sends one request without retries: the device login has rules of its own. */
  readonly send: Send;
  readonly userAgent: string;
}

export interface KeptFiles {
  readonly machine: World['machine'];
  /** Reads the stored sign-ins without a warning. Throws without a configuration folder. */
  readSignIns(): StoredCredentials;
  /** Reads the stored sign-ins, and warns once of each problem. */
  signIns(): StoredCredentials;
  /** Returns where sign-ins are changed; warns of problems first. */
  signInPlace(): CredentialsFolder;
  /** Throws without a home folder. */
  configFolder(): string;
  /** The names that the answers of this run have confirmed or denied. */
  readonly names: NameNotes;
}

interface CommandTime {
  /** Sleeps end with `signal` unless given another. */
  readonly clock: Clock;
  /** Aborted by Ctrl-C, SIGTERM or SIGHUP; its reason ends the command. */
  readonly signal: AbortSignal;
  /** Aborted by a second signal: the process is about to end. */
  readonly forceQuitSignal: AbortSignal;
  readonly random: World['random'];
}

/** The running program, and where it runs. */
export interface ProgramFacts
  extends Pick<World, 'home' | 'runtime' | 'version' | 'built' | 'commit' | 'packageFolder'> {
  readonly platform: string;
  /** Throws a usage error if it was removed. */
  cwd(): string;
  /** Runs svc with the same environment and an empty stdin. Never throws. */
  runInside(call: InsideCall): Promise<InsideRun>;
}

/** The batch, as the command of one item sees it. */
interface InBatch {
  /** The time at which the batch began, in ms since the epoch. */
  readonly since: number;
  /**
   * The job of an earlier run that did not see it end: the command asks for it, and queues no
   * other.
   */
  readonly jobId: string | undefined;
  /** Writes the job to the log, so that a later run asks for it. */
  queued(jobId: string): void;
}

/** The terminal and the standard streams, for a command. */
export interface CommandIo extends Io {
  readonly redactor: Redactor;
  /**
   * Asks for the word `yes` before money is spent or DNS is moved. `--yes` confirms; an agent is
   * refused unless `agents.spend` is set. Throws CliError `usage` off a terminal and for a no,
   * `interrupted` on Ctrl-C.
   * @param details shown right before the question, whatever is quiet
   * @param options `word: false` takes `y` as well: for what costs nothing
   */
  confirmOrStop(
    question: string,
    details?: (screen: Screen) => void,
    options?: { readonly word?: boolean },
  ): Promise<void>;
  /**
   * Rejects where {@link confirmOrStop} could not ask: for commands that send requests first.
   * @param service the one that a setting names, for the line that a person is to run elsewhere
   */
  requireInteractive(service?: string): Promise<void>;
  /** Prints before the command ends, but not with `--json`. */
  show(fill: (screen: Screen) => void): Promise<void>;
  /** Prints a line of JSON before the command ends, but only with `--json`. */
  emit(event: object): Promise<void>;
  pipe(): { readonly input: Readable; readonly output: Writable };
  /** The file of the option `name`; `-` is stdin. Throws a usage error above `maxBytes`. */
  readFile(source: string, name: string, maxBytes: number): Promise<Buffer>;
  /** The same as text. Throws a usage error for a file that is none. */
  readText(source: string, name: string, maxBytes: number): Promise<string>;
  /** Leaves Ctrl-C to another program until the work is done. */
  lendTerminal<T>(work: () => Promise<T>): Promise<T>;
  /** Opens a page if a person with a screen is there. Returns whether it tried; never throws. */
  openBrowser(page: string | URL, failure?: string): Promise<boolean>;
}

/** A command line to run in this process. */
export interface InsideCall {
  readonly argv: readonly string[];
  readonly host: Host;
  /** Interrupts it as Ctrl-C does. */
  readonly signal: AbortSignal;
}

/** The end of {@link InsideCall}. */
export interface InsideRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly conceal: (text: string) => string;
}

/** A run of svc before its line is read, and what ends with it. */
export interface Started {
  readonly world: World;
  readonly io: ReturnType<typeof createIo>;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  /** Aborted by a second signal. */
  readonly forceQuitSignal: AbortSignal;
  readonly main: (world: World, redactor: Redactor) => Promise<number>;
  readonly environmentToken: () => ReturnType<typeof readEnvironmentToken>;
  /** Another program has Ctrl-C now. */
  isTerminalLent: boolean;
  readonly closers: Array<() => Promise<void>>;
}

/** A run whose line is read. */
export type RunWithSettings = Started & Needs<'globals' | 'settings' | 'store'>;

/** The terminal, and the words that were typed. */
interface PromptContext {
  readonly io: Io;
  readonly line: readonly string[];
}

/** Creates the error of a confirmation that svc cannot ask for. */
export function needsYesError(context: PromptContext): CliError {
  return usageError(
    'This needs a confirmation, but svc cannot ask for one here. Nothing was sent.',
    {
      say: 'Repeat the command with --yes.',
      run: proposeRepeats(context, ['--yes']),
    },
  );
}

const MAX_PROPOSED = 3;

/**
 * Writes the typed line with words added, for each way; only for programs, since it may hold a
 * phone number.
 */
export function proposeRepeats(
  { io, line }: PromptContext,
  ...ways: readonly (readonly string[])[]
): readonly string[] {
  if (!io.json && io.agent === undefined) return [];
  return ways.slice(0, MAX_PROPOSED).map((words) => repeatLine(line, ...words));
}

/** Gives a prompt that is cancelled an ending, such as "Nothing was ordered." */
export async function orCancelled<T>(nothing: string, ask: () => Promise<T>): Promise<T> {
  return ask().catch((error: unknown) => {
    const isCancelled = error instanceof CliError && error.details.isCancelled;
    throw isCancelled ? new CliError(error.code, `Cancelled. ${nothing}`, error.details) : error;
  });
}
