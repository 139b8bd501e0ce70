import { mkdir, writeFile } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import type { Needs } from '../../cli/define/context.ts';
import { defineCommand } from '../../cli/define/define.ts';
import { printed } from '../../cli/define/result.ts';
import { usageError } from '../../errors.ts';
import { posixWord, powerShellWord, setVariable } from '../../shell-line.ts';
import { code, strong } from '../../terminal/screen.ts';
import { runChild } from '../shared/programs.ts';
import { WORLD_OPTIONS, worldOf } from './options.ts';
import { type Workshop, withSandbox } from './with-sandbox.ts';

export default defineCommand({
  path: 'sandbox shell',
  summary: 'Open your shell (SHELL) in a fresh sandbox, and exit with its code',
  effect: 'local',
  args: {},
  options: WORLD_OPTIONS,
  examples: [
    ['svc sandbox shell', 'a shell in which svc is signed in and nothing is real'],
    ["svc sandbox shell --fault 'metrics:500'", 'one in which metrics fail'],
  ],
  exitCodes: [[127, 'the shell was not found']],

  async run(context, world) {
    const { io } = context;
    if (!io.stdinIsTty || !io.out.isTty) {
      throw usageError('A shell needs a terminal.', 'svc sandbox exec -- svc whoami');
    }
    const exitCode = await withSandbox(context, await worldOf(world), async (workshop) => {
      await greet(context, workshop);
      const { command, env } = await shellIn(context, workshop);
      const options = {
        env: { ...workshop.env, ...env },
        cwd: context.program.cwd(),
        signal: context.time.signal,
        isShell: true,
      };
      return io.lendTerminal(() => runChild(command, { ...options, sharesTerminal: true }));
    });
    return printed({ exitCode });
  },
});

function greet({ io }: Needs<'io'>, { sandbox }: Workshop): Promise<void> {
  const domain = sandbox.listing.domains[0];
  const commands = [
    'svc metrics',
    'svc wp run demo.slow --wait',
    `svc domains add ${domain} --import`,
  ];
  return io.show((screen) => {
    screen.line([
      strong('This shell is in the sandbox:'),
      ' nothing in it is real. To leave: ',
      code('exit'),
    ]);
    screen.heading('To try');
    for (const command of commands) screen.line(['  ', code(command)]);
    screen.heading('Sample ids');
    screen.fields(sandbox.samples);
    screen.line();
  });
}

/**
 * Sets the variables of the sandbox once more behind the user's start-up files: they may sign in to
 * the real platform.
 */
async function shellIn({ env, program }: Needs<'env' | 'program'>, workshop: Workshop) {
  const shell = env['SHELL'] || (program.platform === 'win32' ? windowsShell(env) : '/bin/sh');
  const { folder } = workshop;
  const own = Object.entries(workshop.env).filter(([name]) => name.startsWith('SVC_'));
  const bin = join(folder, 'bin');
  const posix = [
    ...own.map(([name, value]) =>
      value === undefined ? `unset ${name}` : `export ${name}=${posixWord(value)}`,
    ),
    `export PATH=${program.platform === 'win32' ? `"$(cygpath -u ${posixWord(bin)})"` : posixWord(bin)}:"$PATH"`,
  ];
  const read = (file: string) => `[ -r ${file} ] && . ${file}`;
  const name = basename(shell).toLowerCase();
  switch (name.replace(/\.exe$/, '')) {
    case 'bash': {
      const rc = join(folder, 'bashrc');
      await writeFile(rc, [read('~/.bashrc'), ...posix, `PS1="(sandbox) $PS1"`, ''].join('\n'));
      return { command: [shell, '--rcfile', rc, '-i'] };
    }
    case 'zsh': {
      const zdotdir = join(folder, 'zsh');
      await mkdir(zdotdir);
      const before = [
        `ZDOTDIR=${posixWord(env['ZDOTDIR'] ?? program.home)}`,
        read('$ZDOTDIR/.zshenv'),
      ];
      const after = ['ZDOTDIR=$SANDBOX_ZDOTDIR', 'unset SANDBOX_ZDOTDIR', read('$ZDOTDIR/.zshrc')];
      const back = ['SANDBOX_ZDOTDIR=$ZDOTDIR', `ZDOTDIR=${posixWord(zdotdir)}`];
      await writeFile(join(zdotdir, '.zshenv'), [...before, ...back, ''].join('\n'));
      await writeFile(
        join(zdotdir, '.zshrc'),
        [...after, ...posix, `PROMPT="(sandbox) $PROMPT"`, ''].join('\n'),
      );
      return { command: [shell, '-i'], env: { ZDOTDIR: zdotdir } };
    }
    case 'fish': {
      const lines = [
        ...own.map(([name, value]) =>
          value === undefined ? `set -e ${name}` : `set -gx ${name} ${posixWord(value)}`,
        ),
        `set -gx PATH ${posixWord(bin)} $PATH`,
        'functions -c fish_prompt fish_prompt_outside',
        "function fish_prompt; echo -n '(sandbox) '; fish_prompt_outside; end",
      ];
      return { command: [shell, '-i', '-C', lines.join('\n')] };
    }
    case 'powershell':
    case 'pwsh': {
      const lines = [
        ...own.map(([name, value]) =>
          value === undefined ? `$env:${name} = $null` : setVariable(name, value, 'win32'),
        ),
        `$env:PATH = ${powerShellWord(bin + delimiter)} + $env:PATH`,
        "function prompt { '(sandbox) PS ' + (Get-Location) + '> ' }",
      ];
      return { command: [shell, '-NoLogo', '-NoExit', '-Command', lines.join('; ')] };
    }
    case 'cmd':
      return { command: [shell], env: { PROMPT: '(sandbox) $P$G' } };
    default:
      // ENV names a start-up file of POSIX shells.
      return { command: [shell], env: { ENV: undefined, PS1: '(sandbox) $ ' } };
  }
}

function windowsShell(env: Needs<'env'>['env']): string {
  const modules = (env['PSModulePath'] ?? '').split(';');
  return modules.length > 2 ? 'powershell.exe' : (env['COMSPEC'] ?? 'cmd.exe');
}
