const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** An instant on the wall clock of a zone, the machine's own unless named: `18 Feb 2027, 14:03 +01:00`. */
export function formatLocal(at: number, timeZone?: string): string {
  const { year, month, day, time } = clockFace(at, timeZone);
  return `${day} ${month} ${year}, ${time} ${formatOffset(zoneOffset(at, timeZone))}`;
}

/** How far a zone is ahead of UTC, as ISO 8601 writes it. */
function formatOffset(ms: number): string {
  if (ms === 0) return 'UTC';
  const minutes = Math.round(Math.abs(ms) / MINUTE);
  return `${ms < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

/** How far an instant is from now, in the largest unit: `3 hours ago`, `in 2 days`, `now`. */
export function formatDistance(at: number, now: number): string {
  const ms = Math.abs(at - now);
  const [count, unit] = largestUnit(ms);
  if (count === 0) return 'now';
  const words = `${count} ${unit}${count === 1 ? '' : 's'}`;
  return at < now ? `${words} ago` : `in ${words}`;
}

/** A length of time in at most two units: `45s`, `2m 5s`, `3h 20m`, `4d 2h`. */
export function formatDuration(ms: number): string {
  if (ms < SECOND) return `${Math.max(0, Math.round(ms))}ms`;
  const seconds = Math.round(ms / SECOND);
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(([count], index) => index === 0 || count > 0)
    .map(([count, unit]) => `${count}${unit}`)
    .join(' ');
}

/** The name of an instant on an axis whose instants are `stepMs` apart: `14:05:30`, `14:05`; `18 Feb` at midnight. */
export function formatTick(at: number, stepMs: number, timeZone?: string): string {
  const { year, month, day, time, seconds } = clockFace(at, timeZone);
  if (stepMs >= YEAR) return String(year);
  if (stepMs >= DAY || `${time}:${seconds}` === '00:00:00') return `${day} ${month}`;
  return stepMs < MINUTE ? `${time}:${seconds}` : time;
}

/** Steps between instants that people expect on an axis. */
const STEPS = [1, 5, 15, 30]
  .flatMap((count) => [count * SECOND, count * MINUTE])
  .concat([1, 2, 3, 6, 12].map((count) => count * HOUR))
  .concat([1, 2, 7, 14, 30, 91, 365].map((count) => count * DAY))
  .sort((one, other) => one - other);

/** About `most` instants from `start` to `end` that are round on the wall clock, and the step between them in ms. */
export function roundInstants(start: number, end: number, most: number, timeZone?: string) {
  const rough = (end - start) / Math.max(1, most);
  const stepMs = STEPS.find((step) => step >= rough) ?? Math.ceil(rough / YEAR) * YEAR;
  const offset = zoneOffset(start, timeZone);
  const instants: number[] = [];
  const first = Math.ceil((start + offset) / stepMs) * stepMs;
  for (let local = first; local - offset <= end; local += stepMs) {
    // Summer time may begin or end on the way.
    const at = local - zoneOffset(local - offset, timeZone);
    if (at >= start && at <= end) instants.push(at);
  }
  return { instants, stepMs };
}

/** Units with what is still counted in them: below 48 hours are hours, below 100 days are days. */
const UNITS: readonly (readonly [unit: string, ms: number, below: number])[] = [
  ['second', SECOND, 60],
  ['minute', MINUTE, 60],
  ['hour', HOUR, 48],
  ['day', DAY, 100],
  ['month', 30.44 * DAY, 24],
  ['year', 365.25 * DAY, Number.POSITIVE_INFINITY],
];

function largestUnit(ms: number): readonly [count: number, unit: string] {
  for (const [unit, length, below] of UNITS) {
    const count = Math.round(ms / length);
    if (count < below) return [count, unit];
  }
  return [0, 'second'];
}

interface ClockFace {
  readonly year: number;
  readonly month: string;
  readonly day: number;
  /** Hours and minutes. */
  readonly time: string;
  readonly seconds: string;
}

/** What a wall clock shows. */
function clockFace(at: number, timeZone: string | undefined): ClockFace {
  const shifted = new Date(at + zoneOffset(at, timeZone));
  return {
    year: shifted.getUTCFullYear(),
    month: MONTHS[shifted.getUTCMonth()] ?? '',
    day: shifted.getUTCDate(),
    time: `${pad(shifted.getUTCHours())}:${pad(shifted.getUTCMinutes())}`,
    seconds: pad(shifted.getUTCSeconds()),
  };
}

/** How far a zone is ahead of UTC at an instant, in ms. The machine's own is asked without `Intl`, which starts slowly. */
function zoneOffset(at: number, timeZone: string | undefined): number {
  if (timeZone === undefined) return -new Date(at).getTimezoneOffset() * MINUTE;
  if (timeZone === 'UTC') return Number.isNaN(new Date(at).getTime()) ? Number.NaN : 0;
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const shown = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / SECOND) * SECOND;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
