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
  const { year, month, day, time, seconds } = readWallClock(at, timeZone);
  if (stepMs >= YEAR) return String(year);
  if (stepMs >= DAY || `${time}:${seconds}` === '00:00:00') return `${day} ${month}`;
  return stepMs < MINUTE ? `${time}:${seconds}` : time;
}

/** The steps that people expect on a time axis, in ms. */
const STEPS = [1, 5, 15, 30]
  .flatMap((count) => [count * SECOND, count * MINUTE])
  .concat([1, 2, 3, 6, 12].map((count) => count * HOUR))
  .concat([1, 2, 7, 14, 30, 91, 365].map((count) => count * DAY))
  .sort((one, other) => one - other);

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
    seconds: clock.slice(6),
  };
}

/** Returns how far the zone is ahead of UTC, in ms. */
function getZoneOffset(at: number, timeZone: TimeZone): number {
  return timeZone === 'UTC' ? 0 : -new Date(at).getTimezoneOffset() * MINUTE;
}
