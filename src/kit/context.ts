import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../clock.ts';
import type { Send } from '../http/send.ts';
import type { Runtime } from '../runtime.ts';
import type { Client } from '../service/call.ts';
import type { ClientOptions } from '../service/client.ts';
import type { Redactor } from '../service/redact.ts';
import type { StoredCredentials } from '../sign-in/credentials.ts';
import type { CredentialStore } from '../sign-in/store.ts';
import type { Assume } from '../spec/assumptions.ts';
import type { Event } from '../spec/fields/documents.ts';
import type { Machine } from '../store/machine.ts';
import type { ConfirmOptions, Host, Io } from '../terminal/io.ts';
import type { Screen } from '../terminal/screen.ts';
import type { Globals } from './globals.ts';
import type { ChosenCredential, Setting, Settings } from './setting.ts';

/** Everything a command may use. Costly parts are made at their first use. */
export interface Context {
  readonly io: CommandIo;
  readonly api: Api;
  readonly vault: Vault;
  readonly settings: CommandSettings;
  readonly system: System;
  /** Set for one of several. */
  readonly job?: LoggedJob | undefined;
}

/** The job that a command queues, as the log of a run for several knows it. */
export interface LoggedJob {
  /** The job of an earlier run that did not see it end: the command asks for it, and queues no other. */
  readonly id: string | undefined;
  /** Keeps the job that was queued, so that a later run finds it. */
  queued(id: string): void;
}

/** The terminal and the standard streams, for a command. */
export interface CommandIo extends Io {
  readonly redactor: Redactor;
  /**
   * Asks before money is spent or DNS is moved. `--yes` confirms; off a terminal without it nothing is sent (exit 2).
   * An agent is refused, unless a person has set `agents.spend`.
   * A person types the word `yes`; pasted text and keys that were pressed before answer nothing.
   * @param details shown on stderr right before the question, also with `--json` and `--quiet`.
   * @param options `word: false` takes `y` as well: for what costs nothing, such as an order that is known to be free
   * @throws CliError `usage` off a terminal, and if the answer is no; `interrupted` on Ctrl-C.
   */
  confirmOrStop(question: string, details?: (screen: Screen) => void, options?: ConfirmOptions): Promise<void>;
  /** Rejects with CliError `usage` if {@link confirmOrStop} would refuse without a question: for commands that send requests first. */
  requireInteractive(): Promise<void>;
  /** Prints for people before the command ends; nothing with `--json`. */
  show(fill: (screen: Screen) => void): Promise<void>;
  /** Prints one JSON object on a line of its own before the command ends; only with `--json`. */
  emit(event: Event): Promise<void>;
  /** The bare streams, for a program that svc speaks with over them. */
  pipe(): { readonly input: Readable; readonly output: Writable };
  /**
   * Reads a file that the option `name` names; `-` is stdin.
   * @throws CliError `usage` if it cannot be read, or has more than `maxBytes`.
   */
  readFile(source: string, name: string, maxBytes: number): Promise<Buffer>;
  /** Leaves Ctrl-C to the program that has the terminal until the work is done. */
  lendTerminal<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Opens a page if a person with a screen is there, and notes a failure. Returns whether it tried; never throws.
   * @param page an address of the platform, or a URL of svc's own
   */
  openBrowser(page: string | URL, failure?: string): Promise<boolean>;
}

/** The platform: clients for it, and the bare transport. */
export interface Api {
  /** For one or two requests: the transport that starts quickest. */
  client(): Promise<Client>;
  /** For polling and watching: the transport that keeps connections open. */
  pollingClient(): Promise<Client>;
  /**
   * A client with this credential and no organization, whatever the settings say.
   * @param deadlineMs instead of `--timeout`
   */
  clientFor(credential: ChosenCredential, address?: Setting, deadlineMs?: number): Promise<Client>;
  /** Makes clients for several runs of a command; each has a gate, retries and a deadline of its own, and shows nothing. */
  gatedClients(
    options: GatedClients,
  ): Promise<
    (
      own: Pick<ClientOptions, 'gate' | 'deadlinePerCall'> & Partial<Pick<ClientOptions, 'deadlineMs' | 'retry'>>,
    ) => Client
  >;
  /** The bare transport, one connection per request: the device login retries by its own rules. */
  readonly send: Send;
  readonly userAgent: string;
  readonly assume: Assume;
}

interface GatedClients {
  readonly signal: AbortSignal;
  /** Instead of that of the settings. */
  readonly org: Setting | undefined;
  /** Requests at a time, whose answers share the memory. */
  readonly atOnce: number;
}

/** What svc keeps on this machine: the files of the configuration folder. */
export interface Vault {
  /** Reads the stored sign-ins; see `readCredentials`. Throws without a folder for them. */
  signIns(): StoredCredentials;
  /** For changing the stored sign-ins. Throws without a folder for them. */
  store(): Promise<CredentialStore>;
  /** The folder of `credentials.json` and `config.json`. Throws without a home folder. */
  folder(): string;
}

/** The settings of a run, with the service that it is for. */
export interface CommandSettings extends Settings {
  readonly globals: Globals;
  /** Returns the id that is given, else that of the environment, the link file or the configuration. */
  serviceId(given: string | undefined): string;
  /** Adds to `not_found` which setting named the service, if it was not typed. */
  explain(error: unknown): unknown;
}

/** The machine, the process and the time. */
export interface System {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The current folder. Throws a usage error if it was removed. */
  readonly cwd: string;
  readonly machine: Machine;
  readonly platform: string;
  readonly hostname: string;
  /** The home folder; empty if unknown. */
  readonly home: string;
  /** Sleeps end with `signal` unless they are given another. */
  readonly clock: Clock;
  readonly random: () => number;
  /** Aborted by Ctrl-C, SIGTERM or SIGHUP; the reason is the error that ends the command. */
  readonly signal: AbortSignal;
  /** Aborted by a second signal: the process is about to end. */
  readonly hurry: AbortSignal;
  readonly version: string;
  /** When svc was built, in ISO 8601; empty if unknown. */
  readonly built: string;
  /** What `World` says. */
  readonly commit: string;
  readonly runtime: Runtime;
  /** Set for each of several: when svc began with the first one, in milliseconds since the epoch. */
  readonly severalSince?: number;
  /** Writes the command line as it was typed, with these words added. */
  again(...words: readonly string[]): string;
  /** The folder that svc is installed in, with `completions/`. */
  readonly packageFolder: string;
  /** Runs a command line in this process, with the same environment and an empty stdin. Never throws. */
  runInside(call: InsideCall): Promise<InsideRun>;
}

/** A command line to run in this process. */
export interface InsideCall {
  readonly argv: readonly string[];
  readonly host: Host;
  /** Interrupts it as Ctrl-C does. */
  readonly signal: AbortSignal;
}

/** How a command line ended that ran in this process, and what it printed. */
export interface InsideRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Replaces the secrets that the command met. */
  readonly conceal: (text: string) => string;
}
