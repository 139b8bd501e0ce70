import { mkdir } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import type { Usage } from '../../../src/commands/metrics/usage.ts';
import {
  afterKey,
  beginWatched,
  drawWatched,
  type Reading,
  type Watched,
} from '../../../src/commands/metrics/watch-view.ts';
import { CliError } from '../../../src/errors.ts';
import { writeNamesSeen } from '../../support/stored.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';
import { until } from '../../support/until.ts';
import { testWire, type Wire } from '../../support/wire.ts';
import { testView } from '../../terminal/gallery.ts';

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

/** `svc metrics … --watch` on a terminal, with a clock that the test moves. */
async function live(wire: Wire, argv: readonly string[] = [], size = { columns: 80, rows: 24 }) {
  const configDir = await temporaryFolder();
  await mkdir(configDir, { recursive: true });
  const services = [{ name: 'svc_1', about: 'kola-blog' }];
  writeNamesSeen(configDir, { [wire.url]: { services } });
  const { clock, sleeps, advance } = handClock();
  const stdin = Object.assign(new PassThrough(), { setRawMode: () => stdin });
  let text = '';
  let stop: () => void = () => {};
  const ended = svc(['metrics', ...(argv.length > 0 ? argv : ['svc_1']), '--watch'], {
    ...{ url: wire.url, stdin, clock, configDir, terminal: size },
    env: { TERM: 'xterm-256color', NO_COLOR: '1', TZ: 'UTC' },
    onStdout: (chunk) => {
      text += chunk;
    },
    onStart: (send) => {
      stop = () => send('SIGINT');
    },
  });
  const frames = () => text.split('\u001b[H').slice(1);
  const shown = () => (frames().at(-1) ?? '').replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, '');
  return {
    ended,
    frames: () => frames().length,
    shown,
    shows: (wanted: string | RegExp) => until(() => shown().match(wanted) !== null, shown),
    sleeps,
    advance,
    stop: () => stop(),
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

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

const SERVICES = ['a', 'b', 'c'].map((id) => ({ id }));

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
  ['x', {}, {}],
  ['?', {}, {}],
])('the key %j of %j changes %j', (key, before, change) => {
  const state = { ...beginWatched({ services: SERVICES, range: '1h', pauseSeconds: 30 }), isAsking: false };
  expect(afterKey({ ...state, ...before }, key)).toEqual(change);
});

describe.each([
  ['80x24', { columns: 80, rows: 24 }],
  ['60x16', { columns: 60, rows: 16 }],
])('on a terminal of %s', (size, terminal) => {
  test('the charts fill the screen, and the foot names the keys', async () => {
    const wire = await testWire();
    for (const id of ['svc_1', 'svc_2']) wire.on('GET', usageOf(id)).always(200, pointsOf(80));
    const view = await live(wire, ['svc_1', 'svc_2'], terminal);
    await view.sleeps(30_000);
    await expect(view.shown()).toMatchFileSnapshot(`pictures/live.${size}.txt`);
    expect(view.shown().split('\n')).toHaveLength(terminal.rows);
    expect((await view.quit()).exitCode).toBe(0);
  });
});

describe('in virtual time', () => {
  test('there is one request an interval, and a frame an answer', async () => {
    const wire = await testWire();
    wire.on('GET', usageOf('svc_1')).always(200, pointsOf(40));
    const view = await live(wire);
    await view.sleeps(30_000);
    const first = view.frames();
    for (const count of [2, 3, 4]) {
      await view.wait();
      await view.sleeps(30_000);
      expect(wire.requests).toHaveLength(count);
      expect(view.frames()).toBe(first + count - 1);
    }
    expect(await view.quit()).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('Error') });
  });

  test.each([
    [['--since', '5m'], 10_000],
    [['--since', '30d'], 60_000],
    [['--interval', '5s'], 5_000],
  ])('%j asks politely', async (argv, pauseMs) => {
    const wire = await testWire();
    wire.on('GET', usageOf('svc_1')).always(200, pointsOf(40));
    const view = await live(wire, ['svc_1', ...argv]);
    await view.sleeps(pauseMs);
    await view.quit();
  });

  test('nothing is asked while it is paused, except by a key', async () => {
    const wire = await testWire();
    wire.on('GET', usageOf('svc_1')).always(200, pointsOf(40));
    const view = await live(wire);
    await view.sleeps(30_000);
    await view.press('p');
    await view.shows('paused');
    view.advance(3_600_000);
    await view.press('x');
    expect(wire.requests).toHaveLength(1);
    for (const [key, count] of [
      ['r', 2],
      ['2', 3],
      ['p', 4],
    ] as const) {
      await view.press(key);
      await until(() => wire.requests.length === count);
    }
    await view.shows(/last 6h .* every 1m/);
    await view.quit();
  });

  test('each service of the line costs one request an interval, and the arrows none', async () => {
    const wire = await testWire();
    for (const [id, cpu] of [['svc_1', 10] as const, ['svc_2', 70] as const])
      wire.on('GET', usageOf(id)).always(200, pointsOf(cpu));
    const view = await live(wire, ['svc_1', 'svc_2', 'svc_1']);
    await view.sleeps(30_000);
    await view.shows(/kola-blog {2}svc_1 {2}1 of 2 /);
    await view.press('\u001b[C');
    await view.shows(/svc_2 {2}2 of 2 [\s\S]*last 73%/);
    expect(wire.requests).toHaveLength(2);
    await view.wait();
    await view.sleeps(30_000);
    expect(wire.requests.map(({ path }) => path.split('/')[3])).toEqual(['svc_1', 'svc_2', 'svc_2', 'svc_1']);
    await view.quit();
  });
});

test('a platform that does not answer leaves the values, and their age is told', async () => {
  const wire = await testWire();
  const plan = wire.on('GET', usageOf('svc_1')).reply(200, pointsOf(40));
  const held = gate();
  plan.act(async ({ socket }) => {
    await held.opened;
    socket.destroy();
  });
  const view = await live(wire, ['svc_1', '--interval', '5s']);
  await view.wait(5_000);
  await until(() => wire.requests.length === 2);
  view.advance(4_000);
  await view.shows('12:00:00  every 5s');
  view.advance(3_000);
  await view.shows('last answer 12s ago');
  // The request has not failed yet.
  expect(view.shown()).not.toContain('! ');
  expect(view.shown()).toContain('last 43%');
  await view.quit();
  held.open();
});

test('a platform that asks to wait is asked again then, and the time is told', async () => {
  const wire = await testWire();
  const plan = wire.on('GET', usageOf('svc_1')).reply(200, pointsOf(40));
  plan.reply(429, { error: 'busy' }, { 'retry-after': '90' });
  plan.always(200, pointsOf(70));
  const view = await live(wire);
  await view.wait();
  await view.shows('last answer 30s ago, asked to wait until 12:02:00');
  await view.wait(90_000);
  await view.shows('last 73%');
  expect(wire.requests).toHaveLength(3);
  await view.quit();
});

test('what fails is asked again after the pause, and not before', async () => {
  const wire = await testWire();
  wire
    .on('GET', usageOf('svc_1'))
    .reply(200, pointsOf(40))
    .reply(503, { error: 'maintenance' })
    .reply(200, pointsOf(70));
  const view = await live(wire);
  await view.wait();
  await view.shows('maintenance');
  await view.wait();
  await view.shows('last 73%');
  expect(wire.requests).toHaveLength(3);
  await view.quit();
});

test('--step is for the range of the line; another range has its own', async () => {
  const wire = await testWire();
  wire.on('GET', usageOf('svc_1')).always(200, pointsOf(40));
  const view = await live(wire, ['svc_1', '--since', '2h', '--step', '7m']);
  await view.sleeps(60_000);
  await view.press('1');
  await until(() => wire.requests.length === 2);
  expect(wire.requests.map(({ query }) => query[2])).toEqual([
    ['step', '420'],
    ['step', '30'],
  ]);
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
  const state = beginWatched({
    services: [{ id: 'a', usage, range: '1h', at: START, ...reading }],
    range: '1h',
    pauseSeconds: 30,
  });
  const drawn = await drawWatched(state, { ...testView({ colorLevel: 1 }), columns: 80, rows: 24, now: START }, true);
  expect(/\u001b\[36m[⠀-⣿]/.test(drawn)).toBe(!isDim);
});

test('r says that it asks', async () => {
  const wire = await testWire();
  const plan = wire.on('GET', usageOf('svc_1')).reply(200, pointsOf(40));
  const held = gate();
  plan.act(async ({ response }) => {
    await held.opened;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(pointsOf(70)));
  });
  const view = await live(wire);
  await view.sleeps(30_000);
  await view.press('r');
  await view.shows(/asking *\n/);
  held.open();
  await view.shows('last 73%');
  expect(view.shown()).not.toContain('asking');
  await view.quit();
});

const HTML = '<!doctype html><title>Deploying</title>';

describe('what is refused', () => {
  test.each([
    ['a service that is not there', 404, 6],
    ['401', 401, 4],
    ['403', 403, 5],
  ])('ends the view at once: %s', async (_name, status, exitCode) => {
    const wire = await testWire();
    wire.on('GET', usageOf('svc_1')).always(status, { error: 'no' });
    const done = await (await live(wire)).ended;
    expect(done.exitCode).toBe(exitCode);
    expect(done.stdout).toMatch(/\u001b\[\?1049l$/);
    expect(wire.requests).toHaveLength(1);
  });

  test.each([
    ['404', 404, { error: 'no' }, 6],
    ['a web page', 200, HTML, 1],
  ])('of a service that was there, %s ends it at the third time', async (_name, status, body, exitCode) => {
    const wire = await testWire();
    const headers = typeof body === 'string' ? { 'content-type': 'text/html' } : {};
    const plan = wire.on('GET', usageOf('svc_1')).reply(200, pointsOf(40));
    for (let count = 0; count < 2; count += 1) plan.reply(status, body, headers);
    plan.reply(200, pointsOf(40)).always(status, body, headers);
    const view = await live(wire);
    for (let count = 0; count < 6; count += 1) await view.wait();
    expect((await view.ended).exitCode).toBe(exitCode);
    expect(wire.requests).toHaveLength(7);
  });

  test.each([
    [['svc_1', 'svc_2', '--services', 'list.txt'], /--watch reads no list/],
    [Array.from({ length: 9 }, (_, at) => `svc_${at}`), /--watch shows up to 8 services/],
    [['svc_1', ' '], /The service id is empty/],
  ])('%j, and nothing is sent', async (argv, message) => {
    const wire = await testWire();
    expect(await (await live(wire, argv)).ended).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(message) });
    expect(wire.requests).toEqual([]);
  });
});

test('a condition that holds for any service ends the view', async () => {
  const wire = await testWire();
  wire.on('GET', usageOf('svc_1')).always(200, pointsOf(10));
  wire.on('GET', usageOf('svc_2')).reply(200, pointsOf(10)).reply(200, pointsOf(90));
  const view = await live(wire, ['svc_1', 'svc_2', '--fail-if', 'cpu>80']);
  await view.wait();
  expect(await view.ended).toMatchObject({ exitCode: 9, stderr: expect.stringContaining('svc_2: cpuPercent is 93') });
});

test('Ctrl-C ends it without an error', async () => {
  const wire = await testWire();
  wire.on('GET', usageOf('svc_1')).always(200, pointsOf(10));
  const view = await live(wire);
  await view.sleeps(30_000);
  view.stop();
  expect(await view.ended).toMatchObject({ exitCode: 130, stderr: expect.not.stringContaining('Error') });
});
