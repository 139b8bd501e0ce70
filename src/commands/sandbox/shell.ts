import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Needs } from '../../cli/define/context.ts';
import { defineCommand, printed } from '../../cli/define/define.ts';
import type { Env } from '../../environment.ts';
import { usageError } from '../../errors.ts';
import { posixWord, setVariable } from '../../shell-line.ts';
import { code, strong } from '../../terminal/screen.ts';
import { runChild } from '../shared/programs.ts';
import { PLATFORM_OPTIONS, type SandboxSession, withSandbox } from './with-sandbox.ts';

export default defineCommand({
  summary: 'Open your shell (SHELL) in a fresh sandbox, and exit with its code',
  effect: 'local',
  options: PLATFORM_OPTIONS,
  examples: [
    ['svc sandbox shell', 'a shell in which svc is signed in and nothing is real'],
    ["svc sandbox shell --fault 'metrics:500'", 'one in which metrics fail'],
  ],
  exitCodes: [[127, 'the shell was not found']],

  async run(context, options) {
    const { io } = context;
    if (!io.stdinIsTty || !io.out.isTty) {
      throw usageError('A shell needs a terminal.', 'svc sandbox exec -- svc whoami');
    }
    const exitCode = await withSandbox(context, options, async (session) => {
      await greet(context, session);
      return io.lendTerminal(() => openShell(context, session));
    });
    return printed({ exitCode });
  },
});

function greet({ io }: Needs<'io'>, { sandbox }: SandboxSession) {
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
 * Opens the user's shell, and sets the variables of the sandbox once more behind its start-up files:
 * they may sign in to the real platform. Resolves with its exit code.
 */
async function openShell(
  context: Needs<'io' | 'time' | 'env' | 'program'>,
  session: SandboxSession,
) {
  const { env, program } = context;
  const usualShell = program.platform === 'win32' ? findWindowsShell(env) : '/bin/sh';
  const shell = env['SHELL'] || usualShell;
  const variables = Object.entries(session.env).filter(([name]) => name.startsWith('SVC_'));
  const open = (args: readonly string[], more?: Env) =>
    runChild([shell, ...args], { env: { ...session.env, ...more }, isShell: true }, context);

  switch (basename(shell).replace(/\.exe$/i, '')) {
    case 'bash': {
      const file = join(session.folder, 'bashrc');
      const lines = [readIfThere('~/.bashrc'), ...toPosixLines(variables), 'PS1="(sandbox) $PS1"'];
      await writeLines(file, lines);
      return open(['--rcfile', file, '-i']);
    }
    case 'zsh': {
      // Zsh reads all its files from one folder: this one first, then the user's.
      const folder = join(session.folder, 'zsh');
      await mkdir(folder);
      await writeLines(join(folder, '.zshenv'), [
        `ZDOTDIR=${posixWord(env['ZDOTDIR'] ?? program.home)}`,
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
      return open(['-i'], { ZDOTDIR: folder });
    }
    case 'fish':
      return open(['-i', '-C', toFishLines(variables).join('\n')]);
    case 'powershell':
    case 'pwsh':
      return open(['-NoLogo', '-NoExit', '-Command', toPowerShellLines(variables).join('; ')]);
    default:
      // ENV names a start-up file of POSIX shells; PROMPT is that of cmd.
      return open([], { ENV: undefined, PS1: '(sandbox) $ ', PROMPT: '(sandbox) $P$G' });
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
