import type { Kit } from './kit.ts';
import type { Chart } from './screen.ts';
export function drawChart(_chart: Chart, _kit: Kit): string[] {
  return [];
}
