import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { builtProgram } from '../support/program.ts';
import { tries } from '../support/property.ts';
import { temporaryFolder } from '../support/svc.ts';
import { countingService, FINE } from './counting-service.ts';
import { linesOf } from './lines.ts';

const { numRuns: count } = tries(10_000, 20_261_124);
const MOST_MB = 150;

test.each([
  ['reads', ['db', 'inspect', '--databases', 'list.txt']],
  ['restarts', ['restart', '--services', 'list.txt', '--log', 'run.ndjson', '--yes']],
])(`${count} %s keep within ${MOST_MB} MB`, async (what, words) => {
  const { command } = await builtProgram();
  const service = await countingService(() => FINE);
  const cwd = await temporaryFolder();
  const ids = Array.from({ length: count }, (_, index) => `s${index}`);
  await writeFile(join(cwd, 'list.txt'), ids.join('\n'));
  const [program, ...before] = command;
  const argv = [...before, ...words, '--json', '--concurrency', '8'];
  const running = execa(program, argv, {
    cwd,
    env: { PATH: process.env['PATH'], SVC_API_URL: service.url, SVC_TOKEN: 'svc_test', SVC_CONFIG_DIR: cwd },
    extendEnv: false,
    reject: false,
    maxBuffer: 1e9,
  });
  // Not maxRSS, which begins with that of the process that forked.
  let kilobytes = 0;
  running.stdout.on('data', () => {
    kilobytes = peakOf(running.pid) ?? kilobytes;
  });
  const { stdout, stderr, exitCode } = await running;
  expect(exitCode, stderr).toBe(0);
  expect(linesOf(stdout)).toHaveLength(count);
  const megabytes = kilobytes / 1024;
  figure('peak of memory in MB', Math.round(megabytes), `${count} ${what}`);
  expect(megabytes).toBeGreaterThan(10);
  expect(megabytes).toBeLessThan(MOST_MB);
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
