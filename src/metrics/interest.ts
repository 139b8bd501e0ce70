import { splitName } from '../split-name.ts';
import { getStatistics, type MetricSeries } from './series.ts';

/** The words of a name that says how many requests or jobs failed. */
const ERRORS = /^(?:errors?|failures?|failed|5xx)$/;

/** The first questions of people: is it busy, is it full, does it fail, is it slow? */
const FIRST = [/^cpu$/, /^(?:memory|mem|ram|rss)$/, ERRORS, /^(?:response|latency|duration)$/];

/** Whether each value above 0 is bad news. */
export function areErrors(name: string): boolean {
  return splitName(name).some((word) => ERRORS.test(word));
}

/** Returns CPU, memory, errors and response time, then what varies most. */
export function orderByInterest(series: readonly MetricSeries[]): readonly MetricSeries[] {
  const ranked = series.map((one) => {
    const words = splitName(one.name);
    const question = FIRST.findIndex((names) => words.some((word) => names.test(word)));
    if (question >= 0) return { one, rank: question, variation: 0 };
    return { one, rank: FIRST.length, variation: getVariation(one.values) };
  });
  ranked.sort((a, b) => a.rank - b.rank || b.variation - a.variation);
  return ranked.map(({ one }) => one);
}

/** Returns the standard deviation in relation to the average. */
function getVariation(values: Float64Array): number {
  const measured = values.filter((value) => !Number.isNaN(value));
  const average = getStatistics(values)?.avg ?? 0;
  const sum = measured.reduce((square, value) => square + (value - average) ** 2, 0);
  return Math.sqrt(sum / (measured.length || 1)) / Math.abs(average || 1);
}
