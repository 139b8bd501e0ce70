import { expect, test } from 'vitest';
import { formatDistance, formatDuration, formatLocal, formatTick, roundInstants } from '../../src/terminal/dates.ts';

const NOW = Date.parse('2026-11-21T14:03:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  [0, 'now'],
  [400, 'now'],
  [-1_000, '1 second ago'],
  [59_400, 'in 59 seconds'],
  [59_600, 'in 1 minute'],
  [-90 * MINUTE, '2 hours ago'],
  [47 * HOUR, 'in 47 hours'],
  [48 * HOUR, 'in 2 days'],
  [90 * DAY - 1_000, 'in 90 days'],
  [-120 * DAY, '4 months ago'],
  [800 * DAY, 'in 2.2 years'],
  [-1_014 * DAY, '2.8 years ago'],
])('%d ms away is "%s"', (distance, words) => {
  expect(formatDistance(NOW + distance, NOW)).toBe(words);
});

test.each([
  ['UTC', '18 Feb 2027, 14:03 UTC'],
  ['Asia/Kathmandu', '18 Feb 2027, 19:48 +05:45'],
  ['America/St_Johns', '18 Feb 2027, 10:33 -03:30'],
  ['Pacific/Kiritimati', '19 Feb 2027, 04:03 +14:00'],
])('an instant in %s is %s', (zone, words) => {
  expect(localText(Date.parse('2027-02-18T14:03:00Z'), zone)).toBe(words);
});

test('the hour is right before and after a clock change', () => {
  const before = Date.parse('2026-10-25T00:30:00Z');
  const shown = [before, before + HOUR].map((at) => localText(at, 'Europe/Paris'));
  expect(shown).toEqual(['25 Oct 2026, 02:30 +02:00', '25 Oct 2026, 02:30 +01:00']);
  expect(localText(before + 2 * HOUR, 'Europe/Paris')).toBe('25 Oct 2026, 03:30 +01:00');
});

test('the default is the time zone of the system', () => {
  const at = new Date(2026, 6, 4, 9, 5).getTime();
  expect(localText(at)).toMatch(/^4 Jul 2026, 09:05 (UTC|[+-]\d\d:\d\d)$/);
});

test.each([
  [0, '0ms'],
  [125_000, '2m 5s'],
  [2 * MINUTE, '2m'],
  [HOUR + 20 * MINUTE + 10_000, '1h 20m'],
  [4 * DAY + 2 * HOUR, '4d 2h'],
  [HOUR + 59_000, '1h'],
])('%d ms last %s', (ms, words) => {
  expect(formatDuration(ms)).toBe(words);
});

function localText(at: number, timeZone?: string): string {
  const { day, time, zone } = formatLocal(at, timeZone);
  return `${day}, ${time} ${zone}`;
}

function ticks(start: string, span: number, timeZone: string): string[] {
  const { instants, stepMs } = roundInstants(Date.parse(start), Date.parse(start) + span, 5, timeZone);
  return instants.map((at) => formatTick(at, stepMs, timeZone));
}

test('ticks of a time axis are round, with labels as exact as needed', () => {
  const start = '2026-11-21T14:03:07Z';
  expect(ticks(start, 20_000, 'UTC')).toEqual(['14:03:10', '14:03:15', '14:03:20', '14:03:25']);
  expect(ticks(start, HOUR, 'UTC')).toEqual(['14:15', '14:30', '14:45', '15:00']);
  expect(ticks(start, DAY, 'UTC')).toEqual(['18:00', '22 Nov', '06:00', '12:00']);
  expect(ticks(start, DAY, 'Asia/Kolkata')).toEqual(['22 Nov', '06:00', '12:00', '18:00']);
  expect(ticks(start, 4 * DAY, 'UTC')).toEqual(['22 Nov', '23 Nov', '24 Nov', '25 Nov']);
  expect(ticks(start, 3_000 * DAY, 'UTC')).toHaveLength(4);
  expect(ticks(start, 0, 'UTC')).toEqual(['14:03:07']);
  expect(ticks('2026-11-21T14:03:07.5Z', 200, 'UTC')).toEqual([]);
});

test('ticks stay round when summer time ends', () => {
  expect(ticks('2026-10-24T18:00:00Z', DAY, 'Europe/Berlin')).toEqual(['25 Oct', '06:00', '12:00', '18:00']);
});
