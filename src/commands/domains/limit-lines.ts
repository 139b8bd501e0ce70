const MAX_LINES = 20;

/** Returns the first lines, and how many more there are; for programs all of them. */
export function limitLines(lines: readonly string[], isWhole = false): string[] {
  if (isWhole) return [...lines];
  const omitted = lines.length - MAX_LINES;
  return omitted > 0 ? [...lines.slice(0, MAX_LINES), `and ${omitted} more`] : [...lines];
}
