import { toIso } from '../../command/parse/instant.ts';
import type { CsvTable } from '../../io/csv.ts';
import type { Series } from '../../metrics/points.ts';

/** Series as a table: a column of times, then one for each series; a gap is empty. */
export function usageTable(series: readonly Series[]): CsvTable {
  return { head: ['time', ...series.map(({ name }) => name)], rows: rowsOf(series) };
}

/** Made one by one: a million points are too much to hold as text. */
function* rowsOf(series: readonly Series[]): Iterable<readonly unknown[]> {
  const times = series[0]?.times ?? new Float64Array();
  for (const [index, time] of times.entries()) yield [toIso(time), ...series.map(({ values }) => values[index])];
}
