import { expect, test } from 'vitest';
import { splitName } from '../src/split-name.ts';

test.each([
  ['capitals', 'cpuPercent', ['cpu', 'percent']],
  ['lines', 'CPU_PERCENT', ['cpu', 'percent']],
  ['dots and dashes', 'cpu.percent-avg', ['cpu', 'percent', 'avg']],
  ['capitals before a word', 'DBPassword', ['db', 'password']],
  ['a plural of capitals, which is one word', 'diskIOPs', ['disk', 'iops']],
  ['digits', 'p95Ms', ['p95', 'ms']],
  ['letters of any language', 'état_payé', ['état', 'payé']],
  ['nothing', '__', []],
])('a name is split at %s', (_what, name, words) => {
  expect(splitName(name)).toEqual(words);
});
