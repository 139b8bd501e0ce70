import type { Series } from '../../metrics/points.ts';
import { longestStep } from '../../metrics/spacing.ts';
import { type ThinPoint, thin } from '../../metrics/thin.ts';

/** Where a series is drawn, in pixels, and what its edges stand for. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly low: number;
  readonly high: number;
}

/** The path of a line through the values and of the area below it; both are broken where there is a gap. */
export function linePaths(series: Series, frame: Frame): { line: string; area: string } {
  const most = 2 * (frame.right - frame.left);
  const points = thin(series, most);
  const longest = longestStep(series.times, (frame.endMs - frame.startMs) / most);
  const runs = unbroken(points, longest).map((run) => run.map((point) => place(point, frame)));
  const lines = runs.map((run) => `M${run.join('L')}${run.length === 1 ? 'h0' : ''}`);
  const areas = runs.map(
    (run) => `M${xOf(run[0])} ${frame.bottom}L${run.join('L')}L${xOf(run.at(-1))} ${frame.bottom}Z`,
  );
  return { line: lines.join(''), area: areas.join('') };
}

/** Where a value lies between two others, from 0 to 1; halves, because the difference of large numbers can overflow. */
export function shareOf(value: number, low: number, high: number): number {
  return (value / 2 - low / 2) / (high / 2 - low / 2 || 1);
}

interface Known {
  readonly time: number;
  readonly value: number;
}

/** The points in runs without a gap. */
function unbroken(points: readonly ThinPoint[], longestMs: number): Known[][] {
  const runs: Known[][] = [];
  let before: number | undefined;
  for (const { time, value } of points) {
    if (value === undefined || !Number.isFinite(value)) {
      before = undefined;
      continue;
    }
    const run = before !== undefined && time - before <= longestMs ? runs.at(-1) : undefined;
    if (run === undefined) runs.push([{ time, value }]);
    else run.push({ time, value });
    before = time;
  }
  return runs;
}

function place({ time, value }: Known, { left, right, top, bottom, startMs, endMs, low, high }: Frame): string {
  const x = left + shareOf(time, startMs, endMs) * (right - left);
  const y = bottom - shareOf(value, low, high) * (bottom - top);
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

function xOf(place = ''): string {
  return place.split(' ')[0] ?? '';
}
