import { quoted, usageError } from './errors.ts';

/** The environment variables, as the program sees them. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Words that turn a switch off; every other word turns it on. */
const OFF = ['', '0', 'false', 'no', 'off'];
const ON = ['1', 'true', 'yes', 'on'];

/** svc's own switches. A word that is neither on nor off is an error: a safety switch is never guessed. */
const SWITCHES = ['SVC_ALLOW_HTTP', 'SVC_NO_BROWSER', 'SVC_NO_INPUT', 'SVC_NO_RETRY', 'SVC_DEBUG'];

/** Whether a switch in the environment is on. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !OFF.includes(value.trim().toLowerCase());
}

/** Throws a usage error for a switch of svc with a word that is neither on nor off. */
export function checkSwitches(env: Env): void {
  for (const name of SWITCHES) {
    const word = env[name]?.trim().toLowerCase();
    if (word === undefined || OFF.includes(word) || ON.includes(word)) continue;
    throw usageError(`${name} is ${quoted(word)}, which is neither on nor off.`, `${name}=1, or ${name}=0`);
  }
}

/** The variables that sign in, strongest first. Programs that svc starts do not get them. */
export const SIGN_IN_VARIABLES = ['SVC_TOKEN', 'SVC_TOKEN_FILE', 'SVC_SESSION_TOKEN'] as const;
/** One of {@link SIGN_IN_VARIABLES}. */
export type SignInVariable = (typeof SIGN_IN_VARIABLES)[number];

/** The variables of {@link SIGN_IN_VARIABLES} that are set, also to nothing. */
export function signInVariablesIn(env: Env): readonly SignInVariable[] {
  return SIGN_IN_VARIABLES.filter((name) => env[name] !== undefined);
}
