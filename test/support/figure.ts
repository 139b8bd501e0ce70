import { appendFileSync } from 'node:fs';

/**
 * Reports how much a test has tried, for `scripts/soak.mjs`. Belongs behind the assertions: it went
 * well.
 */
export function figure(name: string, count: number, note?: string): void {
  const file = process.env['SVC_FIGURES'];
  if (file) appendFileSync(file, `${JSON.stringify({ name, count, note })}\n`);
}
