import { toIso } from '../../command/parse/instant.ts';
import { safeLine } from '../../io/safe-text.ts';
import type { Series } from '../../metrics/points.ts';

/** Rows in one piece of text. */
const ROWS = 5_000;

/** Series as comma-separated values (RFC 4180, lines ended by \n): a column of times, then one for each series; a gap is empty. */
export function* toCsv(series: readonly Series[]): Iterable<string> {
  yield `${['time', ...series.map(({ name }) => cell(name))].join(',')}\n`;
  const times = series[0]?.times ?? new Float64Array();
  for (let start = 0; start < times.length; start += ROWS) {
    const rows = Array.from(times.subarray(start, start + ROWS), (time, offset) => row(series, time, start + offset));
    yield rows.join('');
  }
}

function row(series: readonly Series[], time: number, index: number): string {
  let text = toIso(time);
  for (const { values } of series) {
    const value = values[index] ?? Number.NaN;
    text += Number.isNaN(value) ? ',' : `,${value}`;
  }
  return `${text}\n`;
}

/** A name as one cell; a spreadsheet would run one that begins like a formula, so it gets an apostrophe. */
function cell(name: string): string {
  const text = safeLine(name).replace(/^[=+\-@]/, "'$&");
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
