import { splitName } from '../split-name.ts';
import { getStatistics, type MetricSeries } from './series.ts';

/** The words of a name that says how many requests or jobs failed. */
const ERRORS = /^(?:errors?|failures?|failed|5xx)$/;

/** The first questions of people: is it busy, is it full, does it fail, is it slow? */
const FIRST: ReadonlyArray<(words: readonly string[]) => boolean> = [
  (words) => words.includes('cpu'),
  (words) => words.some((word) => /^(?:memory|mem|ram|rss)$/.test(word)),
  (words) => words.some((word) => ERRORS.test(word)),
  (words) => words.some((word) => /^(?:response|latency|duration)$/.test(word)),
];

/** Whether each value above 0 is bad news. */
export function areErrors(name: string): boolean {
  return splitName(name).some((word) => ERRORS.test(word));
}

/** Returns CPU, memory, errors and response time, then what varies most. */
export function orderByInterest(series: readonly MetricSeries[]): readonly MetricSeries[] {
  const ranked = series.map((one) => {
    const words = splitName(one.name);
    const question = FIRST.findIndex((asks) => asks(words));
    const rank = question === -1 ? FIRST.length : question;
    return { one, rank, variation: question === -1 ? getVariation(one.values) : 0 };
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
