import type { Clock } from '../clock.ts';
import type { Send } from '../http/send.ts';
import type { AnswerStream, Client } from '../service/call.ts';
import type { Redactor } from '../service/redact.ts';
import type { Assume } from '../spec/assumptions.ts';
import type { Io } from '../terminal/io.ts';
import type { Screen } from '../terminal/screen.ts';
import type { StoredCredentials } from '../vault/credentials/read.ts';
import type { CredentialStore } from '../vault/credentials/store.ts';
import type { Machine } from '../vault/machine.ts';
import type { Globals } from './globals.ts';
import type { Credential, Settings } from './settings.ts';
import type { Setting } from './target.ts';

/** Everything a command may use, in five groups. What is costly is made when it is first used. */
export interface Context {
  readonly io: CommandIo;
  readonly api: Api;
  readonly vault: Vault;
  readonly settings: CommandSettings;
  readonly system: System;
}

/** The streams, and what a command says and asks while it runs. */
export interface CommandIo extends Io {
  readonly redactor: Redactor;
  /** Where a large answer may stream to: set with `--json` and no filter. */
  readonly stream: AnswerStream | undefined;
  /**
   * Asks before money is spent or DNS is moved. `--yes` confirms; off a terminal without it nothing is sent (exit 2).
   * @param details what is at stake: shown on stderr right before the question, also with `--json` and `--quiet`.
   * @throws CliError `usage` if nobody can be asked, or the answer is no; `interrupted` on Ctrl-C.
   */
  confirmOrStop(question: string, details?: (screen: Screen) => void): Promise<void>;
  /** Ends a command that will ask for a confirmation before it sends anything, if nobody can be asked (exit 2). */
  requireInteractive(): void;
  /** Shows something to a person at once, for commands that go on; nothing with `--json`. */
  show(fill: (screen: Screen) => void): Promise<void>;
  /** Prints one JSON object on a line of its own at once; only with `--json`. */
  emit(object: object): Promise<void>;
  /** While the work goes on, Ctrl-C is for the program that has the terminal, and svc does not stop. */
  lendTerminal<T>(work: () => Promise<T>): Promise<T>;
  /** Opens a web page if somebody sits before a screen; returns whether it tried. Never throws. */
  openBrowser(url: string): Promise<boolean>;
}

/** The ways to the service. */
export interface Api {
  /** The client for one request or two: the engine that starts quickest. */
  client(): Promise<Client>;
  /** The client for waiting, watching and many requests: the engine that keeps connections. */
  pollingClient(): Promise<Client>;
  /** A client that signs in with this, in no chosen organization, whatever the settings say. */
  clientFor(credential: Credential, address?: Setting): Promise<Client>;
  /** The bare seam, a connection a request, for the device login, which has its own rules of retrying. */
  send(): Promise<Send>;
  /** The `User-Agent` of every request. */
  readonly userAgent: string;
  /** What the service's document does not show, as svc assumes it here. */
  readonly assume: Assume;
}

/** What svc keeps on this machine. */
export interface Vault {
  /** The stored sign-ins as they are now; see `readCredentials`. Throws if there is no folder for them. */
  signIns(): StoredCredentials;
  /** Changes the stored sign-ins; loaded only for that. Throws if there is no folder for them. */
  store(): Promise<CredentialStore>;
  /** The folder of `credentials.json` and `config.json`. Throws if there is none. */
  folder(): string;
}

/** The settings of this run. */
export interface CommandSettings extends Settings {
  readonly globals: Globals;
  /** The service id of the argument or flag, else of the environment, the link file or the configuration. */
  serviceId(given: string | undefined): string;
  /** An error of the command, with where the id of an unknown service came from if nobody typed it. */
  explain(error: unknown): unknown;
}

/** The machine, the process, and what ends it. */
export interface System {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The current folder. Throws a usage error if it was removed: nothing is read or written anywhere else instead. */
  readonly cwd: string;
  readonly machine: Machine;
  readonly platform: string;
  readonly hostname: string;
  /** The home folder as the system tells it; empty if it does not. */
  readonly home: string;
  /** A sleep without a signal of its own ends with `signal`. */
  readonly clock: Clock;
  readonly random: () => number;
  /** Aborted by Ctrl-C, SIGTERM or SIGHUP; its reason is the error that ends the command. */
  readonly signal: AbortSignal;
  /** Aborted by a second signal: no more grace for what is under way. */
  readonly hurry: AbortSignal;
  /** svc's own version. */
  readonly version: string;
  readonly nodeVersion: string;
  /** How to start this program again: the runtime and the script. */
  readonly self: readonly string[];
  /** The folder that svc is installed in, with `completions/`. */
  readonly packageFolder: string;
}
