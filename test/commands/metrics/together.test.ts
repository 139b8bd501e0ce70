import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { linesOf } from '../../each/lines.ts';
import { fakeClock } from '../../support/clock.ts';
import { type RunOptions, svc, temporaryFolder } from '../../support/svc.ts';
import { testWire, type Wire } from '../../support/wire.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const pathOf = (id: string) => `/v1/services/${encodeURIComponent(id)}/metrics/history`;

/** Points every five minutes until noon. */
function pointsOf(...cpus: readonly (number | null)[]) {
  return {
    points: cpus.map((cpu, index) => ({
      time: new Date(NOON - (cpus.length - index) * 300_000).toISOString(),
      cpu,
      memoryBytes: 2 ** 30 + index,
    })),
  };
}

async function measured(all: Readonly<Record<string, readonly (number | null)[]>>): Promise<Wire> {
  const wire = await testWire();
  for (const [id, cpus] of Object.entries(all)) wire.on('GET', pathOf(id)).reply(200, pointsOf(...cpus));
  return wire;
}

async function run(wire: Wire, ids: readonly string[], argv: readonly string[], options: RunOptions = {}) {
  const clock = fakeClock();
  return await svc(['metrics', ...ids, '--concurrency', '1', ...argv], { url: wire.url, clock, ...options });
}

describe('a table of several', () => {
  const busy = { a: [10, 20, 30], b: [90, 95, 5], c: [40, 41, 42] };

  test('has a row for each, in the order of the list', async () => {
    const done = await run(await measured(busy), ['a', 'b', 'c'], ['--since', '15m']);
    expect(done).toMatchObject({ exitCode: 0, stderr: '' });
    expect(done.stdout).toMatchInlineSnapshot(`
      "cpu of 3 services
        SERVICE  OVER 15M  LAST   AVG  P95  MAX
        a        ▁▄▇         30    20   30   30
        b        ▇▇▁          5  63.3   95   95
        c        ▁▄▇         42    41   42   42

      ✓ metrics: 3 of 3 services done.
      "
    `);
  });

  test('is sorted by a figure', async () => {
    const latest = await run(await measured(busy), ['a', 'b', 'c'], ['--since', '15m', '--sort', 'cpu']);
    expect(latest.stdout.match(/^ {2}[abc] /gm)).toEqual(['  c ', '  a ', '  b ']);
    const p95 = await run(await measured(busy), ['a', 'b', 'c'], ['--since', '15m', '--sort', 'cpu:p95']);
    expect(p95.stdout.match(/^ {2}[abc] /gm)).toEqual(['  b ', '  c ', '  a ']);
  });

  test('is one for each series, with those that were chosen', async () => {
    const done = await run(await measured(busy), ['a', 'b', 'c'], ['--series', 'memory,cpu', '--sort', 'cpu:max']);
    expect(done.stdout.match(/^\S.* of 3 services$/gm)).toEqual(['memoryBytes of 3 services', 'cpu of 3 services']);
    expect(done.stdout.match(/^ {2}[abc] /gm)).toEqual(['  b ', '  c ', '  a ', '  b ', '  c ', '  a ']);
  });

  test('names those without a value below', async () => {
    const wire = await measured({ a: [null, null, null], b: [1, 2, 3] });
    wire.on('GET', pathOf('c')).reply(200, { points: [] });
    const done = await run(wire, ['a', 'b', 'c'], ['--since', '15m', '--sort', 'cpu']);
    expect(done.exitCode).toBe(0);
    expect(done.stdout).toMatch(/cpu of 1 service\n.*\n {2}b .*\n\nNo values: a, c\.\n/);
  });

  test('by a series that no service has is refused for each', async () => {
    const done = await run(await measured(busy), ['a', 'b', 'c'], ['--sort', 'disk']);
    expect(done.exitCode).toBe(2);
    expect(done.stdout).toContain('There is no series "disk".');
  });

  test.each([
    [['--sort', 'cpu:mean'], '--sort "cpu:mean" has a figure that is none of last, min'],
    [['--sort', ':p95'], '--sort ":p95" names no series.'],
    [['--report', 'week.pdf'], '--report "week.pdf" is not an HTML file.'],
    [['--report', 'nowhere/week.html'], 'There is no folder'],
    [['--since', '1h', '--until', '2h'], 'ends ('],
  ])('with %j is refused before anything is sent', async (argv, message) => {
    const done = await run(await testWire(), ['a', 'b'], argv);
    expect(done).toMatchObject({ exitCode: 2, stdout: '' });
    expect(done.stderr).toContain(message);
  });
});

test('every service is asked for the same range, however long the list takes', async () => {
  const clock = fakeClock();
  const wire = await testWire();
  const late = () => clock.advance(10_000);
  for (const id of ['a', 'b', 'c']) wire.on('GET', pathOf(id)).reply(503, {}).reply(200, pointsOf(1));
  clock.onSleep(late);
  expect((await run(wire, ['a', 'b', 'c'], [], { clock })).exitCode).toBe(0);
  expect(clock.now()).toBeGreaterThan(NOON + 30_000);
  expect(new Set(wire.requests.map(({ query }) => JSON.stringify(query))).size).toBe(1);
});

describe('for scripts', () => {
  test('--csv is a row for each value, and what failed is a warning', async () => {
    const wire = await measured({ a: [1, null] });
    wire.on('GET', pathOf('b')).reply(404, { error: 'There is no b.' });
    const done = await run(wire, ['a', 'b'], ['--csv', '--since', '10m']);
    expect(done.exitCode).toBe(11);
    expect(done.stdout).toBe(`service,time,series,value
a,2026-03-01T11:50:00Z,cpu,1
a,2026-03-01T11:50:00Z,memoryBytes,1073741824
a,2026-03-01T11:55:00Z,memoryBytes,1073741825
`);
    expect(done.stderr).toBe('Warning: b: There is no b.\nError: 1 of 2 services done, 1 failed.\n');
  });

  test('--summary has the figures, as JSON, CSV and a table', async () => {
    const wire = await testWire();
    for (const id of ['a', 'b']) wire.on('GET', pathOf(id)).always(200, pointsOf(1, null, 4, 4, 4));
    const argv = ['--summary', '--series', 'cpu', '--since', '25m'];
    const json = await run(wire, ['a', 'b'], [...argv, '--json']);
    const series = {
      ...{ name: 'cpu', unit: 'count', last: 4, lastAt: '2026-03-01T11:55:00Z' },
      ...{ min: 1, max: 4, avg: 3.25, p95: 4 },
    };
    const range = { start: '2026-03-01T11:35:00Z', end: '2026-03-01T12:00:00Z', stepSeconds: 15 };
    const document = { schemaVersion: 1, service: 'a', ...range, points: 5, series: [series] };
    expect(linesOf(json.stdout)[0]).toMatchObject({ item: 'a', exitCode: 0, answer: document });
    const single = await svc(['metrics', 'a', ...argv, '--json'], { url: wire.url, clock: fakeClock() });
    expect(single.json).toEqual(document);
    const csv = await run(wire, ['a', 'b'], [...argv, '--csv']);
    const head = 'service,series,unit,last,min,avg,p95,max,lastAt';
    const row = 'cpu,count,4,1,3.25,4,4,2026-03-01T11:55:00Z';
    expect(csv.stdout).toBe(`${head}\na,${row}\nb,${row}\n`);
    const one = await svc(['metrics', 'a', ...argv, '--csv'], { url: wire.url, clock: fakeClock() });
    expect(one.stdout).toBe(`${head}\na,${row}\n`);
    const people = await run(wire, ['a', 'b'], argv);
    expect(people.stdout).toMatch(
      /^Usage of a over 25m until .*\n {2}SERIES +LAST +MIN +AVG +P95 +MAX *\n {2}cpu +4 +1 +3\.25 +4 +4\n/,
    );
    expect(people.stdout).toMatch(/\nUsage of b over /);
  });
});

describe('pictures of several', () => {
  test('are one file for each', async () => {
    const cwd = await temporaryFolder();
    await mkdir(join(cwd, 'week'));
    const done = await run(await measured({ a: [1], 'b/c': [2] }), ['a', 'b/c'], ['--output', 'week/{service}.svg'], {
      cwd,
    });
    expect(done.exitCode).toBe(0);
    expect(done.stdout).toContain('Drawn in 2 pictures');
    expect((await readdir(join(cwd, 'week'))).sort()).toEqual(['a.svg', 'b%2Fc.svg']);
    expect(await readFile(join(cwd, 'week/a.svg'), 'utf8')).toContain('<title>Usage of a</title>');
  });

  test('replace files only with --yes, and nothing is sent without it', async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'b.svg'), 'mine');
    const argv = ['--output', '{service}.svg'];
    const refused = await run(await testWire(), ['a', 'b'], argv, { cwd });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('b.svg exists already. Nothing was sent.');
    expect((await run(await measured({ a: [1], b: [1] }), ['a', 'b'], [...argv, '-y'], { cwd })).exitCode).toBe(0);
    expect(await readFile(join(cwd, 'b.svg'), 'utf8')).toMatch(/^<svg /);
  });

  test('of one id in two organizations would overwrite each other', async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'l.txt'), '{"service":"a","org":"x"}\n{"service":"a","org":"y"}\n');
    const done = await run(await testWire(), [], ['--services', 'l.txt', '--output', '{service}.svg'], { cwd });
    expect(done).toMatchObject({ exitCode: 2, stdout: '' });
    expect(done.stderr).toContain('"a" is in the list for two organizations.');
  });
});
