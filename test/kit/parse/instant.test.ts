import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseInstant, toIso } from '../../../src/kit/values/time.ts';
import { tries } from '../../support/property.ts';
import { acceptedBy, refusal } from '../../support/refusal.ts';

const NOW = Date.parse('2026-03-29T01:30:00Z');
const iso = (text: string) => toIso(parseInstant(text, '--since', NOW));

test('an instant is a date, a date-time with its zone, a duration ago, or now', () => {
  expect(iso('2026-03-01')).toBe('2026-03-01T00:00:00Z');
  expect(iso('2026-03-01T12:00:00Z')).toBe('2026-03-01T12:00:00Z');
  expect(iso('2026-03-01T12:00Z')).toBe('2026-03-01T12:00:00Z');
  expect(iso('2026-03-01T12:00:00.5Z')).toBe('2026-03-01T12:00:00.500Z');
  expect(iso('2026-03-01T12:00:00.123456789Z')).toBe('2026-03-01T12:00:00.123Z');
  expect(iso('2026-03-01T00:30:00+01:00')).toBe('2026-02-28T23:30:00Z');
  expect(iso('2026-03-01T00:30:00+0100')).toBe('2026-02-28T23:30:00Z');
  expect(iso('2026-02-28T23:30:00-05:30')).toBe('2026-03-01T05:00:00Z');
  expect(iso('2024-02-29')).toBe('2024-02-29T00:00:00Z');
  expect(iso('0099-01-01')).toBe('0099-01-01T00:00:00Z');
  expect(iso('6h')).toBe('2026-03-28T19:30:00Z');
  expect(iso('1h30m')).toBe('2026-03-29T00:00:00Z');
  expect(iso('now')).toBe('2026-03-29T01:30:00Z');
  expect(iso('today')).toBe('2026-03-29T00:00:00Z');
  expect(iso('yesterday')).toBe('2026-03-28T00:00:00Z');
});

test('days that the calendar does not have are refused', () => {
  for (const text of ['2026-02-30', '2025-02-29', '2026-13-01', '2026-00-10', '2026-01-00', '2026-04-31T10:00:00Z']) {
    expect(refusal(() => iso(text))).toContain(`"${text}" is not a date of the calendar`);
  }
  for (const text of ['2026-03-01T24:00:00Z', '2026-03-01T12:60:00Z', '2026-03-01T23:59:60Z']) {
    expect(refusal(() => iso(text))).toContain('is not a date of the calendar or a time of the day');
  }
});

test('a time without a zone is refused with the zone to add', () => {
  expect(refusal(() => iso('2026-03-01T12:00:00'))).toBe(
    '--since "2026-03-01T12:00:00" has no time zone. For example: --since 2026-03-01T12:00:00Z (UTC; or an offset such as +01:00)',
  );
});

test('an offset that does not exist is refused', () => {
  for (const offset of ['+24:00', '-99:00', '+01:60']) {
    expect(refusal(() => iso(`2026-03-01T12:00:00${offset}`))).toContain('has an offset that does not exist');
  }
});

test('nothing else is an instant', () => {
  const odd = [
    '',
    ' ',
    'tomorrow',
    'NOW',
    '2026',
    '2026-3-1',
    '20260301',
    '2026-03-01 12:00:00Z',
    '2026-03-01t12:00:00z',
  ];
  const more = ['2026-03-01T12Z', '+002026-03-01', '1772366400', '2026-03-01T12:00:00,5Z'];
  for (const text of [...odd, ...more]) expect(refusal(() => iso(text))).toContain('is not a time');
});

test('a mistyped duration is reported as a duration', () => {
  expect(refusal(() => iso('6hours'))).toContain('is not a duration');
});

test('the same instant comes back from every offset it is written with', () => {
  const instant = fc.integer({ min: Date.parse('1000-01-02T00:00:00Z'), max: Date.parse('9998-12-30T00:00:00Z') });
  const comesBack = (ms: number, offsetMinutes: number) => {
    const local = new Date(ms + offsetMinutes * 60_000).toISOString().slice(0, -1);
    const [hours, minutes] = [Math.trunc(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60];
    const pad = (part: number) => String(part).padStart(2, '0');
    return parseInstant(`${local}${offsetMinutes < 0 ? '-' : '+'}${pad(hours)}:${pad(minutes)}`, 'x', NOW) === ms;
  };
  fc.assert(fc.property(instant, fc.integer({ min: -1439, max: 1439 }), comesBack), tries(1_000, 111));
});

test('a formatted instant is parsed as the same instant', () => {
  const instant = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 });
  fc.assert(
    fc.property(instant, (ms) => parseInstant(toIso(ms), 'x', NOW) === ms),
    tries(1_000, 112),
  );
});

test('any text is an instant or a usage error', () => {
  const near = fc.stringMatching(
    /^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2})?(Z|[+-][0-9]{2}:[0-9]{2})?)?$/,
  );
  const isUsable = (input: string) => {
    const ms = acceptedBy(() => parseInstant(input, '--since', NOW));
    return ms === undefined || toIso(ms).endsWith('Z');
  };
  fc.assert(fc.property(fc.oneof(fc.string(), near), isUsable), tries(2_000, 113));
});
