import widthOf from 'fast-string-width';
import type { FieldRow, Tone } from '../screen.ts';
import { INDENT, type Kit, maxWidth, paintText, textColumns, wrap } from './text.ts';

/** Wider labels do not move the values of their own block or of other blocks to the right. */
const MAX_LABEL = 28;
const MAX_SHARED_LABEL = 20;
const GAP = 2;
/** With fewer columns beside its label a value goes below it. */
const MIN_VALUE = 16;

/** Draws labels and values; the values start at column `shared` or further right. */
export function drawFields(rows: readonly FieldRow[], kit: Kit, shared = 0, tone: Tone = 'dim'): string[] {
  const { view } = kit;
  const column = Math.max(shared, sharedColumn(rows, kit, MAX_LABEL));
  const room = textColumns(view) - INDENT.length - column;
  return rows.flatMap(([name, text]) => {
    const [label, value] = [paintText({ text: name, tone }, kit), paintText(text, kit)];
    if (view.accessible) return `${label}: ${value}`;
    const isBeside = widthOf(label) < column && room >= MIN_VALUE && !fitsBelowOnly(value, room, view.columns);
    if (view.tty && !isBeside) {
      const below = wrap(value, view.columns - 2 * INDENT.length);
      return [INDENT + label, ...below.map((line) => INDENT + INDENT + line)];
    }
    const head = label + ' '.repeat(Math.max(GAP, column - widthOf(label)));
    return wrap(value, room).map((line, index) =>
      `${INDENT}${index === 0 ? head : ' '.repeat(column)}${line}`.trimEnd(),
    );
  });
}

/** Whether the widest word fits below the label but not beside it. */
function fitsBelowOnly(value: string, room: number, columns: number): boolean {
  const widest = maxWidth(value.split(' '));
  return widest > room && widest <= columns - 2 * INDENT.length;
}

/** Returns the column at which the values of all blocks of a screen line up. */
export function sharedColumn(rows: readonly FieldRow[], kit: Kit, max = MAX_SHARED_LABEL): number {
  const widths = rows.map(([label]) => widthOf(paintText(label, kit))).filter((width) => width <= max);
  return Math.max(0, ...widths) + GAP;
}
