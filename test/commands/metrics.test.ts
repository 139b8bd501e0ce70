import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Answer, against } from '../support/against.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const USAGE = '/v1/services/svc_1/metrics/history';
const NOON = Date.parse('2026-03-01T12:00:00Z');
const at = (minutesAgo: number) => new Date(NOON - minutesAgo * 60_000).toISOString();

/** Points every five minutes until noon; a value that is `null` is a gap. */
function pointsOf(values: ReadonlyArray<number | null>) {
  return values.map((cpu, index) => ({
    timestamp: at((values.length - index) * 5),
    cpuPercent: cpu,
    memoryBytes: (300 + index) * 2 ** 20,
  }));
}

const POINTS = pointsOf([10, 20, 90, null, 30]);
const LARGE = JSON.stringify({ points: pointsOf(Array.from({ length: 20_000 }, (_, index) => index / 7)) });

/** Runs `svc metrics svc_1 …` at noon. A body that is a list is given as text. */
const metrics = (words = '', body: Answer = { points: POINTS }, options: RunOptions = {}) =>
  against(`metrics svc_1 ${words}`, { [`GET ${USAGE}`]: [body] }, options);

describe('the question', () => {
  /* biome-ignore format: a row a line */
  test.each([
    ['', '2026-03-01T11:00:00Z', '2026-03-01T12:00:00Z', '30'],
    ['--history', '2026-02-28T12:00:00Z', '2026-03-01T12:00:00Z', '900'],
    ['--since 6h', '2026-03-01T06:00:00Z', '2026-03-01T12:00:00Z', '300'],
    ['--since 2026-02-01 --until 2026-02-08', '2026-02-01T00:00:00Z', '2026-02-08T00:00:00Z', '7200'],
    ['--until 2h', '2026-02-28T10:00:00Z', '2026-03-01T10:00:00Z', '900'],
    ['--since 2026-03-01T12:00:00+01:00 --step 60', '2026-03-01T11:00:00Z', '2026-03-01T12:00:00Z', '60'],
    ['--since 7d --step 1h', '2026-02-22T12:00:00Z', '2026-03-01T12:00:00Z', '3600'],
  ])('of %j is a start, an end and a step', async (words, start, end, step) => {
    const { sent } = await metrics(words);
    expect(sent[0]?.query).toEqual([['start', start], ['end', end], ['step', step]]);
  });

  test('uses the names in SVC_ASSUME', async () => {
    const env = { SVC_ASSUME: 'metrics.start=from,metrics.end=to,metrics.step=bucket' };
    const { sent } = await metrics('', undefined, { env });
    expect(sent[0]?.query.map(([name]) => name)).toEqual(['from', 'to', 'bucket']);
  });

  /* biome-ignore format: a row a line */
  test.each([
    ['--since 1h --until 2h', 'The range ends (2026-03-01T10:00:00Z) before it begins (2026-03-01T11:00:00Z).'],
    ['--since 1h --until 1h', 'before it begins'],
    ['--since 2026-02-30', '--since'],
    ['--since 2026-02-01T10:00:00', '--since'],
    ['--step 0', '--step'],
    ['--step often', '--step'],
    ['--fail-if cpu', '--fail-if'],
    ['--csv --json', '--csv and --json cannot be used together.'],
    ['--sort cpu --json', '--sort and --json cannot be used together.'],
    ['--output chart.png', '--output "chart.png" is not an SVG file.'],
    ['--output nowhere/chart.svg', 'There is no folder'],
    ['--report week.pdf', '--report "week.pdf" is not an HTML file.'],
    ['--series=', '--series is empty.'],
    ['--watch', 'Error: --watch needs a terminal.\nTry: svc metrics --json\n'],
    ['--watch --json', '--watch needs a terminal.'],
    ['--watch --until 1h', '--watch and --until cannot be used together.'],
    ['--watch --summary', '--watch and --summary cannot be used together.'],
    ['--interval 5s', '--interval needs --watch.'],
    ['--watch --interval 0s', '--interval'],
  ])('with %s is refused before anything is sent: %s', async (words, message) => {
    const refused = { exitCode: 2, stdout: '', stderr: expect.stringContaining(message) };
    expect(await against(`metrics svc_1 ${words}`, {})).toMatchObject(refused);
  });

  test.each(['--output chart.png', '--fail-if cpu', ''])('%j without a service is refused', async (words) => {
    expect(await against(`metrics ${words}`, {})).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

describe('for people', () => {
  test('the latest value of each series', async () => {
    const done = await metrics();
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

  test('a history has charts with figures and gaps', async () => {
    const { stdout } = await metrics('--history --series cpu');
    // The times below the chart are those of the machine's own zone.
    expect(stdout.replace(/^ +└.*\n.*$/m, 'TIMES')).toMatchInlineSnapshot(`
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

  test('a history is drawn over the range that was asked for, wherever its points are', async () => {
    const points = Array.from({ length: 20 }, (_, index) => ({ t: at(720 - index), cpu: index }));
    const { stdout } = await metrics('--history', { points });
    const drawn = stdout.split('\n').filter((line) => /[┤│]/.test(line));
    const ink = drawn.map((line) => line.slice(line.search(/[┤│]/) + 1)).filter((line) => line.trim() !== '');
    expect(ink.length).toBeGreaterThan(0);
    for (const line of ink) expect(line.trim().length, 'twenty minutes of a day').toBeLessThan(4);
    for (const line of ink) expect(line.search(/\S/)).toBeGreaterThan(30);
  });

  const seldom = POINTS.map((point, index) => ({ ...point, disk: index === 0 || index === 2 ? 7 : null }));
  const old = [{ timestamp: at(55), cpuPercent: 1, disk: 95 }, ...POINTS.map((point) => ({ ...point, disk: null }))];
  const every = (minutes: number, count: number) => ({
    points: Array.from({ length: count }, (_, index) => ({ t: at(60 - index * minutes), cpu: 1 })),
  });
  const beside = { id: 'svc_1', from: at(60), to: NOON / 1000, bucket: '30' };
  const others = [
    { time: at(60), cpu: 1, note: 'deploy', tags: ['a'], up: true, disk: null },
    { time: at(55), cpu: 'n/a', note: null, host: { name: 'web-1', load: 2 } },
  ];
  const listOf = (values: number[]) => values.map((v, index) => ({ t: NOON - (3 - index) * 60_000, v }));
  const twenty = Array.from({ length: 20_000 }, (_, at) => ({ t: NOON - (20_000 - at) * 6e4, x: at % 10 ? 0 : 100 }));
  const asked = '\nAsked for: from 2026-02-28T12:00:00Z to 2026-03-01T12:00:00Z\n';

  /* biome-ignore format: a row a line */
  test.each<[what: string, words: string, body: Answer, shown: RegExp, isNot?: RegExp]>([
    ['all series', '--history', { points: POINTS }, /memoryBytes/],
    ['those that are asked for', '--history --series cpu', { points: POINTS }, /cpuPercent/, /memoryBytes/],
    ['no points', '--since 1h', { points: [] }, /^No usage points of svc_1 from 2026-03-01T11:00:00Z to .*12:00:00Z.\n$/],
    ['no points in a list', '--since 1h', '[]', /^No usage points of svc_1/],
    ['points without a number', '--since 1h', { points: [{ t: at(30), cpu: 'low' }] }, /^1 usage point of .*\n?.*, without a number in it; --json/],
    ['figures of all points, not of those that are drawn', '--since 30d', { points: twenty }, /x {2}last 0 {2}min 0 {2}avg 10 {2}p95 100 {2}max 100\n/],
    ['one point', '--history --step 15m', every(1, 1), new RegExp(`\n1 point at 2026-03-01T11:00:00Z${asked}`)],
    ['a few points', '--history --step 15m', every(7, 3), new RegExp(`\n3 points, one every 7m, until .*11:14:00Z${asked}`)],
    ['a whole day', '--history', { points: pointsOf(Array(286).fill(1)) }, /286 points, one every 5m, until /, /Asked for|!/],
    ['an old value, not as the latest', '', { points: old }, /^ {2}disk +▁? +95 *$[\s\S]*As of 2026-03-01T11:55:00Z\n! disk has no value since 2026-03-01T11:05:00Z, 55m before the end: 95 then.\n/m],
    ['a service that measures nothing any more', '', { points: old.slice(0, 1) }, /has no value since/, /As of/],
    ['a series that is measured seldom, as new', '', { points: seldom }, /^ {2}disk .* 7$/m, /!/],
    ['a list of points', '', JSON.stringify(POINTS), /cpuPercent .*30%\n/],
    ['a list for each series', '', { cpu: listOf([1, 2, 3]), memory: listOf([4, 5, 6]), region: 'abj' }, /^ {2}cpu .* 3$\n^ {2}memory .* 6$[\s\S]*\n {2}Region {2}abj\n$/m],
    ['other fields, but not what repeats the question', '', { ...beside, truncated: true, data: { unit: 'm', usage: POINTS } }, /As of .*\n\nMore\n {2}Truncated {2}yes\n {2}Data unit {2}m\n$/],
    ['why there are no points', '', { points: [], reason: 'paused' }, /^No usage points .*\n\nMore\n {2}Reason {2}paused\n$/],
    ['the names of fields that are no numbers', '--history', { points: others }, /\nThe points also have note, tags, up, host.name; --json shows them.\n/],
    ['names that would drive the terminal', '--since 1h', JSON.stringify([{ timestamp: at(60), 'a\u001b[2Jb': 1 }]), /2Jb/, /\u001b/],
  ])('shows %s (%s)', async (_what, words, body, shown, isNot = /undefined|NaN/) => {
    const { exitCode, stdout } = await metrics(words, body);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringMatching(shown) });
    expect(stdout).not.toMatch(isNot);
  });

  /* biome-ignore format: a row a line */
  test.each<[what: string, words: string, body: Answer, exitCode: number, says: string]>([
    ['an unknown series', '--series disk', { points: POINTS }, 2, 'cpuPercent, memoryBytes'],
    ['an unknown series', '--series disk --json', { points: POINTS }, 2, 'cpuPercent, memoryBytes'],
    ['an unknown series', '--series disk --csv', { points: POINTS }, 2, 'cpuPercent, memoryBytes'],
    ['no list', '', { status: 'ok' }, 1, 'svc metrics svc_1 --json\n'],
    ['lists of lists', '', '[[1],[2]]', 1, 'svc metrics svc_1 --json\n'],
    ['points without a time', '', { points: [{ cpu: 1 }] }, 1, 'svc metrics svc_1 --json\n'],
    ['two lists', '', { a: POINTS, b: POINTS }, 1, 'set SVC_ASSUME=metrics.points=a.'],
  ])('%s (%s) says what helps', async (_what, words, body, exitCode, says) => {
    expect(await metrics(words, body)).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(says) });
  });

  /* biome-ignore format: a row a line */
  test.each<[outside: number, minutesAgo: readonly number[], words: string]>([
    [0, [64, 60, 55], '--since 1h --step 5m'],
    [1, [65, 60, 55], '--since 1h --step 5m'],
    [0, [40, 35, 30, 25], '--since 1h --until 30m --step 5m'],
    [1, [40, 35, 30, 25, 20], '--since 1h --until 30m --step 5m'],
  ])('%i points further than a step outside the range are a warning: %j %s', async (outside, minutesAgo, words) => {
    const points = minutesAgo.map((minutes) => ({ t: at(minutes), cpu: 1 }));
    const { stderr } = await metrics(words, { points });
    const said = expect.stringMatching(`^Warning: The API answered ${outside} points? outside the range`);
    expect(stderr).toEqual(outside === 0 ? '' : said);
  });

  test('the assumption names the list', async () => {
    const env = { SVC_ASSUME: 'metrics.points=b' };
    const { stdout } = await metrics('', { a: [{ time: '2026-01-01', x: 1 }], b: POINTS }, { env });
    expect(stdout).toContain('cpuPercent');
  });
});

describe('for scripts', () => {
  const odd = '{"status":"ok","n":1.50}';
  const csv = `time,memoryBytes,cpuPercent
2026-03-01T11:35:00Z,314572800,10
2026-03-01T11:40:00Z,315621376,20
2026-03-01T11:45:00Z,316669952,90
2026-03-01T11:50:00Z,317718528,
2026-03-01T11:55:00Z,318767104,30
`;

  /* biome-ignore format: a row a line */
  test.each<[words: string, body: string | object, stdout: string]>([
    ['--json', odd, `${odd}\n`],
    ['--json --series cpu', JSON.stringify({ points: POINTS }), `${JSON.stringify({ points: POINTS })}\n`],
    ['--json --history', LARGE, `${LARGE}\n`],
    ['--jq [.points[].cpuPercent]|max', { points: POINTS }, '90\n'],
    ['--csv --series memory,cpu', { points: POINTS }, csv],
    ['--csv', '[{"time":"2026-03-01","x":1e999},{"time":"2026-03-01T11:00:00Z","x":5}]', 'time,x\n2026-03-01T00:00:00Z,\n2026-03-01T11:00:00Z,5\n'],
    ['--csv --since 2026-03-01', JSON.stringify([{ time: '2026-03-01', 'a,"b"': 1, '=1+1': 2, '@x': 3 }]), `time,"a,""b""",'=1+1,'@x\n2026-03-01T00:00:00Z,1,2,3\n`],
  ])('%s prints the answer, a line for each point, gaps empty', async (words, body, stdout) => {
    const done = await metrics(words, body);
    expect([done.exitCode, done.stderr, done.stdout === stdout ? stdout : done.stdout]).toEqual([0, '', stdout]);
  });

  test('--json of a large answer that is cut each time prints nothing, and ends with exit 8', async () => {
    const wire = await testWire();
    wire.on('GET', USAGE).cut(200, LARGE, 1_500_000).cut(200, LARGE, 1_500_000).cut(200, LARGE, 1_500_000);
    const done = await svc(['metrics', 'svc_1', '--json'], { url: wire.url });
    expect(done).toMatchObject({ exitCode: 8, stdout: '', error: { code: 'unavailable', attempts: 3 } });
  });
});

describe('--output', () => {
  test('writes a picture and nothing beside it; --json prints the answer as well', async () => {
    const cwd = await temporaryFolder();
    expect((await metrics('--output chart.svg', undefined, { cwd })).stdout).toContain('Drawn in chart.svg');
    expect(await readdir(cwd)).toEqual(['chart.svg']);
    expect(await readFile(join(cwd, 'chart.svg'), 'utf8')).toMatch(/^<svg [\s\S]*cpuPercent[\s\S]*<\/svg>\n$/);
    const done = await metrics('--output a.svg --json', '{"points":[]}', { cwd });
    expect(done).toMatchObject({ exitCode: 0, stdout: '{"points":[]}\n' });
    expect(await readFile(join(cwd, 'a.svg'), 'utf8')).toContain('No usage points.');
  });

  test('replaces a file only with --yes, and asks before anything is sent', async () => {
    const cwd = await temporaryFolder();
    await mkdir(join(cwd, 'folder.svg'));
    await writeFile(join(cwd, 'old.svg'), 'mine');
    for (const [name, says] of Object.entries({ folder: 'is a folder', old: 'exists already. Nothing was sent' })) {
      const refused = { exitCode: 2, stdout: '', stderr: expect.stringContaining(says) };
      expect(await against(`metrics svc_1 --output ${name}.svg`, {}, { cwd })).toMatchObject(refused);
    }
    expect(await readFile(join(cwd, 'old.svg'), 'utf8')).toBe('mine');
    await metrics('--output old.svg --yes', undefined, { cwd });
    expect(await readFile(join(cwd, 'old.svg'), 'utf8')).toMatch(/^<svg /);
  });
});
