import { expect, test } from 'vitest';
import { guessUnit } from '../../src/metrics/fields.ts';

test('the last word of a name is its unit', () => {
  const names = { cpuPercent: '%', cpu_pct: '%', 'cpu.percent': '%', memoryBytes: 'bytes', 'disk.used_bytes': 'bytes' };
  const times = {
    latencyMs: 'ms',
    'latency.p95.ms': 'ms',
    responseMilliseconds: 'ms',
    uptimeSeconds: 's',
    build_sec: 's',
  };
  for (const [name, unit] of Object.entries({ ...names, ...times }))
    expect([name, guessUnit(name, Float64Array.of(1))]).toEqual([name, unit]);
});

test('a statistic at the end of a name is no unit', () => {
  expect(guessUnit('cpuPercent.avg', Float64Array.of(1))).toBe('%');
  expect(guessUnit('latencyMs_max', Float64Array.of(1))).toBe('ms');
});

test('bytes per second are bytes, not seconds', () => {
  expect(guessUnit('networkBytesPerSecond', Float64Array.of(1))).toBe('bytes');
  expect(guessUnit('requestsPerSecond', Float64Array.of(1))).toBe('count');
});

test('sizes without a unit are bytes where they are large enough', () => {
  expect(guessUnit('memory', Float64Array.of(Number.NaN, 5e8))).toBe('bytes');
  expect(guessUnit('memory', Float64Array.of(512))).toBe('count');
  expect(guessUnit('requests', Float64Array.of(5e8))).toBe('count');
});

test('a name without a unit counts', () => {
  for (const name of ['requests', 'cpu', '', '.', 'dreams', 'MS', '__proto__'])
    expect(guessUnit(name, Float64Array.of(1))).toBe(name === 'MS' ? 'ms' : 'count');
});
