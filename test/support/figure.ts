import { appendFileSync } from 'node:fs';

/**
 * Reports how much a test has tried, for `scripts/soak.mjs`; without it nobody is told. Belongs behind the assertions:
 * what is reported went well.
 */
export function figure(name: string, count: number, note?: string): void {
  const file = process.env['SVC_FIGURES'];
  if (file) appendFileSync(file, `${JSON.stringify({ name, count, note })}\n`);
}
