import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Answer, against } from '../support/against.ts';
import { type RunOptions, temporaryFolder } from '../support/svc.ts';

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
const LARGE = JSON.stringify({
  points: pointsOf(Array.from({ length: 20_000 }, (_, index) => index / 7)),
});

/** Runs `svc metrics svc_1 …` at noon. A body that is a list is given as text. */
const metrics = (words = '', body: Answer = { points: POINTS }, options: RunOptions = {}) =>
  against(`metrics svc_1 ${words}`, { 'GET /v1/services/svc_1/metrics/history': [body] }, options);

test.each([
  ['', '2026-03-01T11:00:00Z', '2026-03-01T12:00:00Z', '30'],
  ['--history', '2026-02-28T12:00:00Z', '2026-03-01T12:00:00Z', '900'],
  ['--since 2026-02-01 --until 2026-02-08', '2026-02-01T00:00:00Z', '2026-02-08T00:00:00Z', '7200'],
  [
    '--since 2026-03-01T12:00:00+01:00 --step 60',
    '2026-03-01T11:00:00Z',
    '2026-03-01T12:00:00Z',
    '60',
  ],
])('%j asks for a start, an end and a step', async (words, start, end, step) => {
  const { sent } = await metrics(words);
  expect(sent[0]?.query).toEqual([
    ['start', start],
    ['end', end],
    ['step', step],
  ]);
});

test('the names of the question, and of the list of points, are those in SVC_ASSUME', async () => {
  const env = {
    SVC_ASSUME: 'metrics.start=from,metrics.end=to,metrics.step=bucket,metrics.points=b',
  };
  const { sent, stdout } = await metrics(
    '',
    { a: [{ time: '2026-01-01', x: 1 }], b: POINTS },
    { env },
  );
  expect(sent[0]?.query.map(([name]) => name)).toEqual(['from', 'to', 'bucket']);
  expect(stdout).toContain('cpuPercent');
});

test.each([
  ['--since 1h --until 1h', 'before it begins'],
  ['--since 2026-02-30', '--since'],
  ['--step 0', '--step'],
  ['--fail-if cpu', '--fail-if'],
  ['--sort cpu --json', '--sort and --json cannot be used together.'],
  ['--output nowhere/chart.svg', 'There is no folder'],
  ['--watch', 'Try: svc metrics --json\n'],
  ['--interval 5s', '--interval needs --watch.'],
])('%s is refused before anything is sent: %s', async (words, message) => {
  const refused = { exitCode: 2, stdout: '', stderr: expect.stringContaining(message) };
  expect(await against(`metrics svc_1 ${words}`, {})).toMatchObject(refused);
});

const seldom = POINTS.map((point, index) => ({
  ...point,
  disk: index === 0 || index === 2 ? 7 : null,
}));
const old = [
  { timestamp: at(55), cpuPercent: 1, disk: 95 },
  ...POINTS.map((point) => ({ ...point, disk: null })),
];
const beside = { id: 'svc_1', from: at(60), to: NOON / 1000, bucket: '30' };
const twenty = Array.from({ length: 20_000 }, (_, at) => ({
  t: NOON - (20_000 - at) * 6e4,
  x: at % 10 ? 0 : 100,
}));

test.each<[what: string, words: string, body: Answer, shown: RegExp, isNot?: RegExp]>([
  [
    'figures of all points, drawn or not',
    '--since 30d',
    { points: twenty },
    /x {2}last 0 {2}min 0 {2}avg 10 {2}p95 100/,
  ],
  [
    'a whole day',
    '--history',
    { points: pointsOf(Array(286).fill(1)) },
    /286 points, one every 5m, until /,
    /Asked for/,
  ],
  [
    'an old value, not as the latest',
    '',
    { points: old },
    /^ {2}disk +▄?(?: +95){2} *$[\s\S]*\n! disk has no value since .*11:05:00Z/m,
  ],
  ['a series that is measured seldom, as new', '', { points: seldom }, /^ {2}disk .* 7$/m, /!/],
  [
    'other fields, but not the question',
    '',
    { ...beside, cut: true, data: { usage: POINTS } },
    /\n\nMore\n {2}Cut {2}yes\n$/,
  ],
])('shows %s (%s)', async (_what, words, body, shown, isNot = /undefined|NaN/) => {
  const { exitCode, stdout } = await metrics(words, body);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringMatching(shown) });
  expect(stdout).not.toMatch(isNot);
});

test.each<[words: string, body: Answer, exitCode: number, says: string]>([
  ['--series disk', { points: POINTS }, 2, 'cpuPercent, memoryBytes'],
  ['--series disk --json', { points: POINTS }, 2, 'cpuPercent, memoryBytes'],
  ['', { status: 'ok' }, 1, 'svc metrics svc_1 --json\n'],
  ['', { a: POINTS, b: POINTS }, 1, 'set SVC_ASSUME=metrics.points=a.'],
])('what cannot be read (%s) says what helps', async (words, body, exitCode, says) => {
  expect(await metrics(words, body)).toMatchObject({
    exitCode,
    stdout: '',
    stderr: expect.stringContaining(says),
  });
});

test.each<[outside: number, minutesAgo: readonly number[], words: string]>([
  [0, [64, 60, 55], '--since 1h --step 5m'],
  [1, [65, 60, 55], '--since 1h --step 5m'],
  [0, [40, 35, 30, 25], '--since 1h --until 30m --step 5m'],
  [1, [40, 35, 30, 25, 20], '--since 1h --until 30m --step 5m'],
])(
  '%i points further than a step outside the range are a warning: %j %s',
  async (outside, minutesAgo, words) => {
    const points = minutesAgo.map((minutes) => ({ t: at(minutes), cpu: 1 }));
    const { stderr } = await metrics(words, { points });
    expect(stderr).toMatch(
      outside === 0 ? /^$/ : /^Warning: The API answered 1 point outside the range/,
    );
  },
);

const odd = '{"status":"ok","n":1.50}';
const csv = `time,memoryBytes,cpuPercent
2026-03-01T11:35:00Z,314572800,10
2026-03-01T11:40:00Z,315621376,20
2026-03-01T11:45:00Z,316669952,90
2026-03-01T11:50:00Z,317718528,
2026-03-01T11:55:00Z,318767104,30
`;
const strange = JSON.stringify([{ time: '2026-03-01', 'a,"b"': 1, '=1+1': 2, '@x': 3 }]);

test.each<[words: string, body: string | object, stdout: string]>([
  ['--json', odd, `${odd}\n`],
  ['--json --history', LARGE, `${LARGE}\n`],
  ['--csv --series memory,cpu', { points: POINTS }, csv],
  ['--csv --since 2026-03-01', strange, `time,"a,""b""",'=1+1,'@x\n2026-03-01T00:00:00Z,1,2,3\n`],
])('%s prints the answer, a line for each point, gaps empty', async (words, body, stdout) => {
  const done = await metrics(words, body);
  expect([done.exitCode, done.stderr, done.stdout === stdout ? stdout : done.stdout]).toEqual([
    0,
    '',
    stdout,
  ]);
});

test('--output writes a picture and nothing beside it; --json prints the answer as well', async () => {
  const cwd = await temporaryFolder();
  const done = await metrics('--output a.svg --json', '{"points":[]}', { cwd });
  expect(done).toMatchObject({ exitCode: 0, stdout: '{"points":[]}\n' });
  expect(await readdir(cwd)).toEqual(['a.svg']);
  expect(await readFile(join(cwd, 'a.svg'), 'utf8')).toMatch(
    /^<svg [\s\S]*No usage points[\s\S]*<\/svg>\n$/,
  );
});

test('--output - prints the picture, and nothing beside it', async () => {
  const cwd = await temporaryFolder();

  const done = await metrics('--output -', '{"points":[]}', { cwd });

  expect(done).toMatchObject({ exitCode: 0, stderr: '' });
  expect(done.stdout.startsWith('<svg')).toBe(true);
  expect(done.stdout).not.toContain('Drawn');
});

test.each(['--output - --json', '--output - --csv', '--output - --summary'])(
  '%s is exit 2: both print',
  async (words) => {
    expect((await against(`metrics svc_1 ${words}`, {})).exitCode).toBe(2);
  },
);

test('--output replaces a file only with --yes, and asks before anything is sent', async () => {
  const cwd = await temporaryFolder();
  const file = join(cwd, 'old.svg');
  await writeFile(file, 'mine');
  const refused = {
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('exists already. Nothing was sent'),
  };
  expect(await against('metrics svc_1 --output old.svg', {}, { cwd })).toMatchObject(refused);
  expect(await readFile(file, 'utf8')).toBe('mine');
  await metrics('--output old.svg --yes', undefined, { cwd });
  expect(await readFile(file, 'utf8')).toMatch(/^<svg /);
});
