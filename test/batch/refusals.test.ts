import { expect, test } from 'vitest';
import { type Answer, against } from '../support/against.ts';
import { fakeClock } from '../support/clock.ts';
import { svc } from '../support/svc.ts';
import { send } from '../support/wire-plan.ts';
import { testService } from '../trust/service.ts';
import { idsOf } from './counting-service.ts';
import { linesOf } from './lines.ts';

const OK: Answer = { success: true };
const busy = (status: number, seconds: number): Answer => [
  status,
  {},
  { 'retry-after': String(seconds) },
];
const FORTY = Array.from({ length: 40 }, () => busy(429, 7));
const B7 = busy(503, 7);
const LONG = busy(429, 200);

test.each<
  [
    what: string,
    answers: Answer[][],
    exitCode: number,
    ends: ReadonlyArray<[exitCode: number, attempts: number]>,
    flags?: string,
  ]
>([
  [
    'a 429 that says how long to wait costs no try, and the wait no time of the item',
    [[...FORTY, OK], [OK]],
    0,
    [
      [0, 41],
      [0, 1],
    ],
  ],
  [
    'after 10 minutes of pauses an item fails',
    [[LONG, LONG, LONG, LONG], [OK]],
    11,
    [
      [7, 4],
      [0, 1],
    ],
  ],
  [
    'a platform that asks to wait for hours ends the run',
    [[busy(429, 7200)], [], []],
    11,
    [[7, 1]],
  ],
  [
    'a 503 that says how long to wait has the tries of a single command',
    [
      [B7, B7, B7],
      [B7, OK],
    ],
    11,
    [
      [8, 3],
      [0, 2],
    ],
  ],
  [
    'pauses are no tries of what comes after them',
    [[...FORTY, B7, OK], [OK]],
    0,
    [
      [0, 42],
      [0, 1],
    ],
  ],
  [
    '--no-retry sends each request once, whatever the answer',
    [[busy(429, 7)], [busy(429, 7)]],
    7,
    [
      [7, 1],
      [7, 1],
    ],
    '--no-retry',
  ],
  [
    'a change without an answer is never sent again',
    [['reset'], [OK]],
    11,
    [
      [8, 1],
      [0, 1],
    ],
  ],
])('%s', async (what, answers, exitCode, ends, flags = '') => {
  const ids = answers.map((_, index) => `s${index}`);
  const plan = Object.fromEntries(
    ids.map((id, index) => [`POST /v1/services/${id}/restart`, answers[index] ?? []]),
  );
  const run = await against(`restart ${ids.join(' ')} -y --json --concurrency 1 ${flags}`, plan);
  expect(run.exitCode).toBe(exitCode);
  expect(linesOf(run.stdout).map((line) => [line['exitCode'], line['attempts']])).toEqual(ends);
  const waitedMs = run.waits.reduce((sum, ms) => sum + ms, 0);
  if (what.includes('costs no try')) expect(waitedMs).toBeGreaterThan(FORTY.length * 7_000);
  if (what.includes('hours')) expect(run.stderr).toMatch(/asks to wait 2h.*2 not sent/);
  expect(run.stderr.includes('"outcome":"unknown"')).toBe(
    answers[0]?.[0] === 'reset' || what.startsWith('a 503'),
  );
});

test('a platform that asks to wait for no time gets a second before each repeat', async () => {
  const refusals = Array.from({ length: 10 }, () => busy(429, 0));
  const plan = {
    'POST /v1/services/s1/restart': [...refusals, OK],
    'POST /v1/services/s2/restart': [OK],
  };

  const run = await against('restart s1 s2 --yes --json --concurrency 1', plan);

  expect(run.exitCode).toBe(0);
  expect(run.waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(10_000);
});

test('refusals of twenty requests that were under way together make the pace slower once', async () => {
  const ids = idsOf(20);
  const service = await testService();
  const clock = fakeClock();
  let startAnswers = () => {};
  const allSent = new Promise<void>((resolve) => (startAnswers = resolve));
  const firstPause = new Promise<void>((resolve) => clock.onSleep(() => resolve()));
  let requests = 0;
  service.expect(async ({ response }) => {
    requests += 1;
    if (requests > ids.length) return send(response, 200, { success: true });
    const isFirst = requests === 1;
    if (requests === ids.length) startAnswers();
    await allSent;
    if (!isFirst) await firstPause;
    send(response, 429, {}, { 'retry-after': '1' });
  });

  const line = `restart ${ids.join(' ')} --yes --json --concurrency 20`;
  const { exitCode } = await svc(line.split(' '), { url: service.url, clock });

  expect([exitCode, requests]).toEqual([0, 40]);
  // Each is a pause of a second, and no longer ones between the requests that follow.
  expect(clock.monotonic()).toBeLessThan(ids.length * 1_100);
});
