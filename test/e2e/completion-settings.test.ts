import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { type Shell, type ShellName, svcOnPath, testShell } from '../support/shell.ts';
import { temporaryFolder } from '../support/svc.ts';

const COMPLETIONS = join(import.meta.dirname, '../../completions');
const IN_BASH = `. ${COMPLETIONS}/svc.bash`;
const IN_ZSH = `. ${COMPLETIONS}/_svc`;

/** What bash 3.2 does not have. */
const LIKE_OLD_BASH = 'enable -n compopt';

/** A shell with these settings, in a home with a file. */
async function shellWith(name: ShellName, setup: readonly string[]): Promise<Shell> {
  const home = await temporaryFolder();
  writeFileSync(join(home, 'a $(b).json'), '');
  return testShell(name, { home, env: svcOnPath(home), setup });
}

describe('bash', () => {
  const { missing, title } = needs('tmux');

  test.skipIf(missing).each([
    ['with nounset', ['set -u', IN_BASH]],
    ['with other separators', [IN_BASH, 'IFS=: ']],
    ['without globbing', [IN_BASH, 'set -f']],
    ['without bash-completion and compopt', [LIKE_OLD_BASH, IN_BASH]],
    ['where = and : are part of a word', ["COMP_WORDBREAKS=' '", IN_BASH]],
  ])(title('%s'), async (_title, setup) => {
    const line = 'svc --api-url=http://127.0.0.1:1 domains import a.example --format=js';
    const shell = await shellWith('bash', setup);
    expect(await shell.complete(line)).toEqual(line.replace('js', 'json').split(' '));
    expect(await shell.complete('svc config get assume.job.pa')).toEqual('svc config get assume.job.path'.split(' '));
  });

  test.skipIf(missing)(title('quotes a file name itself where bash does not'), async () => {
    const shell = await shellWith('bash', [LIKE_OLD_BASH, IN_BASH]);
    expect(await shell.complete('svc api /x --input a')).toEqual([...'svc api /x --input'.split(' '), 'a $(b).json']);
  });

  test.skipIf(missing)(title('completes in the middle of a line'), async () => {
    const shell = await shellWith('bash', [IN_BASH]);
    expect(await shell.complete('svc domains impXY', 2)).toEqual(['svc', 'domains', 'importXY']);
  });
});

describe('zsh', () => {
  const zsh = needs('zsh');
  const tmux = needs('tmux');
  const missing = zsh.missing || tmux.missing;
  const title = (text: string) => zsh.title(tmux.title(text));

  test.skipIf(missing).each([
    ['found in fpath', [`fpath=(${COMPLETIONS} $fpath)`, 'autoload -Uz compinit; compinit -u']],
    ['sourced before the completion system', [IN_ZSH, 'autoload -Uz compinit; compinit -u', IN_ZSH]],
    ['from a process substitution', ['autoload -Uz compinit; compinit -u', `. <(cat ${COMPLETIONS}/_svc)`]],
  ])(title('%s'), async (_title, setup) => {
    const shell = await shellWith('zsh', setup);
    expect(await shell.complete('svc domains imp')).toEqual(['svc', 'domains', 'import']);
    expect(await shell.complete('svc sandbox exec -- svc who')).toEqual('svc sandbox exec -- svc whoami'.split(' '));
  });
});
