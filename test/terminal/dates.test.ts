import { expect, test } from 'vitest';
import {
  formatDistance,
  formatDuration,
  formatLocal,
  formatTick,
  roundInstants,
} from '../../src/terminal/format.ts';
import { inZone } from './view.ts';

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
  ['UTC', '2027-02-18T14:03:00Z', '18 Feb 2027, 14:03 UTC'],
  ['America/St_Johns', '2027-02-18T14:03:00Z', '18 Feb 2027, 10:33 -03:30'],
  ['Europe/Paris', '2026-10-25T00:30:00Z', '25 Oct 2026, 02:30 +02:00'],
  ['Europe/Paris', '2026-10-25T01:30:00Z', '25 Oct 2026, 02:30 +01:00'],
])('in %s the instant %s is %s', async (place, instant, words) => {
  const { day, time, zone } = await inZone(place, async () => formatLocal(Date.parse(instant)));

  expect(`${day}, ${time} ${zone}`).toEqual(words);
});

test('an output in UTC has no other zone', async () => {
  const at = Date.parse('2026-10-25T00:30:00Z');

  expect(await inZone('Europe/Paris', async () => formatLocal(at, 'UTC'))).toEqual({
    day: '25 Oct 2026',
    time: '00:30',
    zone: 'UTC',
  });
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
])('from %s on, the ticks of %d ms in %s are round', async (start, span, place, labels) => {
  const first = Date.parse(start);
  const ticks = await inZone(place, async () => {
    const { instants, stepMs } = roundInstants(first, first + span, 5);
    return instants.map((at) => formatTick(at, stepMs));
  });

  expect(ticks).toEqual(labels);
});
