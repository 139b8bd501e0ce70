import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { tries } from '../support/property.ts';
import { countingService, FINE, idsOf, programOn } from './counting-service.ts';
import { linesOf } from './lines.ts';

const { numRuns: count } = tries(10_000, 20_261_124);
const MOST_MB = 150;

test(`${count} restarts with a log keep within ${MOST_MB} MB`, async () => {
  const program = await programOn(await countingService(() => FINE), idsOf(count));
  // Not maxRSS, which begins with that of the process that forked.
  let kilobytes = 0;
  const argv = 'restart --services list.txt --log run.ndjson --yes --json --concurrency 8'.split(' ');
  const { stdout, stderr, exitCode } = await program.run(argv, (child) =>
    child.stdout.on('data', () => {
      kilobytes = peakOf(child.pid) ?? kilobytes;
    }),
  );
  expect(exitCode, stderr).toBe(0);
  expect(linesOf(stdout)).toHaveLength(count);
  figure('peak of memory in MB', Math.round(kilobytes / 1024), `${count} restarts`);
  expect(kilobytes / 1024).toBeGreaterThan(10);
  expect(kilobytes / 1024).toBeLessThan(MOST_MB);
});

/** The most memory that a process has had so far, in KiB; undefined if it is gone. */
function peakOf(pid: number | undefined): number | undefined {
  try {
    const [, peak] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return peak === undefined ? undefined : Number(peak);
  } catch {
    return undefined;
  }
}
