/** What a column would like, and what it can do with. */
export interface ColumnNeed {
  /** Columns of its widest cell. */
  readonly natural: number;
  /** Columns that it cannot do without. */
  readonly least: number;
}

/** Widths for the columns of a table so that they fit into `room`, taken from the widest first; `undefined` if they cannot. */
export function fitColumns(needs: readonly ColumnNeed[], room: number): number[] | undefined {
  const widths = needs.map(({ natural, least }) => Math.max(least, Math.min(natural, room)));
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const widest = indexOfWidest(widths, needs);
    if (widest === undefined) return undefined;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}

function indexOfWidest(widths: readonly number[], needs: readonly ColumnNeed[]): number | undefined {
  let widest: number | undefined;
  widths.forEach((width, index) => {
    if (width <= (needs[index]?.least ?? 0)) return;
    if (widest === undefined || width > (widths[widest] ?? 0)) widest = index;
  });
  return widest;
}
