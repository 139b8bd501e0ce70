import { formatTick, roundInstants } from './dates.ts';
import { INDENT, type Kit } from './kit.ts';
import type { TimeSpan } from './plot.ts';

/** Columns for an instant's name and the space beside it. */
const ROOM = 12;

const LINES = { corner: ' └', floor: '─', mark: '┬' };
const ASCII_LINES = { corner: ' +', floor: '-', mark: '+' };

/** The ground of charts, with round instants below it as far as there is room. */
export function drawTimeAxis({ start, end }: TimeSpan, labelWidth: number, columns: number, kit: Kit): string[] {
  const { corner, floor, mark } = kit.view.unicode ? LINES : ASCII_LINES;
  // A pipe shows every time in UTC.
  const timeZone = kit.view.tty ? kit.view.timeZone : 'UTC';
  const { instants, stepMs } = roundInstants(start, end, Math.floor(columns / ROOM), timeZone);
  const ground = Array.from({ length: columns }, () => floor);
  let names = '';
  // A time too short for a round instant is named after its start.
  for (const at of instants.length === 0 ? [start] : instants) {
    const column = Math.round(((at - start) / (end - start || 1)) * (columns - 1));
    const name = formatTick(at, stepMs, timeZone);
    const left = Math.min(columns - name.length, Math.max(0, Math.round(column - name.length / 2)));
    if (names !== '' && left <= names.length) continue;
    ground[column] = mark;
    names = names.padEnd(left) + name;
  }
  const edge = ' '.repeat(labelWidth);
  const lines = [`${edge}${corner}${ground.join('')}`, `${edge}  ${names}`];
  return lines.map((text) => INDENT + kit.paint([{ text, tone: 'dim' }]));
}
