import { copyFile, readFile } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import type { Context } from '../command/context.ts';
import type { Attach, Declaration } from '../command/declaration.ts';
import { oneOf } from '../command/parse/choice.ts';
import { document, type Result } from '../command/result.ts';
import { usageError } from '../errors.ts';
import type { Screen } from '../io/screen.ts';
import { makeFolder } from '../store/folder.ts';
import { explain } from '../store/problem.ts';
import { completionOf, type Setup, SHELLS, type Shell, sourceOf } from './completion/shells.ts';

const TARGETS = [...SHELLS, 'install'] as const;

export interface CompletionOptions {
  readonly shell: (typeof TARGETS)[number];
  /** With `install`: the shell to install for; the user's own unless given. */
  readonly for?: Shell;
}

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

export function define(parent: Declaration, attach: Attach): void {
  const command = parent
    .command('completion')
    .description('Complete commands, options and values with Tab')
    .argument(
      '<shell>',
      'bash, zsh, fish or powershell to print its script; install to put it in place',
      oneOf('The shell', TARGETS),
    )
    .argument('[for]', 'with install: the shell (default: yours)', oneOf('The shell', SHELLS));
  attach(command, {
    run,
    human,
    examples: [
      ['svc completion install', 'put the script where your shell looks for it'],
      ['svc completion zsh', 'print the script'],
    ],
  });
}

export async function run(context: Context, options: CompletionOptions): Promise<Result<Completed>> {
  if (options.shell === 'install') return document<Completed>(await install(context, options.for));
  if (options.for !== undefined) throw usageError(`One shell is enough: ${options.shell}.`, 'svc completion --help');
  const { shell } = options;
  return document<Completed>({ shell, script: await readFile(sourceOf(context, shell), 'utf8') });
}

export function human(screen: Screen, completed: Completed): void {
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
}

async function install(context: Context, named: Shell | undefined): Promise<Installed> {
  const completion = completionOf(context, named);
  if (completion === undefined) {
    throw usageError('Your shell is not known here.', `svc completion install <${SHELLS.join('|')}>`);
  }
  const { shell, source, path, setup } = completion;
  if (!isAbsolute(path)) throw usageError('No home folder is known here.', `svc completion ${shell} > <file>`);
  try {
    makeFolder(dirname(path));
    await copyFile(source, path);
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
