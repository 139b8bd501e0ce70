import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import {
  applyKey,
  INITIAL_STATE,
  type ViewState,
} from '../../../src/commands/metrics/watch-view.ts';
import type { Answer } from '../../support/against.ts';
import { writeNamesSeen } from '../../support/stored.ts';
import { type Run, svc, temporaryFolder } from '../../support/svc.ts';
import { until } from '../../support/until.ts';
import { testWire } from '../../support/wire.ts';

const START = Date.parse('2026-03-01T12:00:00Z');

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
  const isAsleep = (ms: number) => [...sleepers].some(({ at }) => at === elapsed + ms);
  const advance = (ms: number) => {
    elapsed += ms;
    for (const sleeper of [...sleepers])
      if (sleeper.at <= elapsed && sleepers.delete(sleeper)) sleeper.wake();
  };
  const pauses = () => [...sleepers].map(({ at }) => at - elapsed);
  return { clock, isAsleep, pauses, advance };
}

/**
 * What each service of a line answers, in turn; the last answer stays, and a held one fails when
 * the test says so.
 */
type Answers = Readonly<Record<string, readonly (Answer | 'held')[]>>;

const SAME: Answers = { svc_1: [pointsOf(40)] };

/** `svc metrics … --watch` on a terminal, with a clock that the test moves. */
async function live(
  answers: Answers = SAME,
  line = Object.keys(answers).join(' '),
  env: Readonly<Record<string, string>> = {},
) {
  const wire = await testWire();
  const held = new EventEmitter();
  for (const [id, list] of Object.entries(answers)) {
    const plan = wire.on('GET', `/v1/services/${id}/metrics/history`);
    for (const [index, answer] of list.entries()) {
      const [status, body, headers] = Array.isArray(answer) ? answer : [200, answer];
      if (answer === 'held')
        plan.act(({ socket }) => once(held, 'over').then(() => void socket.destroy()));
      else if (index === list.length - 1) plan.always(status, body, headers);
      else plan.reply(status, body, headers);
    }
  }
  const configDir = await temporaryFolder();
  const others = Object.keys(answers).filter((id) => !line.split(' ').includes(id));
  const seen = [{ name: 'svc_1', about: 'kola-blog' }, ...others.map((name) => ({ name }))];
  writeNamesSeen(configDir, { [wire.url]: { services: seen } });
  const { clock, isAsleep, pauses, advance } = handClock();
  const sleeps = (ms: number) => until(() => isAsleep(ms));
  const stdin = Object.assign(new PassThrough(), { setRawMode: () => stdin });
  let text = '';
  const ended = svc(['metrics', ...line.split(' '), '--watch'], {
    ...{ url: wire.url, stdin, clock, configDir, terminal: { columns: 80, rows: 24 } },
    env: { TERM: 'xterm-256color', TZ: 'UTC', ...env },
    onStdout: (chunk) => {
      text += chunk;
    },
    // A test that fails leaves no view behind, which would go on for ever.
    onStart: (send) => onTestFinished(() => send('SIGINT')),
  });
  const frame = () => text.split('\u001b[H').at(-1) ?? '';
  const shown = () => frame().replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, '');
  return {
    ...{ frame, shown, sleeps, pauses, advance, requests: wire.requests },
    release: () => held.emit('over'),
    services: () => wire.requests.map(({ path }) => path.split('/')[3]),
    shows: (wanted: string | RegExp) => until(() => shown().match(wanted) !== null, shown),
    asked: (count: number) => until(() => wire.requests.length === count),
    async press(key: string) {
      stdin.write(key);
      await new Promise((resolve) => setImmediate(resolve));
    },
    /** How it ended; undefined if it waits for its next turn instead. */
    async ends() {
      let end: Run | undefined;
      void ended.then((run) => {
        end = run;
      });
      await until(() => end !== undefined || isAsleep(30_000));
      return end;
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

test.each<[key: string, before: Partial<ViewState>, change: Partial<ViewState>]>([
  ['1', {}, {}],
  ['5', {}, { range: '30d', isAsking: true }],
  ['up', { series: 2 }, { series: 0 }],
  ['left', {}, { shown: 2 }],
  ['right', { shown: 2 }, { shown: 0 }],
  ['\r', { isZoomed: true }, { isZoomed: false }],
  ['p', { isPaused: true }, { isPaused: false, isAsking: true }],
  ['r', { isPaused: true }, { isAsking: true }],
  ['\u001b', { isZoomed: true }, { isZoomed: false }],
  ['?', {}, {}],
])('the key %j of %j changes %j', (key, before, change) => {
  const state = {
    ...INITIAL_STATE,
    services: SERVICES,
    range: '1h',
    pauseSeconds: 30,
    isAsking: false,
  };
  expect(applyKey({ ...state, ...before }, key)).toEqual(change);
});

test('the charts fill the screen, and the foot names the keys', async () => {
  const view = await live({ svc_1: [pointsOf(80)], svc_2: [pointsOf(80)] });
  await view.sleeps(30_000);
  await expect(view.shown()).toMatchFileSnapshot('pictures/live.80x24.txt');
  expect(await view.quit()).toMatchObject({
    exitCode: 0,
    stderr: expect.not.stringContaining('Error'),
  });
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
  await view.shows(/ {2}6h {2}updated .*, every 1m/);
  await view.quit();
});

test('each service of the line costs one request an interval, and the arrows none', async () => {
  const view = await live({ svc_1: [pointsOf(10)], svc_2: [pointsOf(70)] }, 'svc_1 svc_2');
  await view.sleeps(30_000);
  await view.shows(/kola-blog {2}svc_1 {2}1 of 2 /);
  await view.press('\u001b[C');
  await view.shows(/svc_2 {2}2 of 2 [\s\S]*last 73%/);
  expect(view.requests).toHaveLength(2);
  await view.wait();
  await view.sleeps(30_000);
  expect(view.services()).toEqual(['svc_1', 'svc_2', 'svc_2', 'svc_1']);
  await view.quit();
});

test('a request that fails is sent again in the next turn, and not before', async () => {
  const view = await live({ svc_1: [BUSY] });

  await until(() => view.pauses().length > 0);

  expect(view.pauses()).toEqual([30_000]);
  await view.quit();
});

test('a platform that asks to wait is asked again then, and the time is told', async () => {
  const view = await live({
    svc_1: [pointsOf(40), [429, { error: 'busy' }, { 'retry-after': '90' }], pointsOf(70)],
  });
  await view.wait();
  await view.shows('updated 30s ago, asked to wait until 12:02:00');
  await view.wait(90_000);
  await view.shows('last 73%');
  expect(view.requests).toHaveLength(3);
  await view.quit();
});

test('nobody asks to wait any more after an answer, even if the next one stays away', async () => {
  const busy: Answer = [429, { error: 'busy' }, { 'retry-after': '90' }];
  const view = await live({ svc_1: [busy, pointsOf(70), 'held'] });
  await view.shows('asked to wait until 12:01:30');
  await view.sleeps(90_000);
  view.advance(10_000);
  await view.press('r');
  await view.shows('last 73%');
  await view.wait();
  await view.asked(3);
  view.advance(35_000);
  await view.shows('updated 1m 5s ago');
  expect(view.shown()).not.toContain('asked to wait');
  view.release();
  await view.quit();
});

test('services that svc knows are under the arrows, and are asked for only while they are shown', async () => {
  const view = await live(
    { svc_1: [pointsOf(10)], svc_8: [GONE], svc_9: [pointsOf(90)] },
    'svc_1 --fail-if cpu>80',
  );
  await view.shows(/kola-blog {2}svc_1 {2}1 of 3 /);
  await view.sleeps(30_000);
  expect(view.services()).toEqual(['svc_1']);
  await view.press('\u001b[D');
  await view.shows(/svc_9 {2}3 of 3 [\s\S]*last 93%/);
  await view.press('\u001b[D');
  await view.shows(/svc_8 {2}2 of 3 [\s\S]*no answer[\s\S]*! /);
  await view.press('\u001b[D');
  await view.shows(/kola-blog {2}svc_1/);
  await view.wait();
  await view.sleeps(30_000);
  expect(view.services().at(-1)).toBe('svc_1');
  expect(await view.quit()).toMatchObject({ exitCode: 0 });
});

test('a zoomed series has the screen, and the foot and Esc lead out of it', async () => {
  const view = await live();
  await view.sleeps(30_000);
  await view.press('\r');
  await view.shows('Enter all series');
  expect(view.shown()).not.toContain('memoryBytes');
  await view.press('\u001b');
  await view.shows(/memoryBytes[\s\S]*↑↓ Enter zoom/);
  await view.quit();
});

test('in the tour the first line says where it is and how it goes on', async () => {
  const view = await live(SAME, 'svc_1', { SVC_TOUR_STOP: '8 of 20' });
  await view.shows(/^Tour stop 8 of 20 · q goes on\s/);
  await view.shows('q go on');
  await view.sleeps(30_000);
  await view.quit();
});

test('a platform that does not answer leaves the values, dim, and their age is told; r says that it asks', async () => {
  const view = await live({ svc_1: [pointsOf(40), 'held', pointsOf(70)] }, 'svc_1 --interval 5s');
  const isDim = () => !/\u001b\[3[36]m[⠀-⣿]/.test(view.frame());
  await view.sleeps(5_000);
  await view.press('r');
  await view.shows(/asking *\n/);
  view.advance(9_000);
  await view.shows('updated 12:00:00, every 5s');
  expect(isDim()).toBe(false);
  view.advance(3_000);
  await view.shows('updated 12s ago');
  // The request has not failed yet.
  expect(view.shown()).not.toContain('! ');
  expect(view.shown()).toContain('last 43%');
  expect(isDim()).toBe(true);
  view.release();
  await view.wait(5_000);
  await view.shows('last 73%');
  expect(view.shown()).not.toContain('asking');
  await view.quit();
});

const HTML: Answer = [
  200,
  '<!doctype html><title>Deploying</title>',
  { 'content-type': 'text/html' },
];
const GONE: Answer = [404, { error: 'no' }];
const BUSY: Answer = [503, { error: 'busy' }];
const GOOD = pointsOf(40);

test.each<[what: string, answers: readonly Answer[], exitCode: number]>([
  ['a service that is not there', [GONE], 6],
  ['a web page', [HTML], 1],
  ['401', [[401, { error: 'no' }]], 4],
  ['403 of a service that was there', [GOOD, [403, { error: 'no' }]], 5],
])('%s ends the view', async (_what, answers, exitCode) => {
  const view = await live({ svc_1: answers });
  for (const _answer of answers.slice(1)) await view.wait();
  expect(await view.ends()).toMatchObject({
    exitCode,
    stdout: expect.stringMatching(/\u001b\[\?1049l$/),
  });
  expect(view.requests).toHaveLength(answers.length);
});

test.each([
  ['404', GONE],
  ['a web page', HTML],
])('a service that was there, and answers %s, may come back', async (_what, answer) => {
  const view = await live({ svc_1: [GOOD, answer, answer, answer, pointsOf(70)] });
  await view.wait();
  await view.shows(/updated 30s ago[\s\S]*! /);
  for (let turn = 0; turn < 3; turn += 1) await view.wait();
  await view.shows('last 73%');

  expect(view.shown()).not.toContain('! ');
  expect(await view.quit()).toMatchObject({ exitCode: 0 });
});

test('while one service fails, the others are not asked', async () => {
  const view = await live({ svc_1: [pointsOf(40), BUSY, pointsOf(70)], svc_2: [pointsOf(10)] });
  await view.wait();
  await view.wait();
  await view.shows('last 73%');
  await view.asked(5);
  expect(view.services()).toEqual(['svc_1', 'svc_2', 'svc_1', 'svc_1', 'svc_2']);
  await view.quit();
});

test('more than eight services are refused before anything is sent', async () => {
  const view = await live({}, Array.from({ length: 9 }, (_, at) => `svc_${at}`).join(' '));
  expect(await view.ends()).toMatchObject({ exitCode: 2 });
  expect(view.requests).toEqual([]);
});

test.each<[what: string, second: object, exitCode: number, says: string]>([
  ['that holds for any service', pointsOf(90), 9, 'svc_2: cpuPercent is 93'],
  ['that cannot be checked', { points: [] }, 12, 'svc_2: cpu>80 cannot be checked'],
])('a condition %s ends the view', async (_what, second, exitCode, says) => {
  const view = await live(
    { svc_1: [pointsOf(10)], svc_2: [pointsOf(10), second] },
    'svc_1 svc_2 --fail-if cpu>80',
  );
  await view.wait();
  expect(await view.ends()).toMatchObject({ exitCode, stderr: expect.stringContaining(says) });
});
