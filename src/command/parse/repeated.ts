import type { Option } from 'commander';

/** Collects the values of an option that may repeat, in the order they were given. */
export function repeated(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** Whether an option may be given several times. */
export function isRepeatable(option: Option): boolean {
  return option.variadic || option.parseArg === repeated;
}
