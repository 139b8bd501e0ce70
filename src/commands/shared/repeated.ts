/** Collects the values of an option that may repeat, in the order they were given. */
export function repeated(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
