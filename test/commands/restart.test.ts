import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const PATH = '/v1/services/svc_1/restart';

async function restart(answer: unknown, argv: readonly string[] = []) {
  const wire = await testWire();
  wire.on('POST', PATH).reply(200, answer);
  const run = await svc(['restart', 'svc_1', ...argv], { url: wire.url });
  return { run, request: wire.requests[0] };
}

test('a restart is one POST without a body, and says what the platform says', async () => {
  const { run, request } = await restart({ success: true, message: 'Restarted in 3 s', jobs: 2 });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toMatchInlineSnapshot(`
    "✓ Restarted svc_1.

      Message  Restarted in 3 s

    More
      Jobs     2
    "
  `);
  expect(request?.body).toBe('');
  expect(request?.headers['content-type']).toBeUndefined();
});

test('--json prints the bytes of the answer', async () => {
  const text = '{"success":true,  "message":"ok","n":1.0}';
  const { run } = await restart(text, ['--json']);
  expect(run).toMatchObject({ exitCode: 0, stdout: `${text}\n`, stderr: '' });
});

test('success: false is exit 9, and the answer is still printed', async () => {
  const text = '{"success":false,"message":"no image"}';
  const { run } = await restart(text, ['--json']);
  expect(run).toMatchObject({ exitCode: 9, stdout: `${text}\n`, error: { code: 'failed', exitCode: 9 } });
  const people = await restart(JSON.parse(text));
  expect(people.run.exitCode).toBe(9);
  expect(people.run.stdout).not.toContain('✓');
  expect(people.run.stderr).toBe('Error: The platform did not restart svc_1: no image\n');
});

test('an error without a success is a no, with its fields', async () => {
  const { run } = await restart({ error: { image: ['is gone', 'was never there'] } });
  expect(run.exitCode).toBe(9);
  expect(run.stdout).not.toContain('✓');
  expect(run.stderr).toBe('Error: The platform did not restart svc_1:\n  image: is gone\n  image: was never there\n');
});

test.each([true, 'true', 'TRUE', 1])('success: %j is a yes', async (success) => {
  const { run } = await restart({ success, error: 'none' });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toContain('✓ Restarted svc_1.');
});

test.each([
  [{ success: true, error: 'image pull failed' }, 9],
  [{ success: true, status: 'failed' }, 9],
  [{ status: 'failed' }, 9],
  [{ data: { success: false } }, 9],
  [{ status: 'restarted' }, 0],
  [{ status: 'restarting' }, 0],
  [{ success: true, status: 'some-word' }, 0],
  [{ status: 'some-word' }, 8],
])('%j is exit code %i', async (answer, exitCode) => {
  const { run } = await restart(answer);
  expect(run.exitCode).toBe(exitCode);
  const isSure = exitCode === 0 && JSON.stringify(answer) !== '{"status":"restarting"}';
  expect(run.stdout.includes('✓'), 'a tick only for what the answer says').toBe(isSure);
});

test('a status that svc does not know is named, with how to declare it', async () => {
  const { run } = await restart({ status: 'rolling over' });
  expect(run.stderr).toContain('svc does not know the status "rolling over".');
  expect(run.stderr).toContain('SVC_ASSUME=job.done=+rolling_over');
});

test.each([false, 'false', 'no'])('success: %j is a no', async (success) => {
  const { run } = await restart({ success, message: 'no image' });
  expect(run).toMatchObject({ exitCode: 9, stderr: 'Error: The platform did not restart svc_1: no image\n' });
  expect(run.stdout).not.toContain('✓');
});

test.each([
  ['nothing', {}, ''],
  ['a message alone', { message: 'No live container' }, 'No live container'],
  ['null', { success: null, jobs: 3 }, 'Jobs  3'],
  ['other types', { success: 'perhaps', message: 5 }, 'perhaps'],
  ['lists', { success: [], message: ['deep'] }, 'deep'],
])('an answer with %s says neither yes nor no: shown whole, outcome unknown', async (_name, answer, words) => {
  const { run } = await restart(answer);
  expect(run.exitCode).toBe(8);
  expect(run.stdout).toContain(words);
  expect(run.stdout).not.toContain('✓');
  expect(run.stderr).toMatch(/^Error: The platform does not say whether svc_1 was restarted[.:]/);
  expect(run.stderr).toContain('Try: svc metrics svc_1\n');
  const json = (await restart(answer, ['--json'])).run;
  expect(json).toMatchObject({ exitCode: 8, json: answer, error: { code: 'unavailable', outcome: 'unknown' } });
  if ('message' in answer && typeof answer.message === 'string') expect(json.error['error']).toContain(answer.message);
});

test('a filter that fails on the answer does not hide that the restart was accepted', async () => {
  const { run } = await restart({ success: true }, ['--jq', '.x[]']);
  expect(run).toMatchObject({ exitCode: 1, stdout: '', error: { code: 'unexpected', exitCode: 1 } });
  expect(run.error['error']).toMatch(
    /^The restart of svc_1 was accepted\. The --jq filter failed on the answer: .*null/,
  );
});

test('the service comes from the environment, the folder, or nowhere', async () => {
  const wire = await testWire();
  wire.on('POST', '/v1/services/svc_env/restart').reply(200, { success: true });
  wire.on('POST', '/v1/services/svc_linked/restart').reply(200, { success: true });
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, '.svc.json'), '{"service":"svc_linked"}');
  expect((await svc(['restart'], { url: wire.url, cwd, env: { SVC_SERVICE: 'svc_env' } })).exitCode).toBe(0);
  expect((await svc(['restart'], { url: wire.url, cwd })).exitCode).toBe(0);
  const none = await svc(['restart'], { url: wire.url });
  expect(none).toMatchObject({ exitCode: 2, stdout: '' });
  expect(none.stderr).toContain('svc link');
});

test('the service is an argument, --service, or both if they agree', async () => {
  const wire = await testWire();
  for (const argv of [
    ['--service', 'svc_1'],
    ['--service=svc_1'],
    ['svc_1', '--service', 'svc_1'],
    ['--service', 'svc_1', '--', 'svc_1'],
  ]) {
    wire.on('POST', PATH).reply(200, { success: true });
    expect(await svc(['restart', ...argv], { url: wire.url })).toMatchObject({ exitCode: 0, stderr: '' });
  }
  expect(wire.requests).toHaveLength(4);
});

test.each([
  [['restart', 'svc_1', '--service', 'svc_2']],
  [['restart', '--service', 'svc_2', '--', 'svc_1']],
  [['metrics', 'svc_1', '--service', 'svc_2']],
])('%j names two services: nothing is sent', async (argv) => {
  const wire = await testWire();
  expect(await svc(argv, { url: wire.url })).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: 'Error: The service is given twice: "svc_1", "svc_2".\n  Give one of the two.\n',
  });
  expect(wire.requests).toEqual([]);
});

test('an unknown service that nobody typed is reported with its source', async () => {
  const wire = await testWire();
  const cwd = await temporaryFolder();
  const file = join(cwd, '.svc.json');
  await writeFile(file, '{"service":"svc_gone"}');
  for (let count = 0; count < 3; count += 1)
    wire.on('POST', '/v1/services/svc_gone/restart').reply(404, { error: 'no' });
  const linked = await svc(['restart'], { url: wire.url, cwd });
  expect(linked.stderr).toContain(`\n  Looked in service svc_gone (from ${file}).\n`);
  const json = await svc(['restart', '--json'], { url: wire.url, cwd });
  expect(json.error).toMatchObject({ error: 'no', code: 'not_found' });
  const typed = await svc(['restart', 'svc_gone'], { url: wire.url, cwd });
  expect(typed.stderr).not.toContain('names the service');
});

test('an id stays one part of the path', async () => {
  const wire = await testWire();
  wire.on('POST', '/v1/services/a%2Fb%3Fc/restart').reply(200, { success: true });
  expect((await svc(['restart', 'a/b?c'], { url: wire.url })).exitCode).toBe(0);
});

test.each(['..', '.', '', ' ', 'a\u0000b'])('the id %j is refused before anything is sent', async (id) => {
  const wire = await testWire();
  const run = await svc(['restart', id], { url: wire.url });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(wire.requests).toEqual([]);
});

test('a restart whose answer is lost is not asked for twice, and its outcome is unknown', async () => {
  const wire = await testWire();
  wire.on('POST', PATH).reset();
  const run = await svc(['restart', 'svc_1', '--json'], { url: wire.url });
  expect(run).toMatchObject({ exitCode: 8, stdout: '', error: { code: 'unavailable', outcome: 'unknown' } });
  expect(wire.requests).toHaveLength(1);
});

test.each([
  [404, 6, 'not_found'],
  [403, 5, 'forbidden'],
  [409, 3, 'rejected'],
])('status %i ends with exit code %i', async (status, exitCode, code) => {
  const wire = await testWire();
  wire.on('POST', PATH).reply(status, { error: 'no' });
  const run = await svc(['restart', 'svc_1', '--json'], { url: wire.url });
  expect(run).toMatchObject({ exitCode, stdout: '', error: { error: 'no', code, status } });
});

test('a redirect is not followed, names its target to people and to scripts, and leaves nothing in doubt', async () => {
  const wire = await testWire();
  const away = { location: 'https://elsewhere.example.com/login' };
  wire.on('POST', PATH).reply(302, { error: 'moved' }, away).reply(302, { error: 'moved' }, away);
  const people = await svc(['restart', 'svc_1'], { url: wire.url });
  expect(people).toMatchObject({ exitCode: 1, stdout: '' });
  expect(people.stderr).toContain('redirects to https://elsewhere.example.com (302)');
  const { error, stdout } = await svc(['restart', 'svc_1', '--json'], { url: wire.url });
  expect({ error, stdout }).toMatchObject({ stdout: '', error: { error: 'moved', code: 'unexpected', exitCode: 1 } });
  expect(error['hint']).toContain('https://elsewhere.example.com');
  expect(error).not.toHaveProperty('outcome');
  expect(wire.requests).toHaveLength(2);
});

test('a password in a message of the platform is masked, also in an error', async () => {
  const said = 'booted with postgres://u:hunter2@h/db and API_TOKEN=hunter2';
  const { run } = await restart({ success: true, message: said });
  expect(run.stdout).toContain('Message  booted with postgres://u:********@h/db and API_TOKEN=********\n');
  const failed = (await restart({ success: false, message: said })).run;
  expect(failed.stderr).toContain('booted with postgres://u:********@h/db and API_TOKEN=********\n');
});

test('--dry-run shows the request, and sends nothing', async () => {
  const env = { SVC_API_URL: 'http://127.0.0.1:1' };
  const { exitCode, json } = await svc(['restart', 'svc_1', '--dry-run', '--json'], { env, token: null });
  expect(exitCode).toBe(0);
  expect(json).toMatchObject({ method: 'POST', url: 'http://127.0.0.1:1/v1/services/svc_1/restart' });
  const people = await svc(['restart', 'svc_1', '--dry-run'], { env, token: null });
  expect(people.stdout).toContain('Nothing was sent. The request would be:');
});
