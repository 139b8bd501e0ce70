import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Answer, against } from '../support/against.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const PATH = '/v1/services/svc_1/restart';
const text = (word: string) => expect.stringContaining(word);
const said = 'booted with postgres://u:hunter2@h/db and API_TOKEN=hunter2';
const masked = 'booted with postgres://u:********@h/db and API_TOKEN=********\n';
const NO = 'Error: The platform did not restart svc_1';
const UNCLEAR = {
  stderr: expect.stringMatching(
    /^Error: The platform does not say whether svc_1 was restarted[.:]/,
  ),
};
const UNKNOWN = { error: { code: 'unavailable', outcome: 'unknown' } };
const AWAY = { location: 'https://elsewhere.example.com/login' };
const MOVED = { error: 'moved', code: 'unexpected' };
const YES = '{"success":true,  "message":"ok","n":1.0}';

/** An answer earns a tick only if it says that the restart is done. */
test.each<[flags: string, answer: Answer, exitCode: number, hasTick: boolean, shown: object]>([
  [
    '',
    { success: true, message: 'In 3 s', jobs: 2 },
    0,
    true,
    { stdout: text('Message  In 3 s\n\nMore\n  Jobs'), stderr: '' },
  ],
  ['', { status: 'restarted' }, 0, true, {}],
  ['', { success: true, message: said }, 0, true, { stdout: text(`Message  ${masked}`) }],
  ['', { status: 'restarting' }, 0, false, { stdout: text('The restart of svc_1 has begun.') }],
  ['--json', YES, 0, false, { stdout: `${YES}\n`, stderr: '' }],
  // No.
  ['', { success: false, message: said }, 9, false, { stderr: `${NO}: ${masked}` }],
  [
    '--json',
    { success: false, message: 'no' },
    9,
    false,
    { json: { success: false }, error: { code: 'failed' } },
  ],
  [
    '',
    { error: { image: ['is gone', 'never was'] } },
    9,
    false,
    { stderr: `${NO}:\n  image: is gone\n  image: never was\n` },
  ],
  [
    '--json',
    { error: { image: ['is gone'] } },
    9,
    false,
    { error: { error: { image: ['is gone'] }, code: 'failed' } },
  ],
  // Neither yes nor no: it may have been restarted.
  ['', { success: null, jobs: 3 }, 8, false, { ...UNCLEAR, stdout: text('Jobs  3') }],
  ['', { status: 'rolling over' }, 8, false, { stderr: text('SVC_ASSUME=job.done=+rolling_over') }],
  [
    '--json',
    { message: 'No live container' },
    8,
    false,
    { ...UNKNOWN, json: { message: 'No live container' } },
  ],
  ['--json', 'reset', 8, false, { ...UNKNOWN, stdout: '' }],
  // Refused.
  [
    '--json',
    [404, { error: 'no' }],
    6,
    false,
    { stdout: '', error: { error: 'no', code: 'not_found', status: 404 } },
  ],
  ['--json', [302, { error: 'moved' }, AWAY], 1, false, { stdout: '', error: MOVED }],
  [
    '--jq .x[]',
    { success: true },
    1,
    false,
    { stdout: '', stderr: text('The restart of svc_1 was accepted. The --jq filter') },
  ],
])(
  'restart svc_1 %s that is answered %j is exit %i',
  async (flags, answer, exitCode, hasTick, shown) => {
    const run = await against(`restart svc_1 ${flags}`, { [`POST ${PATH}`]: [answer] });
    expect(run).toMatchObject({ exitCode, ...shown });
    expect(run.stdout.includes('✓')).toBe(hasTick);
    expect(run.stderr.includes('"outcome":"unknown"')).toBe(exitCode === 8 && flags === '--json');
    expect(run.sent).toMatchObject([{ body: '' }]);
  },
);

test.each<[argv: readonly string[], env?: Record<string, string>]>([
  [['svc_1', '--service', 'svc_1']],
  [['--service', 'svc_1', '--', 'svc_1']],
  [[], { SVC_SERVICE: 'svc_1' }],
])('restart %j restarts svc_1', async (argv, env = {}) => {
  const run = await against(
    ['restart', ...argv],
    { [`POST ${PATH}`]: [{ success: true }] },
    { env },
  );
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
});

test('a folder names the service, and an error says so; an id stays one part of the path', async () => {
  const wire = await testWire();
  const cwd = await temporaryFolder();
  const file = join(cwd, '.svc.json');
  await writeFile(file, '{"service":"a/b?c"}');
  wire.on('POST', '/v1/services/a%2Fb%3Fc/restart').reply(404, { error: 'no' });
  const stderr = text(`\n  Looked in service a/b?c (from ${file}).\n`);
  expect(await svc(['restart'], { url: wire.url, cwd })).toMatchObject({ exitCode: 6, stderr });
});

test.each<[argv: readonly string[], stderr: string]>([
  [['svc_1', '--service', 'svc_2'], 'The service is given twice: "svc_1", "svc_2".'],
  [[], 'svc link'],
  ...['..', '', 'a\u0000b'].map((id): [string[], string] => [[id], 'Error: ']),
])('restart %j is refused before anything is sent', async (argv, stderr) => {
  expect(await against(['restart', ...argv], {})).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: text(stderr),
  });
});

test('--dry-run needs no sign-in, shows the request, and sends nothing', async () => {
  const url = 'http://127.0.0.1:1';
  const { exitCode, json } = await svc(['restart', 'svc_1', '--dry-run', '--json'], {
    url,
    token: null,
  });
  expect([exitCode, json]).toMatchObject([0, { method: 'POST', url: `${url}${PATH}` }]);
});
