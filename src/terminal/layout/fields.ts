import { textColumns } from '../capabilities.ts';
import { INDENT, type Kit } from '../paint.ts';
import type { FieldRow, Tone } from '../screen.ts';
import { type Line, lineWidth, safePieces, widestWord, wrap } from './flow.ts';

/** Wider labels do not move the values of their own block or of other blocks to the right. */
const MAX_LABEL = 28;
const MAX_SHARED_LABEL = 20;
const GAP = 2;
/** With fewer columns beside its label a value goes below it. */
const MIN_VALUE = 16;

/** Draws labels and values; the values start at column `shared` or further right. */
export function drawFields(rows: readonly FieldRow[], kit: Kit, shared = 0, tone: Tone = 'dim'): string[] {
  const { view, paint } = kit;
  const column = Math.max(shared, labelColumn(rows, kit, MAX_LABEL));
  const fields = rows.map(([label, value]) => ({ label: labelOf(label, kit, tone), value: safePieces(value, view) }));
  if (view.accessible)
    return fields.map(({ label, value }) => paint([...label, { text: ': ', tone: 'plain' }, ...value]));
  const room = textColumns(view) - INDENT.length - column;
  return fields.flatMap(({ label, value }) => {
    const beside =
      !view.tty || (lineWidth(label) < column && room >= MIN_VALUE && !needsBelow(value, room, view.columns));
    return beside ? drawBeside(label, value, column, room, kit) : drawBelow(label, value, kit);
  });
}

/** Returns true if the widest word fits below the label but not beside it. */
function needsBelow(value: Line, room: number, columns: number): boolean {
  const widest = widestWord(value);
  return widest > room && widest <= columns - 2 * INDENT.length;
}

/** Returns the column at which the values of all blocks of a screen line up. */
export function sharedColumn(rows: readonly FieldRow[], kit: Kit, max = MAX_SHARED_LABEL): number {
  return labelColumn(rows, kit, max);
}

function labelColumn(rows: readonly FieldRow[], kit: Kit, max: number): number {
  const widths = rows.map(([label]) => lineWidth(labelOf(label, kit))).filter((width) => width <= max);
  return widths.reduce((widest, width) => Math.max(widest, width), 0) + GAP;
}

function drawBeside(label: Line, value: Line, column: number, room: number, { paint }: Kit): string[] {
  return wrap(value, room).map((line, index) => {
    const head = index === 0 ? paint(label) + ' '.repeat(Math.max(GAP, column - lineWidth(label))) : ' '.repeat(column);
    return `${INDENT}${head}${paint(line)}`.trimEnd();
  });
}

function drawBelow(label: Line, value: Line, { view, paint }: Kit): string[] {
  const lines = wrap(value, textColumns(view) - 2 * INDENT.length);
  return [INDENT + paint(label), ...lines.map((line) => INDENT + INDENT + paint(line))];
}

function labelOf(label: string, { view }: Kit, tone: Tone = 'dim'): Line {
  return safePieces({ text: label, tone }, view);
}
