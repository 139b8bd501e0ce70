import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import type { Context } from '../command/context.ts';
import { defineCommand } from '../command/define.ts';
import { optional, required } from '../command/parameters.ts';
import { parseChoice } from '../command/parse/choice.ts';
import { document, type Result } from '../command/result.ts';
import { usageError } from '../errors.ts';
import { makeFolder } from '../store/folder.ts';
import { explain } from '../store/problem.ts';
import { targetOf } from '../store/read.ts';
import { writeDurably } from '../store/write.ts';
import { completionOf, type Setup, SHELLS, type Shell, sourceOf } from './completion/shells.ts';

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
