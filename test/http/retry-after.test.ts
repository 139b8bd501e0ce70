import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRetryAfter } from '../../src/service/retry.ts';
import { anyCharacter, tries } from '../support/property.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const SERVER_NOW = 'Sun, 01 Mar 2026 12:00:00 GMT';
const SOON = 'Sun, 01 Mar 2026 12:00:30 GMT';
const HOUR = 3_600_000;

// biome-ignore format: a table
test.each([
  ['0', 0], ['1', 1_000], ['120', 120_000], ['007', 7_000], ['999999999', 999_999_999_000],
  [SOON, 30_000], ['Sun, 01 Mar 2026 11:59:59 GMT', 0], ['Mon, 02 Mar 2026 12:00:00 GMT', 86_400_000],
])('%s asks for %i ms', (text, expected) => {
  expect(parseRetryAfter({ 'retry-after': text, date: SERVER_NOW }, NOW)).toBe(expected);
});

// biome-ignore format: a table
const NO_FORM = [
  '', ' ', '-1', '+1', '1.5', '1e3', '0x10', '1 ', ' 1', '1s', '1, 2', '1000000000', '٣', 'soon', 'Infinity', 'NaN',
  '2026-03-01T12:00:30Z', 'Sunday, 01-Mar-26 12:00:30 GMT', 'Sun Mar  1 12:00:30 2026', 'Mon, 01 Mar 2026 12:00:30 GMT',
  'Sun, 1 Mar 2026 12:00:30 GMT', 'Sun, 01 Mar 2026 12:00:30 UTC', 'Sun, 01 Mar 2026 12:00:30 +0000',
  'Sun, 01 mar 2026 12:00:30 GMT', 'Sun, 31 Feb 2026 12:00:30 GMT', 'Sun, 01 Mar 2026 24:00:00 GMT',
  'Sun, 01 Mar 2026 12:00:60 GMT',
];

test('any other form counts as absent', () => {
  expect(
    NO_FORM.filter((text) => parseRetryAfter({ 'retry-after': text, date: SERVER_NOW }, NOW) !== undefined),
  ).toEqual([]);
});

test.each([
  ['the date of the answer', { date: SERVER_NOW }, [30_000, 30_000, 30_000]],
  ['the local clock without one', {}, [HOUR + 30_000, 30_000, 0]],
  ['the local clock without a usable one', { date: 'today' }, [HOUR + 30_000, 30_000, 0]],
])('a date counts from %s', (_what, headers, waits) => {
  const skewed = [-HOUR, 0, HOUR].map((ms) => parseRetryAfter({ 'retry-after': SOON, ...headers }, NOW + ms));
  expect(skewed).toEqual(waits);
});

test('no text makes the reader fail or return a negative wait', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.string(), (text, date) => {
      const ms = parseRetryAfter({ 'retry-after': text, date }, NOW);
      expect(ms === undefined || ms >= 0).toBe(true);
    }),
    tries(2_000, 412),
  );
});
