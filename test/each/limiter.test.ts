import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { tokenBucket } from '../../sandbox/token-bucket.ts';
import { systemClock } from '../../src/clock.ts';
import { figure } from '../support/figure.ts';
import { tries } from '../support/property.ts';
import { svc } from '../support/svc.ts';
import { countingService, FINE } from './counting-service.ts';

const { numRuns: count } = tries(1_000, 20_261_125);
/** A pace that a loaded machine can reach, too, unless all are tried. */
const PER_SECOND = count < 1_000 ? 10 : 50;

test(`${count} restarts get through a limiter of ${PER_SECOND}/s, and none is carried out twice`, async () => {
  const take = tokenBucket(systemClock, PER_SECOND);
  const passedAt: number[] = [];
  const service = await countingService(() => {
    const seconds = take();
    if (seconds > 0) return { carriesOut: false, answer: 429, retryAfter: seconds };
    passedAt.push(performance.now());
    return FINE;
  });
  const ids = Array.from({ length: count }, (_, index) => `s${index}`);
  const argv = ['restart', '--services', '-', '--yes', '--json', '--concurrency', '8'];
  const { exitCode } = await svc(argv, { url: service.url, stdin: ids.join('\n') });
  expect(exitCode).toBe(0);
  expect(new Set(ids.map(service.timesOf))).toEqual(new Set([1]));
  // By the clock of the platform, without the full bucket at the start. More than nine tenths on an idle machine; a
  // machine that stops svc has less, so it is only reported. `pace.test.ts` holds the pace, in virtual time.
  const seconds = ((passedAt.at(-1) ?? 0) - (passedAt[0] ?? 0)) / 1_000;
  const share = (count - PER_SECOND) / seconds / PER_SECOND;
  figure('share of the pace of a limiter in %', Math.round(share * 100), `${count} restarts`);
});
