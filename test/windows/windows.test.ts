import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type CommandDescription, describeEntries } from '../../src/cli/help/describe.ts';
import { TREE } from '../../src/commands/tree.ts';
import { PROFILE, type Step, SVC, startWindows, wine } from './wine.ts';

const examples = (commands: readonly CommandDescription[]): readonly string[] =>
  commands.flatMap((one) => [
    ...one.examples.map(({ command }) => command),
    ...examples(one.commands),
  ]);

/** Lines that wait for a person or Ctrl-C, need a POSIX shell, or an order that is in doubt. */
const ELSEWHERE =
  /^svc (login --api-url|orders settle|domains \w+ --domains|sandbox (--port|shell|tour)|sandbox exec -- sh|metrics .*--watch|wp status --jobs)/;
/** Lines after which a person is asked; in a pipeline they need --yes. */
const ASKS = /^svc (buy --plan plan_wp_pro|domains add)(?!.*--dry-run)/;
/** What some examples take for granted. */
const PREPARING = [
  'svc login --with-token --profile work < token.txt',
  'svc domains import kola-studio.example --output plan.json',
  'svc config set dashboard https://dashboard.example.com',
];

/** A line as words; what the examples quote, they put in single quotes. */
function toNextStep(line: string, index: number): Step {
  const command = line.replace(/ (<|>>) \S+$/, '');
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
  const isPreparing = index < PREPARING.length;
  if (ASKS.test(line)) words.push('--yes');
  const output = words.indexOf('--output') + 1;
  if (output > 0 && !isPreparing) words[output] = `another-${words[output]}`;
  return {
    words,
    cwd: PROFILE,
    input: '$SVC_TOKEN\r\n',
    ...(/\bwork\b|orgs use|--with-token/.test(line) && { unset: ['SVC_TOKEN', 'SVC_ORG'] }),
    ...(isPreparing && { stage: 'before' as const }),
    ...(line.startsWith('svc logout') && { stage: 'after' as const }),
  };
}

const svc = (line: string, rest: Partial<Step> = {}): Step => ({
  words: ['svc', ...line.split(' ')],
  ...rest,
});

describe.skipIf(wine.missing)(wine.title('svc on Windows'), () => {
  afterAll(async () => (await startWindows()).stop());

  test('the examples of the help work in the sandbox', async () => {
    const { run } = await startWindows();
    const lines = examples(await describeEntries(TREE)).filter((line) => !ELSEWHERE.test(line));
    // Of those that sign out, that of everything comes last.
    const isAll = (line: string) => Number(line.startsWith('svc logout --all'));
    const steps = [...PREPARING, ...lines.toSorted((one, other) => isAll(one) - isAll(other))].map(
      toNextStep,
    );
    const ends = await run(steps, { inSandbox: true });
    const all = steps.map(({ words }, index) => ({ line: words.join(' '), ...ends[index] }));
    // A move may not be complete yet.
    const isWell = ({ line, exitCode }: (typeof all)[number]) =>
      exitCode === 0 || (exitCode === 10 && line.startsWith('svc domains status'));
    expect(all.filter((one) => !isWell(one))).toEqual([]);
    expect(ends.length).toBeGreaterThan(60);
  });

  test('settings are kept in the local profile, and lines to type are lines of PowerShell', async () => {
    const { run, drive } = await startWindows();
    const home = 'C:\\users\\newcomer';
    const steps = [
      svc('config set service svc_wp_7k2m9qx4', { unset: ['SVC_CONFIG_DIR'] }),
      svc('config list', { env: { SVC_CONFIG_DIR: 'C:store' } }),
      svc('completion install --json', { unset: ['SHELL'], env: { USERPROFILE: home } }),
      svc('orgs use baobab-travel'),
      svc("whoami --jq '.user'"),
    ];
    const [set, relative, installed, org, filter] = await run(steps, { inSandbox: true });
    expect(set, set?.stderr).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(drive, 'users/tester/AppData/Local/svc/config.json'))).toBe(true);
    expect(relative?.stderr).toContain('SVC_CONFIG_DIR must be an absolute path.');
    expect(JSON.parse(installed?.stdout ?? '')).toMatchObject({
      path: `${home}\\.config\\powershell\\svc.ps1`,
      setup: { file: '$PROFILE', lines: [`. '${home}\\.config\\powershell\\svc.ps1'`] },
    });
    expect(org?.stderr).toContain("$env:SVC_ORG = 'baobab-travel'");
    expect(filter?.stderr).toContain('put the filter in double quotes');
  });

  test('a file that another program reads is left alone, and none is made that others cannot open', async () => {
    const { run, drive } = await startWindows();
    const cwd = 'C:\\held';
    await mkdir(join(drive, 'held'));
    await writeFile(join(drive, 'held/config.json'), '{"version":1,"org":"old"}');
    // The reader opens the file, starts svc, and closes the file when svc has ended.
    const reader = `const held = require('node:fs').openSync('config.json', 'r');
require('node:child_process').spawn(process.argv[1], process.argv.slice(2), { stdio: 'inherit' })
  .on('exit', (code) => { process.exitCode = code; require('node:fs').closeSync(held); });`;
    const words = ['node', '-e', reader, ...SVC, 'config', 'set', 'org', 'new'];
    const names = ['nul', 'CON.json', 'plan:b', 'plan.'];
    const line = 'domains import kola-studio.example --output';
    const steps = [
      { words, cwd, env: { SVC_CONFIG_DIR: cwd } },
      ...names.map((name) => svc(`${line} ${name}`, { cwd })),
    ];
    const refused = (said: string) => ({ exitCode: 2, stderr: expect.stringContaining(said) });
    const expected = [refused('Cannot'), ...names.map(() => refused('can be called'))];
    expect(await run(steps, { inSandbox: true })).toMatchObject(expected);
    expect(JSON.parse(await readFile(join(drive, 'held/config.json'), 'utf8'))).toMatchObject({
      org: 'old',
    });
    expect(await readdir(join(drive, 'held'))).toEqual(['config.json']);
  });

  test('16 processes sign in at once, 16 more are killed, and nothing is lost or left behind', async () => {
    const { run, drive } = await startWindows();
    const folder = join(drive, 'store');
    const signIn = (profile: string, killAfterMs?: number) =>
      svc(`login --with-token --profile ${profile} --json`, {
        input: '$SVC_TOKEN\r\n',
        env: { SVC_CONFIG_DIR: 'C:\\store' },
        unset: ['SVC_TOKEN', 'SVC_ORG'],
        killAfterMs,
      });
    const each = Array.from({ length: 16 }, (_, number) => number);
    const steps = [
      ...each.map((number) => signIn(`writer-${number}`)),
      ...each.map((number) => signIn(`killed-${number}`, 300 + 250 * number)),
    ];
    // The next writer removes what the killed ones left.
    const last = { ...signIn('last'), stage: 'after' as const };
    const ends = await run([...steps, last], { inSandbox: true, lanes: 16 });
    const well = [...ends.slice(0, 16), ends[32]];
    expect(well.filter((end) => end?.exitCode !== 0)).toEqual([]);
    const { credentials } = JSON.parse(await readFile(join(folder, 'credentials.json'), 'utf8'));
    const stored = credentials.map(({ profile }: { profile: string }) => profile);
    const said = steps
      .filter((_, index) => ends[index]?.exitCode === 0)
      .map(({ words }) => words[4]);
    expect(stored).toEqual(expect.arrayContaining([...said, 'last']));
    expect(await readdir(folder)).toEqual(['credentials.json']);
  });

  test('sandbox exec starts programs and batch files by PATH, passes every word, and gives the code back', async () => {
    const { run, drive } = await startWindows();
    // What cmd gives a meaning to is for programs only: a batch file cannot be given it.
    const plain = ['plain', 'two words', '', 'a\\b\\', 'x=1,y;z', '*.json'];
    const meant = ['a&b', 'a>b', 'say "hi"', '\\"', '%PATH%', 'a^b', '!x!', "it's"];
    await writeFile(
      join(drive, 'npm/echo-words.cmd'),
      '@ECHO off\r\n"C:\\node\\node.exe"  "%~dp0\\words.cjs" %*\r\n',
    );
    await writeFile(
      join(drive, 'npm/words.cjs'),
      'console.log(JSON.stringify(process.argv.slice(2)));\n',
    );
    const exec = (...words: readonly string[]) => ({
      words: ['svc', 'sandbox', 'exec', '--', ...words],
    });
    const [program, batch, local, script] = await run([
      exec('node', '-p', 'JSON.stringify(process.argv.slice(1))', '--', ...plain, ...meant),
      exec('echo-words', ...plain),
      exec('local'),
      exec('cmd', '/c', 'svc whoami --json && svc restart --json'),
    ]);
    expect(JSON.parse(program?.stdout ?? ''), program?.stderr).toEqual([...plain, ...meant]);
    expect(JSON.parse(batch?.stdout ?? ''), batch?.stderr).toEqual(plain);
    expect(local).toMatchObject({ exitCode: 127, stderr: 'Error: There is no command "local".\n' });
    expect(script, script?.stderr).toMatchObject({ exitCode: 0 });
  });
});
