/** The environment variables, as the program sees them. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Whether a switch in the environment is on: set, and not to nothing, `0` or `false`. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value.trim().toLowerCase());
}
