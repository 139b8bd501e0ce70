import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROFILE, type Step, startWindows, wine } from './wine.ts';

const BIN = join(import.meta.dirname, '../../bin/svc.cjs');

interface Described {
  readonly examples: ReadonlyArray<{ readonly command: string }>;
  readonly commands: readonly Described[];
}

const help = JSON.parse(execFileSync(process.execPath, [BIN, 'help', '--json'], { encoding: 'utf8' })) as Described;
const leaves = (commands: readonly Described[]): Described[] =>
  commands.flatMap((one) => (one.commands.length === 0 ? [one] : leaves(one.commands)));
const isLogout = (line: string) => Number(line.startsWith('svc logout'));
/** Those that sign out of everything come last. */
const EXAMPLES = leaves(help.commands)
  .flatMap(({ examples }) => examples.map(({ command }) => command))
  .sort((one, other) => isLogout(one) - isLogout(other));

/** Lines that wait for a person or Ctrl-C, need a POSIX shell, or an order that is in doubt. */
const ELSEWHERE =
  /^svc (login --(api-url|qr)|orders settle|domains \w+ --domains|sandbox (--port|shell|tour)|sandbox exec -- sh|metrics .*--watch|wp status --resume)/;
/** Lines after which a person is asked; in a pipeline they need --yes. */
const ASKS = /^svc (buy --plan plan_wp_pro|domains add)/;
/** A move that is not complete. */
const UNFINISHED = /^svc domains status/;

/** Splits a line as a shell does; what the examples quote, they put in single quotes. */
function wordsOf(line: string): string[] {
  const command = line.replace(/ (<|>>) \S+$/, '');
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

/** What some examples take for granted. */
const PREPARING = [
  'svc login --with-token --profile work < token.txt',
  'svc domains import kola-studio.example --output plan.json',
  'svc config set dashboard https://dashboard.example.com',
];
/** Lines after which there is no stored sign-in. */
const LEAVING = /^svc logout/;

function stepOf(line: string, index: number): Step {
  const words = wordsOf(line);
  const isPreparing = index < PREPARING.length;
  if (ASKS.test(line) && !line.includes('--dry-run')) words.push('--yes');
  const output = words.indexOf('--output') + 1;
  if (output > 0 && !isPreparing) words[output] = `another-${words[output]}`;
  return {
    words,
    cwd: PROFILE,
    input: '$SVC_TOKEN\r\n',
    ...(/\bwork\b|orgs use|--with-token/.test(line) && { unset: ['SVC_TOKEN', 'SVC_ORG'] }),
    ...(isPreparing && { stage: 'before' as const }),
    ...(LEAVING.test(line) && { stage: 'after' as const }),
  };
}

describe.skipIf(wine.missing)(wine.title('every documented command works on Windows'), () => {
  test('the examples of the help, in the sandbox', async () => {
    const { run } = await startWindows();
    const steps = [...PREPARING, ...EXAMPLES.filter((line) => !ELSEWHERE.test(line))].map(stepOf);
    const ends = await run(steps, { inSandbox: true });
    const failed = steps.flatMap(({ words }, index) => {
      const line = words.join(' ');
      const expected = UNFINISHED.test(line) ? [0, 10] : [0];
      return expected.includes(ends[index]?.exitCode ?? -1) ? [] : [{ line, ...ends[index] }];
    });
    expect(failed).toEqual([]);
    expect(ends.length).toBeGreaterThan(60);
  });

  test('svc sandbox tour', async () => {
    const { run } = await startWindows();
    const [tour] = await run([{ words: ['svc', 'sandbox', 'tour', '--fast'] }]);
    expect(tour, tour?.stderr).toMatchObject({ exitCode: 0 });
    expect(tour?.stdout).toContain('$ svc whoami');
  });

  test('an example of one shell fails with words that name the other', async () => {
    const { run } = await startWindows();
    const [filter] = await run([{ words: ['svc', 'whoami', '--jq', "'.user'"] }], { inSandbox: true });
    expect(filter).toMatchObject({ exitCode: 2 });
    expect(filter?.stderr).toContain('put the filter in double quotes');
  });

  test('lines to type are lines of PowerShell', async () => {
    const { run } = await startWindows();
    const home = 'C:\\users\\newcomer';
    const clean = { unset: ['SHELL'], env: { USERPROFILE: home } };
    const [doctor, installed, org, again] = await run(
      [
        { words: ['svc', 'doctor'], ...clean },
        { words: ['svc', 'completion', 'install', '--json'], ...clean },
        { words: ['svc', 'orgs', 'use', 'baobab-travel'] },
        { words: ['svc', 'doctor', '--json'], ...clean },
      ],
      { inSandbox: true, lanes: 1 },
    );
    expect(doctor?.stdout).toContain('svc completion install powershell');
    const { shell, path, setup } = JSON.parse(installed?.stdout ?? '');
    expect({ shell, path, setup }).toEqual({
      shell: 'powershell',
      path: `${home}\\.config\\powershell\\svc.ps1`,
      setup: { file: '$PROFILE', lines: [`. '${home}\\.config\\powershell\\svc.ps1'`] },
    });
    expect(org?.stderr).toContain("$env:SVC_ORG = 'baobab-travel'");
    expect(again?.stdout).toContain('svc.ps1');
  });
});
