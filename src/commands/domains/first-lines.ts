const MAX_LINES = 20;

/** The first lines, and how many more there are; for programs all of them. */
export function firstLines(lines: readonly string[], isWhole = false): string[] {
  if (isWhole) return [...lines];
  const more = lines.length - MAX_LINES;
  return more > 0 ? [...lines.slice(0, MAX_LINES), `and ${more} more`] : [...lines];
}
