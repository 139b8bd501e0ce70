import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { until } from '../support/until.ts';
import { testWire, type Wire } from '../support/wire.ts';

const START = Date.parse('2026-03-01T12:00:00Z');

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
  return {
    clock,
    /** Whether somebody sleeps for so long. */
    sleeps: (ms: number) => [...sleepers].some(({ at }) => at === elapsed + ms),
    advance(ms: number) {
      elapsed += ms;
      for (const sleeper of [...sleepers]) {
        if (sleeper.at <= elapsed && sleepers.delete(sleeper)) sleeper.wake();
      }
    },
  };
}

const usageOf = (service: string) => `/v1/services/${service}/metrics/history`;

function pointsOf(values: readonly number[]) {
  return values.map((cpuPercent, index) => ({
    time: new Date(START - (9 - index) * 60_000).toISOString(),
    cpuPercent,
  }));
}

interface Started {
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly known?: Readonly<Record<string, unknown>>;
  /** What svc has changed before, today. */
  readonly changes?: readonly object[];
}

/** `svc metrics svc_1 --watch` on a terminal of 80 × 24, with a clock that the test moves. */
async function live(
  wire: Wire,
  { argv = ['metrics', 'svc_1', '--watch'], env = {}, known, changes = [] }: Started = {},
) {
  const [configDir, cwd] = [await temporaryFolder(), await temporaryFolder()];
  if (known) await writeFile(join(configDir, 'known.json'), JSON.stringify({ [wire.url]: known }));
  await mkdir(join(configDir, 'changes'));
  await writeFile(
    join(configDir, 'changes/2026-03-01.ndjson'),
    changes.map((one) => `${JSON.stringify(one)}\n`).join(''),
  );
  const hand = handClock();
  const stdin = Object.assign(new PassThrough(), { setRawMode: () => stdin });
  let text = '';
  let stop: () => void = () => {};
  const ended = svc(argv, {
    ...{ url: wire.url, stdin, clock: hand.clock, configDir, cwd, terminal: { columns: 80, rows: 24 } },
    env: { TERM: 'xterm-256color', NO_COLOR: '1', ...env },
    onStdout: (chunk) => {
      text += chunk;
    },
    onStart: (send) => {
      stop = () => send('SIGINT');
    },
  });
  const frames = () => text.split('\u001b[H').slice(1);
  const shows = (wanted: string | RegExp) =>
    until(
      () => plain(frames().at(-1) ?? '').match(wanted) !== null,
      () => text.slice(-3000),
    );
  return {
    ended,
    cwd,
    shows,
    frames: () => frames().length,
    stop: () => stop(),
    /** Presses keys one by one, as fast as a person does. */
    async press(...keys: readonly string[]) {
      for (const key of keys) {
        hand.advance(100);
        stdin.write(key);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    paste: (pasted: string) => stdin.write(pasted),
    /** Lets so much time pass, once the view waits for it. */
    async wait(ms: number, of = ms) {
      await until(() => hand.sleeps(of));
      hand.advance(ms);
    },
    sleeps: (ms: number) => until(() => hand.sleeps(ms)),
    advance: hand.advance,
  };
}

/** Without the codes that place text. */
function plain(frame: string): string {
  return frame.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, '');
}

describe('in virtual time', () => {
  test('there is one request an interval, and one frame an answer', async () => {
    const wire = await testWire();
    wire.on('GET', usageOf('svc_1')).always(200, { points: pointsOf([10, 40]) });
    const view = await live(wire);
    await view.shows('live');
    await view.sleeps(30_000);
    const first = view.frames();
    for (const count of [2, 3, 4]) {
      await view.wait(30_000);
      await until(() => wire.requests.length === count);
      await view.sleeps(30_000);
      expect(wire.requests).toHaveLength(count);
      expect(view.frames()).toBe(first + count - 1);
    }
    await view.press('q');
    expect(await view.ended).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('Error') });
  });

  test('nothing is drawn without a change', async () => {
    const wire = await testWire();
    wire.on('GET', usageOf('svc_1')).always(200, { points: pointsOf([10, 40]) });
    const view = await live(wire);
    await view.sleeps(30_000);
    const drawn = view.frames();
    await view.wait(9_000, 30_000);
    await view.press('x', 'y', '\u001b[A', '\u001b[5~');
    await view.press('?');
    await view.shows('another service');
    expect(view.frames()).toBe(drawn + 1);
    await view.press('q');
    await view.ended;
  });

  test('nothing is asked while it is paused, except by a key', async () => {
    const wire = await testWire();
    wire.on('GET', usageOf('svc_1')).always(200, { points: pointsOf([10, 40]) });
    const view = await live(wire);
    await view.sleeps(30_000);
    await view.press('p');
    await view.shows('paused');
    view.advance(3_600_000);
    await view.press('?');
    await view.shows('another service');
    await view.press('x');
    expect(wire.requests).toHaveLength(1);
    await view.press('r');
    await until(() => wire.requests.length === 2);
    await view.press('2');
    await until(() => wire.requests.length === 3);
    await view.shows(/paused .*last 6h/);
    await view.press('p');
    await until(() => wire.requests.length === 4);
    await view.shows('live');
    await view.press('q');
    await view.ended;
  });

  test('other services cost one request each, and then one an interval', async () => {
    const wire = await testWire();
    for (const service of ['svc_1', 'svc_2', 'svc_3']) {
      wire.on('GET', usageOf(service)).always(200, { points: pointsOf([10, 40]) });
    }
    wire.on('GET', usageOf('svc_gone')).always(404, { error: 'no such service' });
    const services = ['svc_2', 'svc_1', 'svc_3', 'svc_gone'].map((name) => ({
      name,
      about: name.replace('svc_', 'no-'),
    }));
    const view = await live(wire, { known: { services } });
    const asked = () => wire.requests.map(({ path }) => path.split('/')[3]);
    await view.sleeps(30_000);
    expect(asked()).toEqual(['svc_1', 'svc_2', 'svc_3', 'svc_gone']);
    await view.shows(/\[no-1 40%] +no-2 40% +no-3 40% +no-gone/);
    for (const other of ['svc_2', 'svc_3', 'svc_2']) {
      await view.wait(30_000);
      await view.sleeps(30_000);
      expect(asked().slice(-2)).toEqual(['svc_1', other]);
    }
    await view.press('\t');
    await view.shows(/\[no-2 40%]/);
    await view.sleeps(30_000);
    expect(asked().at(-2)).toBe('svc_2');
    await view.press('\u001b[Z', '\u001b[D');
    await view.shows('! no such service.');
    await view.press('q');
    expect((await view.ended).exitCode).toBe(0);
  });
});

describe('services of the line', () => {
  async function asked(argv: readonly string[], answers: Readonly<Record<string, readonly number[]>>) {
    const wire = await testWire();
    for (const [service, values] of Object.entries(answers)) {
      wire.on('GET', usageOf(service)).always(200, { points: pointsOf(values) });
    }
    const known = { services: [{ name: 'svc_seen', about: 'seen' }] };
    return { wire, view: await live(wire, { argv, known }) };
  }

  test('are shown, each once, and no others', async () => {
    const argv = ['metrics', 'svc_1', 'svc_2', 'svc_1', '--watch'];
    const { wire, view } = await asked(argv, { svc_1: [10, 40], svc_2: [10, 20] });
    await view.shows(/\[svc_1 40%] +svc_2 20% *\n/);
    await view.sleeps(30_000);
    expect(wire.requests).toHaveLength(2);
    await view.press('\t');
    await view.shows(/svc_1 40% +\[svc_2 20%]/);
    await view.press('q');
    expect((await view.ended).exitCode).toBe(0);
  });

  test('end the view by a condition that holds for any of them', async () => {
    const argv = ['metrics', 'svc_1', 'svc_2', '--watch', '--fail-if', 'cpu>80'];
    const high = Array.from({ length: 10 }, () => 95);
    const { view } = await asked(argv, { svc_1: [...high].fill(10), svc_2: high });
    expect(await view.ended).toMatchObject({ exitCode: 9, stderr: expect.stringContaining('svc_2: cpuPercent is 95') });
  });

  test.each([
    [['svc_1', 'svc_2', '--watch', '--services', 'list.txt'], /--watch reads no list/],
    [Array.from({ length: 9 }, (_, at) => `svc_${at}`).concat('--watch'), /--watch shows up to 8 services/],
    [['svc_1', ' ', '--watch'], /The service id is empty/],
  ])('%j is refused, and nothing is sent', async (args, message) => {
    const { wire, view } = await asked(['metrics', ...args], {});
    const { exitCode, stderr } = await view.ended;
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
    expect(wire.requests).toHaveLength(0);
  });
});

test('restarts that svc has sent before are marked', async () => {
  const wire = await testWire();
  wire.on('GET', usageOf('svc_1')).always(200, { points: pointsOf([10, 40, 20, 30, 20, 10, 20, 10, 20, 20]) });
  const change = { address: wire.url, who: 'me', command: 'restart', service: 'svc_1', result: 'accepted' };
  const at = (minutes: number) => new Date(START - minutes * 60_000).toISOString();
  const changes = [
    { ...change, at: at(7), command: 'wp run' },
    { ...change, at: at(6), address: 'https://elsewhere.example' },
    { ...change, at: at(5), service: 'svc_2' },
    { ...change, at: at(4), result: 'refused' },
    { ...change, at: at(3), result: 'unknown' },
    { ...change, at: at(2) },
  ];
  const view = await live(wire, { changes, env: { TZ: 'UTC' } });
  await view.shows(/└.*R.*R.*\n.*\n {2}R restarted 1 Mar 2026, 11:58 {2}R perhaps restarted 1 Mar 2026, 11:57 *\n/);
  await view.press('q');
  expect((await view.ended).exitCode).toBe(0);
});

test('a lost server leaves the values, says since when, and is asked again', async () => {
  const wire = await testWire();
  const plan = wire.on('GET', usageOf('svc_1')).reply(200, { points: pointsOf([10, 40]) });
  for (let attempt = 0; attempt < 2; attempt += 1) plan.reply(503, { error: 'maintenance' });
  plan.always(200, { points: pointsOf([10, 70]) });
  const view = await live(wire, { argv: ['metrics', 'svc_1', '--watch', '--no-retry'], env: { TZ: 'UTC' } });
  await view.sleeps(30_000);
  await view.wait(30_000);
  await view.shows(/no answer since \d\d:\d\d:00/);
  await view.shows('maintenance');
  await view.shows('last 40%');
  await view.wait(30_000);
  await view.wait(30_000);
  await view.shows(/live .*\n.*cpuPercent ↑ {2}last 70%/);
  await view.press('q');
  expect((await view.ended).exitCode).toBe(0);
});

test.each([
  ['a service that is not there', 404, 6],
  ['a refusal', 403, 5],
])('%s ends the view', async (_name, status, exitCode) => {
  const wire = await testWire();
  wire.on('GET', usageOf('svc_1')).always(status, { error: 'no' });
  const view = await live(wire);
  const done = await view.ended;
  expect(done.exitCode).toBe(exitCode);
  expect(done.stdout).toMatch(/\u001b\[\?1049l$/);
});

test('a condition that holds ends the view', async () => {
  const wire = await testWire();
  wire
    .on('GET', usageOf('svc_1'))
    .reply(200, { points: pointsOf(Array.from({ length: 10 }, () => 10)) })
    .reply(200, { points: pointsOf(Array.from({ length: 10 }, () => 95)) });
  const view = await live(wire, { argv: ['metrics', 'svc_1', '--watch', '--fail-if', 'cpu>80'] });
  await view.wait(30_000);
  expect(await view.ended).toMatchObject({ exitCode: 9 });
});

test('Ctrl-C ends it as every watch', async () => {
  const wire = await testWire();
  wire.on('GET', usageOf('svc_1')).always(200, { points: pointsOf([10]) });
  const view = await live(wire);
  await view.shows('live');
  view.stop();
  expect(await view.ended).toMatchObject({ exitCode: 130, stderr: expect.not.stringContaining('Error') });
});

describe('R', () => {
  async function restarting(answer: (wire: Wire) => void) {
    const wire = await testWire();
    wire.on('GET', usageOf('svc_1')).always(200, { points: pointsOf([10, 40, 20, 30, 20, 10, 20, 10, 20, 20]) });
    answer(wire);
    const view = await live(wire, { argv: ['metrics', 'svc_1', '--watch', '--no-retry'] });
    await view.sleeps(30_000);
    return { wire, view, posts: () => wire.requests.filter(({ method }) => method === 'POST').length };
  }

  test('restarts once, says so, and marks the time', async () => {
    const { view, posts } = await restarting((wire) =>
      wire.on('POST', '/v1/services/svc_1/restart').reply(200, { success: true }),
    );
    await view.press('R');
    await view.shows('Restart svc_1?');
    expect(posts()).toBe(0);
    await view.press('y', '\r');
    await view.shows('The restart of svc_1 was accepted.');
    expect(posts()).toBe(1);
    await view.press('x', 'y', '\r');
    await view.press('\r', 'q');
    expect((await view.ended).exitCode).toBe(0);
    expect(posts()).toBe(1);
  });

  test('takes no pasted text for an answer', async () => {
    const { view, posts } = await restarting(() => {});
    await view.press('R');
    await view.shows('Restart svc_1?');
    view.paste('y\r');
    view.paste('\u001b[200~y\r\u001b[201~');
    await view.press('n');
    await view.shows('Not restarted.');
    await view.press('q');
    await view.ended;
    expect(posts()).toBe(0);
  });

  test('that nobody has answered says that it may have happened', async () => {
    const { view } = await restarting((wire) =>
      wire.on('POST', '/v1/services/svc_1/restart').reply(500, { error: 'oh' }),
    );
    await view.press('R', 'y', '\r');
    await view.shows('The restart may have happened. Check');
    await view.shows('Try: svc metrics svc_1');
    await view.press('q');
    expect((await view.ended).exitCode).toBe(0);
  });

  test('and then q leaves the screen, waits for the answer, and tells it', async () => {
    let end: () => void = () => {};
    const answered = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { view, posts } = await restarting((wire) =>
      wire.on('POST', '/v1/services/svc_1/restart').act(async ({ socket }) => {
        await answered;
        socket.destroy();
      }),
    );
    await view.press('R', 'y', '\r');
    await until(() => posts() === 1);
    await view.press('q');
    end();
    const done = await view.ended;
    expect(done.exitCode).toBe(8);
    expect(done.stderr).toContain('The restart may have happened.');
    expect(done.stdout).toMatch(/\u001b\[\?1049l$/);
  });
});

test('s saves a picture beside those that were saved before', async () => {
  const wire = await testWire();
  wire.on('GET', usageOf('svc_1')).always(200, { points: pointsOf([10, 40]) });
  const view = await live(wire);
  await view.sleeps(30_000);
  await view.press('s');
  await view.shows(/Drawn in svc_1-20260301-\d+\.svg/);
  await view.press('x');
  await view.press('s');
  await until(() => readdirSync(view.cwd).length === 2);
  await view.press('q');
  await view.ended;
  expect(readdirSync(view.cwd)).toEqual([
    expect.stringMatching(/-2\.svg$/),
    expect.stringMatching(/^svc_1-\d+-\d+\.svg$/),
  ]);
});

test('o says what is missing to open a page', async () => {
  const wire = await testWire();
  wire.on('GET', usageOf('svc_1')).always(200, { points: pointsOf([10, 40]) });
  const view = await live(wire);
  await view.sleeps(30_000);
  await view.press('o');
  await view.shows('svc does not know the address of the dashboard.');
  await view.press('q');
  await view.ended;
});

test('svc status --watch opens the same view, and deployments are marked', async () => {
  const wire = await testWire();
  wire.on('GET', usageOf('svc_1')).always(200, { points: pointsOf([10, 40, 20, 30, 20, 10, 20, 10, 20, 20]) });
  const createdAt = new Date(START - 300_000).toISOString();
  wire.on('GET', '/v1/services/svc_1/deployments/dep_1').reply(200, { deployment: { id: 'dep_1', createdAt } });
  const known = { deployments: [{ name: 'dep_1', about: 'svc_1' }] };
  const view = await live(wire, { argv: ['status', '--service', 'svc_1', '--watch'], known, env: { TZ: 'UTC' } });
  await view.shows(/└.*D.*\n.*\n {2}D dep_1 1 Mar 2026, /);
  await view.press('q');
  expect((await view.ended).exitCode).toBe(0);
});
