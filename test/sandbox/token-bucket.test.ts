import { expect, test } from 'vitest';
import { tokenBucket } from '../../sandbox/server.ts';
import { fakeClock } from '../support/clock.ts';
import { visitSandbox } from './visit.ts';

test('a request above the limit is refused with a whole number of seconds, and has no effect', async () => {
  const { sandbox, signedIn, lines } = await visitSandbox({ requestsPerSecond: 2 });
  const restart = () => signedIn('POST', '/v1/services/svc_wp_7k2m9qx4/restart');
  expect([(await restart()).status, (await restart()).status]).toEqual([200, 200]);
  const refused = await restart();
  expect([refused.status, refused.headers['retry-after'], refused.json]).toEqual([
    429,
    '1',
    { error: 'Too many requests; try again in 1 s.' },
  ]);
  expect(lines.at(-1)).toBe('POST /v1/services/svc_wp_7k2m9qx4/restart 429');
  const { requests, refused: refusals, services } = sandbox.report();
  expect([requests, refusals, services[0]?.restarts]).toEqual([3, 1, 2]);
});

test('after the wait it asked for, requests are answered again, and what was saved up is one second’s worth', async () => {
  const { clock, signedIn } = await visitSandbox({ requestsPerSecond: 2 });
  const statuses = async (times: number) => {
    const seen = [];
    for (let time = 0; time < times; time += 1) seen.push((await signedIn('GET', '/v1/user')).status);
    return seen;
  };
  expect(await statuses(3)).toEqual([200, 200, 429]);
  clock.advance(500);
  expect(await statuses(2)).toEqual([200, 429]);
  clock.advance(60_000);
  expect(await statuses(3)).toEqual([200, 200, 429]);
});

test('all documented operations share the limit; pages and the report are not limited', async () => {
  const { open } = await visitSandbox({ requestsPerSecond: 1 });
  expect((await open('GET', '/v1/user')).status).toBe(401);
  expect((await open('POST', '/v1/auth/device', { clientName: 'x' })).status).toBe(429);
  for (const path of ['/', '/device', '/sandbox']) expect((await open('GET', path)).status).toBe(200);
});

test.each([1, 3, 50, 1_000])('in any ten seconds a bucket of %s/s gives out eleven seconds’ worth at most', (rate) => {
  const clock = fakeClock();
  const take = tokenBucket(clock, rate);
  let given = 0;
  for (let step = 0; step < 100_000; step += 1) {
    if (take() === 0) given += 1;
    clock.advance(0.1);
  }
  expect(given).toBeGreaterThanOrEqual(11 * rate - 1);
  expect(given).toBeLessThanOrEqual(11 * rate);
});
