import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { svc, temporaryFolder } from '../support/svc.ts';

const scriptOf = (file: string) =>
  readFileSync(join(import.meta.dirname, '../../completions', file), 'utf8');

test.each([
  ['bash', 'svc.bash'],
  ['zsh', '_svc'],
  ['fish', 'svc.fish'],
  ['powershell', 'svc.ps1'],
])(
  'svc completion %s prints a script byte for byte that evaluates nothing',
  async (shell, file) => {
    const script = scriptOf(file);
    expect(await svc(['completion', shell])).toMatchObject({
      exitCode: 0,
      stdout: script,
      stderr: '',
    });
    expect(script.replaceAll(/^\s*#.*$/gm, '')).not.toMatch(
      /\beval\b|Invoke-Expression|iex\b|compgen -W/,
    );
  },
);

/** A home folder, and what runs a command line of completion there. */
async function housed() {
  const home = await temporaryFolder();
  const run = (line: string, env = {}) =>
    svc(['completion', ...line.split(' ')], { env: { HOME: home, ...env } });
  const path = (name: string) => join(home, name);
  return { home, run, path };
}

const BASH = '.local/share/bash-completion/completions/svc';

test.each([
  [{ SHELL: '/bin/bash' }, BASH],
  [{ SHELL: '/bin/bash', XDG_DATA_HOME: 'HOME/data' }, 'data/bash-completion/completions/svc'],
  [{ SHELL: 'fish', XDG_CONFIG_HOME: 'HOME/settings' }, 'settings/fish/completions/svc.fish'],
  [{ SHELL: '/bin/zsh', ZDOTDIR: 'HOME/zsh' }, 'zsh/.zfunc/_svc'],
])('it is installed for the shell of the user, in its folders: %j', async (given, place) => {
  const { home, run, path } = await housed();
  const env = Object.entries(given).map(([name, value]) => [name, value.replace('HOME', home)]);
  const { json } = await run('install --json', Object.fromEntries(env));
  expect(json).toMatchObject({ path: path(place) });
  expect(readFileSync(path(place), 'utf8')).toContain('svc');
});

test('the lines to add to a start-up file are told, quoted', async () => {
  const { run, path, home } = await housed();
  const own = path("Marie's home");
  mkdirSync(own);
  const { json } = await run('install bash --json', { HOME: own });
  const script = `'${own.replace("'", "'\\''")}/${BASH}'`;
  expect(json).toMatchObject({ setup: { file: join(own, '.bashrc'), lines: [`. ${script}`] } });
  const zsh = await run('install zsh --json');
  expect(zsh.json).toMatchObject({
    setup: { lines: [`fpath=(${home}/.zfunc $fpath)`, expect.any(String)] },
  });
});

test.each([
  ['install', { SHELL: '/bin/tcsh' }, 'svc completion install <bash|zsh|fish|powershell>'],
  ['install fish', { HOME: '' }, 'svc completion fish > <file>'],
  ['install bash', { HOME: '/proc' }, 'Cannot write /proc/.local/'],
  ['uninstall', {}, 'The shell "uninstall"'],
  ['bash zsh', {}, 'One shell is enough'],
])('svc completion %s with %j is refused', async (line, env, said) => {
  const { run } = await housed();
  expect(await run(line, env)).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining(said),
  });
});
