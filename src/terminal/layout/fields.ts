import { INDENT, type Kit } from '../paint.ts';
import type { Field } from '../screen.ts';
import { type Line, lineWidth, safePieces, widestWord, wrap } from './flow.ts';

/** Labels wider than this do not push the values beside them to the right, and those of other blocks sooner. */
const WIDEST_LABEL = 28;
const WIDEST_SHARED = 20;
const GAP = 2;
/** Columns that a value needs beside its label; with fewer it stands below. */
const NARROWEST_VALUE = 16;

/** Labels and values, one below the other, the values at `shared` columns from the labels or further. */
export function drawFields(rows: readonly Field[], kit: Kit, shared = 0): string[] {
  const { view, paint } = kit;
  const column = Math.max(shared, labelColumn(rows, kit, WIDEST_LABEL));
  const fields = rows.map(([label, value]) => ({ label: labelOf(label, kit), value: safePieces(value, view) }));
  if (view.accessible)
    return fields.map(({ label, value }) => paint([...label, { text: ': ', tone: 'plain' }, ...value]));
  const room = view.columns - INDENT.length - column;
  return fields.flatMap(({ label, value }) => {
    const isWhole = !view.tty || !needsBelow(value, room, view.columns);
    const beside = lineWidth(label) < column && room >= NARROWEST_VALUE && isWhole;
    return beside ? drawBeside(label, value, column, room, kit) : drawBelow(label, value, kit);
  });
}

/** Whether a word that has to stay whole would fit below the label, and not beside it. A pipe has no edge. */
function needsBelow(value: Line, room: number, columns: number): boolean {
  const widest = widestWord(value);
  return widest > room && widest <= columns - 2 * INDENT.length;
}

/** Columns for the labels of all blocks of a screen, so that their values stand below each other. */
export function sharedColumn(rows: readonly Field[], kit: Kit): number {
  return labelColumn(rows, kit, WIDEST_SHARED);
}

function labelColumn(rows: readonly Field[], kit: Kit, widest: number): number {
  const widths = rows.map(([label]) => lineWidth(labelOf(label, kit))).filter((width) => width <= widest);
  return widths.reduce((most, width) => Math.max(most, width), 0) + GAP;
}

function drawBeside(label: Line, value: Line, column: number, room: number, { paint }: Kit): string[] {
  return wrap(value, room).map((line, index) => {
    const head = index === 0 ? paint(label) + ' '.repeat(column - lineWidth(label)) : ' '.repeat(column);
    return `${INDENT}${head}${paint(line)}`.trimEnd();
  });
}

function drawBelow(label: Line, value: Line, { view, paint }: Kit): string[] {
  const lines = wrap(value, view.columns - 2 * INDENT.length);
  return [INDENT + paint(label), ...lines.map((line) => INDENT + INDENT + paint(line))];
}

function labelOf(label: string, { view }: Kit): Line {
  return safePieces({ text: label, tone: 'dim' }, view);
}
