import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDuration } from '../../../src/kit/values/time.ts';
import { tries } from '../../support/property.ts';
import { acceptedBy, refusal } from '../../support/refusal.ts';

test('a duration is read in seconds', () => {
  const seconds = ['90s', '15m', '6h', '7d', '1h30m', '1d2h3m4s', '0h5s', '007s'].map((text) =>
    parseDuration(text, '--since'),
  );
  expect(seconds).toEqual([90, 900, 21_600, 604_800, 5_400, 93_784, 5, 7]);
});

test('a number without a unit is seconds only with the bareUnit option', () => {
  expect(parseDuration('300', '--step', { bareUnit: 's' })).toBe(300);
  expect(refusal(() => parseDuration('300', '--since'))).toBe(
    '--since "300" has no unit. For example: --since 300s (or 90s, 6h, 7d, 1h30m)',
  );
});

test('the example of an error is a duration that is accepted', () => {
  expect(refusal(() => parseDuration('0', '--timeout'))).toContain('For example: --timeout 15m ');
});

test('other notations are refused', () => {
  const odd = [
    '',
    ' ',
    '6 h',
    ' 6h',
    '6h ',
    '-6h',
    '+6h',
    '1.5h',
    '6H',
    '30m1h',
    '1h1h',
    '6hours',
    'h',
    '１h',
    '1e3s',
    '0x5s',
  ];
  for (const text of odd) expect(refusal(() => parseDuration(text, '--since'))).toContain('is not a duration');
  expect(refusal(() => parseDuration('0s', '--timeout'))).toContain('is not longer than zero');
  expect(refusal(() => parseDuration('0', '--timeout', { bareUnit: 's' }))).toContain('is not longer than zero');
  expect(refusal(() => parseDuration('36501d', '--since'))).toContain('is longer than 36500 days');
  expect(refusal(() => parseDuration('99999999999999999999d', '--since'))).toContain('is not a duration');
});

test('any text is a usable number of seconds or a usage error', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[0-9dhms.]{0,12}$/));
  const isUsable = (input: string) => {
    const seconds = acceptedBy(() => parseDuration(input, '--since', { bareUnit: 's' }));
    return seconds === undefined || (Number.isSafeInteger(seconds) && seconds > 0);
  };
  fc.assert(fc.property(text, isUsable), tries(2_000, 101));
});

test('any combination of days, hours, minutes and seconds is parsed', () => {
  const part = fc.nat({ max: 9_000 });
  const agrees = (days: number, hours: number, minutes: number, seconds: number) =>
    parseDuration(`${days}d${hours}h${minutes}m${seconds + 1}s`, 'x') ===
    days * 86_400 + hours * 3_600 + minutes * 60 + seconds + 1;
  fc.assert(fc.property(part, part, part, part, agrees), tries(500, 102));
});
