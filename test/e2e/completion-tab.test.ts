import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { type Shell, svcOnPath, testShell } from '../support/shell.ts';
import { storedSignIn, writeNamesSeen, writeSignIns } from '../support/stored.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

const COMPLETIONS = join(import.meta.dirname, '../../completions');
const ADDRESS = 'http://127.0.0.1:4750';

/** A file whose name would do harm if any of it were evaluated. */
const HOSTILE = 'a $(touch pwned1) `touch pwned2`; touch \'pwned3\' & $HOME "*" .json';
/**
 * None of these is what a shell would take as it is; a name that looks like an option is one more.
 */
const HOSTILE_NAMES = ['svc_$(touch pwned4)', 'svc_`touch pwned5`', 'svc_wp two words'];

const tmux = needs('tmux');

/**
 * What each shell has to take apart or put together by itself; what svc answers is tried in
 * `kit/complete.test.ts`.
 */
const LINES: ReadonlyArray<readonly [line: string, expected: string]> = [
  ['svc domains import a.example --format=js', 'svc domains import a.example --format=json'],
  ['svc domains add a.example --records=zo', 'svc domains add a.example --records=zone.txt'],
  ['svc --profile 127.0.0.1:4', 'svc --profile 127.0.0.1:4750'],
  ['svc sandbox exec -- mkdi', 'svc sandbox exec -- mkdir'],
  // Nothing where any text may stand.
  ['svc buy --label zo', 'svc buy --label zo'],
  ['svc link svc_', 'svc link svc_wp_known'],
  ['svc orgs use ', 'svc orgs use baobab-travel'],
];

/** A home where svc has seen some names, with a folder of files. */
async function livedIn() {
  const home = await temporaryFolder();
  const files = join(home, 'files');
  const settings = join(home, '.config/svc');
  for (const folder of [files, settings]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const file of ['plan one.json', 'zone.txt', HOSTILE]) writeFileSync(join(files, file), '');
  const services = ['svc_wp_known', ...HOSTILE_NAMES].map((name) => ({
    name,
    about: 'Kola: the blog',
  }));
  writeNamesSeen(settings, {
    [ADDRESS]: { services, organizations: [{ name: 'baobab-travel' }, { name: '-y' }] },
  });
  writeSignIns(settings, storedSignIn('work', ADDRESS), storedSignIn('127.0.0.1:4750', ADDRESS));
  return { home, files };
}

/** Runs a line that prints nothing. */
async function runQuietly(shell: Shell, line: string): Promise<void> {
  expect(await shell.run(line)).toBe(`ready> ${line}; echo 'ready'' again'\nready again\nready>`);
}

for (const [name, load] of [
  ['bash', `. ${COMPLETIONS}/svc.bash`],
  ['zsh', `. ${COMPLETIONS}/_svc`],
  ['fish', `source ${COMPLETIONS}/svc.fish`],
] as const) {
  const program = needs(name);
  const title = program.title(
    tmux.title(`${name} completes once svc completion install was followed`),
  );
  test.skipIf(program.missing || tmux.missing)(title, async () => {
    const { home, files } = await livedIn();
    const { json } = await svc(['completion', 'install', name, '--json'], { env: { HOME: home } });
    const { setup } = json as { setup: null | { file: string; lines: readonly string[] } };
    if (setup !== null) appendFileSync(setup.file, setup.lines.map((line) => `${line}\n`).join(''));
    const shell = await testShell(name, {
      home,
      cwd: files,
      env: svcOnPath(home, { SVC_API_URL: ADDRESS }),
    });

    for (const [line, expected] of LINES)
      expect(await shell.complete(line)).toEqual(expected.split(' '));
    const words = ['svc', 'domains', 'add', 'a.example', '--records'];
    expect(await shell.complete(`${words.join(' ')} pl`)).toEqual([...words, 'plan one.json']);
    expect(await shell.complete(`${words.join(' ')} a`)).toEqual([...words, HOSTILE]);
    expect(readdirSync(files).sort()).toEqual([HOSTILE, 'plan one.json', 'zone.txt'].sort());
    // As a user would load the file in a shell that has nothing set up.
    await runQuietly(shell, load);
    if (name !== 'bash') return;
    for (const line of [
      'alias s=svc; complete -F _svc s',
      "alias sdi='svc domains import'; complete -F _svc sdi",
      'short() { svc "$@"; }; complete -F _svc short',
    ])
      await runQuietly(shell, line);
    for (const [line, expected] of [
      ['s domains imp', 's domains import'],
      ['short domains imp', 'short domains import'],
      ['sdi a.example --format=js', 'sdi a.example --format=json'],
      ["svc restart 'svc_wp_kn", 'svc restart svc_wp_known'],
      ['svc restart "svc_wp_kn', 'svc restart svc_wp_known'],
      ['svc domains import a.example --format="js', 'svc domains import a.example --format=json'],
      ["svc domains 'imp", 'svc domains import'],
    ] as const)
      expect(await shell.complete(line)).toEqual(expected.split(' '));
    // As in bash 3.2, and with what may be set there.
    for (const line of ['enable -n compopt', 'set -u', "IFS=': '"]) await runQuietly(shell, line);
    const line = 'svc --api-url=http://127.0.0.1:1 domains import a.example --format=js';
    expect(await shell.complete(line)).toEqual(line.replace('js', 'json').split(' '));
    expect(await shell.complete('svc api /x --input a')).toEqual([
      ...'svc api /x --input'.split(' '),
      HOSTILE,
    ]);
  });
}
