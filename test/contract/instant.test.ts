import { expect, test } from 'vitest';
import { readInstant } from '../../src/json/values.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');

test.each([
  '2026-03-01t12:00:00z',
  ' 2026-03-01 12:00 ',
  '2026-03-01T13:00+0100',
  '2026-03-01 12:00:00+00',
  '2026-03-01 13:00:00+01',
  '20260301T120000Z',
  '2026-03-01T12:00:00,000Z',
  '2026-03-01 12:00:00 UTC',
  'Sun, 01 Mar 2026 12:00:00 GMT',
  NOON,
  NOON / 1000,
  String(NOON / 1000),
])('an answer may write an instant as %j', (value) => {
  expect(readInstant(value)).toBe(NOON);
});

test.each([null, {}, '', 'soon', 86_400, -NOON, 253_402_300_799, '2026-13-01', '20260301'])(
  '%j is no instant',
  (value) => {
    expect(readInstant(value, { isTime: true })).toBeNaN();
  },
);

test.each([NOON * 1e3, NOON * 1e6])(
  'a field for times may count micro- or nanoseconds: %d',
  (value) => {
    expect(readInstant(value, { isTime: true })).toBe(NOON);
  },
);
