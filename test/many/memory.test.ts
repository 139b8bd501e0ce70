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

test(`${count} reads keep within ${MOST_MB} MB`, { timeout: 300_000 }, async () => {
  const { command } = await builtProgram();
  const service = await countingService(() => FINE);
  const cwd = await temporaryFolder();
  const peak = join(cwd, 'peak.cjs');
  const ids = Array.from({ length: count }, (_, index) => `db_${index}`);
  await writeFile(join(cwd, 'list.txt'), ids.join('\n'));
  // Not maxRSS, which begins with that of the process that forked.
  const status = "require('fs').readFileSync('/proc/self/status', 'utf8')";
  await writeFile(peak, `process.on('exit', () => console.error(/VmHWM:\\s+(\\d+)/.exec(${status})[1]));\n`);
  const [node, script] = command;
  const argv = ['db', 'inspect', '--databases', 'list.txt', '--json', '--concurrency', '8'];
  const { stdout, stderr, exitCode } = await execa(node, ['--require', peak, script, ...argv], {
    cwd,
    env: { PATH: process.env['PATH'], SVC_API_URL: service.url, SVC_TOKEN: 'svc_test', SVC_CONFIG_DIR: cwd },
    extendEnv: false,
    reject: false,
    maxBuffer: 1e9,
  });
  expect(exitCode, stderr).toBe(0);
  expect(linesOf(stdout)).toHaveLength(count);
  const megabytes = Number(stderr.trim()) / 1024;
  figure('peak of memory in MB', Math.round(megabytes), `${count} reads`);
  expect(megabytes).toBeLessThan(MOST_MB);
});
