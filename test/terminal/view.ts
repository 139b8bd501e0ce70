import { getLongestStep, getStatistics } from '../../src/metrics/series.ts';
import type { Chart } from '../../src/terminal/screen.ts';
import type { View } from '../../src/terminal/terminal.ts';

/** A terminal without colours by default. */
export function testView(more: Partial<View> = {}): View {
  return {
    columns: 80,
    colorLevel: 0,
    unicode: true,
    accessible: false,
    tty: true,
    links: false,
    now: Date.parse('2026-11-21T14:03:00Z'),
    timeZone: 'UTC',
    conceal: (text) => text,
    ...more,
  };
}

/** Runs work where the system has another time zone. */
export async function inZone<T>(zone: string, work: () => Promise<T>): Promise<T> {
  const before = process.env['TZ'];
  process.env['TZ'] = zone;
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  }
}

/** Makes a chart as `svc metrics` does. */
export function chartOf(name: string, points: Chart['points'], unit?: string): Chart {
  const times = Float64Array.from(points, ({ time }) => time);
  const figures = getStatistics(Float64Array.from(points, ({ value }) => value ?? Number.NaN));
  return { name, unit, points, figures, longestStepMs: getLongestStep(times, 0) };
}
