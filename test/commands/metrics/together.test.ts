import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linesOf } from '../../batch/lines.ts';
import { type Answer, type Answers, against } from '../../support/against.ts';
import { fakeClock } from '../../support/clock.ts';
import { type RunOptions, svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const usageOf = (id: string) => `/v1/services/${encodeURIComponent(id)}/metrics/history`;

/** Points every five minutes until noon. */
const pointsOf = (...cpus: readonly (number | null)[]) => ({
  points: cpus.map((cpu, index) => ({
    time: new Date(NOON - (cpus.length - index) * 300_000).toISOString(),
    cpu,
    memoryBytes: 2 ** 30 + index,
  })),
});

/** Runs `svc metrics` on services that answer so, one after the other. */
function metrics(words: string, all: Readonly<Record<string, Answer>>, options: RunOptions = {}) {
  const answers: Answers = Object.fromEntries(
    Object.entries(all).map(([id, one]) => [`GET ${usageOf(id)}`, [one]]),
  );
  return against(
    `metrics ${Object.keys(all).join(' ')} --concurrency 1 ${words}`,
    answers,
    options,
  );
}

const BUSY = { a: pointsOf(10, 20, 30), b: pointsOf(90, 95, 5), c: pointsOf(40, 41, 42) };

test('a table has a row for each, in the order of the list', async () => {
  const done = await metrics('--since 15m', BUSY);
  expect(done.stdout).toMatchInlineSnapshot(`
    "cpu of 3 services
      SERVICE  OVER 15M  LAST  MIN   AVG  P95  MAX
      a        ▁▄▇         30   10    20   30   30
      b        ▇▇▁          5    5  63.3   95   95
      c        ▁▄▇         42   40    41   42   42

    ✓ metrics: 3 of 3 services done.
    "
  `);
});

test('--sort puts the highest figure first, and names services without a value below', async () => {
  const { stdout } = await metrics('--since 15m --series memory,cpu --sort cpu:max', BUSY);
  expect(stdout.match(/^\S.* of 3 services$/gm)).toEqual([
    'memoryBytes of 3 services',
    'cpu of 3 services',
  ]);
  expect(
    stdout
      .match(/^ {2}[abc] /gm)
      ?.join('')
      .trim()
      .split(/ +/),
  ).toEqual(['b', 'c', 'a', 'b', 'c', 'a']);
  const empty = { a: pointsOf(null, null, null), b: pointsOf(1, 2, 3), c: { points: [] } };
  const shown = expect.stringMatching(/cpu of 1 service\n.*\n {2}b .*\n\nNo values: a, c\.\n/);
  expect(await metrics('--since 15m --sort cpu', empty)).toMatchObject({
    exitCode: 0,
    stdout: shown,
  });
});

test.each([
  ['a b --sort cpu:mean', '--sort "cpu:mean"'],
  ['a b --since 1h --until 2h', 'ends ('],
  ['a b --output one.svg', 'would be one file for all'],
  ['a b --output {service}.svg', 'Nothing was sent. These files exist already: b.svg.'],
  ['b c --output {service}.svg', 'Nothing was sent. These files exist already: b.svg, c.svg.'],
])('%s is refused before anything is sent: %s', async (words, message) => {
  const cwd = await temporaryFolder();
  for (const name of ['b.svg', 'c.svg']) await writeFile(join(cwd, name), 'mine');
  const refused = { exitCode: 2, stdout: '', stderr: expect.stringContaining(message) };
  expect(await against(`metrics ${words}`, {}, { cwd })).toMatchObject(refused);
  expect(await readFile(join(cwd, 'b.svg'), 'utf8')).toBe('mine');
});

test('every service is asked for the same range, however long the list takes', async () => {
  const clock = fakeClock();
  const wire = await testWire();
  for (const id of ['a', 'b', 'c'])
    wire.on('GET', usageOf(id)).reply(503, {}).reply(200, pointsOf(1));
  clock.onSleep(() => clock.advance(10_000));
  const done = await svc(['metrics', 'a', 'b', 'c', '--concurrency', '1'], {
    url: wire.url,
    clock,
  });
  expect(done.exitCode).toBe(0);
  expect(new Set(wire.requests.map(({ query }) => JSON.stringify(query))).size).toBe(1);
});

test('--csv is a row for each value, and what failed is a warning', async () => {
  const b: Answer = [404, { error: 'There is no b.' }];
  expect(await metrics('--csv --since 10m', { a: pointsOf(1, null), b })).toMatchObject({
    exitCode: 11,
    stdout: `service,time,series,value
a,2026-03-01T11:50:00Z,cpu,1
a,2026-03-01T11:50:00Z,memoryBytes,1073741824
a,2026-03-01T11:55:00Z,memoryBytes,1073741825
`,
    stderr:
      'Warning: b: There is no b.\nError: 1 of 2 services done, 1 failed.\n  There is no b.\n',
  });
});

test('--summary has the figures, as JSON, CSV and a table', async () => {
  const a = pointsOf(1, null, 4, 4, 4);
  const words = '--summary --series cpu --since 25m';
  const figures = { last: 4, lastAt: '2026-03-01T11:55:00Z', min: 1, max: 4, avg: 3.25, p95: 4 };
  const range = { start: '2026-03-01T11:35:00Z', end: '2026-03-01T12:00:00Z', stepSeconds: 15 };
  const series = [{ name: 'cpu', unit: 'count', ...figures }];
  const document = { schemaVersion: 1, service: 'a', ...range, points: 5, series };
  const alone = await against(`metrics a ${words} --json`, { [`GET ${usageOf('a')}`]: [a] });
  expect(alone.json).toEqual(document);
  const json = await metrics(`${words} --json`, { a, b: a });
  expect(linesOf(json.stdout)[0]).toMatchObject({ item: 'a', exitCode: 0, answer: document });
  const head = 'service,series,unit,last,min,avg,p95,max,lastAt';
  const row = 'cpu,count,4,1,3.25,4,4,2026-03-01T11:55:00Z';
  expect((await metrics(`${words} --csv`, { a, b: a })).stdout).toBe(
    `${head}\na,${row}\nb,${row}\n`,
  );
  const table = / LAST +MIN +AVG +P95 +MAX *\n {2}cpu +4 +1 +3\.25 +4 +4\n[\s\S]*\nUsage of b /;
  expect((await metrics(words, { a, b: a })).stdout).toMatch(table);
});

test('a narrow terminal leaves out the average of a summary first', async () => {
  const { stdout } = await against(
    'metrics a --summary --series cpu',
    { [`GET ${usageOf('a')}`]: [pointsOf(1, 2)] },
    { terminal: { columns: 32, rows: 24 } },
  );

  expect(stdout).toMatch(/LAST +MIN +P95 +MAX/);
  expect(stdout).toContain('Left out: avg (--json)');
});

test('pictures are one file for each, and replace one only with --yes', async () => {
  const cwd = await temporaryFolder();
  await mkdir(join(cwd, 'week'));
  await writeFile(join(cwd, 'week/a.svg'), 'mine');
  const all = { a: pointsOf(1), 'b/c': pointsOf(2) };
  expect(await metrics('--output week/{service}.svg --yes', all, { cwd })).toMatchObject({
    exitCode: 0,
  });
  expect((await readdir(join(cwd, 'week'))).sort()).toEqual(['a.svg', 'b%2Fc.svg']);
  expect(await readFile(join(cwd, 'week/a.svg'), 'utf8')).toContain('<title>Usage of a</title>');
});
