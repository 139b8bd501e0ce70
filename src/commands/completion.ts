import { readFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { Needs } from '../cli/define/context.ts';
import { defineCommand, document, type Result } from '../cli/define/define.ts';
import { optional, required } from '../cli/values/parameters.ts';
import { parseChoice } from '../cli/values/text.ts';
import type { DocumentOf } from '../contract/fields/documents.ts';
import { usageError } from '../errors.ts';
import { posixWord, powerShellWord } from '../shell-line.ts';
import { makeFolder, resolveLink } from '../store/files.ts';
import { describeSystemError } from '../store/problem.ts';
import { writeDurably } from '../store/write.ts';
import { filePath } from '../terminal/screen.ts';

/** The names of the scripts in the package. */
const SCRIPTS = {
  bash: 'svc.bash',
  zsh: '_svc',
  fish: 'svc.fish',
  powershell: 'svc.ps1',
};
type Shell = keyof typeof SCRIPTS;
const SHELLS = Object.keys(SCRIPTS) as readonly Shell[];

type Installed = DocumentOf<'completion install'>;

/** Returns the path of a script, and the lines that a start-up file needs, if it needs some. */
function getPlace(
  shell: Shell,
  { env, program: { home, platform } }: Needs<'env' | 'program'>,
): Installed {
  switch (shell) {
    case 'bash': {
      const data = env['XDG_DATA_HOME'] || join(home, '.local', 'share');
      const path = join(data, 'bash-completion', 'completions', 'svc');
      const startUpFile = platform === 'darwin' ? '.bash_profile' : '.bashrc';
      // bash-completion loads the script from there, but not every machine has it.
      const setup = { file: join(home, startUpFile), lines: [`. ${posixWord(path)}`] };
      return { shell, path, setup };
    }
    case 'zsh': {
      const base = env['ZDOTDIR'] || home;
      const folder = join(base, '.zfunc');
      const lines = [`fpath=(${posixWord(folder)} $fpath)`, 'autoload -Uz compinit && compinit'];
      return { shell, path: join(folder, '_svc'), setup: { file: join(base, '.zshrc'), lines } };
    }
    case 'fish': {
      const config = env['XDG_CONFIG_HOME'] || join(home, '.config');
      return { shell, path: join(config, 'fish', 'completions', 'svc.fish'), setup: null };
    }
    case 'powershell': {
      const path = join(home, '.config', 'powershell', 'svc.ps1');
      return { shell, path, setup: { file: '$PROFILE', lines: [`. ${powerShellWord(path)}`] } };
    }
  }
}

/**
 * Finds where the completion of the named or the user's own shell goes. Returns undefined for an
 * unknown shell.
 */
export function findCompletion(
  context: Needs<'env' | 'program'>,
  named?: Shell,
): Installed | undefined {
  const { env, program } = context;
  const login = basename(env['SHELL'] ?? '').replace(/\.exe$/i, '');
  const usual = program.platform === 'win32' ? 'powershell' : undefined;
  const shell = named ?? SHELLS.find((name) => name === login) ?? usual;
  return shell && getPlace(shell, context);
}

export default defineCommand({
  summary: 'Complete commands, options and values with Tab',
  effect: 'local',
  args: {
    shell: required('bash, zsh, fish or powershell (prints its script), or install', {
      read: (text, field) => (text === 'install' ? text : parseChoice(text, field, SHELLS)),
      choices: [...SHELLS, 'install'],
    }),
    for: optional('the shell to install it for (default: yours)', {
      read: (text) => parseChoice(text, 'The shell', SHELLS),
      choices: SHELLS,
    }),
  },
  examples: [
    ['svc completion install', 'put the script where your shell looks for it'],
    ['svc completion zsh', 'print the script'],
  ],

  async run(context, { shell, for: named }): Promise<Result<DocumentOf<'completion'> | Installed>> {
    if (shell === 'install') return document('completion install', await install(context, named));
    if (named !== undefined) {
      throw usageError(`One shell is enough: ${shell}.`, 'svc completion --help');
    }
    return document('completion', { shell, script: await readScript(context, shell) });
  },

  human(screen, completed) {
    if ('script' in completed) {
      screen.exact();
      return screen.verbatim(completed.script);
    }
    const { shell, path, setup } = completed;
    screen.success([`Completion for ${shell} is in `, filePath(path), '.']);
    if (setup !== null) {
      screen.line(['Add to ', filePath(setup.file), ', unless it is there:']);
      screen.verbatim(setup.lines.map((line) => `  ${line}`).join('\n'));
    }
    screen.line('It works in every new shell.');
  },
});

async function install(context: Needs<'env' | 'program'>, named: Shell | undefined) {
  const completion = findCompletion(context, named);
  if (completion === undefined) {
    const name = `Name it: svc completion install <${SHELLS.join('|')}>`;
    throw usageError('svc could not tell which shell you use.', name);
  }

  const { shell, path } = completion;
  const instead = `To write the script yourself: svc completion ${shell} > <file>`;
  if (!isAbsolute(path)) throw usageError('No home folder is known here.', instead);
  try {
    makeFolder(dirname(path));
    writeDurably(resolveLink(path), await readScript(context, shell), { keepsMode: true });
  } catch (error) {
    throw usageError(`Cannot write ${path}: ${describeSystemError(error)}.`, instead);
  }
  return completion;
}

function readScript({ program }: Needs<'program'>, shell: Shell) {
  return readFile(join(program.packageFolder, 'completions', SCRIPTS[shell]), 'utf8');
}
