import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const WHERE = 'Find the id in the dashboard: Services › your service › Settings.';

const linkOf = async (folder: string) => JSON.parse(await readFile(join(folder, '.svc.json'), 'utf8')) as unknown;

test.each([
  ['a pipe', (file: string) => void execFileSync('mkfifo', [file]), 'is not a plain file'],
  ['a broken link', (file: string) => symlink('/nowhere', file), 'is a link that leads nowhere'],
])(
  'a link file that is %s is named, not taken for none: the command would be about another service',
  async (_what, make, said) => {
    const cwd = await temporaryFolder();
    await make(join(cwd, '.svc.json'));
    const run = await svc(['restart'], { cwd, url: 'http://127.0.0.1:9', env: { SVC_NO_RETRY: '1' } });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(join(cwd, '.svc.json'));
    expect(run.stderr).toContain(said);
  },
);

describe('svc link', () => {
  test('writes the service into this folder, asks the platform nothing, and every command there uses it', async () => {
    const wire = await testWire();
    wire.on('POST', '/v1/services/svc_1/restart').reply(200, { success: true });
    const cwd = await temporaryFolder();
    const run = await svc(['link', 'svc_1'], { url: wire.url, cwd });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(wire.requests).toEqual([]);
    expect(run.stdout.replace(cwd, 'FOLDER')).toMatchInlineSnapshot(`
      "✓ This folder and those below it are linked.

        Service   svc_1
        Saved in  FOLDER/.svc.json
      "
    `);
    expect(await readFile(join(cwd, '.svc.json'), 'utf8')).toBe('{\n  "service": "svc_1"\n}\n');
    const below = join(cwd, 'src', 'deep');
    await mkdir(below, { recursive: true });
    expect((await svc(['restart'], { url: wire.url, cwd: below })).exitCode).toBe(0);
  });

  test('with --json prints a document of its own', async () => {
    const cwd = await temporaryFolder();
    const run = await svc(['link', 'svc_1', '--org', 'acme', '--json'], { cwd });
    expect(run.json).toEqual({
      schemaVersion: 1,
      path: join(cwd, '.svc.json'),
      service: 'svc_1',
      org: 'acme',
      changed: true,
    });
  });

  test('keeps what else is in the file, and the rights of the file', async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, '.svc.json'), '\uFEFF{"service":"old","team":{"a":[1]},"org":"acme"}');
    await chmod(join(cwd, '.svc.json'), 0o640);
    expect((await svc(['link', 'svc_2'], { cwd })).exitCode).toBe(0);
    expect(await linkOf(cwd)).toEqual({ service: 'svc_2', team: { a: [1] }, org: 'acme' });
    expect((await stat(join(cwd, '.svc.json'))).mode & 0o777).toBe(0o640);
    expect(await readdir(cwd)).toEqual(['.svc.json']);
  });

  test('may keep an organization alone', async () => {
    const cwd = await temporaryFolder();
    expect((await svc(['link', '--org', 'acme'], { cwd })).exitCode).toBe(0);
    expect(await linkOf(cwd)).toEqual({ org: 'acme' });
  });

  test('the same link again changes nothing', async () => {
    const cwd = await temporaryFolder();
    await svc(['link', 'svc_1'], { cwd });
    const before = await stat(join(cwd, '.svc.json'));
    const run = await svc(['link', 'svc_1', '--json'], { cwd });
    expect(run.json).toMatchObject({ service: 'svc_1', changed: false });
    expect((await stat(join(cwd, '.svc.json'))).ino).toBe(before.ino);
  });

  test('without an id shows the link that counts here, or how to make one', async () => {
    const cwd = await temporaryFolder();
    const none = await svc(['link'], { cwd });
    expect(none).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: `Error: This folder is linked to no service.\n  ${WHERE}\n  To link it: svc link <service>\n`,
    });
    await svc(['link', 'svc_1'], { cwd });
    await mkdir(join(cwd, 'below'));
    const shown = await svc(['link', '--json'], { cwd: join(cwd, 'below') });
    expect(shown.json).toMatchObject({ service: 'svc_1', path: join(cwd, '.svc.json'), changed: false });
  });

  test('asks for the id on a terminal', async () => {
    const cwd = await temporaryFolder();
    const env = { ACCESSIBLE: '1', TERM: 'xterm' };
    const run = await svc(['link'], { cwd, env, stdin: 'svc_typed\n', terminal: { columns: 80, rows: 24 } });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain('Service id (in the dashboard: Services › your service › Settings): ');
    expect(await linkOf(cwd)).toEqual({ service: 'svc_typed' });
  });

  describe('on a terminal, where services were linked before', () => {
    const HERE = { SVC_API_URL: 'http://127.0.0.1:9' };
    const linking = async (stdin: string, cwd?: string, there: Record<string, string> = HERE) => {
      const [configDir, folder] = [await temporaryFolder(), cwd ?? (await temporaryFolder())];
      for (const id of ['svc_1', 'svc_2']) {
        await svc(['link', id], { cwd: await temporaryFolder(), configDir, env: HERE });
      }
      const env = { ACCESSIBLE: '1', TERM: 'xterm', ...there };
      const run = await svc(['link'], { cwd: folder, configDir, env, stdin, terminal: { columns: 80, rows: 24 } });
      return { run, folder, configDir };
    };

    test('offers them, the latest first', async () => {
      const { run, folder } = await linking('2\n');
      expect(run.stderr).toContain('Which service?\n  1. svc_2\n  2. svc_1\n  3. Enter a service id…\n');
      expect(await linkOf(folder)).toEqual({ service: 'svc_1' });
    });

    test('says which one is linked, and keeps what else the link says', async () => {
      const cwd = await temporaryFolder();
      await writeFile(join(cwd, '.svc.json'), '{"service":"svc_9","org":"acme"}');
      const { run } = await linking('svc_2\n', cwd);
      expect(run.stderr).toContain('  1. svc_9 (linked now)\n  2. svc_2\n');
      expect(await linkOf(cwd)).toEqual({ service: 'svc_2', org: 'acme' });
    });

    test('names the one that was chosen first, the next time', async () => {
      const { configDir } = await linking('2\n');
      const run = await svc(['link'], { cwd: await temporaryFolder(), configDir, env: HERE });
      expect(run.stderr).toContain('Seen before: svc_1, svc_2\n');
    });

    test.each([
      ['another address', { SVC_API_URL: 'http://127.0.0.1:8' }],
      ['no address', {}],
      ['an address that is none', { SVC_API_URL: 'nowhere' }],
    ])('offers none of them with %s', async (_what, env) => {
      const { run, folder } = await linking('svc_typed\n', undefined, env);
      expect(run).toMatchObject({
        exitCode: 0,
        stderr: expect.stringContaining('Service id (in the dashboard: Services › your service › Settings): '),
      });
      expect(await linkOf(folder)).toEqual({ service: 'svc_typed' });
    });

    test.each(['', '\u0003', '7\n'])('links nothing if the question is cancelled: %j', async (stdin) => {
      const { run, folder } = await linking(stdin);
      expect(run).toMatchObject({ exitCode: 130, stdout: '' });
      await expect(linkOf(folder)).rejects.toThrow('ENOENT');
    });

    test('off a terminal names them, and the way to link one', async () => {
      const { configDir } = await linking('1\n');
      expect(await svc(['link'], { configDir, cwd: await temporaryFolder(), env: HERE })).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: `Error: This folder is linked to no service.\n  Seen before: svc_2, svc_1\n  ${WHERE}\n  To link it: svc link <service>\n`,
      });
    });
  });

  test('says when the environment wins over it', async () => {
    const run = await svc(['link', 'svc_1'], { env: { SVC_SERVICE: 'svc_2' } });
    expect(run).toMatchObject({
      exitCode: 0,
      stderr: 'Warning: SVC_SERVICE is set and takes precedence over this link.\n',
    });
  });

  test.each([['..'], ['.'], [''], ['a\nb'], ['https://dash.example.com/billing'], ['x'.repeat(600)]])(
    'refuses the id %j',
    async (id) => {
      const cwd = await temporaryFolder();
      expect(await svc(['link', id], { cwd })).toMatchObject({ exitCode: 2, stdout: '' });
      expect(await readdir(cwd)).toEqual([]);
    },
  );

  test.each(['{broken', '["a list"]', 'null'])('leaves a file alone that holds %j', async (text) => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, '.svc.json'), text);
    expect(await svc(['link', 'svc_1'], { cwd })).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await readFile(join(cwd, '.svc.json'), 'utf8')).toBe(text);
  });

  test('does not write through a link that leads elsewhere', async () => {
    const [cwd, elsewhere] = [await temporaryFolder(), await temporaryFolder()];
    await writeFile(join(elsewhere, 'target.json'), '{}');
    await symlink(join(elsewhere, 'target.json'), join(cwd, '.svc.json'));
    expect((await svc(['link', 'svc_1'], { cwd })).exitCode).toBe(2);
    expect(await readFile(join(elsewhere, 'target.json'), 'utf8')).toBe('{}');
    expect((await lstat(join(cwd, '.svc.json'))).isSymbolicLink()).toBe(true);
  });

  test('a folder that cannot be written is said, with another way', async () => {
    const run = await svc(['link', 'svc_1'], { cwd: '/proc' });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('SVC_SERVICE');
  });

  test('never holds an address or a secret', async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, '.svc.json'), '{"service":"svc_1","apiUrl":"https://evil.example","token":"svc_x"}');
    const run = await svc(['restart'], { cwd });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('svc does not know your platform yet');
  });
});

describe('svc unlink', () => {
  test('takes the service and the organization out, and removes a file that is empty then', async () => {
    const cwd = await temporaryFolder();
    await svc(['link', 'svc_1', '--org', 'acme'], { cwd });
    const run = await svc(['unlink'], { cwd });
    expect(run).toMatchObject({ exitCode: 0, stdout: `✓ Unlinked: ${join(cwd, '.svc.json')}\n`, stderr: '' });
    expect(await readdir(cwd)).toEqual([]);
  });

  test('keeps what else is in the file', async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, '.svc.json'), '{"service":"svc_1","team":"red"}');
    expect((await svc(['unlink'], { cwd })).exitCode).toBe(0);
    expect(await linkOf(cwd)).toEqual({ team: 'red' });
  });

  test('may be said again', async () => {
    const run = await svc(['unlink', '--json']);
    expect(run.exitCode).toBe(0);
    expect(run.json).toMatchObject({ schemaVersion: 1, removed: false });
  });

  test('says when the link of a folder above still counts', async () => {
    const cwd = await temporaryFolder();
    await svc(['link', 'svc_1'], { cwd });
    const below = join(cwd, 'below');
    await mkdir(below);
    const run = await svc(['unlink'], { cwd: below });
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toContain(join(cwd, '.svc.json'));
    expect(await linkOf(cwd)).toEqual({ service: 'svc_1' });
  });
});

describe('a link file that does not say what it should', () => {
  test.each([
    ['{"service":', 'PATH is not valid JSON.'],
    ['', 'PATH is not valid JSON.'],
    ['[]', 'PATH is not a JSON object.'],
    ['"svc_1"', 'PATH is not a JSON object.'],
    ['null', 'PATH is not a JSON object.'],
    ['{"service":5}', 'The field "service" in PATH is not a string.'],
    ['{"service":"svc_1","org":["acme"]}', 'The field "org" in PATH is not a string.'],
  ])('such as %j ends the command before anything is sent', async (content, message) => {
    const wire = await testWire();
    const cwd = await temporaryFolder();
    const path = join(cwd, '.svc.json');
    await writeFile(path, content);
    const run = await svc(['restart'], { url: wire.url, cwd });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toBe(
      `Error: ${message.replace('PATH', path)}\n  Fix or remove the file, then run the command again.\n`,
    );
    expect(wire.requests).toEqual([]);
  });

  test('may leave its fields empty', async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, '.svc.json'), '{"service":null,"org":""}');
    const run = await svc(['restart'], { url: 'http://127.0.0.1:9', cwd });
    expect(run.stderr).toContain('This command needs a service.');
  });
});
