import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { against } from '../support/against.ts';
import { writeNamesSeen } from '../support/stored.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

/** A folder with a link file of this text, and one below it. */
async function linked(text?: string) {
  const cwd = await temporaryFolder();
  const [path, below] = [join(cwd, '.svc.json'), join(cwd, 'below')];
  await mkdir(below);
  if (text !== undefined) await writeFile(path, text);
  const json = async (line: string, folder = cwd) =>
    (await svc(`${line} --json`.split(' '), { cwd: folder })).json;
  return { cwd, path, below, json, read: () => readFile(path, 'utf8') };
}

test('svc link writes the service into this folder, asks the platform nothing, and every command there uses it', async () => {
  const { cwd, below, read } = await linked();
  expect(await against('link svc_1', {}, { cwd })).toMatchObject({
    exitCode: 0,
    stderr: '',
    sent: [],
  });
  expect(await read()).toBe('{\n  "service": "svc_1"\n}\n');
  const answers = { 'POST /v1/services/svc_1/restart': [{ success: true }] };
  expect((await against('restart', answers, { cwd: below })).exitCode).toBe(0);
});

test('--json prints a document; the same link again changes nothing', async () => {
  const { path, below, json } = await linked();
  const document = { schemaVersion: 1, path, service: 'svc_1', org: 'acme', changed: true };
  expect(await json('link svc_1 --org acme')).toEqual(document);
  const unchanged = { ...document, changed: false };
  expect([await json('link svc_1'), await json('link', below)]).toEqual([unchanged, unchanged]);
});

test('svc link and unlink keep what else is in the file, and its rights', async () => {
  const { cwd, path, json, read } = await linked(
    '\uFEFF{"service":"old","team":{"a":[1]},"org":"acme"}',
  );
  await chmod(path, 0o640);
  await json('link svc_2');
  expect(JSON.parse(await read())).toEqual({ service: 'svc_2', team: { a: [1] }, org: 'acme' });
  expect([await readdir(cwd), (await stat(path)).mode & 0o777]).toEqual([
    ['.svc.json', 'below'],
    0o640,
  ]);
  await json('unlink');
  expect(JSON.parse(await read())).toEqual({ team: { a: [1] } });
});

test('svc link without an id names the services seen to scripts alone', async () => {
  const options = {
    configDir: await temporaryFolder(),
    env: { SVC_API_URL: 'http://127.0.0.1:9' },
  };
  const services = [{ name: 'svc_1' }];
  writeNamesSeen(options.configDir, { [options.env.SVC_API_URL]: { services } });
  const link = async (flag: string) =>
    svc(['link', flag], { ...options, cwd: await temporaryFolder() });

  expect((await link('--json')).error).toMatchObject({
    exitCode: 2,
    next: ['svc link --json svc_1'],
  });
  expect((await link('--no-input')).stderr).not.toContain('svc_1');
});

test.each([
  ['https://dash.example.com/billing', undefined],
  ['svc_1', '{broken'],
])('svc link %s beside the file %j is refused, and changes nothing', async (id, text) => {
  const { cwd, read } = await linked(text);
  expect(await svc(['link', id], { cwd })).toMatchObject({ exitCode: 2, stdout: '' });
  expect(await read().catch(() => undefined)).toBe(text);
});

test('svc link writes neither through a link that leads elsewhere, nor where it may not', async () => {
  const [{ cwd, path }, elsewhere] = [await linked(), await linked('{}')];
  await symlink(elsewhere.path, path);
  for (const folder of [cwd, '/proc'])
    expect((await svc(['link', 'svc_1'], { cwd: folder })).exitCode).toBe(2);
  expect(await elsewhere.read()).toBe('{}');
});

test('svc unlink removes a file that is empty then, and says when the link of a folder above still counts', async () => {
  const { path, cwd, below, json } = await linked('{"service":"svc_1","org":"acme"}');
  expect(await json('unlink', below)).toMatchObject({ removed: false, inherited: path });
  expect(await json('unlink')).toEqual({ schemaVersion: 1, path, removed: true });
  expect(await readdir(cwd)).toEqual(['below']);
});

test.each([
  ['{"service":"svc_1","org":"acme"}', 'svc link svc_1 --org acme'],
  ['{"org":"acme"}', 'svc link --org acme'],
])('svc unlink of %s on a terminal says how to link the folder again', async (link, again) => {
  const { cwd } = await linked(link);

  const { stdout } = await svc(['unlink'], { cwd, terminal: { columns: 100, rows: 40 } });

  expect(stdout).toContain(`  ${again}  link it again`);
  expect(stdout).not.toContain('has no link');
});

test('a link file with empty names is one without them', async () => {
  const { cwd, path } = await linked('{"service":"","org":""}');

  const { json } = await svc(['link', '--json'], { cwd });

  expect(json).toEqual({ schemaVersion: 1, path, changed: false });
});

test.each([
  ['a pipe', 'PATH cannot be read: it is not a plain file.'],
  ['{"service":', 'PATH is not valid JSON.'],
  ['{"service":"svc_1","org":["acme"]}', 'The field "org" in PATH is not a string.'],
  // That it names no address and no secret is the subject of test/trust/tokens.test.ts.
  ['{"service":null,"org":""}', 'This command needs a service.'],
])('a link file that is %j ends a command before anything is sent', async (text, said) => {
  const { path } = await linked(text === 'a pipe' ? undefined : text);
  if (text === 'a pipe') execFileSync('mkfifo', [path]);
  const stderr = expect.stringContaining(said.replace('PATH', path));
  expect(await against('restart', {}, { cwd: dirname(path) })).toMatchObject({
    exitCode: 2,
    stderr,
    sent: [],
  });
});
