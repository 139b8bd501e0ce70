import { isOn } from '../environment.ts';
import { usageError } from '../errors.ts';
import type { Declaration } from './declaration.ts';
import { parseDuration } from './parse/duration.ts';

/** The options that every command understands, before and after its name. */
export interface Globals {
  /** Print the service's answer as it came. */
  readonly json: boolean;
  /** Filter that answer with jq; implies `json`. */
  readonly jq: string | undefined;
  readonly apiUrl: string | undefined;
  readonly org: string | undefined;
  readonly profile: string | undefined;
  /** Confirm what costs money or moves DNS. */
  readonly yes: boolean;
  readonly noInput: boolean;
  readonly quiet: boolean;
  readonly debug: boolean;
  readonly noColor: boolean;
  readonly retry: boolean;
  /** Seconds for the whole command. */
  readonly timeoutSeconds: number;
}

/** Seconds that a command may take unless `--timeout` says otherwise. */
const DEFAULT_TIMEOUT_SECONDS = 90;

/** Declares the global options on the root of the command tree. */
export function addGlobalOptions(root: Declaration): void {
  root
    .option('--json', 'print the answer as JSON, exactly as it came')
    .option('--jq <filter>', 'filter the JSON with jq; strings print without quotes')
    .option('--api-url <url>', 'address of the service [SVC_API_URL]')
    .option('--org <id|slug>', 'act in this organization [SVC_ORG]')
    .option('--profile <name>', 'use this stored sign-in [SVC_PROFILE]')
    .option('-y, --yes', 'confirm without asking')
    .option('--no-input', 'never ask a question [SVC_NO_INPUT]')
    .option('-q, --quiet', 'print results and errors only')
    .option('--debug', 'show requests and traces, without secrets [SVC_DEBUG]')
    .option('--no-color', 'print without colours [NO_COLOR]')
    .option('--no-retry', 'send every request only once [SVC_NO_RETRY]')
    .option('--timeout <duration>', 'give up after this long (default: 90s)', (text: string) =>
      parseDuration(text, '--timeout'),
    );
}

/** Flags as the command line gives them. */
type Flags = Readonly<Record<string, unknown>>;

/** The global options of this run: flags first, then the environment. */
export function readGlobals(flags: Flags, env: Readonly<Record<string, string | undefined>>): Globals {
  const text = (name: string): string | undefined => {
    const value = flags[name];
    if (typeof value !== 'string') return undefined;
    if (value.trim() === '') throw usageError(`--${name === 'apiUrl' ? 'api-url' : name} is empty.`);
    return value;
  };
  return {
    json: flags['json'] === true || flags['jq'] !== undefined,
    jq: text('jq'),
    apiUrl: text('apiUrl'),
    org: text('org'),
    profile: text('profile'),
    yes: flags['yes'] === true,
    noInput: flags['input'] === false || isOn(env['SVC_NO_INPUT']),
    quiet: flags['quiet'] === true,
    debug: flags['debug'] === true || isOn(env['SVC_DEBUG']),
    noColor: flags['color'] === false,
    retry: flags['retry'] !== false && !isOn(env['SVC_NO_RETRY']),
    timeoutSeconds: typeof flags['timeout'] === 'number' ? flags['timeout'] : DEFAULT_TIMEOUT_SECONDS,
  };
}
