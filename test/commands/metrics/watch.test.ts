import { mkdir } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import type { Usage } from '../../../src/commands/metrics/usage.ts';
import { afterKey, BEGUN, drawWatched, type Reading, type Watched } from '../../../src/commands/metrics/watch-view.ts';
import { CliError } from '../../../src/errors.ts';
import type { Answer } from '../../support/against.ts';
import { writeNamesSeen } from '../../support/stored.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';
import { until } from '../../support/until.ts';
import { testWire } from '../../support/wire.ts';
import { testView } from '../../terminal/view.ts';

const START = Date.parse('2026-03-01T12:00:00Z');
const usageOf = (service: string) => `/v1/services/${service}/metrics/history`;

/** A point a minute until noon, as a web service has them. */
function pointsOf(cpuPercent: number) {
  const points = Array.from({ length: 60 }, (_, index) => ({
    time: new Date(START - (59 - index) * 60_000).toISOString(),
    cpuPercent: cpuPercent + (index % 7),
    memoryBytes: 3e8 + index * 1e6,
    requests: 40 + ((index * 7) % 13),
  }));
  return { points };
}

/** Time that moves when the test says so; whoever sleeps wakes then. */
function handClock() {
  let elapsed = 0;
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  const clock: Clock = {
    now: () => START + elapsed,
    monotonic: () => elapsed,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const sleeper = { at: elapsed + ms, wake: resolve };
        sleepers.add(sleeper);
        const stop = () => sleepers.delete(sleeper) && reject(signal?.reason);
        if (signal?.aborted) stop();
        else signal?.addEventListener('abort', stop, { once: true });
      }),
  };
  const sleeps = (ms: number) => until(() => [...sleepers].some(({ at }) => at === elapsed + ms));
  const advance = (ms: number) => {
    elapsed += ms;
    for (const sleeper of [...sleepers]) {
      if (sleeper.at <= elapsed && sleepers.delete(sleeper)) sleeper.wake();
    }
  };
  return { clock, sleeps, advance };
}

/** What the services of a line answer, in turn; the last answer stays, and a held one fails when the test says so. */
type Answers = Readonly<Record<string, readonly (Answer | 'held')[]>>;

const SAME: Answers = { svc_1: [pointsOf(40)] };

/** `svc metrics … --watch` on a terminal, with a clock that the test moves. */
async function live(answers: Answers = SAME, line = Object.keys(answers).join(' '), size = { columns: 80, rows: 24 }) {
  const wire = await testWire();
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  for (const [id, list] of Object.entries(answers)) {
    const plan = wire.on('GET', usageOf(id));
    for (const [index, answer] of list.entries()) {
      const [status, body, headers] = Array.isArray(answer) ? answer : [200, answer];
      if (answer === 'held')
        plan.act(async ({ socket }) => {
          await released;
          socket.destroy();
        });
      else if (index === list.length - 1) plan.always(status, body, headers);
      else plan.reply(status, body, headers);
    }
  }
  const configDir = await temporaryFolder();
  await mkdir(configDir, { recursive: true });
  writeNamesSeen(configDir, { [wire.url]: { services: [{ name: 'svc_1', about: 'kola-blog' }] } });
  const { clock, sleeps, advance } = handClock();
  const stdin = Object.assign(new PassThrough(), { setRawMode: () => stdin });
  let text = '';
  let stop: () => void = () => {};
  const ended = svc(['metrics', ...line.split(' '), '--watch'], {
    ...{ url: wire.url, stdin, clock, configDir, terminal: size },
    env: { TERM: 'xterm-256color', NO_COLOR: '1', TZ: 'UTC' },
    onStdout: (chunk) => {
      text += chunk;
    },
    onStart: (send) => {
      stop = () => send('SIGINT');
    },
  });
  // A test that fails leaves no view behind, which would go on for ever.
  onTestFinished(() => stop());
  const frames = () => text.split('\u001b[H').slice(1);
  const shown = () => (frames().at(-1) ?? '').replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, '');
  return {
    ...{ ended, shown, sleeps, advance, requests: wire.requests },
    frames: () => frames().length,
    shows: (wanted: string | RegExp) => until(() => shown().match(wanted) !== null, shown),
    asked: (count: number) => until(() => wire.requests.length === count),
    stop: () => stop(),
    release,
    async press(...keys: readonly string[]) {
      for (const key of keys) {
        stdin.write(key);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    /** Lets the pause between two turns pass. */
    async wait(ms = 30_000) {
      await sleeps(ms);
      advance(ms);
    },
    async quit() {
      stdin.write('q');
      return await ended;
    },
  };
}

const SERVICES = ['a', 'b', 'c'].map((id) => ({ id }));

/* biome-ignore format: a row a line */
test.each<[key: string, before: Partial<Watched>, change: Partial<Watched>]>([
  ['1', {}, {}],
  ['5', {}, { range: '30d', isAsking: true }],
  ['6', {}, {}],
  ['up', { series: 2 }, { series: 0 }],
  ['down', {}, { series: 0 }],
  ['left', {}, { shown: 2 }],
  ['right', { shown: 2 }, { shown: 0 }],
  ['\r', {}, { isZoomed: true }],
  ['\r', { isZoomed: true }, { isZoomed: false }],
  ['p', {}, { isPaused: true, isAsking: false }],
  ['p', { isPaused: true }, { isPaused: false, isAsking: true }],
  ['r', { isPaused: true }, { isAsking: true }],
  ['q', {}, { isOver: true }],
  ['Q', {}, { isOver: true }],
  ['?', {}, {}],
])('the key %j of %j changes %j', (key, before, change) => {
  const state = { ...BEGUN, services: SERVICES, range: '1h', pauseSeconds: 30, isAsking: false };
  expect(afterKey({ ...state, ...before }, key)).toEqual(change);
});

test.each([
  ['80x24', { columns: 80, rows: 24 }],
  ['60x16', { columns: 60, rows: 16 }],
])('on a terminal of %s the charts fill the screen, and the foot names the keys', async (size, terminal) => {
  const view = await live({ svc_1: [pointsOf(80)], svc_2: [pointsOf(80)] }, 'svc_1 svc_2', terminal);
  await view.sleeps(30_000);
  await expect(view.shown()).toMatchFileSnapshot(`pictures/live.${size}.txt`);
  expect(view.shown().split('\n')).toHaveLength(terminal.rows);
  expect((await view.quit()).exitCode).toBe(0);
});

test('there is one request an interval, and a frame an answer', async () => {
  const view = await live();
  await view.sleeps(30_000);
  const first = view.frames();
  for (const count of [2, 3, 4]) {
    await view.wait();
    await view.sleeps(30_000);
    expect([view.requests.length, view.frames()]).toEqual([count, first + count - 1]);
  }
  expect(await view.quit()).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('Error') });
});

test.each([
  ['--since 5m', 10_000],
  ['--since 30d', 60_000],
  ['--interval 5s', 5_000],
])('%s asks politely', async (words, pauseMs) => {
  const view = await live(SAME, `svc_1 ${words}`);
  await view.sleeps(pauseMs);
  await view.quit();
});

test('nothing is asked while it is paused, except by a key', async () => {
  const view = await live();
  await view.sleeps(30_000);
  await view.press('p');
  await view.shows('paused');
  view.advance(3_600_000);
  await view.press('x');
  expect(view.requests).toHaveLength(1);
  for (const [index, key] of ['r', '2', 'p'].entries()) {
    await view.press(key);
    await view.asked(index + 2);
  }
  await view.shows(/last 6h .* every 1m/);
  await view.quit();
});

test('each service of the line costs one request an interval, and the arrows none', async () => {
  const view = await live({ svc_1: [pointsOf(10)], svc_2: [pointsOf(70)] }, 'svc_1 svc_2 svc_1');
  await view.sleeps(30_000);
  await view.shows(/kola-blog {2}svc_1 {2}1 of 2 /);
  await view.press('\u001b[C');
  await view.shows(/svc_2 {2}2 of 2 [\s\S]*last 73%/);
  expect(view.requests).toHaveLength(2);
  await view.wait();
  await view.sleeps(30_000);
  expect(view.requests.map(({ path }) => path.split('/')[3])).toEqual(['svc_1', 'svc_2', 'svc_2', 'svc_1']);
  await view.quit();
});

/* biome-ignore format: a row a line */
test.each<[what: string, answers: readonly Answer[], shown: string, pauseMs: number]>([
  ['asks to wait is asked again then, and the time is told', [[429, { error: 'busy' }, { 'retry-after': '90' }]], 'last answer 30s ago, asked to wait until 12:02:00', 90_000],
  ['fails is asked again after the pause', [[503, { error: 'maintenance' }]], 'maintenance', 30_000],
])('a platform that %s', async (_what, troubles, shown, pauseMs) => {
  const view = await live({ svc_1: [pointsOf(40), ...troubles, pointsOf(70)] });
  await view.wait();
  await view.shows(shown);
  await view.wait(pauseMs);
  await view.shows('last 73%');
  expect(view.requests).toHaveLength(3);
  await view.quit();
});

test('--step is for the range of the line; another range has its own', async () => {
  const view = await live(SAME, 'svc_1 --since 2h --step 7m');
  await view.sleeps(60_000);
  await view.press('1');
  await view.asked(2);
  expect(view.requests.map(({ query }) => query[2])).toEqual([
    ['step', '420'],
    ['step', '30'],
  ]);
  await view.quit();
});

test('a platform that does not answer leaves the values, and their age is told; r says that it asks', async () => {
  const view = await live({ svc_1: [pointsOf(40), 'held', pointsOf(70)] }, 'svc_1 --interval 5s');
  await view.sleeps(5_000);
  await view.press('r');
  await view.shows(/asking *\n/);
  view.advance(9_000);
  await view.shows('12:00:00  every 5s');
  view.advance(3_000);
  await view.shows('last answer 12s ago');
  // The request has not failed yet.
  expect(view.shown()).not.toContain('! ');
  expect(view.shown()).toContain('last 43%');
  view.release();
  await view.wait(5_000);
  await view.shows('last 73%');
  expect(view.shown()).not.toContain('asking');
  await view.quit();
});

test.each<[what: string, reading: Partial<Reading>, isDim: boolean]>([
  ['new', {}, false],
  ['two intervals old', { at: START - 60_000 }, false],
  ['older', { at: START - 60_001 }, true],
  ['of another range', { range: '6h' }, true],
  ['followed by a failure', { trouble: new CliError('unavailable', 'no') }, true],
])('values that are %s: %j, dim: %s', async (_what, reading, isDim) => {
  const times = Float64Array.of(START - 120_000, START - 60_000);
  const series = [{ name: 'cpu', unit: '%' as const, times, values: Float64Array.of(20, 30), everyMs: 60_000 }];
  const usage = { series, asked: { startMs: START - 120_000, endMs: START, stepMs: 60_000 } } as unknown as Usage;
  const services = [{ id: 'a', usage, range: '1h', at: START, ...reading }];
  const state = { ...BEGUN, services, range: '1h', pauseSeconds: 30 };
  const drawn = await drawWatched(state, { ...testView({ colorLevel: 1 }), columns: 80, rows: 24, now: START }, true);
  expect(/\u001b\[36m[⠀-⣿]/.test(drawn)).toBe(!isDim);
});

const HTML: Answer = [200, '<!doctype html><title>Deploying</title>', { 'content-type': 'text/html' }];

/* biome-ignore format: a row a line */
test.each<[what: string, answer: Answer, exitCode: number]>([
  ['a service that is not there', [404, { error: 'no' }], 6],
  ['401', [401, { error: 'no' }], 4],
  ['403', [403, { error: 'no' }], 5],
  ['a web page', HTML, 1],
])('%s ends the view at once', async (_what, answer, exitCode) => {
  const view = await live({ svc_1: [answer] });
  expect(await view.ended).toMatchObject({ exitCode, stdout: expect.stringMatching(/\u001b\[\?1049l$/) });
  expect(view.requests).toHaveLength(1);
});

const GONE: Answer = [404, { error: 'no' }];
const BUSY: Answer = [503, { error: 'busy' }];

/* biome-ignore format: a row a line */
test.each<[what: string, answers: readonly Answer[], exitCode: number]>([
  ['404', [GONE, GONE, pointsOf(40), GONE, GONE, GONE], 6],
  ['a web page', [HTML, HTML, pointsOf(40), HTML, HTML, HTML], 1],
  ['404 with 503 between', [GONE, BUSY, GONE, BUSY, GONE], 6],
])('of a service that was there, %s ends it at the third time without an answer', async (_what, answers, exitCode) => {
  const view = await live({ svc_1: [pointsOf(40), ...answers] });
  for (const _answer of answers) await view.wait();
  expect((await view.ended).exitCode).toBe(exitCode);
  expect(view.requests).toHaveLength(1 + answers.length);
});

test('while one service fails, the others are not asked', async () => {
  const view = await live({ svc_1: [pointsOf(40), BUSY, pointsOf(70)], svc_2: [pointsOf(10)] });
  await view.wait();
  await view.wait();
  await view.shows('last 73%');
  await view.asked(5);
  expect(view.requests.map(({ path }) => path.split('/')[3])).toEqual(['svc_1', 'svc_2', 'svc_1', 'svc_1', 'svc_2']);
  await view.quit();
});

test.each([
  [401, 4],
  [403, 5],
])('of a service that was there, %i ends it at once', async (status, exitCode) => {
  const view = await live({ svc_1: [pointsOf(40), [status, { error: 'no' }]] });
  await view.wait();
  expect((await view.ended).exitCode).toBe(exitCode);
  expect(view.requests).toHaveLength(2);
});

test.each<[line: string, message: RegExp]>([
  ['svc_1 svc_2 --services list.txt', /--watch reads no list/],
  [Array.from({ length: 9 }, (_, at) => `svc_${at}`).join(' '), /--watch shows up to 8 services/],
])('%s, and nothing is sent', async (line, message) => {
  const view = await live({}, line);
  expect(await view.ended).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(message) });
  expect(view.requests).toEqual([]);
});

/* biome-ignore format: a row a line */
test.each<[what: string, condition: string, second: readonly Answer[], exitCode: number, says: string]>([
  ['that holds for any service', 'cpu>80', [pointsOf(10), pointsOf(90)], 9, 'svc_2: cpuPercent is 93'],
  ['that cannot be checked', 'cpu>80', [pointsOf(10), { points: [] }], 12, 'svc_2: cpu>80 cannot be checked'],
])('a condition %s ends the view', async (_what, condition, second, exitCode, says) => {
  const view = await live({ svc_1: [pointsOf(10)], svc_2: second }, `svc_1 svc_2 --fail-if ${condition}`);
  await view.wait();
  expect(await view.ended).toMatchObject({ exitCode, stderr: expect.stringContaining(says) });
});

test('Ctrl-C ends it without an error', async () => {
  const view = await live();
  await view.sleeps(30_000);
  view.stop();
  expect(await view.ended).toMatchObject({ exitCode: 130, stderr: expect.not.stringContaining('Error') });
});
