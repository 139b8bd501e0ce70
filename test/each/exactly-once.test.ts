import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { builtProgram } from '../support/program.ts';
import { tries } from '../support/property.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { countingService, type Deed, FINE } from './counting-service.ts';
import { linesOf } from './lines.ts';

const faulted = tries(2_000, 20_261_122);

const DEEDS = fc.oneof(
  { weight: 180, arbitrary: fc.constant(FINE) },
  { weight: 6, arbitrary: fc.boolean().map((carriesOut): Deed => ({ carriesOut, answer: 'reset' })) },
  { weight: 6, arbitrary: fc.boolean().map((carriesOut): Deed => ({ carriesOut, answer: 503 })) },
  { weight: 1, arbitrary: fc.boolean().map((carriesOut): Deed => ({ carriesOut, answer: 'hang' })) },
  { weight: 1, arbitrary: fc.constant<Deed>({ carriesOut: false, answer: 503, retryAfter: 1 }) },
  { weight: 2, arbitrary: fc.constant<Deed>({ carriesOut: false, answer: 429, retryAfter: 1 }) },
  { weight: 4, arbitrary: fc.constant<Deed>({ carriesOut: false, answer: 404 }) },
);

test(`of ${faulted.numRuns} restarts under faults none is carried out twice and none is forgotten`, async () => {
  const deeds = fc.sample(DEEDS, { numRuns: faulted.numRuns * 2, seed: faulted.seed });
  let areFine = false;
  const service = await countingService(() => (areFine ? FINE : (deeds.pop() ?? FINE)));
  const ids = Array.from({ length: faulted.numRuns }, (_, index) => `s${index}`);
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'list.txt'), ids.join('\n'));
  const argv = ['restart', '--services', 'list.txt', '-y', '--json', '--timeout', '2s', '--concurrency', '8'];
  const run = (...more: string[]) => svc([...argv, ...more], { url: service.url, cwd });

  const first = linesOf((await run('--log', 'run.ndjson')).stdout);
  expect(first.map(({ item }) => item).sort()).toEqual([...ids].sort());
  const doubtful = new Set<unknown>();
  for (const { item, exitCode, error } of first) {
    const isInDoubt = (error as { outcome?: string } | undefined)?.outcome === 'unknown';
    if (isInDoubt) doubtful.add(item);
    else expect(service.timesOf(String(item)), `${item}`).toBe(exitCode === 0 ? 1 : 0);
  }
  areFine = true;
  const second = await run('--resume', 'run.ndjson');
  const again = linesOf(second.stdout).filter(({ attempts }) => attempts === 0);
  expect(new Set(again.map(({ item }) => item))).toEqual(doubtful);
  for (const id of ids) {
    if (doubtful.has(id)) expect(service.timesOf(id), id).toBeLessThanOrEqual(1);
    else expect(service.timesOf(id), id).toBe(1);
  }
  figure('restarts in doubt under faults', doubtful.size);
}, 600_000);

const killed = tries(100, 20_261_123);

test(`after ${killed.numRuns} kill -9 every restart is carried out once, or said to be in doubt`, async () => {
  const { command } = await builtProgram();
  const [node, script] = command;
  const moments = fc.sample(fc.integer({ min: 1, max: 20 }), { numRuns: killed.numRuns, seed: killed.seed });
  const ids = Array.from({ length: killed.numRuns * 10 }, (_, index) => `s${index}`);
  let [child, left, kills] = [undefined as ChildProcess | undefined, 0, 0];
  const service = await countingService(() => {
    left -= 1;
    if (left !== 0) return FINE;
    child?.kill('SIGKILL');
    kills += 1;
    return { carriesOut: kills % 2 === 0, answer: 200 };
  });
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'list.txt'), ids.join('\n'));
  const argv = ['restart', '--services', 'list.txt', '--yes', '--json', '--resume', 'run.ndjson'];
  const env = { PATH: process.env['PATH'], SVC_API_URL: service.url, SVC_TOKEN: 'svc_test', SVC_CONFIG_DIR: cwd };
  const run = async () => {
    child = spawn(node, [script, ...argv], { cwd, env });
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(child, 'close');
    return { exitCode: child.exitCode, stdout: Buffer.concat(chunks).toString() };
  };
  for (const moment of moments) {
    left = moment;
    await run();
  }
  left = 0;
  const { exitCode, stdout } = await run();
  const doubtful = new Set(linesOf(stdout).flatMap(({ item, exitCode }) => (exitCode === 8 ? [item] : [])));
  expect(exitCode).toBe(doubtful.size === 0 ? 0 : 11);
  expect(kills).toBeGreaterThan(killed.numRuns / 3);
  for (const id of ids) {
    if (doubtful.has(id)) expect(service.timesOf(id), id).toBeLessThanOrEqual(1);
    else expect(service.timesOf(id), id).toBe(1);
  }
  // At most the four that were under way at each kill.
  expect(doubtful.size).toBeLessThanOrEqual(4 * kills);
  figure('kills', kills, `${doubtful.size} restarts in doubt`);
  expect(await readFile(join(cwd, 'run.ndjson'), 'utf8')).toContain('"command":"restart"');
}, 600_000);
