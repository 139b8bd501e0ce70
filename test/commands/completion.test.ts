import { readFileSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shownHint } from '../support/refusal.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

const COMPLETIONS = join(import.meta.dirname, '../../completions');
const FILES = [
  ['bash', 'svc.bash'],
  ['zsh', '_svc'],
  ['fish', 'svc.fish'],
  ['powershell', 'svc.ps1'],
] as const;

describe.each(FILES)('svc completion %s', (shell, file) => {
  const script = readFileSync(join(COMPLETIONS, file), 'utf8');

  test('prints the script byte for byte', async () => {
    expect(await svc(['completion', shell])).toMatchObject({ exitCode: 0, stdout: script, stderr: '' });
  });

  test('has it in a document with --json', async () => {
    const { json } = await svc(['completion', shell, '--json']);
    expect(json).toEqual({ schemaVersion: 1, shell, script });
  });

  test('evaluates nothing', () => {
    const code = script.replaceAll(/^\s*#.*$/gm, '');
    expect(code).not.toMatch(/\beval\b|Invoke-Expression|iex\b|compgen -W/);
  });
});

describe('svc completion install', () => {
  test('installs the bash script for bash-completion, and prints the remaining lines', async () => {
    const home = await temporaryFolder();
    const run = await svc(['completion', 'install', 'bash'], { env: { HOME: home } });
    const path = join(home, '.local/share/bash-completion/completions/svc');
    const { exitCode, stdout, stderr } = run;
    expect({ exitCode, stderr, stdout: stdout.replaceAll(home, 'HOME') }).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: [
        '✓ Completion for bash is in HOME/.local/share/bash-completion/completions/svc.',
        'Add to HOME/.bashrc:',
        '  . HOME/.local/share/bash-completion/completions/svc',
        '',
        'Then it works in every new shell.',
        '',
      ].join('\n'),
    });
    expect(await readFile(path, 'utf8')).toBe(await readFile(join(COMPLETIONS, 'svc.bash'), 'utf8'));
  });

  test('prints no lines if the start-up file loads completions already', async () => {
    const home = await temporaryFolder();
    await writeFile(join(home, '.bashrc'), '. /usr/share/bash-completion/bash_completion\n');
    await writeFile(join(home, '.zshrc'), 'fpath=(~/.zfunc $fpath)\nautoload -Uz compinit && compinit\n');
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { stdout } = await svc(['completion', 'install', shell], { env: { HOME: home } });
      expect(stdout).toMatch(/^✓ Completion for \w+ is in[^:]*\nIt works in every new shell\.\n$/);
    }
  });

  test('tells the lines as data with --json', async () => {
    const home = await temporaryFolder();
    const { json } = await svc(['completion', 'install', 'zsh', '--json'], { env: { HOME: home } });
    expect(json).toEqual({
      schemaVersion: 1,
      shell: 'zsh',
      path: join(home, '.zfunc/_svc'),
      setup: {
        file: join(home, '.zshrc'),
        lines: [`fpath=(${home}/.zfunc $fpath)`, 'autoload -Uz compinit && compinit'],
      },
    });
  });

  test.each([
    [{ SHELL: '/usr/bin/fish' }, '.config/fish/completions/svc.fish'],
    [{ SHELL: '/bin/bash', XDG_DATA_HOME: 'HOME/data' }, 'data/bash-completion/completions/svc'],
    [{ SHELL: 'fish', XDG_CONFIG_HOME: 'HOME/settings' }, 'settings/fish/completions/svc.fish'],
    [{ SHELL: '/bin/zsh', ZDOTDIR: 'HOME/zsh' }, 'zsh/.zfunc/_svc'],
  ])('is for the shell of the user, in its folders: %j', async (env, path) => {
    const home = await temporaryFolder();
    const here = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace('HOME', home)]));
    const { json } = await svc(['completion', 'install', '--json'], { env: { HOME: home, ...here } });
    expect(json).toMatchObject({ path: join(home, path) });
  });

  test('a home folder with a space is quoted in the printed lines', async () => {
    const home = join(await temporaryFolder(), "Marie's home");
    await mkdir(home);
    const { json } = await svc(['completion', 'install', 'bash', '--json'], { env: { HOME: home } });
    const quoted = `'${home.replace("'", "'\\''")}/.local/share/bash-completion/completions/svc'`;
    expect(json).toMatchObject({ setup: { lines: [`. ${quoted}`] } });
  });

  test.each([
    [
      ['install'],
      { SHELL: '/bin/tcsh' },
      'svc could not tell which shell you use.',
      'Name it: svc completion install <bash|zsh|fish|powershell>',
    ],
    [
      ['install', 'fish'],
      { HOME: '' },
      'No home folder is known here.',
      'To write the script yourself: svc completion fish > <file>',
    ],
    [
      ['install', 'fihs'],
      {},
      'The shell "fihs" is not one of bash, zsh, fish, powershell.',
      'svc completion install fish',
    ],
    [['bash', 'zsh'], {}, 'One shell is enough: bash.', 'svc completion --help'],
  ])('%j %j is refused', async (words, env, error, hint) => {
    const run = await svc(['completion', ...words], { env });
    expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: `Error: ${error}\n${shownHint(hint)}` });
  });

  test('makes folders with the usual rights, and leaves those that are there as they are', async () => {
    const home = await temporaryFolder();
    await mkdir(join(home, '.local'), { mode: 0o755 });
    expect((await svc(['completion', 'install', 'bash'], { env: { HOME: home } })).exitCode).toBe(0);
    const usual = 0o777 & ~process.umask();
    for (const folder of ['.local', '.local/share', '.local/share/bash-completion/completions'])
      expect((await stat(join(home, folder))).mode & 0o777).toBe(folder === '.local' ? 0o755 : usual);
  });

  test('fails if its folder cannot be created', async () => {
    for (const home of ['/proc', '/proc/self/fd', `/tmp/${'x/'.repeat(3000)}`]) {
      const run = await svc(['completion', 'install', 'bash'], { env: { HOME: home } });
      expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('Cannot write') });
    }
  });

  test('names the path it cannot write', async () => {
    const home = await temporaryFolder();
    await writeFile(join(home, '.local'), 'a file where a folder should be');
    const run = await svc(['completion', 'install', 'bash'], { env: { HOME: home } });
    const path = join(home, '.local/share/bash-completion/completions/svc');
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(`Error: Cannot write ${path}: `);
    expect(run.stderr).toMatch('To write the script yourself: svc completion bash > <file>\n');
  });
});

describe('svc completion uninstall', () => {
  test('removes what install put there, and names what it leaves', async () => {
    const home = await temporaryFolder();
    const env = { HOME: home, SVC_CONFIG_DIR: join(home, 'settings') };
    await mkdir(env.SVC_CONFIG_DIR);
    for (const shell of ['bash', 'zsh', 'fish']) await svc(['completion', 'install', shell], { env });
    const line = `. ${join(home, '.local/share/bash-completion/completions/svc')}`;
    await writeFile(join(home, '.bashrc'), `${line}\n`);
    const { json } = await svc(['completion', 'uninstall', '--json'], { env });
    const removed = [
      '.local/share/bash-completion/completions/svc',
      '.zfunc/_svc',
      '.config/fish/completions/svc.fish',
    ];
    expect(json).toEqual({
      schemaVersion: 1,
      removed: removed.map((path) => join(home, path)),
      left: [
        { path: join(home, '.bashrc'), what: `the line ${line}` },
        { path: env.SVC_CONFIG_DIR, what: 'settings and sign-ins' },
      ],
    });
    expect(await readFile(join(home, '.bashrc'), 'utf8')).toBe(`${line}\n`);
    const again = await svc(['completion', 'uninstall'], { env });
    expect(again).toMatchObject({ exitCode: 0, stderr: '' });
    expect(again.stdout).toMatch(/^No completion script of svc is installed\.\nLeft for you to remove:\n/);
  });

  test('of one shell leaves the others, and a file of somebody else', async () => {
    const home = await temporaryFolder();
    const env = { HOME: home };
    await svc(['completion', 'install', 'zsh'], { env });
    await mkdir(join(home, '.config/fish/completions'), { recursive: true });
    await writeFile(join(home, '.config/fish/completions/svc.fish'), '# mine\n');
    const { json } = await svc(['completion', 'uninstall', 'fish', '--json'], { env });
    expect(json).toEqual({ schemaVersion: 1, removed: [], left: [] });
    expect(await readFile(join(home, '.zfunc/_svc'), 'utf8')).toContain('#compdef svc');
    expect(await readFile(join(home, '.config/fish/completions/svc.fish'), 'utf8')).toBe('# mine\n');
  });

  test('needs a home folder', async () => {
    const run = await svc(['completion', 'uninstall', 'fish'], { env: { HOME: '' } });
    expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('No home folder is known here.') });
  });
});
