import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { type Shell, type ShellName, startShell, svcOnPath, testShell } from '../support/shell.ts';
import { storedSignIn, writeNamesSeen, writeSignIns } from '../support/stored.ts';

const COMPLETIONS = join(import.meta.dirname, '../../completions');

/** How a user would load the file in a shell that has nothing set up. */
const LOAD: Readonly<Record<ShellName, readonly string[]>> = {
  bash: [`. ${COMPLETIONS}/svc.bash`],
  zsh: ['autoload -Uz compinit; compinit -u', `. ${COMPLETIONS}/_svc`],
  fish: [`source ${COMPLETIONS}/svc.fish`],
};

/** A file whose name would do harm if any of it were evaluated. */
const HOSTILE = 'a $(touch pwned1) `touch pwned2`; touch \'pwned3\' & $HOME "*" .json';

const ADDRESS = 'http://127.0.0.1:4750';
const HOSTILE_NAMES = ['svc_$(touch pwned4)', 'svc_`touch pwned5`', 'svc_wp two words'];

/** A home with files, with svc on its PATH, and with names that svc has seen. */
const home = mkdtempSync(join(tmpdir(), 'svc-tab-'));
const files = join(home, 'files');
const settings = join(home, '.config/svc');
const env = svcOnPath(home, { SVC_API_URL: ADDRESS });
beforeAll(() => {
  for (const folder of [files, settings]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const file of ['plan one.json', 'zone.txt', HOSTILE]) writeFileSync(join(files, file), '');
  const seen = {
    services: ['svc_wp_known', ...HOSTILE_NAMES].map((name) => ({ name, about: 'Kola: the blog' })),
    organizations: [{ name: 'baobab-travel', about: 'Baobab Travel' }, { name: '-y' }],
  };
  writeNamesSeen(settings, { [ADDRESS]: seen });
  writeSignIns(settings, storedSignIn('work', ADDRESS), storedSignIn('127.0.0.1:4750', ADDRESS));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const tmux = needs('tmux');

type Tried = readonly [title: string, line: string, expected: string];

/** What each shell has to take apart or put together by itself. */
const IN_EACH: readonly Tried[] = [
  ['a command', 'svc who', 'svc whoami'],
  ['behind an option with its value', 'svc --org=x domains imp', 'svc --org=x domains import'],
  ['an option', 'svc domains import a.example --outp', 'svc domains import a.example --output'],
  ['a choice behind =', 'svc domains import a.example --format=js', 'svc domains import a.example --format=json'],
  ['a file', 'svc domains add a.example --records zo', 'svc domains add a.example --records zone.txt'],
  ['a file behind =', 'svc domains add a.example --records=zo', 'svc domains add a.example --records=zone.txt'],
  ['a service used before', 'svc restart svc_wp_', 'svc restart svc_wp_known'],
  ['a profile with a colon', 'svc --profile 127.0.0.1:4', 'svc --profile 127.0.0.1:4750'],
  ['a profile with a colon behind =', 'svc whoami --profile=127.0.0.1:4', 'svc whoami --profile=127.0.0.1:4750'],
  ['a command behind exec', 'svc sandbox exec -- mkdi', 'svc sandbox exec -- mkdir'],
  [
    'a command of svc behind exec',
    'svc sandbox exec -- svc -y domains imp',
    'svc sandbox exec -- svc -y domains import',
  ],
  ['a file behind a command behind exec', 'svc sandbox exec -- cat zo', 'svc sandbox exec -- cat zone.txt'],
  ['nothing where any text may stand', 'svc buy --label zo', 'svc buy --label zo'],
  ['no file where none belongs', 'svc db inspect zo', 'svc db inspect zo'],
  ['nothing behind --', 'svc api -- zo', 'svc api -- zo'],
  ['no option of another command', 'svc whoami --outp', 'svc whoami --outp'],
];

/** What svc answers, and each shell takes in the same way: each line is tried in one of them. */
const IN_ONE: Readonly<Record<ShellName, readonly Tried[]>> = {
  bash: [
    ['a subcommand', 'svc domains imp', 'svc domains import'],
    ['an option of every command', 'svc domains import a.example --api-', 'svc domains import a.example --api-url'],
    ['a choice behind a short option', 'svc api /v1/user -X OP', 'svc api /v1/user -X OPTIONS'],
    ['a topic', 'svc help exit', 'svc help exit-codes'],
    ['an organization', 'svc orgs use bao', 'svc orgs use baobab-travel'],
  ],
  zsh: [
    ['behind an option and its value', 'svc --org x domains imp', 'svc --org x domains import'],
    ['an option of the default command', 'svc sandbox --por', 'svc sandbox --port'],
    ['an argument', 'svc config get assume.job.pa', 'svc config get assume.job.path'],
    ['a subcommand in help', 'svc help domains imp', 'svc help domains import'],
  ],
  fish: [
    ['behind a switch', 'svc -y domains imp', 'svc -y domains import'],
    ['a choice', 'svc domains import a.example --format js', 'svc domains import a.example --format json'],
    ['a second argument', 'svc completion install fi', 'svc completion install fish'],
    ['a service behind an option', 'svc wp run flush --service svc_wp_', 'svc wp run flush --service svc_wp_known'],
  ],
};

describe.each(['bash', 'zsh', 'fish'] as const)('%s', (name) => {
  const program = needs(name);
  const missing = program.missing || tmux.missing;
  const title = (text: string) => program.title(tmux.title(text));
  let shell: Shell;
  beforeAll(async () => {
    if (!missing) shell = await startShell(name, { home, cwd: files, env, setup: LOAD[name] });
  });
  afterAll(() => shell?.close());

  test.skipIf(missing).each<Tried>([...IN_EACH, ...IN_ONE[name]])(title('%s'), async (_title, line, expected) => {
    expect(await shell.complete(line)).toEqual(expected.split(' '));
  });

  test.skipIf(missing)(title('a list of subcommands, and of nothing else'), async () => {
    const screen = await shell.tab('svc domains ', /status/);
    expect(screen).toMatch(/add/);
    expect(screen).toMatch(/import/);
    expect(screen).not.toMatch(/whoami|zone\.txt/);
  });

  test.skipIf(missing)(title('a file name with spaces is one word'), async () => {
    expect(await shell.complete('svc domains add a.example --records pl')).toEqual(
      expect.arrayContaining(['--records', 'plan one.json']),
    );
  });

  test.skipIf(missing)(title('a hostile file name is a word like others, and does nothing'), async () => {
    expect(await shell.complete('svc domains add a.example --records a')).toEqual([
      ...['svc', 'domains', 'add', 'a.example', '--records'],
      HOSTILE,
    ]);
    expect(readdirSync(files).sort()).toEqual([HOSTILE, 'plan one.json', 'zone.txt'].sort());
  });

  test.skipIf(missing)(title('names that no shell takes as they are, are not offered'), async () => {
    expect(await shell.complete('svc link svc_')).toEqual(['svc', 'link', 'svc_wp_known']);
    expect(await shell.complete('svc orgs use ')).toEqual(['svc', 'orgs', 'use', 'baobab-travel']);
  });

  test.skipIf(missing)(title('loading it prints nothing'), async () => {
    const fresh = await testShell(name, { home, cwd: files, env });
    for (const line of LOAD[name])
      expect(await fresh.run(line)).toBe(`ready> ${line}; echo 'ready'' again'\nready again\nready>`);
  });
});
