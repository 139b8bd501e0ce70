/**
 * A measured value in at most four digits and its unit: `1.5 GiB`, `12.3%`, `340 ms`, `12.4k`. Units are `bytes`,
 * `percent`, `ms`, `s` and `count`; any other is put behind the number as it came. `more` adds that many decimals.
 */
export function formatValue(value: number, unit?: string, more = 0): string {
  if (!Number.isFinite(value)) return String(value);
  switch (unit) {
    case 'bytes':
      return scaled(value, 1024, BYTE_UNITS, ' ', more);
    case 'percent':
    case '%':
      return `${digits(value, more)}%`;
    case 'ms':
      return formatMs(value, more);
    case 's':
    case 'seconds':
      return formatMs(value * 1000, more);
    case undefined:
    case '':
    case 'count':
      return scaled(value, 1000, COUNT_UNITS, '', more);
    default:
      return `${scaled(value, 1000, COUNT_UNITS, '', more)} ${unit}`;
  }
}

/** Decimals beyond the usual ones that the labels of an axis may take. */
const MOST_DECIMALS = 6;

/** The labels of an axis, with as many decimals as tell them apart. */
export function formatTicks(ticks: readonly number[], unit?: string): string[] {
  for (let more = 0; more < MOST_DECIMALS; more += 1) {
    const labels = ticks.map((tick) => formatValue(tick, unit, more));
    if (new Set(labels).size === labels.length) return labels;
  }
  return ticks.map((tick) => formatValue(tick, unit, MOST_DECIMALS));
}

/** A number with all its digits, in groups of three: `1,234,567`. */
export function formatCount(value: number): string {
  const [whole = '', ...rest] = String(value).split('.');
  if (/e/.test(whole)) return whole;
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...rest].join('.');
}

/** A count and what is counted: `1 record`, `3 records`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Steps of an axis that are pleasant to read, from at or below `low` to at or above `high`, about `count` of them. */
export function niceTicks(low: number, high: number, count: number, unit?: string): number[] {
  const span = high - low || Math.abs(high) || 1;
  const step = niceStep(span / Math.max(1, count), unit);
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  // At the ends of what a number can hold there are no steps to count.
  const countable = last > first && last - first <= 3 * count && Number.isFinite(last * step);
  if (!countable) return low < high ? [low, high] : [low, low + 1];
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
const COUNT_UNITS = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

const BYTE_STEPS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
const COUNT_STEPS = [1, 2, 2.5, 5, 10];

/** The pleasant step that is nearest to a rough one, in proportion. */
function niceStep(rough: number, unit: string | undefined): number {
  const [base, steps] = unit === 'bytes' ? [1024, BYTE_STEPS] : [10, COUNT_STEPS];
  const scale = base ** Math.floor(Math.log(rough) / Math.log(base));
  const distance = (step: number) => Math.abs(Math.log((step * scale) / rough));
  return scale * steps.reduce((best, step) => (distance(step) < distance(best) ? step : best));
}

function scaled(value: number, base: number, units: readonly string[], gap: string, more: number): string {
  let size = Math.abs(value);
  let index = 0;
  // 999.5 and more would be rounded to the next unit.
  while (size >= base - 0.5 && index < units.length - 1) {
    size /= base;
    index += 1;
  }
  return `${value < 0 ? '-' : ''}${digits(size, more)}${gap}${units[index] ?? ''}`.trimEnd();
}

function formatMs(value: number, more: number): string {
  const size = Math.abs(value);
  const sign = value < 0 ? '-' : '';
  if (size < 1_000) return `${sign}${digits(size, more)} ms`;
  if (size < 60_000) return `${sign}${digits(size / 1_000, more)} s`;
  return size < 3_600_000 ? `${sign}${digits(size / 60_000, more)} min` : `${sign}${digits(size / 3_600_000, more)} h`;
}

/** Three digits or so and `more` decimals, without zeros at the end; of the smallest values the first digits. */
function digits(value: number, more: number): string {
  const size = Math.abs(value);
  if (size > 0 && size < 0.001) return shortest(Number(value.toPrecision(2 + more)));
  const decimals = size >= 100 || size === 0 ? 0 : size >= 10 ? 1 : size >= 0.01 ? 2 : 4;
  return String(Number(value.toFixed(decimals + more)));
}

function shortest(value: number): string {
  return Math.abs(value) < 0.0001 ? value.toExponential() : String(value);
}
