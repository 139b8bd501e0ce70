import type { Clock } from '../clock.ts';
import type { AnswerStream, Client } from '../http/call.ts';
import type { Redactor } from '../http/redact.ts';
import type { Send } from '../http/send.ts';
import type { Io } from '../io/io.ts';
import type { Screen } from '../io/screen.ts';
import type { StoredCredentials } from '../login/credentials/read.ts';
import type { CredentialStore } from '../login/credentials/store.ts';
import type { Assume } from '../spec/assumptions.ts';
import type { Machine } from '../store/machine.ts';
import type { Globals } from './globals.ts';
import type { Credential, Setting, Settings } from './settings.ts';

/** Everything a command may use. The parts are made at their first use, so building the command tree costs nothing. */
export interface Context {
  readonly io: Io;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The current folder. Throws a usage error where it was removed: nothing is read or written anywhere else instead. */
  readonly cwd: string;
  readonly machine: Machine;
  readonly platform: string;
  readonly hostname: string;
  /** A sleep without a signal of its own ends with `signal`. */
  readonly clock: Clock;
  readonly random: () => number;
  /** Aborted by Ctrl-C, SIGTERM or SIGHUP; its reason is the error that ends the command. */
  readonly signal: AbortSignal;
  /** Aborted by a second signal: no more grace for what is under way. */
  readonly hurry: AbortSignal;
  readonly globals: Globals;
  readonly settings: Settings;
  /** svc's own version. */
  readonly version: string;
  readonly nodeVersion: string;
  /** The `User-Agent` of every request. */
  readonly userAgent: string;
  readonly redactor: Redactor;
  /** Where a large answer may stream to: set with `--json` and no filter. */
  readonly stream: AnswerStream | undefined;
  /** What the service's document does not show, as svc assumes it here. */
  readonly assume: Assume;
  /** The client for one request or two: the engine that starts quickest. */
  client(): Promise<Client>;
  /** The client for waiting, watching and many requests: the engine that keeps connections. */
  patientClient(): Promise<Client>;
  /** A client that signs in with this, in no chosen organization, whatever the settings say. */
  clientFor(credential: Credential, address?: Setting): Promise<Client>;
  /** The bare seam, a connection a request, for the device login, which has its own rules of retrying. */
  send(): Promise<Send>;
  /** The stored sign-ins as they are now; see `readCredentials`. Throws where there is no folder for them. */
  storedSignIns(): StoredCredentials;
  /** Changes the stored sign-ins; loaded only for that. Throws where there is no folder for them. */
  store(): Promise<CredentialStore>;
  /** The folder of `credentials.json` and `config.json`. Throws where there is none. */
  configFolder(): string;
  /** The service id of the argument or flag, else of the environment, the link file or the configuration. */
  service(given: string | undefined): string;
  /** An error of the command with what it should say beside: where the id of an unknown service came from. */
  explained(error: unknown): unknown;
  /**
   * Asks before money is spent or DNS is moved. `--yes` confirms; off a terminal without it nothing is sent (exit 2).
   * @param details what is at stake: shown on stderr right before the question, also with `--json` and `--quiet`.
   * @throws CliError `usage` where nobody can be asked, and where the answer is no; `interrupted` on Ctrl-C.
   */
  confirm(question: string, details?: (screen: Screen) => void): Promise<void>;
  /** Ends a command that will ask for a confirmation before it sends anything, where nobody can be asked (exit 2). */
  needSomebody(): void;
  /** While the work goes on, Ctrl-C is for the program that has the terminal, and svc does not stop. */
  lendTerminal<T>(work: () => Promise<T>): Promise<T>;
  /** Shows something to a person at once, for commands that go on; nothing with `--json`. */
  show(fill: (screen: Screen) => void): Promise<void>;
  /** Prints one JSON object on a line of its own at once; only with `--json`. */
  emit(object: object): Promise<void>;
  /** How to start this program again: the runtime and the script. */
  readonly self: readonly string[];
  /** The folder that svc is installed in, with `completions/`. */
  readonly packageFolder: string;
  /** The home folder as the system tells it; empty where it does not. */
  readonly home: string;
  /** Opens a web page where somebody sits before a screen; answers whether it tried. Never throws. */
  openBrowser(url: string): Promise<boolean>;
}
