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
const UNCLEAR = { stderr: expect.stringMatching(/^Error: The platform does not say whether svc_1 was restarted[.:]/) };
const UNKNOWN = { error: { code: 'unavailable', outcome: 'unknown' } };
const AWAY = { location: 'https://elsewhere.example.com/login' };

/** An answer earns a tick only if it says that the restart is done. */
// biome-ignore format: a table
test.each<[flags: string, answer: Answer, exitCode: number, hasTick: boolean, shown: object]>([
  ['', { success: true, message: 'Restarted in 3 s', jobs: 2 }, 0, true, { stdout: '✓ Restarted svc_1.\n\n  Message  Restarted in 3 s\n\nMore\n  Jobs     2\n', stderr: '' }],
  ['', { success: 'TRUE', error: 'none' }, 0, true, { stderr: '' }],
  ['', { status: 'restarted' }, 0, true, {}],
  ['', { success: true, status: 'some-word' }, 0, true, {}],
  ['', { success: true, message: said }, 0, true, { stdout: text(`Message  ${masked}`) }],
  ['', { status: 'restarting' }, 0, false, { stdout: text('The restart of svc_1 has begun.') }],
  ['--json', '{"success":true,  "message":"ok","n":1.0}', 0, false, { stdout: '{"success":true,  "message":"ok","n":1.0}\n', stderr: '' }],
  // No.
  ['', { success: false, message: 'no image' }, 9, false, { stderr: `${NO}: no image\n` }],
  ['', { success: false, message: said }, 9, false, { stderr: text(masked) }],
  ['--json', '{"success":false,"message":"no image"}', 9, false, { stdout: '{"success":false,"message":"no image"}\n', error: { code: 'failed', exitCode: 9 } }],
  ['', { error: { image: ['is gone', 'was never there'] } }, 9, false, { stderr: `${NO}:\n  image: is gone\n  image: was never there\n` }],
  // Neither yes nor no: it may have been restarted.
  ['', {}, 8, false, UNCLEAR],
  ['', { message: 'No live container' }, 8, false, { stdout: text('No live container'), stderr: text('Try: svc metrics svc_1\n') }],
  ['', { success: null, jobs: 3 }, 8, false, { ...UNCLEAR, stdout: text('Jobs  3') }],
  ['', { success: 'perhaps', message: 5 }, 8, false, { ...UNCLEAR, stdout: text('perhaps') }],
  ['', { success: [], message: ['deep'] }, 8, false, { ...UNCLEAR, stdout: text('deep') }],
  ['', { status: 'rolling over' }, 8, false, { stderr: text('SVC_ASSUME=job.done=+rolling_over') }],
  ['--json', { message: 'No live container' }, 8, false, { ...UNKNOWN, json: { message: 'No live container' } }],
  ['--json', 'reset', 8, false, { ...UNKNOWN, stdout: '' }],
  // Refused.
  ['--json', [404, { error: 'no' }], 6, false, { stdout: '', error: { error: 'no', code: 'not_found', status: 404 } }],
  ['', [302, { error: 'moved' }, AWAY], 1, false, { stdout: '', stderr: text('redirects to https://elsewhere.example.com (302)') }],
  ['--json', [302, { error: 'moved' }, AWAY], 1, false, { stdout: '', error: { error: 'moved', code: 'unexpected', hint: text('https://elsewhere.example.com') } }],
  ['--jq .x[]', { success: true }, 1, false, { stdout: '', stderr: text('The restart of svc_1 was accepted. The --jq filter failed on the answer: ') }],
])('restart svc_1 %s that is answered %j is exit %i', async (flags, answer, exitCode, hasTick, shown) => {
  const run = await against(`restart svc_1 ${flags}`, { [`POST ${PATH}`]: [answer] });
  expect(run).toMatchObject({ exitCode, ...shown });
  expect(run.stdout.includes('✓')).toBe(hasTick);
  expect(run.stderr.includes('"outcome":"unknown"')).toBe(exitCode === 8 && flags === '--json');
  expect(run.sent).toMatchObject([{ body: '' }]);
  expect(run.sent[0]?.headers).not.toHaveProperty('content-type');
});

test.each<[argv: readonly string[], env?: Record<string, string>]>([
  [['--service=svc_1']],
  [['svc_1', '--service', 'svc_1']],
  [['--service', 'svc_1', '--', 'svc_1']],
  [[], { SVC_SERVICE: 'svc_1' }],
])('restart %j restarts svc_1', async (argv, env = {}) => {
  const wire = await testWire();
  wire.on('POST', PATH).reply(200, { success: true });
  expect(await svc(['restart', ...argv], { url: wire.url, env })).toMatchObject({ exitCode: 0, stderr: '' });
});

test('a folder names the service, and an error says so; an id stays one part of the path', async () => {
  const wire = await testWire();
  const cwd = await temporaryFolder();
  const file = join(cwd, '.svc.json');
  await writeFile(file, '{"service":"a/b?c"}');
  wire.on('POST', '/v1/services/a%2Fb%3Fc/restart').reply(200, { success: true });
  expect((await svc(['restart'], { url: wire.url, cwd })).exitCode).toBe(0);
  wire.on('POST', '/v1/services/a%2Fb%3Fc/restart').always(404, { error: 'no' });
  const { stderr } = await svc(['restart'], { url: wire.url, cwd });
  expect(stderr).toContain(`\n  Looked in service a/b?c (from ${file}).\n`);
  expect((await svc(['restart', 'a/b?c'], { url: wire.url, cwd })).stderr).not.toContain('Looked in');
});

const TWO = 'Error: The service is given twice: "svc_1", "svc_2".\n  Give one of the two.\n';
test.each<[argv: readonly string[], stderr: unknown]>([
  [['svc_1', '--service', 'svc_2'], TWO],
  [['--service', 'svc_2', '--', 'svc_1'], TWO],
  [[], text('svc link')],
  ...['..', '.', '', ' ', 'a\u0000b'].map((id): [string[], unknown] => [[id], text('Error: ')]),
])('restart %j is refused before anything is sent', async (argv, stderr) => {
  const wire = await testWire();
  expect(await svc(['restart', ...argv], { url: wire.url })).toMatchObject({ exitCode: 2, stdout: '', stderr });
  expect(wire.requests).toEqual([]);
});

test('--dry-run needs no sign-in, shows the request, and sends nothing', async () => {
  const env = { SVC_API_URL: 'http://127.0.0.1:1' };
  const { exitCode, json } = await svc(['restart', 'svc_1', '--dry-run', '--json'], { env, token: null });
  expect([exitCode, json]).toMatchObject([0, { method: 'POST', url: 'http://127.0.0.1:1/v1/services/svc_1/restart' }]);
  const people = await svc(['restart', 'svc_1', '--dry-run'], { env, token: null });
  expect(people.stdout).toContain('Nothing was sent. The request would be:');
});
