import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { against } from '../support/against.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

const WHERE = 'Find the id in the dashboard: Services › your service › Settings.';
const ASKED = 'Service id (in the dashboard: Services › your service › Settings): ';
const RESTART = { 'POST /v1/services/svc_1/restart': [{ success: true }] };

const linkOf = async (folder: string) => JSON.parse(await readFile(join(folder, '.svc.json'), 'utf8')) as unknown;

/** A folder with a link file of this text. */
async function linked(text?: string) {
  const cwd = await temporaryFolder();
  const path = join(cwd, '.svc.json');
  if (text !== undefined) await writeFile(path, text);
  return { cwd, path };
}

describe('svc link', () => {
  test('writes the service into this folder, asks the platform nothing, and every command there uses it', async () => {
    const { cwd, path } = await linked();
    const run = await against('link svc_1', {}, { cwd });
    expect(run).toMatchObject({ exitCode: 0, stderr: '', sent: [] });
    expect(run.stdout.replace(cwd, 'FOLDER')).toMatchInlineSnapshot(`
      "✓ This folder and those below it are linked.

        Service   svc_1
        Saved in  FOLDER/.svc.json
      "
    `);
    expect(await readFile(path, 'utf8')).toBe('{\n  "service": "svc_1"\n}\n');
    const below = join(cwd, 'src', 'deep');
    await mkdir(below, { recursive: true });
    expect((await against('restart', RESTART, { cwd: below })).exitCode).toBe(0);
  });

  test('with --json prints a document of its own; the same link again changes nothing', async () => {
    const { cwd, path } = await linked();
    const document = { schemaVersion: 1, path, service: 'svc_1', org: 'acme', changed: true };
    expect((await svc(['link', 'svc_1', '--org', 'acme', '--json'], { cwd })).json).toEqual(document);
    const { ino } = await stat(path);
    expect((await svc(['link', 'svc_1', '--json'], { cwd })).json).toEqual({ ...document, changed: false });
    expect((await stat(path)).ino).toBe(ino);
  });

  test('keeps what else is in the file, and its rights', async () => {
    const { cwd, path } = await linked('\uFEFF{"service":"old","team":{"a":[1]},"org":"acme"}');
    await chmod(path, 0o640);
    expect((await svc(['link', 'svc_2'], { cwd })).exitCode).toBe(0);
    expect(await linkOf(cwd)).toEqual({ service: 'svc_2', team: { a: [1] }, org: 'acme' });
    expect([await readdir(cwd), (await stat(path)).mode & 0o777]).toEqual([['.svc.json'], 0o640]);
  });

  test('may choose an organization alone', async () => {
    const { cwd } = await linked();
    expect((await svc(['link', '--org', 'acme'], { cwd })).exitCode).toBe(0);
    expect(await linkOf(cwd)).toEqual({ org: 'acme' });
  });

  test('without an id shows the link that counts here, or how to make one', async () => {
    const { cwd, path } = await linked();
    const stderr = `Error: This folder is linked to no service.\n  ${WHERE}\n  To link it: svc link <service>\n`;
    expect(await svc(['link'], { cwd })).toMatchObject({ exitCode: 2, stdout: '', stderr });
    await svc(['link', 'svc_1'], { cwd });
    await mkdir(join(cwd, 'below'));
    const shown = await svc(['link', '--json'], { cwd: join(cwd, 'below') });
    expect(shown.json).toMatchObject({ service: 'svc_1', path, changed: false });
  });

  test('says when the environment wins over it', async () => {
    const run = await svc(['link', 'svc_1'], { env: { SVC_SERVICE: 'svc_2' } });
    const stderr = 'Warning: SVC_SERVICE is set and takes precedence over this link.\n';
    expect(run).toMatchObject({ exitCode: 0, stderr });
  });

  test.each(['..', '', 'https://dash.example.com/billing'])('refuses the id %j', async (id) => {
    const { cwd } = await linked();
    expect(await svc(['link', id], { cwd })).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await readdir(cwd)).toEqual([]);
  });

  test.each(['{broken', '["a list"]'])('leaves a file alone that holds %j', async (text) => {
    const { cwd, path } = await linked(text);
    expect(await svc(['link', 'svc_1'], { cwd })).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  test('writes neither through a link that leads elsewhere, nor where it may not', async () => {
    const [{ cwd, path }, elsewhere] = [await linked(), await linked('{}')];
    await symlink(elsewhere.path, path);
    expect((await svc(['link', 'svc_1'], { cwd })).exitCode).toBe(2);
    expect(await readFile(elsewhere.path, 'utf8')).toBe('{}');
    expect((await lstat(path)).isSymbolicLink()).toBe(true);
    const stderr = expect.stringContaining('SVC_SERVICE');
    expect(await svc(['link', 'svc_1'], { cwd: '/proc' })).toMatchObject({ exitCode: 2, stdout: '', stderr });
  });
});

describe('svc link on a terminal', () => {
  const HERE = { SVC_API_URL: 'http://127.0.0.1:9' };
  /** Links a folder by hand, where services were linked before. */
  const linking = async (stdin: string, text?: string, there: Record<string, string> = HERE) => {
    const [{ cwd }, configDir] = [await linked(text), await temporaryFolder()];
    for (const id of ['svc_1', 'svc_2']) {
      await svc(['link', id], { cwd: await temporaryFolder(), configDir, env: HERE });
    }
    const env = { ACCESSIBLE: '1', TERM: 'xterm', ...there };
    const run = await svc(['link'], { cwd, configDir, env, stdin, terminal: { columns: 80, rows: 24 } });
    return { run, cwd, configDir };
  };

  test('offers the services that were linked before, the latest first; then names the one that was chosen', async () => {
    const { run, cwd, configDir } = await linking('2\n');
    expect(run.stderr).toContain('Which service?\n  1. svc_2\n  2. svc_1\n  3. Enter a service id…\n');
    expect(await linkOf(cwd)).toEqual({ service: 'svc_1' });
    const lines = `  Seen before: svc_1, svc_2\n  ${WHERE}\n  To link it: svc link <service>\n`;
    const stderr = `Error: This folder is linked to no service.\n${lines}`;
    const next = await svc(['link'], { cwd: await temporaryFolder(), configDir, env: HERE });
    expect(next).toMatchObject({ exitCode: 2, stdout: '', stderr });
  });

  test('says which one is linked, and keeps what else the link says', async () => {
    const { run, cwd } = await linking('svc_2\n', '{"service":"svc_9","org":"acme"}');
    expect(run.stderr).toContain('  1. svc_9 (linked now)\n  2. svc_2\n');
    expect(await linkOf(cwd)).toEqual({ service: 'svc_2', org: 'acme' });
  });

  test.each(['http://127.0.0.1:8', '', 'nowhere'])('offers none of them at the address %j', async (SVC_API_URL) => {
    const { run, cwd } = await linking('svc_typed\n', undefined, { SVC_API_URL });
    expect(run).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(ASKED) });
    expect(await linkOf(cwd)).toEqual({ service: 'svc_typed' });
  });

  test.each(['', '\u0003', '7\n'])('links nothing if the question is cancelled: %j', async (stdin) => {
    const { run, cwd } = await linking(stdin);
    expect(run).toMatchObject({ exitCode: 130, stdout: '' });
    expect(await readdir(cwd)).toEqual([]);
  });
});

describe('svc unlink', () => {
  test('takes the service and the organization out, and removes a file that is empty then', async () => {
    const { cwd, path } = await linked('{"service":"svc_1","org":"acme"}');
    const run = await svc(['unlink'], { cwd });
    expect(run).toMatchObject({ exitCode: 0, stdout: `✓ Unlinked: ${path}\n`, stderr: '' });
    expect(await readdir(cwd)).toEqual([]);
    expect((await svc(['unlink', '--json'], { cwd })).json).toMatchObject({ schemaVersion: 1, removed: false });
  });

  test('keeps what else is in the file', async () => {
    const { cwd } = await linked('{"service":"svc_1","team":"red"}');
    await svc(['unlink'], { cwd });
    expect(await linkOf(cwd)).toEqual({ team: 'red' });
  });

  test('says when the link of a folder above still counts', async () => {
    const { cwd, path } = await linked('{"service":"svc_1"}');
    await mkdir(join(cwd, 'below'));
    const run = await svc(['unlink'], { cwd: join(cwd, 'below') });
    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(path) });
    expect(await linkOf(cwd)).toEqual({ service: 'svc_1' });
  });
});

describe('a link file', () => {
  test.each<[what: string, said: string, make?: (path: string) => unknown]>([
    ['a pipe', 'PATH cannot be read: it is not a plain file.', (path) => execFileSync('mkfifo', [path])],
    ['a broken link', 'PATH cannot be read: it is a link that leads nowhere.', (path) => symlink('/nowhere', path)],
    ['{"service":', 'PATH is not valid JSON.'],
    ['', 'PATH is not valid JSON.'],
    ['[]', 'PATH is not a JSON object.'],
    ['{"service":5}', 'The field "service" in PATH is not a string.'],
    ['{"service":"svc_1","org":["acme"]}', 'The field "org" in PATH is not a string.'],
  ])('that is %j ends the command before anything is sent', async (text, said, make) => {
    const { cwd, path } = await linked(make === undefined ? text : undefined);
    await make?.(path);
    const run = await against('restart', {}, { cwd });
    const stderr = `Error: ${said.replace('PATH', path)}\n  Fix or remove the file, then run the command again.\n`;
    expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr, sent: [] });
  });

  // That it names no address and no secret is the subject of test/trust/tokens.test.ts.
  test('may name nothing', async () => {
    const { cwd } = await linked('{"service":null,"org":""}');
    const stderr = expect.stringContaining('This command needs a service.');
    expect(await against('restart', {}, { cwd })).toMatchObject({ exitCode: 2, stderr, sent: [] });
  });
});
