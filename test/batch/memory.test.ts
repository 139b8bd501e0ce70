import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tries } from '../support/property.ts';
import { countingService, FINE, GONE, idsOf, programOn } from './counting-service.ts';

const { numRuns: count } = tries(10_000, 20_261_124);
const MOST_MB = 130;

test.each([
  ['that are carried out', FINE, 0],
  ['that all fail', GONE, 6],
])(`${count} restarts %s keep within ${MOST_MB} MB`, async (_how, deed, expectedExit) => {
  let [pid, kilobytes] = [0, 0];
  const service = await countingService(() => {
    // Not maxRSS, which begins with that of the process that forked.
    kilobytes = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    return deed;
  });
  const program = await programOn(service, idsOf(count));
  const argv = 'restart --services list.txt --log run.ndjson --yes --json --concurrency 8'.split(
    ' ',
  );
  const { stderr, exitCode } = await program.run(argv, (child) => (pid = child.pid ?? 0));
  expect(exitCode, stderr).toBe(expectedExit);
  expect(service.requests()).toBe(count);
  expect(kilobytes / 1024).toBeGreaterThan(10);
  expect(kilobytes / 1024).toBeLessThan(MOST_MB);
});
