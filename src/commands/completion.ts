import { readFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { Context, System } from '../command/context.ts';
import { defineCommand } from '../command/define.ts';
import { shellWord } from '../command/next.ts';
import { optional, required } from '../command/parameters.ts';
import { document, type Result } from '../command/result.ts';
import { parseChoice } from '../command/values/choice.ts';
import { usageError } from '../errors.ts';
import { makeFolder } from '../vault/folder.ts';
import { explain } from '../vault/problem.ts';
import { targetOf } from '../vault/read.ts';
import { writeDurably } from '../vault/write.ts';

/** The shells that svc has completions for. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
/** One of {@link SHELLS}. */
export type Shell = (typeof SHELLS)[number];

/** The file of each shell in `completions/`. */
const FILES: Readonly<Record<Shell, string>> = {
  bash: 'svc.bash',
  zsh: '_svc',
  fish: 'svc.fish',
  powershell: 'svc.ps1',
};

/** What the shell's start-up file needs, where the shell does not look in the place of the completions by itself. */
export interface Setup {
  readonly file: string;
  readonly lines: readonly string[];
  /** Whether a file of this text needs nothing more. */
  readonly isDone: (text: string) => boolean;
}

/** Where a shell's completions go, and what is left to do there. */
export interface Completion {
  readonly shell: Shell;
  /** The file of the package. */
  readonly source: string;
  /** Where it belongs in the user's home. */
  readonly path: string;
  readonly setup: Setup | undefined;
}

/** The completion of a shell; of the user's own where none is named. `undefined` for a shell that svc does not know. */
export function completionOf(context: Context, named?: Shell): Completion | undefined {
  const shell = named ?? shellOf(context);
  return shell && { shell, source: sourceOf(context, shell), ...PLACES[shell](context.system) };
}

/** The file of the package that completes a shell. */
export function sourceOf({ system: { packageFolder } }: Context, shell: Shell): string {
  return join(packageFolder, 'completions', FILES[shell]);
}

type Place = Pick<Completion, 'path' | 'setup'>;

const PLACES: Readonly<Record<Shell, (system: System) => Place>> = {
  bash({ env, home, platform }) {
    const data = env['XDG_DATA_HOME'] || join(home, '.local', 'share');
    const path = join(data, 'bash-completion', 'completions', 'svc');
    const file = join(home, platform === 'darwin' ? '.bash_profile' : '.bashrc');
    // bash-completion finds the file itself, but it is not everywhere.
    return {
      path,
      setup: { file, lines: [`. ${shellWord(path)}`], isDone: (text) => /bash[-_]completion/.test(text) },
    };
  },
  zsh({ env, home }) {
    const folder = join(env['ZDOTDIR'] || home, '.zfunc');
    const lines = [`fpath=(${shellWord(folder)} $fpath)`, 'autoload -Uz compinit && compinit'];
    const isDone = (text: string) => text.includes('.zfunc') && text.includes('compinit', text.indexOf('.zfunc'));
    return { path: join(folder, '_svc'), setup: { file: join(env['ZDOTDIR'] || home, '.zshrc'), lines, isDone } };
  },
  fish({ env, home }) {
    const config = env['XDG_CONFIG_HOME'] || join(home, '.config');
    return { path: join(config, 'fish', 'completions', 'svc.fish'), setup: undefined };
  },
  powershell({ home }) {
    const path = join(home, '.config', 'powershell', 'svc.ps1');
    return {
      path,
      setup: {
        file: '$PROFILE',
        lines: [`. '${path.replaceAll("'", "''")}'`],
        isDone: (text) => text.includes('svc.ps1'),
      },
    };
  },
};

function shellOf({ system: { env, platform } }: Context): Shell | undefined {
  const name = basename(env['SHELL'] ?? '');
  return SHELLS.find((shell) => shell === name) ?? (platform === 'win32' ? 'powershell' : undefined);
}

const TARGETS = [...SHELLS, 'install'] as const;

/** A script that was asked for. */
interface Printed {
  readonly shell: Shell;
  readonly script: string;
}

/** A script that was put in place, and the lines that its shell still needs. */
interface Installed {
  readonly shell: Shell;
  readonly path: string;
  readonly setup: { readonly file: string; readonly lines: readonly string[] } | null;
}

type Completed = Printed | Installed;

export default defineCommand({
  path: 'completion',
  summary: 'Complete commands, options and values with Tab',
  effect: 'local',
  args: {
    shell: required('bash, zsh, fish or powershell to print its script; install to put it in place', {
      read: (text, field) => parseChoice(text, field, TARGETS),
      choices: TARGETS,
    }),
    for: optional('with install: the shell (default: yours)', {
      read: (text) => parseChoice(text, 'The shell', SHELLS),
      choices: SHELLS,
    }),
  },
  options: {},
  examples: [
    ['svc completion install', 'put the script where your shell looks for it'],
    ['svc completion zsh', 'print the script'],
  ],

  async run(context, { shell, for: named }): Promise<Result<Completed>> {
    if (shell === 'install') return document(await install(context, named));
    if (named !== undefined) throw usageError(`One shell is enough: ${shell}.`, 'svc completion --help');
    return document({ shell, script: await readFile(sourceOf(context, shell), 'utf8') });
  },

  human(screen, completed) {
    if ('script' in completed) {
      screen.exact();
      screen.verbatim(completed.script);
      return;
    }
    const { shell, path, setup } = completed;
    screen.success(`Completion for ${shell} is in ${path}.`);
    if (setup !== null) {
      screen.line(`Add to ${setup.file}:`);
      screen.verbatim(setup.lines.map((line) => `  ${line}`).join('\n'));
    }
    screen.line(setup === null ? 'It works in every new shell.' : 'Then it works in every new shell.');
  },
});

async function install(context: Context, named: Shell | undefined): Promise<Installed> {
  const completion = completionOf(context, named);
  if (completion === undefined) {
    throw usageError('Your shell is not known here.', `svc completion install <${SHELLS.join('|')}>`);
  }
  const { shell, source, path, setup } = completion;
  if (!isAbsolute(path)) throw usageError('No home folder is known here.', `svc completion ${shell} > <file>`);
  try {
    makeFolder(dirname(path));
    writeDurably(targetOf(path), await readFile(source), { keepsMode: true });
  } catch (error) {
    throw usageError(`Cannot write ${path}: ${explain(error)}.`, `svc completion ${shell} > <file>`);
  }
  return { shell, path, setup: setup === undefined ? null : await whatIsLeft(setup) };
}

/** The start-up file is the user's own: svc reads it, and leaves the writing to them. */
async function whatIsLeft({ file, lines, isDone }: Setup): Promise<Installed['setup']> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return isDone(text) ? null : { file, lines };
}
