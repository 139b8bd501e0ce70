import { expect, test } from 'vitest';
import {
  formatDistance,
  formatDuration,
  formatLocal,
  formatTick,
  roundInstants,
} from '../../src/terminal/dates.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  [-1_000, '1 second ago'],
  [59_600, 'in 1 minute'],
  [47 * HOUR, 'in 47 hours'],
  [48 * HOUR, 'in 2 days'],
  [-1_014 * DAY, '2.8 years ago'],
])('%d ms away is "%s"', (distance, words) => {
  expect(formatDistance(distance, 0)).toBe(words);
});

test.each([
  [
    undefined,
    '2027-02-18T14:03:00Z',
    expect.stringMatching(/^\d\d? Feb 2027, \d\d:\d\d (UTC|[+-]\d\d:\d\d)$/),
  ],
  ['UTC', '2027-02-18T14:03:00Z', '18 Feb 2027, 14:03 UTC'],
  ['America/St_Johns', '2027-02-18T14:03:00Z', '18 Feb 2027, 10:33 -03:30'],
  ['Europe/Paris', '2026-10-25T00:30:00Z', '25 Oct 2026, 02:30 +02:00'],
  ['Europe/Paris', '2026-10-25T01:30:00Z', '25 Oct 2026, 02:30 +01:00'],
])('in %s the instant %s is %s', (timeZone, instant, words) => {
  const { day, time, zone } = formatLocal(Date.parse(instant), timeZone);
  expect(`${day}, ${time} ${zone}`).toEqual(words);
});

test.each([
  [125_000, '2m 5s'],
  [HOUR + 20 * MINUTE + 10_000, '1h 20m'],
  [HOUR + 59_000, '1h'],
])('%d ms last %s', (ms, words) => {
  expect(formatDuration(ms)).toBe(words);
});

test.each([
  ['2026-11-21T14:03:07Z', 20_000, 'UTC', ['14:03:10', '14:03:15', '14:03:20', '14:03:25']],
  ['2026-11-21T14:03:07Z', DAY, 'Asia/Kolkata', ['22 Nov', '06:00', '12:00', '18:00']],
  ['2026-10-24T18:00:00Z', DAY, 'Europe/Berlin', ['25 Oct', '06:00', '12:00', '18:00']],
  ['2026-11-21T14:03:07.5Z', 200, 'UTC', []],
])('from %s on, the ticks of %d ms in %s are round', (start, span, timeZone, labels) => {
  const { instants, stepMs } = roundInstants(
    Date.parse(start),
    Date.parse(start) + span,
    5,
    timeZone,
  );
  expect(instants.map((at) => formatTick(at, stepMs, timeZone))).toEqual(labels);
});
