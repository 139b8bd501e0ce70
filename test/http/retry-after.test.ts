import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseHttpDate, parseRetryAfter } from '../../src/service/retry.ts';
import { clientFor } from '../support/client.ts';
import { figure } from '../support/figure.ts';
import { anyCharacter, inTurn, tries } from '../support/property.ts';
import { testWire } from '../support/wire.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const SERVER_NOW = 'Sun, 01 Mar 2026 12:00:00 GMT';

test.each([
  ['0', 0],
  ['1', 1_000],
  ['120', 120_000],
  ['007', 7_000],
  ['999999999', 999_999_999_000],
  ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
  ['Sun, 01 Mar 2026 11:59:59 GMT', 0],
  ['Mon, 02 Mar 2026 12:00:00 GMT', 86_400_000],
])('%s asks for %i ms', (text, expected) => {
  expect(parseRetryAfter({ 'retry-after': text, date: SERVER_NOW }, NOW)).toBe(expected);
});

test.each([
  '',
  ' ',
  '-1',
  '+1',
  '1.5',
  '1e3',
  '0x10',
  '1 ',
  ' 1',
  '1s',
  '1, 2',
  '1000000000',
  '٣',
  'soon',
  'Infinity',
  'NaN',
  '2026-03-01T12:00:30Z',
  'Sunday, 01-Mar-26 12:00:30 GMT',
  'Sun Mar  1 12:00:30 2026',
  'Mon, 01 Mar 2026 12:00:30 GMT',
  'Sun, 1 Mar 2026 12:00:30 GMT',
  'Sun, 01 Mar 2026 12:00:30 UTC',
  'Sun, 01 Mar 2026 12:00:30 +0000',
  'Sun, 01 mar 2026 12:00:30 GMT',
  'Sun, 31 Feb 2026 12:00:30 GMT',
  'Sun, 01 Mar 2026 24:00:00 GMT',
  'Sun, 01 Mar 2026 12:00:60 GMT',
])('%j counts as absent', (text) => {
  expect(parseRetryAfter({ 'retry-after': text, date: SERVER_NOW }, NOW)).toBeUndefined();
});

test('a date counts from the date of the answer, even if the local clock is wrong', () => {
  const headers = { 'retry-after': 'Sun, 01 Mar 2026 12:00:30 GMT', date: SERVER_NOW };
  for (const skewMs of [-3_600_000, 0, 3_600_000]) expect(parseRetryAfter(headers, NOW + skewMs)).toBe(30_000);
});

test('without a usable date in the answer the local clock counts, and no wait is negative', () => {
  const header = { 'retry-after': 'Sun, 01 Mar 2026 12:00:30 GMT' };
  expect(parseRetryAfter(header, NOW)).toBe(30_000);
  expect(parseRetryAfter({ ...header, date: 'today' }, NOW)).toBe(30_000);
  expect(parseRetryAfter(header, NOW + 3_600_000)).toBe(0);
});

test('every whole second has one date, and it reads back as that second', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_102_444_800 }), (seconds) => {
      expect(parseHttpDate(new Date(seconds * 1000).toUTCString())).toBe(seconds * 1000);
    }),
    tries(100, 411),
  );
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

/** The longest first wait where the platform asks for no time. */
const ORDINARY_MS = 1_000;

describe('on the wire', () => {
  const forms: ReadonlyArray<readonly [text: string, seconds: number]> = [
    ...[0, 1, 2, 3, 5, 7, 10, 12, 15, 20, 25, 30, 40, 50, 59].map((seconds) => [String(seconds), seconds] as const),
    ...[1, 2, 3, 5, 7, 10, 12, 15, 20, 25, 30, 40, 50, 58, 59].map(
      (seconds) => [new Date(NOW + seconds * 1000).toUTCString(), seconds] as const,
    ),
  ];

  test('no wait is shorter than asked for, over 30 forms and wrong clocks', async () => {
    const wire = await testWire();
    for (const [row, skewMs] of [-3_600_000, -1_000, 0, 1_000, 3_600_000].entries()) {
      for (const [column, [text, seconds]] of forms.entries()) {
        for (const random of inTurn([0, 0.999999], row + column)) {
          wire.on('GET', '/v1/user').reply(429, {}, { 'retry-after': text, date: SERVER_NOW }).reply(200, {});
          const { client, clock } = clientFor(wire.url, { random: () => random });
          clock.shiftWall(skewMs);
          await client.call({ operation: getUser });
          expect(clock.waits).toHaveLength(1);
          expect(clock.waits[0]).toBeGreaterThanOrEqual(seconds * 1000);
          expect(clock.waits[0]).toBeLessThanOrEqual(Math.max(seconds * 1100, ORDINARY_MS));
        }
      }
    }
    figure('Waits as asked', wire.requests.length / 2, `${forms.length} forms, 5 clocks`);
  });
});

const getUser = {
  name: 'getUser',
  method: 'GET',
  path: '/v1/user',
  credentials: 'token_or_session',
  retry: 'read',
} as const;
