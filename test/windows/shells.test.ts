import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { onTerminal, type TerminalRun } from '../terminal/script.ts';
import { SVC, startWindows, stopWindows, wine } from './wine.ts';

/** A batch file on the PATH, as npm makes them, and the program that it starts, which prints its arguments. */
async function echoOnPath(drive: string): Promise<void> {
  await writeFile(join(drive, 'npm/echo-words.cmd'), '@ECHO off\r\n"C:\\node\\node.exe"  "%~dp0\\words.cjs" %*\r\n');
  await writeFile(join(drive, 'npm/words.cjs'), 'console.log(JSON.stringify(process.argv.slice(2)));\n');
}

const WORDS = ['plain', 'two words', '', 'a\\b\\', 'c:\\my folder\\', 'x=1,y;z', '*.json', '+237670000042'];
/** What cmd gives a meaning to. */
const MEANT = ['a&b', 'a|b', 'a>b', 'a<b', '(a)', 'say "hi"', '"', '\\"', '%PATH%', '100%', 'a^b', '!x!', "it's", '@x'];

/** Runs svc on a console of Windows, which Wine draws on a real terminal. */
function onConsole(env: Readonly<Record<string, string>>, ...words: readonly string[]) {
  // Node fails on a console without a title.
  const command = ['cmd', '/c', `title svc&${[...SVC, ...words].join(' ')}`];
  const start = `const { spawnSync } = require('node:child_process');
process.exitCode = spawnSync('wine', ${JSON.stringify(command)}, { stdio: 'inherit' }).status;`;
  return onTerminal('-e', { args: [start], env: { ...env, TERM: 'xterm-256color' }, columns: 120 });
}

/** Types a line again and again until it has done its work: Wine loses keys while a program takes over its console. */
async function typing<T>(run: TerminalRun, keys: string, until: Promise<T>): Promise<T> {
  run.type(keys);
  const again = setInterval(() => run.type(keys), 4_000);
  return until.finally(() => clearInterval(again));
}

describe.skipIf(wine.missing)(wine.title('shells of Windows'), () => {
  afterAll(stopWindows);

  test('the start-up file of npm passes arguments on', async () => {
    const { run } = await startWindows();
    const ends = await run([
      { words: ['cmd', '/d', '/s', '/c', '"svc --version"'], verbatim: true },
      { words: ['cmd', '/d', '/s', '/c', '"svc help whoami --json"'], verbatim: true },
      { words: ['cmd', '/d', '/s', '/c', '"svc whoami | svc --version"'], verbatim: true },
    ]);
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(ends[0]?.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(JSON.parse(ends[1]?.stdout ?? '')).toMatchObject({ path: 'svc whoami' });
    expect(ends[2]?.stdout).toBe(ends[0]?.stdout);
  });

  test('sandbox exec starts programs and batch files by PATH and PATHEXT, and none of the current folder', async () => {
    const { run, drive } = await startWindows();
    await echoOnPath(drive);
    await mkdir(join(drive, 'here'), { recursive: true });
    await writeFile(join(drive, 'here/local.cmd'), '@exit /b 5\r\n');
    const exec = (...words: string[]) => ({ words: ['svc', 'sandbox', 'exec', '--', ...words], cwd: 'C:\\here' });
    const ends = await run([
      exec('node', '-p', 'JSON.stringify(process.argv.slice(1))', '--', ...WORDS, ...MEANT),
      exec('echo-words', ...WORDS),
      exec('echo-words.cmd', 'one'),
      exec('svc', 'whoami', '--jq', '.authMethod'),
      exec('local'),
      exec('.\\local'),
      exec('no-such-program'),
      exec('cmd', '/c', 'svc whoami --json && svc restart --json'),
      exec('svc', 'no-such-command'),
    ]);
    const [program, batch, named, svc, local, path, unknown, script, mistake] = ends;
    expect(JSON.parse(program?.stdout ?? ''), program?.stderr).toEqual([...WORDS, ...MEANT]);
    expect(JSON.parse(batch?.stdout ?? ''), batch?.stderr).toEqual(WORDS);
    expect(named?.stdout).toBe('["one"]\n');
    expect(svc, svc?.stderr).toEqual({ exitCode: 0, stdout: 'api_token\n', stderr: '' });
    expect(local).toMatchObject({ exitCode: 127, stderr: 'Error: There is no command "local".\n' });
    expect(path?.exitCode).toBe(5);
    expect(unknown?.exitCode).toBe(127);
    expect(script?.exitCode).toBe(0);
    expect(mistake?.exitCode).toBe(2);
  });

  test('a user whose name is not in the code page', async () => {
    const { run, drive } = await startWindows();
    const home = 'C:\\users\\Zoë 東京 & co';
    await mkdir(join(drive, 'users/Zoë 東京 & co'), { recursive: true });
    const env = { USERPROFILE: home, LOCALAPPDATA: `${home}\\Local`, TEMP: home, TMP: home };
    const step = (...words: string[]) => ({ words: ['svc', ...words], env, cwd: home });
    const [set, get, exec, link] = await run(
      [
        step('config', 'set', 'org', 'kola-studio', '--json'),
        step('config', 'list'),
        step('sandbox', 'exec', '--', 'svc', 'whoami', '--jq', '.organization.name'),
        step('link', 'svc_wp_7k2m9qx4', '--json'),
      ],
      { lanes: 1 },
    );
    expect(set, set?.stderr).toMatchObject({ exitCode: 0 });
    expect(get?.stdout).toContain(`${home}\\Local\\svc`);
    expect(exec, exec?.stderr).toMatchObject({ exitCode: 0, stdout: 'Kola Studio\n' });
    expect(link?.stdout).toContain('Zoë 東京 & co');
  });

  test('sandbox shell is cmd, in which svc is signed in, and gives its exit code back', async () => {
    const { env } = await startWindows();
    const run = onConsole(env, 'sandbox', 'shell');
    await run.shows('Sample ids');
    await run.shows('Microsoft Windows');
    await typing(run, 'svc whoami --jq .user.email\r', run.shows('amina@kola-studio.example'));
    expect(await typing(run, 'exit 7\r', run.ended())).toBe(7);
  });
});
