import type { ChildProcess } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { tries } from '../support/property.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { countingService, type Deed, expectOnce, FINE, idsOf, programOn } from './counting-service.ts';
import { linesOf } from './lines.ts';

const faulted = tries(2_000, 20_261_122);

const either = (answer: Deed['answer']) => fc.boolean().map((carriesOut): Deed => ({ carriesOut, answer }));
const DEEDS = fc.oneof(
  { weight: 180, arbitrary: fc.constant(FINE) },
  { weight: 6, arbitrary: either('reset') },
  { weight: 6, arbitrary: either(503) },
  { weight: 1, arbitrary: either('hang') },
  { weight: 1, arbitrary: fc.constant<Deed>({ carriesOut: false, answer: 503, retryAfter: 1 }) },
  { weight: 2, arbitrary: fc.constant<Deed>({ carriesOut: false, answer: 429, retryAfter: 1 }) },
  { weight: 4, arbitrary: fc.constant<Deed>({ carriesOut: false, answer: 404 }) },
);

test(`of ${faulted.numRuns} restarts under faults none is carried out twice and none is forgotten`, async () => {
  const deeds = fc.sample(DEEDS, { numRuns: faulted.numRuns * 2, seed: faulted.seed });
  let areFine = false;
  const service = await countingService(() => (areFine ? FINE : (deeds.pop() ?? FINE)));
  const ids = idsOf(faulted.numRuns);
  const cwd = await temporaryFolder();
  const line = 'restart --services - -y --json --timeout 2s --concurrency 8';
  const options = { url: service.url, cwd, stdin: ids.join('\n') };
  const run = (more: string) => svc(`${line} ${more}`.split(' '), options);

  const first = linesOf((await run('--log run.ndjson')).stdout);
  expect(first.map(({ item }) => item).sort()).toEqual([...ids].sort());
  const isInDoubt = ({ error }: Record<string, unknown>) => (error as { outcome?: string })?.outcome === 'unknown';
  for (const { item, exitCode } of first.filter((line) => !isInDoubt(line))) {
    expect(service.timesOf(String(item)), `${item}`).toBe(exitCode === 0 ? 1 : 0);
  }
  areFine = true;
  const doubtful = expectOnce(ids, service, await run('--resume run.ndjson'));
  expect(doubtful).toEqual(new Set(first.filter(isInDoubt).map(({ item }) => item)));
  figure('restarts in doubt under faults', doubtful.size);
}, 600_000);

const killed = tries(100, 20_261_123);

test(`after ${killed.numRuns} kill -9 every restart is carried out once, or said to be in doubt`, async () => {
  const moments = fc.sample(fc.integer({ min: 1, max: 20 }), { numRuns: killed.numRuns, seed: killed.seed });
  const ids = idsOf(killed.numRuns * 10);
  let [child, left, kills] = [undefined as ChildProcess | undefined, 0, 0];
  const service = await countingService(() => {
    left -= 1;
    if (left !== 0) return FINE;
    child?.kill('SIGKILL');
    kills += 1;
    return { carriesOut: kills % 2 === 0, answer: 200 };
  });
  const program = await programOn(service, ids);
  const argv = ['restart', '--services', 'list.txt', '--yes', '--json', '--resume', 'run.ndjson'];
  const run = () => program.run(argv, (started) => (child = started));
  for (const moment of moments) {
    left = moment;
    await run();
  }
  left = 0;
  const doubtful = expectOnce(ids, service, await run());
  expect(kills).toBeGreaterThan(killed.numRuns / 3);
  // At most the four that were under way at each kill.
  expect(doubtful.size).toBeLessThanOrEqual(4 * kills);
  figure('kills', kills, `${doubtful.size} restarts in doubt`);
}, 600_000);
