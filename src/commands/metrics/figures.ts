import { toIso } from '../../kit/values/time.ts';
import { slotsOf } from '../../metrics/downsample.ts';
import type { MetricSeries } from '../../metrics/points.ts';
import { usualSpacing } from '../../metrics/spacing.ts';
import { statisticsOf } from '../../metrics/statistics.ts';
import type { RecordOf } from '../../spec/fields/field.ts';
import type { METRICS_FIGURES } from '../../spec/fields/metrics.ts';
import type { Usage } from './usage.ts';

/** Values of a series that a model can afford to read. */
const MAX_PARTS = 60;

/** The answer of the tool: figures of each series that has a value. */
export function figuresOf(usage: Usage, withValues: boolean): RecordOf<typeof METRICS_FIGURES> {
  const { service, range, points, series } = usage;
  const [times = new Float64Array()] = series.map((one) => one.times);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const span = withValues && times.length > 0 ? { start: first, end: last } : undefined;
  const parts = span && series[0] ? slotsOf(series[0], MAX_PARTS, span).length : 1;
  return {
    service,
    start: range.start,
    end: range.end,
    points,
    ...(span && {
      firstPart: toIso(first),
      partSeconds: Math.round((last - first + usualSpacing(times)) / parts / 1000),
    }),
    series: series.flatMap((one) => {
      const figures = figuresOfSeries(one);
      if (figures === undefined) return [];
      return [span ? { ...figures, values: slotsOf(one, MAX_PARTS, span).map(short) } : figures];
    }),
  };
}

function figuresOfSeries({ name, unit, times, values }: MetricSeries) {
  const statistics = statisticsOf(values);
  if (statistics === undefined) return undefined;
  const { last, min, avg, p95, max } = statistics;
  const at = times[values.findLastIndex((value) => !Number.isNaN(value))] ?? 0;
  return { name, unit, lastAt: toIso(at), last, min, avg: short(avg) ?? avg, p95, max };
}

/** A mean has no more digits than anybody reads. */
function short(value: number | undefined): number | null {
  return value === undefined ? null : Number(value.toPrecision(4));
}
