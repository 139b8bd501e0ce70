import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { builtProgram } from '../support/program.ts';
import { tries } from '../support/property.ts';
import { temporaryFolder } from '../support/svc.ts';
import { countingService, FINE, jobsDoneAt } from './counting-service.ts';
import { linesOf } from './lines.ts';

const { numRuns, seed } = tries(300, 20_261_126);

/** How a run ends before its time, at a request of the run. */
const MOMENTS = fc.record({ request: fc.integer({ min: 1, max: 20 }), isCarriedOut: fc.boolean() });
const WAYS = ['SIGKILL', 'SIGINT', 'time'] as const;

test(`killed or stopped at any moment and resumed ${numRuns} times, no service has two jobs`, async () => {
  const { command } = await builtProgram();
  const [node, script] = command;
  const ids = Array.from({ length: numRuns * 40 }, (_, index) => `s${index}`);
  let child: ChildProcess | undefined;
  const stops = fc.sample(MOMENTS, { numRuns, seed }).map((one, index) => ({ ...one, how: WAYS[index % 3] ?? 'time' }));
  let [left, stop] = [0, stops[0]];
  let [kills, interrupts] = [0, 0];
  const service = await countingService(() => {
    left -= 1;
    if (left !== 0 || stop === undefined || stop.how === 'time') return FINE;
    child?.kill(stop.how);
    if (stop.how === 'SIGKILL') kills += 1;
    else interrupts += 1;
    return { ...FINE, carriesOut: stop.isCarriedOut || stop.how !== 'SIGKILL' };
  }, jobsDoneAt(1));
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'list.txt'), ids.join('\n'));
  const argv = ['wp', 'run', 'backup', '--services', 'list.txt', '--wait', '--yes', '--json'];
  const env = { PATH: process.env['PATH'], SVC_API_URL: service.url, SVC_TOKEN: 'svc_test', SVC_CONFIG_DIR: cwd };
  const run = async (...more: string[]) => {
    child = spawn(node, [script, ...argv, ...more, '--resume', 'run.ndjson'], { cwd, env });
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(child, 'close');
    return { exitCode: child.exitCode, lines: linesOf(Buffer.concat(chunks).toString()) };
  };
  for (const one of stops) {
    [left, stop] = [one.request, one];
    const { exitCode } = await run(...(one.how === 'time' ? ['--stop-after', '1s'] : []));
    // The list may be over before its time is.
    if (one.how === 'time') expect([0, 10, 11]).toContain(exitCode);
  }
  left = 0;
  const { exitCode, lines } = await run('--concurrency', '16');
  const doubtful = new Set(lines.flatMap(({ item, exitCode }) => (exitCode === 8 ? [item] : [])));
  expect(exitCode).toBe(doubtful.size === 0 ? 0 : 11);
  for (const id of ids) {
    if (doubtful.has(id)) expect(service.timesOf(id), id).toBeLessThanOrEqual(1);
    else expect(service.timesOf(id), id).toBe(1);
  }
  expect(kills).toBeGreaterThan(numRuns / 6);
  expect(interrupts).toBeGreaterThan(numRuns / 6);
  // At most the four requests that were under way at each kill.
  expect(doubtful.size).toBeLessThanOrEqual(4 * kills);
  figure(
    'Jobs killed or stopped',
    stops.length,
    `${kills} kills, ${interrupts} interrupts, ${doubtful.size} jobs in doubt`,
  );
}, 1_200_000);
