/** The environment variables, as the program sees them. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Whether a switch in the environment is on: set, and not to nothing, `0` or `false`. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value.trim().toLowerCase());
}

/** The variables that sign in, strongest first. Programs that svc starts do not get them. */
export const SIGN_IN_VARIABLES = ['SVC_TOKEN', 'SVC_TOKEN_FILE', 'SVC_SESSION_TOKEN'] as const;
/** One of {@link SIGN_IN_VARIABLES}. */
export type SignInVariable = (typeof SIGN_IN_VARIABLES)[number];

/** The variables of {@link SIGN_IN_VARIABLES} that are set, also to nothing. */
export function signInVariablesIn(env: Env): readonly SignInVariable[] {
  return SIGN_IN_VARIABLES.filter((name) => env[name] !== undefined);
}
