import type { Kit } from './kit.ts';
import type { Series } from './screen.ts';
export function drawSeries(_rows: readonly Series[], _kit: Kit): string[] {
  return [];
}
