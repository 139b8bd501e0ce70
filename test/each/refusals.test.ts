import { expect, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { svc } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';
import { linesOf } from './lines.ts';

const restartOf = (id: string) => `/v1/services/${id}/restart`;
const WAIT = { 'retry-after': '7' };

async function restart(
  ids: readonly string[],
  plan: (wire: Awaited<ReturnType<typeof testWire>>) => void,
  ...more: string[]
) {
  const wire = await testWire();
  plan(wire);
  const clock = fakeClock();
  const run = await svc(['restart', ...ids, '-y', '--json', '--concurrency', '1', ...more], { url: wire.url, clock });
  const lines = linesOf(run.stdout);
  return { exitCode: run.exitCode, clock, wire, lines, error: run.stderr === '' ? {} : run.error };
}

test('a 429 that says how long to wait costs no try, and the wait no time of the item', async () => {
  const refusals = 40;
  const { exitCode, lines, clock } = await restart(['s1', 's2'], (wire) => {
    const plan = wire.on('POST', restartOf('s1'));
    for (let count = 0; count < refusals; count += 1) plan.reply(429, {}, WAIT);
    plan.reply(200, { success: true });
    wire.on('POST', restartOf('s2')).reply(200, { success: true });
  });
  expect(exitCode).toBe(0);
  expect(lines[0]).toMatchObject({ item: 's1', exitCode: 0, attempts: refusals + 1 });
  expect(clock.monotonic()).toBeGreaterThan(refusals * 7_000);
});

test('after 10 minutes of pauses an item fails', async () => {
  const { exitCode, lines } = await restart(['s1', 's2'], (wire) => {
    wire.on('POST', restartOf('s1')).always(429, { error: 'busy' }, { 'retry-after': '200' });
    wire.on('POST', restartOf('s2')).reply(200, { success: true });
  });
  expect(exitCode).toBe(11);
  expect(lines).toMatchObject([
    { item: 's1', exitCode: 7, code: 'rate_limited', attempts: 4 },
    { item: 's2', exitCode: 0 },
  ]);
});

test('a platform that asks to wait for hours ends the run', async () => {
  const { exitCode, error, wire, lines } = await restart(['s1', 's2', 's3'], (wire) => {
    wire.on('POST', restartOf('s1')).reply(429, { error: 'busy' }, { 'retry-after': '7200' });
  });
  expect(exitCode).toBe(11);
  expect(error['error']).toContain('asks to wait 2h');
  expect(error['error']).toContain('2 not sent');
  expect([wire.requests.length, lines.length]).toEqual([1, 1]);
});

test('a 503 that says how long to wait has the tries of a single command', async () => {
  const { exitCode, lines } = await restart(['s1', 's2'], (wire) => {
    wire.on('POST', restartOf('s1')).reply(503, {}, WAIT).reply(503, {}, WAIT).reply(503, {}, WAIT);
    wire.on('POST', restartOf('s2')).reply(503, {}, WAIT).reply(200, { success: true });
  });
  expect(exitCode).toBe(11);
  expect(lines).toMatchObject([
    { item: 's1', exitCode: 8, attempts: 3 },
    { item: 's2', exitCode: 0, attempts: 2 },
  ]);
});

test('--no-retry sends each request once, whatever the answer', async () => {
  const { exitCode, lines } = await restart(
    ['s1', 's2'],
    (wire) => {
      for (const id of ['s1', 's2']) wire.on('POST', restartOf(id)).reply(429, {}, WAIT);
    },
    '--no-retry',
  );
  expect(exitCode).toBe(7);
  expect(lines.map(({ attempts }) => attempts)).toEqual([1, 1]);
});

test('a change without an answer is never sent again', async () => {
  const { exitCode, lines, wire, error } = await restart(['s1', 's2'], (wire) => {
    wire.on('POST', restartOf('s1')).reset();
    wire.on('POST', restartOf('s2')).reply(200, { success: true });
  });
  expect([exitCode, error['outcome'], wire.requests.length]).toEqual([11, 'unknown', 2]);
  expect(lines[0]).toMatchObject({ exitCode: 8, error: { outcome: 'unknown' } });
});
