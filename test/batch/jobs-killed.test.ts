import fc from 'fast-check';
import { expect, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { tries } from '../support/property.ts';
import {
  countingService,
  expectOnce,
  FINE,
  idsOf,
  jobsThatAre,
  programOn,
} from './counting-service.ts';

const { numRuns, seed } = tries(300, 20_261_126);

/** How a run ends before its time, at a request of the run. */
const MOMENTS = fc.record({ request: fc.integer({ min: 1, max: 20 }), isCarriedOut: fc.boolean() });
/** Runs out of time come last: a quick machine may carry out the whole list within that time. */
const WAYS = ['SIGKILL', 'SIGINT', 'time'] as const;

test(`killed or stopped at any moment and resumed ${numRuns} times, no service has two jobs`, async () => {
  const ids = idsOf(numRuns * 40);
  const stops = fc
    .sample(MOMENTS, { numRuns, seed })
    .map((one, index) => ({ ...one, how: WAYS[index % 3] ?? 'time' }))
    .sort((one, other) => Number(one.how === 'time') - Number(other.how === 'time'));
  let [kill, left, stop] = [(_how: 'SIGKILL' | 'SIGINT') => {}, 0, stops[0]];
  const counts = { SIGKILL: 0, SIGINT: 0 };
  const service = await countingService(
    () => {
      left -= 1;
      if (left !== 0 || stop === undefined || stop.how === 'time') return FINE;
      kill(stop.how);
      counts[stop.how] += 1;
      return { ...FINE, carriesOut: stop.isCarriedOut || stop.how !== 'SIGKILL' };
    },
    jobsThatAre(() => 'completed'),
  );
  const program = await programOn(service, ids);
  const argv = [
    'wp',
    'run',
    'backup',
    '--services',
    'list.txt',
    '--wait',
    '--yes',
    '--json',
    '--log',
    'run.ndjson',
  ];
  const run = (...more: string[]) =>
    program.run([...argv, ...more], (child) => (kill = (how) => child.kill(how)));
  for (const one of stops) {
    [left, stop] = [one.request, one];
    const { exitCode } = await run(...(one.how === 'time' ? ['--stop-after', '1s'] : []));
    // The list may be over before its time is.
    if (one.how === 'time') expect([0, 10, 11]).toContain(exitCode);
  }
  left = 0;
  const doubtful = expectOnce(ids, service, await run('--concurrency', '16'));
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(numRuns / 6);
  // At each kill, at most four requests were under way, and four answers not on the disk yet.
  expect(doubtful.size).toBeLessThanOrEqual(8 * counts.SIGKILL);
  const said = `${counts.SIGKILL} kills, ${counts.SIGINT} interrupts, ${doubtful.size} jobs in doubt`;
  figure('Jobs killed or stopped', stops.length, said);
}, 1_200_000);
