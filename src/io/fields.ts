import { type Line, lineWidth, safePieces, wrap } from './flow.ts';
import { INDENT, type Kit } from './kit.ts';
import type { Field } from './screen.ts';

/** Labels wider than this do not push the other values to the right. */
const WIDEST_LABEL = 28;
const GAP = 2;
/** Columns that a value needs beside its label; with fewer it stands below. */
const NARROWEST_VALUE = 16;

/** Labels and values, one below the other. */
export function drawFields(rows: readonly Field[], kit: Kit): string[] {
  const { view, paint } = kit;
  const fields = rows.map(([label, value]) => ({
    label: safePieces(dimmed(label), view),
    value: safePieces(value, view),
  }));
  if (view.accessible)
    return fields.map(({ label, value }) => paint([...label, { text: ': ', tone: 'plain' }, ...value]));
  const labels = fields.map(({ label }) => lineWidth(label)).filter((width) => width <= WIDEST_LABEL);
  const column = Math.max(0, ...labels) + GAP;
  const room = view.columns - INDENT.length - column;
  return fields.flatMap(({ label, value }) => {
    const beside = lineWidth(label) < column && room >= NARROWEST_VALUE;
    return beside ? drawBeside(label, value, column, room, kit) : drawBelow(label, value, kit);
  });
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

function dimmed(label: string) {
  return { text: label, tone: 'dim' } as const;
}
