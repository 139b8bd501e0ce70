import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Needs } from '../../cli/define/context.ts';
import type { Env } from '../../environment.ts';
import { posixWord, setVariable } from '../../shell-line.ts';
import type { SandboxSession } from './with-sandbox.ts';

/**
 * Returns the command line of a shell, and its variables besides those of the sandbox. It sets the
 * variables of the sandbox once more behind the user's start-up files: they may sign in to the real
 * platform.
 */
export async function planShell(
  { env, program }: Needs<'env' | 'program'>,
  session: SandboxSession,
): Promise<{ readonly command: readonly string[]; readonly env?: Env }> {
  const isWindows = program.platform === 'win32';
  const shell = env['SHELL'] || (isWindows ? findWindowsShell(env) : '/bin/sh');
  const variables = Object.entries(session.env).filter(([name]) => name.startsWith('SVC_'));
  switch (basename(shell).replace(/\.exe$/i, '')) {
    case 'bash': {
      const file = join(session.folder, 'bashrc');
      const lines = [readIfThere('~/.bashrc'), ...toPosixLines(variables), 'PS1="(sandbox) $PS1"'];
      await writeLines(file, lines);
      return { command: [shell, '--rcfile', file, '-i'] };
    }
    case 'zsh': {
      const folder = join(session.folder, 'zsh');
      await writeZshFiles(folder, env['ZDOTDIR'] ?? program.home, variables);
      return { command: [shell, '-i'], env: { ZDOTDIR: folder } };
    }
    case 'fish':
      return { command: [shell, '-i', '-C', toFishLines(variables).join('\n')] };
    case 'powershell':
    case 'pwsh': {
      const lines = toPowerShellLines(variables).join('; ');
      return { command: [shell, '-NoLogo', '-NoExit', '-Command', lines] };
    }
    default:
      // ENV names a start-up file of POSIX shells; PROMPT is that of cmd.
      return {
        command: [shell],
        env: { ENV: undefined, PS1: '(sandbox) $ ', PROMPT: '(sandbox) $P$G' },
      };
  }
}

function findWindowsShell(env: Env) {
  const modules = (env['PSModulePath'] ?? '').split(';');
  return modules.length > 2 ? 'powershell.exe' : (env['COMSPEC'] ?? 'cmd.exe');
}

type Variables = ReadonlyArray<readonly [name: string, value: string | undefined]>;

function toPosixLines(variables: Variables) {
  return variables.map(([name, value]) =>
    value === undefined ? `unset ${name}` : `export ${name}=${posixWord(value)}`,
  );
}

/** Zsh reads all its files from one folder: this one first, then the user's. */
async function writeZshFiles(folder: string, userFolder: string, variables: Variables) {
  await mkdir(folder);
  await writeLines(join(folder, '.zshenv'), [
    `ZDOTDIR=${posixWord(userFolder)}`,
    readIfThere('$ZDOTDIR/.zshenv'),
    'SANDBOX_ZDOTDIR=$ZDOTDIR',
    `ZDOTDIR=${posixWord(folder)}`,
  ]);
  await writeLines(join(folder, '.zshrc'), [
    'ZDOTDIR=$SANDBOX_ZDOTDIR',
    'unset SANDBOX_ZDOTDIR',
    readIfThere('$ZDOTDIR/.zshrc'),
    ...toPosixLines(variables),
    'PROMPT="(sandbox) $PROMPT"',
  ]);
}

function toFishLines(variables: Variables) {
  return [
    ...variables.map(([name, value]) =>
      value === undefined ? `set -e ${name}` : `set -gx ${name} ${posixWord(value)}`,
    ),
    'functions -c fish_prompt fish_prompt_outside',
    "function fish_prompt; echo -n '(sandbox) '; fish_prompt_outside; end",
  ];
}

function toPowerShellLines(variables: Variables) {
  return [
    ...variables.map(([name, value]) =>
      value === undefined ? `$env:${name} = $null` : setVariable(name, value, 'win32'),
    ),
    "function prompt { '(sandbox) PS ' + (Get-Location) + '> ' }",
  ];
}

function readIfThere(file: string) {
  return `[ -r ${file} ] && . ${file}`;
}

function writeLines(file: string, lines: readonly string[]) {
  return writeFile(file, `${lines.join('\n')}\n`);
}
