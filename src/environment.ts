import { quote, usageError } from './errors.ts';

/** Environment variables by name. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The words that turn a variable off; of svc's switches only ON turns them on. */
const OFF = ['', '0', 'false', 'no', 'off'];
const ON = ['1', 'true', 'yes', 'on'];

/** The switches of svc, which are never guessed: any other word is an error. */
const SWITCHES = [
  'SVC_ALLOW_HTTP',
  'SVC_NO_BROWSER',
  'SVC_NO_INPUT',
  'SVC_NO_RETRY',
  'SVC_DEBUG',
  'SVC_AGENT',
];

/** The variables that coding agents set. Editors are not among them: a person may sit there. */
export const AGENT_VARIABLES: readonly string[] = (
  'AI_AGENT CLAUDECODE CODEX_SANDBOX CODEX_CI CODEX_THREAD_ID GEMINI_CLI CURSOR_AGENT ' +
  'OPENCODE OPENCODE_CLIENT CLINE_ACTIVE COPILOT_CLI ANTIGRAVITY_AGENT AUGMENT_AGENT'
).split(' ');

/** Finds the variable that says that an agent typed the command; `SVC_AGENT` wins. */
export function findAgent(env: Env): string | undefined {
  if (env['SVC_AGENT']?.trim()) return isOn(env['SVC_AGENT']) ? 'SVC_AGENT' : undefined;
  return AGENT_VARIABLES.find((name) => isOn(env[name]));
}

/** Whether a variable has any value but an empty one, `0`, `false`, `no` and `off`. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !OFF.includes(value.trim().toLowerCase());
}

/** Whether one of svc's switches is on; another word, which is an error, is not. */
export function isSwitchedOn(value: string | undefined): boolean {
  return ON.includes(value?.trim().toLowerCase() ?? '');
}

/** Throws a usage error if one of svc's switches is neither on nor off. */
export function checkSwitches(env: Env): void {
  for (const name of SWITCHES) {
    const word = env[name]?.trim().toLowerCase();
    if (word === undefined || OFF.includes(word) || ON.includes(word)) continue;
    throw usageError(
      `${name} is ${quote(word)}, which is neither on nor off.`,
      `Set ${name}=1 or ${name}=0.`,
    );
  }
}

/** The variables that sign in, strongest first; not passed on to programs that svc starts. */
export const SIGN_IN_VARIABLES = ['SVC_TOKEN', 'SVC_TOKEN_FILE', 'SVC_SESSION_TOKEN'] as const;

/** Lists the variables that sign in and are set, even if to an empty text. */
export function listSignInVariables(env: Env) {
  return SIGN_IN_VARIABLES.filter((name) => env[name] !== undefined);
}
