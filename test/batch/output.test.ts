import { expect, test } from 'vitest';
import { type Answer, against } from '../support/against.ts';
import { fakeClock } from '../support/clock.ts';
import { readNamesSeen } from '../support/stored.ts';
import { CANARY_TOKEN, type RunOptions, temporaryFolder } from '../support/svc.ts';
import { idsOf } from './counting-service.ts';
import { linesOf } from './lines.ts';

const OF: Readonly<Record<string, (id: string) => string>> = {
  restart: (id) => `POST /v1/services/${id}/restart`,
  metrics: (id) => `GET /v1/services/${id}/metrics/history`,
  'db inspect': (id) => `GET /v1/databases/${id}`,
  'wp run backup': (id) => `POST /v1/services/${id}/actions`,
};

/** Runs a command for `s0`, `s1` and so on, of which each has its answer. */
function run(command: string, answers: readonly Answer[], flags = '', options: RunOptions = {}) {
  const ids = idsOf(answers.length);
  const items = command.startsWith('wp') ? ids.map((id) => `--service=${id}`) : ids;
  const plan = Object.fromEntries(
    answers.map((answer, index) => [OF[command]?.(`s${index}`), [answer]]),
  );
  const line = `${command} ${items.join(' ')} -y --concurrency 1 ${flags}`;
  return against(line, plan, { clock: fakeClock('2026-11-25T12:00:00Z'), ...options });
}

const cpu = (value: number) => ({ points: [{ time: '2026-11-25T11:59:59Z', cpu: value }] });
const [FINE, GONE, NONE] = [
  { success: true },
  [404, { error: 'No such service' }] as const,
  { points: [] },
];
const FORBIDDEN: Answer = [403, { error: 'Not yours' }];
const text = (word: string) => expect.stringContaining(word);
const COUNTS = { failed: 0, alerts: 0, left: 0, skipped: 0, seconds: expect.any(Number) };
const ALERT = {
  series: 'cpu',
  figure: 'last',
  value: 90,
  limit: 80,
  at: expect.stringMatching(/Z$/),
};
const ODD = { jobId: 'job_1', status: 'on ice' };
const HEAD = 'database,exitCode,code,error,name,engine,version,status,plan,service\n';

test.each<
  [command: string, flags: string, answers: readonly Answer[], exitCode: number, shown: object]
>([
  // All alike have their common exit code; else it is 11.
  ['restart', '', [FINE, FINE], 0, { stdout: text('2 of 2 services done'), stderr: '' }],
  [
    'restart',
    '--json',
    [FINE, GONE, FINE],
    11,
    {
      error: {
        code: 'partial',
        exitCode: 11,
        summary: { ...COUNTS, total: 3, done: 2, failed: 1 },
      },
    },
  ],
  [
    'restart',
    '',
    [FORBIDDEN, FORBIDDEN],
    5,
    {
      stdout: text('forbidden         2  Not yours  s0, s1\n'),
      stderr: 'Error: All 2 failed.\n  Not yours\n',
    },
  ],
  // An alarm is exit code 9, whatever else failed; what cannot be checked is 12.
  [
    'metrics',
    '--fail-if cpu>80 --json',
    [cpu(90), [403, {}], NONE, cpu(10)],
    9,
    {
      error: {
        code: 'alert',
        exitCode: 9,
        alerts: [{ item: 's0', ...ALERT }],
        summary: { ...COUNTS, total: 4, done: 1, failed: 2, alerts: 1, noData: 1 },
      },
    },
  ],
  [
    'metrics',
    '--fail-if cpu>80 --json',
    [NONE, NONE],
    12,
    { error: { code: 'no_data', summary: { noData: 2 } } },
  ],
  [
    'metrics',
    '--fail-if cpu>80 --json',
    [cpu(10), NONE],
    11,
    { error: { code: 'partial', summary: { done: 1 } } },
  ],
  // For programs.
  [
    'metrics',
    '--json',
    ['{\n  "points": [],\r\n\t"n": 1.10, "text": "a\\nb  c"\n}\n', '{}'],
    0,
    { stdout: text('"answer":{"points": [],"n": 1.10, "text": "a\\nb  c"},"attempts":1,') },
  ],
  [
    'metrics',
    '--jq "\\(.item)\\(.answer.points[-1].cpu)"',
    [cpu(10), cpu(90)],
    0,
    { stdout: 's010\ns190\n' },
  ],
  [
    'db inspect',
    '--csv',
    [{ database: {} }, [404, { error: 'No "b", really' }]],
    11,
    {
      stdout: expect.stringMatching(
        new RegExp(`^${HEAD}s0,0,,,,,,,,\ns1,6,not_found,"No ""b"", really",,,,,,\n$`),
      ),
    },
  ],
  // What several are warned of is in their lines; people read whose it is.
  [
    'wp run backup',
    '',
    [ODD, ODD],
    0,
    { stderr: expect.stringMatching(/^Warning: s0, s1: .*"on ice"/) },
  ],
])('%s %s answered %j is exit %i', async (command, flags, answers, exitCode, shown) => {
  expect(await run(command, answers, flags)).toMatchObject({ exitCode, ...shown });
});

test('each item has a line of JSON, with its answer, its error or its warnings', async () => {
  const { stdout } = await run('restart', [{ ...FINE, message: 'ok' }, GONE], '--json');
  const end = { attempts: 1, ms: expect.any(Number) };
  expect(linesOf(stdout)).toEqual([
    { index: 0, item: 's0', exitCode: 0, code: null, answer: { ...FINE, message: 'ok' }, ...end },
    {
      index: 1,
      item: 's1',
      exitCode: 6,
      code: 'not_found',
      error: expect.objectContaining({ status: 404 }),
      ...end,
    },
  ]);
  const warnings = [{ warning: text('"on ice"'), code: 'unknown_status' }];
  const odd = await run('wp run backup', [ODD, ODD], '--json');
  expect([linesOf(odd.stdout), linesOf(odd.stderr)]).toMatchObject([
    [{ warnings }, { warnings }],
    [{}],
  ]);
  const alarms = await run('metrics', [cpu(90), cpu(1)], '--fail-if cpu>80 --json');
  expect(linesOf(alarms.stdout)).toMatchObject([
    { exitCode: 9, code: 'alert', error: { alerts: [ALERT] } },
    {},
  ]);
});

test('what a scan warns of is in the line of its domain', async () => {
  const scan = { currentNameservers: [], records: [] };
  const warning = 'One record cannot be moved.';
  const scans = [
    { ...scan, warnings: [warning] },
    { ...scan, warnings: [] },
  ];

  const { stdout } = await against('domains import a.example b.example --json --concurrency 1', {
    'POST /v1/domains/import/scan': scans,
  });

  const [first, second] = linesOf(stdout);
  expect(first).toMatchObject({
    item: 'a.example',
    warnings: [{ warning, code: 'scan_warning' }],
  });
  expect(second).not.toHaveProperty('warnings');
});

test('a secret that the platform repeats is in no line, and a password in no row', async () => {
  const gone: Answer = [404, { error: `No ${CANARY_TOKEN}`, token: CANARY_TOKEN }];
  for (const flags of ['', '--json'])
    expect((await run('restart', [gone, FINE], flags)).shown).not.toContain('CANARY');
  const database = { database: {}, password: 'CANARY' };
  const rows = await run('db inspect', [database, database], '--csv --reveal');
  expect(rows.stdout).not.toContain('CANARY');
});

test('failures are grouped by their reasons, which may differ in ids, times and ages', async () => {
  const began = [0, 1, 2].map((n): Answer => {
    return [
      409,
      {
        error: `Service s${n}: backup job_0087${n} began at 2026-03-01T11:5${n}:00Z, 5${n}m ago (s${n}).`,
      },
    ];
  });
  const { stdout } = await run('restart', [...began, FORBIDDEN]);
  expect(stdout).toMatch(
    /rejected +3 +Service …: backup … began at …, … ago \(…\)\. +s0, s1, s2\n.*forbidden +1 /,
  );
});

test('a refusal is shown with its fields, and refusals with others apart', async () => {
  const refused = (field: string): Answer => [422, { error: { [field]: 'is not a known action' } }];
  const answers = [refused('action'), refused('action'), refused('params')];

  const { stdout } = await run('wp run backup', answers);

  expect(stdout).toMatch(/rejected +2 +.*action: is not a known action/);
  expect(stdout).toMatch(/rejected +1 +.*params: is not a known action/);
});

test('a reason that all share is in the error: nobody has to look for a misspelled series', async () => {
  const { stderr, exitCode } = await run('metrics', [cpu(1), cpu(2)], '--fail-if cpuu>1');

  expect(exitCode).toBe(2);
  expect(stderr).toContain('All 2 failed.');
  expect(stderr).toContain('cpuu');
});

test('a quiet check shows what it found, and not all that it looked at', async () => {
  const answers = [cpu(10), cpu(90), cpu(20)];

  const whole = await run('metrics', answers, '--fail-if cpu>80');
  const quiet = await run('metrics', answers, '--fail-if cpu>80 --quiet');

  expect(whole.stdout).toMatch(/^ *s0 /m);
  expect(quiet.stdout).not.toMatch(/^ *s0 /m);
  expect(quiet.stdout).toMatch(/^ *s1 +cpu is 90/m);
});

test('the table of what is no check is shown by a quiet run as well', async () => {
  const { stdout } = await run('metrics', [cpu(10), cpu(90)], '--quiet');

  expect(stdout).toMatch(/^ *s0 /m);
  expect(stdout).toMatch(/^ *s1 /m);
});

test('one id alone prints what the API answers, and a list of one is a list', async () => {
  const answers = { 'POST /v1/services/s1/restart': [FINE] };
  expect((await against('restart s1 --json', answers)).stdout).toBe('{"success":true}\n');
  const { stdout } = await against('restart --services - --json', answers, { stdin: 's1\n' });
  expect(linesOf(stdout)).toMatchObject([{ index: 0, item: 's1', exitCode: 0 }]);
});

test('ids that were typed and done are offered to Tab', async () => {
  const configDir = await temporaryFolder();
  await run('restart', [FINE, FINE, GONE], '', { configDir });
  const [seen] = Object.values(readNamesSeen(configDir));
  expect(seen?.['services']?.map(({ name }) => name).sort()).toEqual(['s0', 's1']);
});
