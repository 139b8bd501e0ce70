import { isObject, type JsonObject, readNumber } from '../json/values.ts';

const BYTES = { base: 1024, gap: ' ', units: ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] };
const COUNTS = { base: 1000, gap: '', units: ['', 'k', 'M', 'G', 'T', 'P', 'E'] };

/**
 * Formats a value with at most four digits: `1.5 GiB`, `12.3%`, `340 ms`, `1,480`, `12.4k`. A unit
 * that svc does not know follows the number. `more` adds that many decimals.
 */
export function formatValue(value: number, unit = 'count', more = 0): string {
  if (!Number.isFinite(value)) return String(value);
  if (unit === 'bytes') return formatScaled(value, BYTES, more);
  if (unit === 'ms') return formatMs(value, more);
  if (/^s(?:econds)?$/.test(unit)) return formatMs(value * 1000, more);
  if (isPercent(unit)) return `${formatDigits(value, more)}%`;
  const count = formatScaled(value, COUNTS, more);
  return unit === 'count' ? count : `${count} ${unit}`.trimEnd();
}

const MAX_EXTRA_DECIMALS = 6;

/** Formats the labels of an axis with enough decimals to tell them apart. */
export function formatTicks(ticks: readonly number[], unit?: string): string[] {
  for (let more = 0; ; more += 1) {
    const labels = ticks.map((tick) => formatValue(tick, unit, more));
    if (more === MAX_EXTRA_DECIMALS || new Set(labels).size === labels.length) return labels;
  }
}

/** Formats all digits: `1,234,567`. */
export function formatCount(value: number | string): string {
  const [whole = '', ...rest] = String(value).split('.');
  if (/e/.test(whole)) return whole;
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...rest].join('.');
}

/** Formats an amount as the API wrote it: `5,400 XAF`. */
export function formatMoney(amount: unknown, currency: unknown): string {
  return `${formatCount(String(amount))} ${currency}`;
}

const AMOUNT = /(?:^|[a-z_])(?:amount|total|price|fee|tax|discount|balance|due)$/i;

/** Finds the names of the amounts in an object with a `currency`. */
export function findMoneyNames(object: JsonObject): readonly string[] {
  const { currency } = object;
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return [];
  return Object.keys(object).filter(
    (name) => AMOUNT.test(name) && Number.isFinite(readNumber(object[name])),
  );
}

/** Finds what an order costs, as the API wrote it: its total, or else its only amount. */
export function findAmount(order: JsonObject) {
  const amounts = Object.entries({ '': order, ...order }).flatMap(([path, object]) => {
    if (!isObject(object)) return [];
    const currency = String(object['currency']);
    return findMoneyNames(object).map((name) => ({
      isTotal: /(?<!sub)total/i.test(`${path} ${name}`),
      money: { amount: String(object[name]), currency },
    }));
  });
  const totals = amounts.filter(({ isTotal }) => isTotal);
  const [candidate, ...others] = totals.length === 0 ? amounts : totals;
  return others.length === 0 ? candidate?.money : undefined;
}

/** Finds what an order costs, for people. */
export function findMoney(order: JsonObject): string | undefined {
  const money = findAmount(order);
  return money && formatMoney(money.amount, money.currency);
}

/** Formats a count with its noun: `1 record`, `3 records`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  const noun = count === 1 ? one : many;
  return `${formatCount(count)} ${noun}`;
}

/** The share of the highest value up to which zero starts the scale, not the lowest value. */
const ZERO_SHARE = 0.6;

/** The least height of a scale, as a share of the value: less is noise, not movement. */
const LEAST_SHARE = 0.05;

/** Widens what is nearly the same, so that its axis has a floor. */
export function widenScale(min: number, max: number): readonly [low: number, high: number] {
  const least = LEAST_SHARE * Math.max(Math.abs(min), Math.abs(max));
  const missing = least - (max - min);
  return missing > 0 ? [min - missing / 2, max + missing / 2] : [min, max];
}

/** Whether values of a unit are shares of 100. */
export function isPercent(unit: string | undefined): boolean {
  return unit === '%' || unit === 'percent';
}

/** Returns the ticks of a scale: percentages go from 0 to the next of 10, 25, 50 and 100. */
export function scaleTicks(min: number, max: number, count: number, unit?: string): number[] {
  if (isPercent(unit) && min >= 0 && max <= 100) {
    const top = [10, 25, 50].find((end) => max <= end);
    return top === undefined ? [0, 25, 50, 75, 100] : [0, top / 2, top];
  }
  if (min >= 0 && min <= max * ZERO_SHARE) return niceTicks(0, max, count, unit);
  const [low, high] = widenScale(min, max);
  return niceTicks(low, high, count, unit);
}

/** Returns about `count` round ticks that cover both values. */
export function niceTicks(low: number, high: number, count: number, unit?: string): number[] {
  if (low === 0 && high === 0) return [0, 1];
  const span = high - low || Math.abs(high) || 1;
  const isWhole = unit === 'count' && Number.isInteger(low) && Number.isInteger(high);
  const step = niceStep(span / Math.max(1, count), unit, isWhole);
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  // Numbers near the limits of a double have no usable steps.
  const countable = last > first && last - first <= 3 * count && Number.isFinite(last * step);
  if (!countable) return low < high ? [low, high] : [low, low + 1];
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

const BYTE_STEPS = Array.from({ length: 11 }, (_, power) => 2 ** power);
const COUNT_STEPS = [1, 2, 2.5, 5, 10];

/** Returns the round step nearest to a rough one on a logarithmic scale. */
function niceStep(rough: number, unit: string | undefined, isWhole: boolean): number {
  if (isWhole && rough <= 1) return 1;
  const base = unit === 'bytes' ? 1024 : 10;
  const steps = unit === 'bytes' ? BYTE_STEPS : COUNT_STEPS;
  const scale = base ** Math.floor(Math.log(rough) / Math.log(base));
  const distance = (step: number) => Math.abs(Math.log((step * scale) / rough));
  const usable = isWhole && scale === 1 ? steps.filter(Number.isInteger) : steps;
  return scale * usable.reduce((best, step) => (distance(step) < distance(best) ? step : best));
}

/** Below this a count is written with all its digits, so that `1,480` stands above `54`. */
const SMALL_COUNT = 9_999.5;

function formatScaled(value: number, { base, gap, units }: typeof BYTES, more: number): string {
  const isSmall = Math.abs(value) < SMALL_COUNT;
  if (base === 1000 && isSmall) return formatCount(formatDigits(value, more));
  let scaled = value;
  let index = 0;
  // 999.5 and more round up to the next unit.
  while (Math.abs(scaled) >= base - 0.5 && index < units.length - 1) {
    scaled /= base;
    index += 1;
  }
  return `${formatDigits(scaled, more)}${gap}${units[index]}`.trimEnd();
}

const TIMES = [
  [1, 'ms'],
  [1_000, 's'],
  [60_000, 'min'],
  [3_600_000, 'h'],
] as const;

function formatMs(value: number, more: number): string {
  const [ms, unit] = TIMES.findLast(([least]) => Math.abs(value) >= least) ?? TIMES[0];
  return `${formatDigits(value / ms, more)} ${unit}`;
}

const DECIMALS = [
  [100, 0],
  [10, 1],
  [0.01, 2],
  [0, 4],
] as const;

/** Formats about three digits and `more` decimals, of tiny values the first two digits. */
function formatDigits(value: number, more: number): string {
  const size = Math.abs(value);
  if (size > 0 && size < 0.001) {
    const short = Number(value.toPrecision(2 + more));
    return Math.abs(short) < 0.0001 ? short.toExponential() : String(short);
  }
  const [, decimals] = DECIMALS.find(([least]) => size >= least) ?? DECIMALS[0];
  return String(Number(value.toFixed(decimals + more)));
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** The zone of an output; the system's where it is undefined. */
export type TimeZone = 'UTC' | undefined;

/** Formats an instant: `18 Feb 2027`, `14:03`, `+01:00`. */
export function formatLocal(at: number, timeZone?: TimeZone) {
  const { year, month, day, time } = readWallClock(at, timeZone);
  return { day: `${day} ${month} ${year}`, time, zone: formatOffset(getZoneOffset(at, timeZone)) };
}

function formatOffset(ms: number): string {
  if (ms === 0) return 'UTC';
  const size = new Date(Math.abs(ms) + MINUTE / 2).toISOString().slice(11, 16);
  return (ms < 0 ? '-' : '+') + size;
}

/** The units of a distance. From `limit` on the next one is used: 48 hours are 2 days. */
const UNITS = [
  ['second', SECOND, 60],
  ['minute', MINUTE, 60],
  ['hour', HOUR, 48],
  ['day', DAY, 100],
  ['month', 30.44 * DAY, 24],
  ['year', 365.25 * DAY, Number.POSITIVE_INFINITY],
] as const;

/** Formats the distance from now in one unit: `3 hours ago`, `in 2 days`, `now`. */
export function formatDistance(at: number, now: number): string {
  for (const [unit, unitMs, limit] of UNITS) {
    const exact = Math.abs(at - now) / unitMs;
    const count = Number(exact.toFixed(unit === 'year' ? 1 : 0));
    if (count === 0) break;
    const words = count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
    if (count < limit) return at < now ? `${words} ago` : `in ${words}`;
  }
  return 'now';
}

/** Formats a duration in at most two units: `45s`, `2m 5s`. */
export function formatDuration(ms: number): string {
  if (ms < SECOND) return `${Math.max(0, Math.round(ms))}ms`;
  const seconds = Math.round(ms / SECOND);
  const parts = [
    `${Math.floor(seconds / 86_400)}d`,
    `${Math.floor(seconds / 3_600) % 24}h`,
    `${Math.floor(seconds / 60) % 60}m`,
    `${seconds % 60}s`,
  ];
  const isZero = (part: string) => part.startsWith('0');
  const first = parts.findIndex((part) => !isZero(part));
  return parts
    .slice(first, first + 2)
    .filter((part) => !isZero(part))
    .join(' ');
}

/** Formats a label of a time axis: `14:05:30`, `14:05`; `18 Feb` at midnight. */
export function formatTick(at: number, stepMs: number, timeZone?: TimeZone): string {
  const { year, month, day, time, clock } = readWallClock(at, timeZone);
  if (stepMs >= YEAR) return String(year);
  if (stepMs >= DAY || clock === '00:00:00') return `${day} ${month}`;
  return stepMs < MINUTE ? clock : time;
}

/** The steps that people expect on a time axis, in ms. */
const STEPS = [
  [SECOND, 1, 5, 15, 30],
  [MINUTE, 1, 5, 15, 30],
  [HOUR, 1, 2, 3, 6, 12],
  [DAY, 1, 2, 7, 14, 30, 91, 365],
].flatMap(([unit = 0, ...counts]) => counts.map((count) => count * unit));

/** Returns about `most` instants that are round on the wall clock, and their step in ms. */
export function roundInstants(start: number, end: number, most: number, timeZone?: TimeZone) {
  const rough = (end - start) / Math.max(1, most);
  const stepMs = STEPS.find((step) => step >= rough) ?? Math.ceil(rough / YEAR) * YEAR;
  const offset = getZoneOffset(start, timeZone);
  const instants: number[] = [];
  const first = Math.ceil((start + offset) / stepMs) * stepMs;
  for (let local = first; local - offset <= end; local += stepMs) {
    // The offset changes where summer time begins or ends.
    const at = local - getZoneOffset(local - offset, timeZone);
    if (at >= start && at <= end) instants.push(at);
  }
  return { instants, stepMs };
}

function readWallClock(at: number, timeZone: TimeZone) {
  const shifted = new Date(at + getZoneOffset(at, timeZone));
  // The form is that of ECMAScript on every machine: `Thu, 18 Feb 2027 14:03:05 GMT`.
  const [, day, month, year, clock = ''] = shifted.toUTCString().split(' ');
  return {
    year: Number(year),
    month,
    day: Number(day),
    time: clock.slice(0, 5),
    clock,
  };
}

/** Returns how far the zone is ahead of UTC, in ms. */
function getZoneOffset(at: number, timeZone: TimeZone): number {
  return timeZone === 'UTC' ? 0 : -new Date(at).getTimezoneOffset() * MINUTE;
}
