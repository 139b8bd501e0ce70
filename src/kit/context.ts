import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../clock.ts';
import type { Send } from '../http/send.ts';
import type { Client, OwnClientOptions } from '../service/call.ts';
import type { Redactor } from '../service/redact.ts';
import type { Place, StoredCredentials } from '../sign-in/types.ts';
import type { Assume } from '../spec/assumptions.ts';
import type { Screen } from '../terminal/screen.ts';
import type { ConfirmOptions, Host, Io } from '../terminal/terminal.ts';
import type { World } from '../world.ts';
import type { ChosenCredential, Setting, Settings } from './setting.ts';

type FromWorld = 'env' | 'machine' | 'home' | 'random' | 'runtime' | 'version' | 'built' | 'commit' | 'packageFolder';

/** Costly parts are made at their first use. */
export interface Context extends Pick<World, FromWorld> {
  readonly io: CommandIo;
  readonly settings: Settings;

  // The platform: clients for it, and the bare transport.

  /** For one or two requests: the transport that starts quickest. */
  client(): Promise<Client>;
  /** For polling and watching: the transport that keeps connections open. */
  pollingClient(): Promise<Client>;
  /** A client with this credential and no organization, whatever the settings say; `deadlineMs` stands for `--timeout`. */
  clientFor(credential: ChosenCredential, address?: Setting, deadlineMs?: number): Promise<Client>;
  /** For several runs of a command: each client has a gate, retries and a deadline of its own, and shows nothing. */
  gatedClients(options: GatedClients): Promise<(own: OwnClientOptions) => Client>;
  /** One connection per request: the device login retries by its own rules. */
  readonly send: Send;
  readonly userAgent: string;
  readonly assume: Assume;

  // What svc keeps on this machine.

  /** See `readCredentials`. Throws without a folder for them. */
  signIns(): StoredCredentials;
  /** For changing them; warns of problems first. Throws without a folder for them. */
  signInPlace(): Place;
  /** The folder of `credentials.json` and `config.json`. Throws without a home folder. */
  configFolder(): string;

  // The process and the time.

  /** The current folder. Throws a usage error if it was removed. */
  cwd(): string;
  readonly platform: string;
  /** Sleeps end with `signal` unless they are given another. */
  readonly clock: Clock;
  /** Aborted by Ctrl-C, SIGTERM or SIGHUP; the reason is the error that ends the command. */
  readonly signal: AbortSignal;
  /** Aborted by a second signal: the process is about to end. */
  readonly hurry: AbortSignal;
  /** The command line as it was typed, with these words added. */
  again(...words: readonly string[]): string;
  /** The line as it was typed, with another word in place of one. */
  lineWith(word: string, by: string): string;
  sameTarget(...words: readonly string[]): string;
  /** With the same environment and an empty stdin. Never throws. */
  runInside(call: InsideCall): Promise<InsideRun>;

  // One of several.

  /** When svc began with the first one, in milliseconds since the epoch. */
  readonly severalSince?: number;
  readonly job?: LoggedJob | undefined;
}

/** The job of a command, as the log of a run for several knows it. */
export interface LoggedJob {
  /** The job of an earlier run that did not see it end: the command asks for it, and queues no other. */
  readonly id: string | undefined;
  /** So that a later run finds it. */
  queued(id: string): void;
}

/** The terminal and the standard streams, for a command. */
export interface CommandIo extends Io {
  readonly redactor: Redactor;
  /**
   * Asks for the word `yes` before money is spent or DNS is moved. `--yes` confirms; an agent is refused, unless a person
   * has set `agents.spend`.
   * @param details shown on stderr right before the question, also with `--json` and `--quiet`.
   * @param options `word: false` takes `y` as well: for what costs nothing, such as an order that is known to be free
   * @throws CliError `usage` off a terminal, and if the answer is no; `interrupted` on Ctrl-C.
   */
  confirmOrStop(question: string, details?: (screen: Screen) => void, options?: ConfirmOptions): Promise<void>;
  /** Rejects as {@link confirmOrStop} would without a question: for commands that send requests first. */
  requireInteractive(): Promise<void>;
  /** Prints for people before the command ends; nothing with `--json`. */
  show(fill: (screen: Screen) => void): Promise<void>;
  /** Prints one JSON object on a line of its own before the command ends; only with `--json`. */
  emit(event: object): Promise<void>;
  pipe(): { readonly input: Readable; readonly output: Writable };
  /** Reads the file of the option `name`; `-` is stdin. Throws a usage error for one of more than `maxBytes`. */
  readFile(source: string, name: string, maxBytes: number): Promise<Buffer>;
  /** Leaves Ctrl-C to the program that has the terminal until the work is done. */
  lendTerminal<T>(work: () => Promise<T>): Promise<T>;
  /** Opens a page if a person with a screen is there, and notes a failure. Returns whether it tried; never throws. */
  openBrowser(page: string | URL, failure?: string): Promise<boolean>;
}

interface GatedClients {
  readonly signal: AbortSignal;
  /** Instead of that of the settings. */
  readonly org: Setting | undefined;
  readonly atOnce: number;
}

/** A command line to run in this process. */
export interface InsideCall {
  readonly argv: readonly string[];
  readonly host: Host;
  /** Interrupts it as Ctrl-C does. */
  readonly signal: AbortSignal;
}

/** What {@link InsideCall} ended with. */
export interface InsideRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly conceal: (text: string) => string;
}
