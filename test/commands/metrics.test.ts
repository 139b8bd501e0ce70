import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { fakeClock } from '../support/clock.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { testWire, type Wire } from '../support/wire.ts';

const PATH = '/v1/services/svc_1/metrics/history';
const NOON = Date.parse('2026-03-01T12:00:00Z');

/** Points every five minutes until noon; a value that is `null` is a gap. */
function pointsOf(values: ReadonlyArray<number | null>) {
  return values.map((cpu, index) => ({
    timestamp: new Date(NOON - (values.length - index) * 300_000).toISOString(),
    cpuPercent: cpu,
    memoryBytes: 300 * 2 ** 20 + index * 2 ** 20,
  }));
}

const POINTS = pointsOf([10, 20, 90, null, 30]);

/** Runs `svc metrics svc_1`; it is noon. */
async function run(wire: Wire, argv: readonly string[] = [], options: RunOptions = {}) {
  return await svc(['metrics', 'svc_1', ...argv], { url: wire.url, clock: fakeClock(), ...options });
}

async function answered(body: unknown, argv: readonly string[] = [], options: RunOptions = {}) {
  const wire = await testWire();
  wire.on('GET', PATH).reply(200, body);
  return { done: await run(wire, argv, options), query: wire.requests[0]?.query };
}

describe('the question', () => {
  test.each([
    [[], '2026-03-01T11:00:00Z', '2026-03-01T12:00:00Z', '30'],
    [['--history'], '2026-02-28T12:00:00Z', '2026-03-01T12:00:00Z', '900'],
    [['--since', '6h'], '2026-03-01T06:00:00Z', '2026-03-01T12:00:00Z', '300'],
    [['--since', '2026-02-01', '--until', '2026-02-08'], '2026-02-01T00:00:00Z', '2026-02-08T00:00:00Z', '7200'],
    [['--until', '2h'], '2026-02-28T10:00:00Z', '2026-03-01T10:00:00Z', '900'],
    [['--since', '2026-03-01T12:00:00+01:00', '--step', '60'], '2026-03-01T11:00:00Z', '2026-03-01T12:00:00Z', '60'],
    [['--since', '7d', '--step', '1h'], '2026-02-22T12:00:00Z', '2026-03-01T12:00:00Z', '3600'],
  ])('of %j is a start, an end and a step, in this order', async (argv, start, end, step) => {
    const { query } = await answered({ points: POINTS }, argv);
    expect(query).toEqual([
      ['start', start],
      ['end', end],
      ['step', step],
    ]);
  });

  test('is shown with --debug', async () => {
    const { done } = await answered({ points: POINTS }, ['--debug', '--since', '6h']);
    expect(done.stderr).toContain('?start=2026-03-01T06:00:00Z&end=2026-03-01T12:00:00Z&step=300 (attempt 1)\n');
  });

  test('uses the names in SVC_ASSUME', async () => {
    const env = { SVC_ASSUME: 'metrics.start=from,metrics.end=to,metrics.step=bucket' };
    const { query } = await answered({ points: POINTS }, [], { env });
    expect(query?.map(([name]) => name)).toEqual(['from', 'to', 'bucket']);
  });

  /* biome-ignore format: a row a line */
  test.each([
    [['--since', '1h', '--until', '2h'], 'The range ends (2026-03-01T10:00:00Z) before it begins (2026-03-01T11:00:00Z).'],
    [['--since', '1h', '--until', '1h'], 'before it begins'],
    [['--since', '2026-02-30'], '--since'],
    [['--since', '2026-02-01T10:00:00'], '--since'],
    [['--step', '0'], '--step'],
    [['--step', 'often'], '--step'],
    [['--fail-if', 'cpu is high'], '--fail-if'],
    [['--csv', '--json'], '--csv and --json cannot be used together.'],
    [['--sort', 'cpu', '--json'], '--sort and --json cannot be used together.'],
    [['--output', 'chart.png'], '--output "chart.png" is not an SVG file.'],
    [['--output', 'nowhere/chart.svg'], 'There is no folder'],
    [['--series', ''], '--series is empty.'],
    [['--watch'], '--watch needs a terminal.'],
    [['--watch', '--json'], '--watch needs a terminal.'],
    [['--watch', '--until', '1h'], '--watch and --until cannot be used together.'],
    [['--watch', '--summary'], '--watch and --summary cannot be used together.'],
    [['--interval', '5s'], '--interval needs --watch.'],
    [['--watch', '--interval', '0s'], '--interval'],
    [['--histroy'], '--histroy'],
  ])('with %j is refused before anything is sent: %s', async (argv, message) => {
    const wire = await testWire();
    const done = await run(wire, argv);
    expect(done).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(message) });
    expect(wire.requests).toEqual([]);
  });

  test.each([
    [['--output', 'chart.png'], '--output'],
    [['--series', ''], '--series'],
    [['--fail-if', 'cpu is high'], '--fail-if'],
  ])('with %j is refused before a service is asked for', async (argv, message) => {
    const done = await svc(['metrics', ...argv], { url: 'http://127.0.0.1:9' });
    expect(done).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(message) });
  });

  test('without a service is refused', async () => {
    const wire = await testWire();
    expect(await svc(['metrics'], { url: wire.url })).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

describe('for people', () => {
  test('shows the latest value of each series', async () => {
    const { done } = await answered({ points: POINTS });
    expect(done).toMatchObject({ exitCode: 0, stderr: '' });
    expect(done.stdout).toMatchInlineSnapshot(`
      "Latest usage of svc_1
        SERIES       LAST HOUR         MIN–MAX     LAST
        cpuPercent          ▂▂▆ ▃       10–90%      30%
        memoryBytes         ▁▃▄▆▇  300–304 MiB  304 MiB

      As of 2026-03-01T11:55:00Z
      "
    `);
  });

  test('shows a history with charts, figures and gaps', async () => {
    const { done } = await answered({ points: POINTS }, ['--history', '--series', 'cpu']);
    expect(done).toMatchObject({ exitCode: 0, stderr: '' });
    // The times below the chart are those of the machine's own zone.
    expect(done.stdout.replace(/^ +└.*\n.*$/m, 'TIMES')).toMatchInlineSnapshot(`
      "Usage of svc_1
        cpuPercent  last 30%  min 10%  avg 37.5%  p95 90%  max 90%
        100% ┤
             │                                                                       ⡇
         75% ┤                                                                       ⡇
             │                                                                       ⡇
         50% ┤                                                                       ⡇
             │                                                                       ⡇
         25% ┤                                                                       ⡗
             │                                                                      ⢠⠇
          0% ┤                                                                      ⠈
      TIMES

      5 points, one every 5m, until 2026-03-01T11:55:00Z
      Asked for: from 2026-02-28T12:00:00Z to 2026-03-01T12:00:00Z
      "
    `);
  });

  test('the title of a chart has the figures of all points, although not all are drawn', async () => {
    const points = Array.from({ length: 20_000 }, (_, index) => ({
      time: new Date(NOON - (20_000 - index) * 60_000).toISOString(),
      cpu: index % 10 === 0 ? 100 : 0,
    }));
    const { done } = await answered({ points }, ['--since', '30d']);
    expect(done.stdout).toMatch(/cpu {2}last 0 {2}min 0 {2}avg 10 {2}p95 100 {2}max 100\n/);
  });

  test.each(['--history', '--since=1h'])('shows all series of %s, or those that are asked for', async (flag) => {
    expect((await answered({ points: POINTS }, [flag])).done.stdout).toContain('memoryBytes');
    expect((await answered({ points: POINTS }, [flag, '--series', 'cpu'])).done.stdout).not.toContain('memoryBytes');
  });

  test('an unknown series is refused, with the names of the known ones', async () => {
    for (const more of [[], ['--json'], ['--csv'], ['--history']]) {
      const { done } = await answered({ points: POINTS }, ['--series', 'disk', ...more]);
      expect(done).toMatchObject({ exitCode: 2, stdout: '' });
      expect(done.stderr).toContain('cpuPercent, memoryBytes');
    }
    const text = JSON.stringify({ points: POINTS });
    const { done } = await answered(text, ['--series', 'cpu', '--json']);
    expect(done).toMatchObject({ exitCode: 0, stdout: `${text}\n`, stderr: '' });
  });

  test.each([[{ points: [] }], [[]]])('%j has no points, which is said', async (body) => {
    const { done } = await answered(body, ['--since', '1h']);
    expect(done).toMatchObject({
      exitCode: 0,
      stdout: 'No usage points of svc_1 from 2026-03-01T11:00:00Z to 2026-03-01T12:00:00Z.\n',
    });
  });

  test('points without a number are not called no points', async () => {
    const points = [{ t: '2026-03-01T11:30:00Z', cpu: 'low' }];
    for (const more of [[], ['--series', 'cpu']]) {
      const { done } = await answered({ points }, ['--since', '1h', ...more]);
      expect(done.exitCode).toBe(0);
      expect(done.stdout.replace(/\s+/g, ' ')).toBe(
        '1 usage point of svc_1 from 2026-03-01T11:00:00Z to 2026-03-01T12:00:00Z, without a number in it; --json shows the answer. ',
      );
    }
  });

  test('numbers in texts are numbers', async () => {
    const points = POINTS.map(({ timestamp, cpuPercent }) => ({
      timestamp,
      cpuPercent: cpuPercent && String(cpuPercent),
    }));
    const { done } = await answered({ points }, ['--history']);
    expect(done.stdout).toContain('last 30%  min 10%  avg 37.5%  p95 90%  max 90%');
  });

  test.each([
    [[0], '1 point at 2026-03-01T11:00:00Z'],
    [[0, 7, 14], '3 points, one every 7m, until 2026-03-01T11:14:00Z'],
  ])('the footer counts the points at minute %j, and says how far they are apart', async (minutes, words) => {
    const points = minutes.map((minute) => ({ t: new Date(NOON - 3_600_000 + minute * 60_000).toISOString(), cpu: 1 }));
    const { done } = await answered({ points }, ['--history', '--step', '15m']);
    expect(done.stdout).toContain(`\n${words}\n`);
    expect(done.stdout).toContain('\nAsked for: from 2026-02-28T12:00:00Z to 2026-03-01T12:00:00Z\n');
  });

  test('a history is drawn over the range that was asked for, wherever its points are', async () => {
    const points = Array.from({ length: 20 }, (_, index) => ({
      t: new Date(NOON - 12 * 3_600_000 + index * 60_000).toISOString(),
      cpu: index,
    }));
    const { done } = await answered({ points }, ['--history']);
    const drawn = done.stdout.split('\n').filter((line) => /[┤│]/.test(line));
    const ink = drawn.map((line) => line.slice(line.search(/[┤│]/) + 1)).filter((line) => line.trim() !== '');
    expect(ink.length).toBeGreaterThan(0);
    for (const line of ink) expect(line.trim().length, 'twenty minutes of a day').toBeLessThan(4);
    for (const line of ink) expect(line.search(/\S/)).toBeGreaterThan(30);
    expect(done.stdout).toContain('20 points, one every 1m, until 2026-03-01T00:19:00Z\n');
    expect(done.stdout.replaceAll(/\n +/g, ' ')).toContain('! cpu has no value since 2026-03-01T00:19:00Z, 11h 41m');
  });

  test('points all over the range are not said to miss anything', async () => {
    const points = pointsOf(Array.from({ length: 286 }, (_, index) => index % 50));
    const { done } = await answered({ points }, ['--history']);
    expect(done.stdout).toContain('286 points, one every 5m, until ');
    expect(done.stdout).not.toMatch(/Asked for|!/);
  });

  test('an old value is not shown as the latest one', async () => {
    const points = POINTS.map((point) => ({ ...point, disk: null as number | null }));
    points.unshift({ timestamp: '2026-03-01T11:05:00Z', cpuPercent: 1, memoryBytes: 1, disk: 95 });
    const { done } = await answered({ points });
    expect(done.stdout).toMatch(/^ {2}disk +▁? +95 *$/m);
    expect(done.stdout).toMatch(/^ {2}cpuPercent .* 30%$/m);
    expect(done.stdout).toContain('As of 2026-03-01T11:55:00Z\n');
    expect(done.stdout).toContain('! disk has no value since 2026-03-01T11:05:00Z, 55m before the end: 95 then.\n');
  });

  test('a service that measures nothing any more has no latest values', async () => {
    const old = POINTS.map(({ timestamp, ...rest }) => ({
      ...rest,
      timestamp: new Date(Date.parse(timestamp) - 1_500_000).toISOString(),
    }));
    const { done } = await answered({ points: old });
    expect(done.exitCode).toBe(0);
    expect(done.stdout).not.toMatch(/As of|LAST$|^ {2}cpuPercent.*30%$/m);
    expect(done.stdout.match(/has no value since/g)).toHaveLength(2);
  });

  test('a series that is measured seldom is not old', async () => {
    const points = POINTS.map((point, index) => ({ ...point, disk: index === 0 || index === 2 ? 7 : null }));
    expect((await answered({ points })).done.stdout).toMatch(/^ {2}disk .* 7$/m);
  });

  test.each([
    ['a list', POINTS],
    ['another name', { data: { buckets: POINTS }, meta: { step: 300 } }],
    [
      'times as numbers',
      { points: POINTS.map(({ timestamp, ...rest }) => ({ t: Date.parse(timestamp) / 1000, ...rest })) },
    ],
  ])('reads points that are %s', async (_name, body) => {
    expect((await answered(body)).done.stdout).toMatch(/cpuPercent .*30%\n/);
  });

  test.each([
    ['no list', { status: 'ok' }, 'svc metrics svc_1 --json\n'],
    ['lists of lists', [[1], [2]], 'svc metrics svc_1 --json\n'],
    ['points without a time', { points: [{ cpu: 1 }] }, 'svc metrics svc_1 --json\n'],
    ['two lists', { a: POINTS, b: POINTS }, 'set SVC_ASSUME=metrics.points=a.'],
  ])('an answer with %s says what helps', async (_name, body, help) => {
    const { done } = await answered(body);
    expect(done).toMatchObject({ exitCode: 1, stdout: '' });
    expect(done.stderr).toContain(help);
  });

  test('reads a list for each series, and shows the other fields of the answer', async () => {
    const listOf = (values: number[]) => values.map((v, index) => ({ t: NOON - (3 - index) * 60_000, v }));
    const { done } = await answered({ cpu: listOf([1, 2, 3]), memory: listOf([4, 5, 6]), region: 'abj' });
    expect(done.stdout).toMatch(/^ {2}cpu .* 3$\n^ {2}memory .* 6$/m);
    expect(done.stdout).toMatch(/\n {2}Region {2}abj\n$/);
  });

  test('the assumption names the list', async () => {
    const env = { SVC_ASSUME: 'metrics.points=b' };
    const { done } = await answered({ a: [{ time: '2026-01-01', x: 1 }], b: POINTS }, [], { env });
    expect(done.stdout).toContain('cpuPercent');
  });

  test('a number too large for JavaScript is a gap', async () => {
    const { done } = await answered('[{"time":"2026-03-01","x":1e999},{"time":"2026-03-02","x":5}]', ['--csv']);
    expect(done.stdout).toBe('time,x\n2026-03-01T00:00:00Z,\n2026-03-02T00:00:00Z,5\n');
  });

  test('other fields of the answer are shown, apart from the parameters that it repeats', async () => {
    const question = { id: 'svc_1', from: '2026-03-01T11:00:00.000Z', to: NOON / 1000, bucket: '30' };
    const { done } = await answered({ ...question, truncated: true, data: { unit: 'm', usage: POINTS } });
    expect(done.stdout).toMatch(/As of .*\n\nMore\n {2}Truncated {2}yes\n {2}Data unit {2}m\n$/);
    const empty = await answered({ points: [], reason: 'paused' });
    expect(empty.done.stdout).toMatch(/^No usage points .*\n\nMore\n {2}Reason {2}paused\n$/);
  });

  test('fields of the points that are no numbers are named', async () => {
    const points = [
      { time: '2026-03-01T11:00:00Z', cpu: 1, note: 'deploy', tags: ['a'], up: true, disk: null },
      { time: '2026-03-01T11:05:00Z', cpu: 'n/a', note: null, host: { name: 'web-1', load: 2 } },
    ];
    const { done } = await answered({ points }, ['--history']);
    expect(done.stdout).toContain('\nThe points also have note, tags, up, host.name; --json shows them.\n');
    expect((await answered({ points: POINTS })).done.stdout).not.toContain('also have');
  });

  test('names of the platform cannot drive the terminal', async () => {
    const { done } = await answered([{ timestamp: '2026-03-01T11:00:00Z', 'a\u001b[2Jb': 1 }], ['--since', '1h']);
    expect(done.exitCode).toBe(0);
    expect(done.stdout).not.toContain('\u001b');
  });
});

describe('for scripts', () => {
  test('--json prints the bytes of the answer, whatever its form', async () => {
    const text = '{"status":"ok","n":1.50}';
    expect((await answered(text, ['--json'])).done).toMatchObject({ exitCode: 0, stdout: `${text}\n`, stderr: '' });
  });

  test('--json streams a large answer to the byte', async () => {
    const text = JSON.stringify({ points: pointsOf(Array.from({ length: 20_000 }, (_, index) => index / 7)) });
    const { done } = await answered(text, ['--json', '--history']);
    expect(text.length).toBeGreaterThan(2 ** 20);
    expect(done.exitCode).toBe(0);
    expect(done.stdout === `${text}\n`).toBe(true);
  });

  test('--json of a large answer that is cut each time prints nothing, and ends with exit 8', async () => {
    const wire = await testWire();
    const text = JSON.stringify({ points: pointsOf(Array.from({ length: 20_000 }, (_, index) => index / 7)) });
    wire.on('GET', PATH).cut(200, text, 1_500_000).cut(200, text, 1_500_000).cut(200, text, 1_500_000);
    const done = await run(wire, ['--json']);
    expect(done).toMatchObject({ exitCode: 8, stdout: '', error: { code: 'unavailable', attempts: 3 } });
  });

  test('--jq filters the answer', async () => {
    const { done } = await answered({ points: POINTS }, ['--jq', '[.points[].cpuPercent] | max']);
    expect(done).toMatchObject({ exitCode: 0, stdout: '90\n' });
  });

  test('--csv prints a line for each point, gaps empty', async () => {
    const { done } = await answered({ points: POINTS }, ['--csv', '--series', 'memory,cpu']);
    expect(done).toMatchObject({ exitCode: 0, stderr: '' });
    expect(done.stdout).toBe(`time,memoryBytes,cpuPercent
2026-03-01T11:35:00Z,314572800,10
2026-03-01T11:40:00Z,315621376,20
2026-03-01T11:45:00Z,316669952,90
2026-03-01T11:50:00Z,317718528,
2026-03-01T11:55:00Z,318767104,30
`);
  });

  test('--csv quotes names, and lets none of them be a formula', async () => {
    const { done } = await answered([{ time: '2026-03-01', 'a,"b"': 1, '=1+1': 2, '@x': 3 }], ['--csv']);
    expect(done.stdout.split('\n')[0]).toBe(`time,"a,""b""",'=1+1,'@x`);
  });
});

describe('--output', () => {
  test('writes a picture, and nothing is left beside it', async () => {
    const cwd = await temporaryFolder();
    const { done } = await answered({ points: POINTS }, ['--output', 'chart.svg'], { cwd });
    expect(done.exitCode).toBe(0);
    expect(done.stdout).toContain('Drawn in chart.svg');
    expect(await readdir(cwd)).toEqual(['chart.svg']);
    expect(await readFile(join(cwd, 'chart.svg'), 'utf8')).toMatch(/^<svg [\s\S]*cpuPercent[\s\S]*<\/svg>\n$/);
  });

  test('with --json prints the answer as well', async () => {
    const cwd = await temporaryFolder();
    const { done } = await answered('{"points":[]}', ['--output', 'a.svg', '--json'], { cwd });
    expect(done).toMatchObject({ exitCode: 0, stdout: '{"points":[]}\n' });
    expect(await readFile(join(cwd, 'a.svg'), 'utf8')).toContain('No usage points.');
  });

  test.each([['is a folder'], ['exists already']])('that %s is refused before anything is sent', async (name) => {
    const cwd = await temporaryFolder();
    const path = join(cwd, 'taken.svg');
    await (name === 'is a folder' ? mkdir(path) : writeFile(path, 'mine'));
    const wire = await testWire();
    expect(await run(wire, ['--output', 'taken.svg'], { cwd })).toMatchObject({ exitCode: 2, stdout: '' });
    expect(wire.requests).toEqual([]);
  });

  test('replaces a file with --yes', async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'old.svg'), 'mine');
    await answered({ points: POINTS }, ['--output', 'old.svg', '--yes'], { cwd });
    expect(await readFile(join(cwd, 'old.svg'), 'utf8')).toMatch(/^<svg /);
  });
});

test('the sandbox has a history to show', async () => {
  const sandbox = await startSandbox({ port: 0 });
  try {
    const service = sandbox.listing.services[0]?.id ?? '';
    const options = { url: sandbox.url, token: sandbox.token };
    const done = await svc(['metrics', service, '--since', '6h'], options);
    expect(done).toMatchObject({ exitCode: 0, stderr: '' });
    for (const name of ['cpuPercent', 'memoryBytes', 'requests', '72 points']) expect(done.stdout).toContain(name);
  } finally {
    await sandbox.close();
  }
});
