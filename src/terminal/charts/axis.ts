import { formatTick, roundInstants } from '../dates.ts';
import { INDENT, type Kit } from '../layout/text.ts';
import type { TimeSpan } from './plot.ts';
import { glyphsOf } from './raster.ts';

const TIME_LABEL_COLUMNS = 12;

interface Axis {
  readonly labelWidth: number;
  readonly columns: number;
  readonly time: TimeSpan;
}

/** Draws the line below the charts, with as many labels of round times as fit. */
export function drawTimeAxis({ time: { start, end }, labelWidth, columns }: Axis, { view, paint }: Kit): string[] {
  const { corner, floor, mark } = glyphsOf(view);
  // Off a terminal all times are UTC.
  const timeZone = view.tty ? view.timeZone : 'UTC';
  const { instants, stepMs } = roundInstants(start, end, Math.floor(columns / TIME_LABEL_COLUMNS), timeZone);
  const line = Array.from({ length: columns }, () => floor);
  const columnOf = (at: number) => Math.round(((at - start) / (end - start || 1)) * (columns - 1));
  let labels = '';
  // A span too short for a round time is labelled with its start.
  for (const at of instants.length === 0 ? [start] : instants) {
    const column = columnOf(at);
    const label = formatTick(at, stepMs, timeZone);
    const left = Math.min(columns - label.length, Math.max(0, Math.round(column - label.length / 2)));
    if (labels !== '' && left <= labels.length) continue;
    line[column] = mark;
    labels = labels.padEnd(left) + label;
  }
  const edge = ' '.repeat(labelWidth);
  return [`${edge}${corner}${line.join('')}`, `${edge}  ${labels}`].map((text) => INDENT + paint(text, 'dim'));
}
