import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tries } from '../support/property.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import {
  countingService,
  type Deed,
  expectOnce,
  FINE,
  GONE,
  idsOf,
  killGroup,
  programOn,
} from './counting-service.ts';
import { linesOf } from './lines.ts';

const faulted = tries(2_000, 20_261_122);

const either = (answer: Deed['answer']) =>
  fc.boolean().map((carriesOut): Deed => ({ carriesOut, answer }));
const DEEDS = fc.oneof(
  { weight: 180, arbitrary: fc.constant(FINE) },
  { weight: 6, arbitrary: either('reset') },
  { weight: 6, arbitrary: either(503) },
  { weight: 1, arbitrary: either('hang') },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Deed[]>(
      ...[503, 429].map((answer) => ({ ...GONE, answer, retryAfter: 1 })),
    ),
  },
  { weight: 4, arbitrary: fc.constant(GONE) },
);

test(`of ${faulted.numRuns} restarts under faults none is carried out twice and none is forgotten`, async () => {
  const deeds = fc.sample(DEEDS, { numRuns: faulted.numRuns * 2, seed: faulted.seed });
  const service = await countingService(() => deeds.pop() ?? FINE);
  const ids = idsOf(faulted.numRuns);
  const line = 'restart --services - -y --json --timeout 2s --concurrency 8';
  const options = { url: service.url, cwd: await temporaryFolder(), stdin: ids.join('\n') };
  const run = (more: string) => svc(`${line} ${more}`.split(' '), options);

  const first = linesOf((await run('--log run.ndjson')).stdout);
  expect(first.map(({ item }) => item).sort()).toEqual([...ids].sort());
  const isInDoubt = ({ error }: Record<string, unknown>) =>
    (error as { outcome?: string })?.outcome === 'unknown';
  for (const { item, exitCode } of first.filter((line) => !isInDoubt(line))) {
    expect(service.timesOf(String(item)), `${item}`).toBe(exitCode === 0 ? 1 : 0);
  }
  deeds.length = 0;
  const doubtful = expectOnce(ids, service, await run('--log run.ndjson'));
  expect(doubtful).toEqual(new Set(first.filter(isInDoubt).map(({ item }) => item)));
}, 600_000);

const killed = tries(100, 20_261_123);

test(`after ${killed.numRuns} kill -9 of the whole group every restart is carried out once, or said to be in doubt`, async () => {
  const moments = fc.sample(fc.integer({ min: 1, max: 20 }), {
    numRuns: killed.numRuns,
    seed: killed.seed,
  });
  const ids = idsOf(killed.numRuns * 10);
  let [kill, left, kills] = [() => {}, 0, 0];
  const service = await countingService(() => {
    left -= 1;
    if (left !== 0) return FINE;
    kill();
    kills += 1;
    return { carriesOut: kills % 2 === 0, answer: 200 };
  });
  const program = await programOn(service, ids);
  const argv = ['restart', '--services', 'list.txt', '--yes', '--json', '--log', 'run.ndjson'];
  const run = () => program.run(argv, (child) => (kill = () => killGroup(child)));
  for (const moment of moments) {
    left = moment;
    await run();
  }
  left = 0;
  const doubtful = expectOnce(ids, service, await run());
  expect(kills).toBeGreaterThan(killed.numRuns / 3);
  // At most the four that were under way at each kill.
  expect(doubtful.size).toBeLessThanOrEqual(4 * kills);
}, 600_000);
