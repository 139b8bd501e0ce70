import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { against } from '../support/against.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

/** A folder with a link file of this text, and one below it. */
async function linked(text?: string) {
  const cwd = await temporaryFolder();
  const [path, below] = [join(cwd, '.svc.json'), join(cwd, 'below')];
  await mkdir(below);
  if (text !== undefined) await writeFile(path, text);
  const json = async (line: string, folder = cwd) => (await svc(`${line} --json`.split(' '), { cwd: folder })).json;
  return { cwd, path, below, json, read: () => readFile(path, 'utf8') };
}

test('svc link writes the service into this folder, asks the platform nothing, and every command there uses it', async () => {
  const { cwd, below, read } = await linked();
  expect(await against('link svc_1', {}, { cwd })).toMatchObject({ exitCode: 0, stderr: '', sent: [] });
  expect(await read()).toBe('{\n  "service": "svc_1"\n}\n');
  const answers = { 'POST /v1/services/svc_1/restart': [{ success: true }] };
  expect((await against('restart', answers, { cwd: below })).exitCode).toBe(0);
});

test('--json prints a document; the same link again changes nothing, and an organization may be linked alone', async () => {
  const { path, below, json } = await linked();
  const document = { schemaVersion: 1, path, org: 'acme', changed: true };
  expect(await json('link --org acme')).toEqual(document);
  expect(await json('link svc_1')).toEqual({ ...document, service: 'svc_1' });
  const { ino } = await stat(path);
  const unchanged = { ...document, service: 'svc_1', changed: false };
  expect([await json('link svc_1'), await json('link', below)]).toEqual([unchanged, unchanged]);
  expect((await stat(path)).ino).toBe(ino);
});

test('svc link and unlink keep what else is in the file, and its rights', async () => {
  const { cwd, path, json, read } = await linked('\uFEFF{"service":"old","team":{"a":[1]},"org":"acme"}');
  await chmod(path, 0o640);
  await json('link svc_2');
  expect(JSON.parse(await read())).toEqual({ service: 'svc_2', team: { a: [1] }, org: 'acme' });
  expect([await readdir(cwd), (await stat(path)).mode & 0o777]).toEqual([['.svc.json', 'below'], 0o640]);
  await json('unlink');
  expect(JSON.parse(await read())).toEqual({ team: { a: [1] } });
});

test('svc link without an id is told how to make one, and says when the environment wins', async () => {
  const { cwd } = await linked();
  const stderr = expect.stringContaining('linked to no service');
  expect(await svc(['link'], { cwd })).toMatchObject({ exitCode: 2, stdout: '', stderr });
  const warned = 'Warning: SVC_SERVICE is set and takes precedence over this link.\n';
  const run = await svc(['link', 'svc_1'], { cwd, env: { SVC_SERVICE: 'svc_2' } });
  expect(run).toMatchObject({ exitCode: 0, stderr: warned });
});

test.each([
  ['..', undefined],
  ['https://dash.example.com/billing', undefined],
  ['svc_1', '{broken'],
  ['svc_1', '["a list"]'],
])('svc link %s beside the file %j is refused, and changes nothing', async (id, text) => {
  const { cwd, read } = await linked(text);
  expect(await svc(['link', id], { cwd })).toMatchObject({ exitCode: 2, stdout: '' });
  expect(await read().catch(() => undefined)).toBe(text);
});

test('svc link writes neither through a link that leads elsewhere, nor where it may not', async () => {
  const [{ cwd, path }, elsewhere] = [await linked(), await linked('{}')];
  await symlink(elsewhere.path, path);
  for (const folder of [cwd, '/proc']) expect((await svc(['link', 'svc_1'], { cwd: folder })).exitCode).toBe(2);
  expect(await elsewhere.read()).toBe('{}');
});

test.each<[stdin: string, exitCode: number, text: string | undefined, there?: string]>([
  ['2\n', 0, 'svc_1'],
  ['svc_typed\n', 0, 'svc_typed', 'http://127.0.0.1:8'],
  ['', 130, undefined],
])(
  'on a terminal %j chooses among the services linked before at this address',
  async (stdin, exitCode, service, there) => {
    const [{ cwd, read }, configDir] = [await linked(), await temporaryFolder()];
    const env = { SVC_API_URL: 'http://127.0.0.1:9', ACCESSIBLE: '1', TERM: 'xterm' };
    for (const id of ['svc_1', 'svc_2']) await svc(['link', id], { cwd: await temporaryFolder(), configDir, env });
    const terminal = { columns: 80, rows: 24 };
    const here = { ...env, SVC_API_URL: there ?? env.SVC_API_URL };
    const run = await svc(['link'], { cwd, configDir, env: here, stdin, terminal });
    expect(run.exitCode).toBe(exitCode);
    expect(run.stderr.includes('1. svc_2\n  2. svc_1\n')).toBe(there === undefined);
    expect(service && JSON.parse(await read())).toEqual(service && { service });
  },
);

test('svc unlink removes a file that is empty then, and says when the link of a folder above still counts', async () => {
  const { path, cwd, below, json } = await linked('{"service":"svc_1","org":"acme"}');
  expect(await json('unlink', below)).toMatchObject({ removed: false, inherited: path });
  expect(await json('unlink')).toEqual({ schemaVersion: 1, path, removed: true });
  expect(await readdir(cwd)).toEqual(['below']);
});

test.each<[what: string, said: string, make?: (path: string) => unknown]>([
  ['a pipe', 'PATH cannot be read: it is not a plain file.', (path) => execFileSync('mkfifo', [path])],
  ['a broken link', 'PATH cannot be read: it is a link that leads nowhere.', (path) => symlink('/nowhere', path)],
  ['{"service":', 'PATH is not valid JSON.'],
  ['[]', 'PATH is not a JSON object.'],
  ['{"service":"svc_1","org":["acme"]}', 'The field "org" in PATH is not a string.'],
  // That it names no address and no secret is the subject of test/trust/tokens.test.ts.
  ['{"service":null,"org":""}', 'This command needs a service.'],
])('a link file that is %j ends a command before anything is sent', async (text, said, make) => {
  const { path } = await linked(make === undefined ? text : undefined);
  await make?.(path);
  const stderr = expect.stringContaining(said.replace('PATH', path));
  expect(await against('restart', {}, { cwd: dirname(path) })).toMatchObject({ exitCode: 2, stderr, sent: [] });
});
