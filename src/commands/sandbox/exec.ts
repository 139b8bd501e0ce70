import { statSync } from 'node:fs';
import { win32 } from 'node:path';
import { defineCommand, printed } from '../../cli/define/define.ts';
import { rest } from '../../cli/values/parameters.ts';
import type { Env } from '../../environment.ts';
import { tryOr, usageError } from '../../errors.ts';
import { runChild } from '../shared/programs.ts';
import { PLATFORM_OPTIONS, withSandbox } from './with-sandbox.ts';

export default defineCommand({
  summary: 'Run a command against a fresh sandbox, and exit with its code',
  effect: 'local',
  usage: '[options] -- <command...>',
  args: { command: rest('the command and its arguments, after --', 1, { offer: 'command' }) },
  options: PLATFORM_OPTIONS,
  examples: [
    ['svc sandbox exec -- svc whoami', 'one command, with nothing set up'],
    [
      "svc sandbox exec --fault 'metrics:503*2' -- svc metrics",
      'how svc copes when the API fails twice',
    ],
    [
      "svc sandbox exec -- sh -c 'svc restart && svc metrics'",
      'a script, as a pipeline would test it',
    ],
  ],
  exitCodes: [[127, 'the command was not found']],

  async run(context, { command, ...options }) {
    if (command[0] === '') {
      throw usageError('The command is empty.', 'svc sandbox exec -- svc whoami');
    }
    const { platform, cwd } = context.program;
    const exitCode = await withSandbox(context, options, ({ env }) => {
      if (platform !== 'win32') return runChild(command, { env }, context);
      const { words, isVerbatim } = planWindowsCommand(command, env, cwd());
      return runChild(words, { env, isVerbatim }, context);
    });
    return printed({ exitCode });
  },
});

/** Endings that Windows can start; others of `PATHEXT` belong to programs that open documents. */
const STARTABLE = ['.com', '.exe', '.bat', '.cmd'];

/**
 * Finds a command as cmd does, by `PATH` and `PATHEXT`, but in the current folder only if it is
 * given as a path. A batch file is run by cmd: Windows starts none with arguments safely. The
 * arguments are quoted already if `isVerbatim`.
 */
export function planWindowsCommand(
  [name = '', ...args]: readonly string[],
  env: Env,
  cwd: string,
  isFile = (path: string) => tryOr(() => statSync(path).isFile(), false),
): { readonly words: readonly string[]; readonly isVerbatim: boolean } {
  const path = listProgramPaths(name, env, cwd).find(isFile);
  if (path === undefined || !/\.(?:bat|cmd)$/i.test(path)) {
    return { words: [path ?? name, ...args], isVerbatim: false };
  }
  const line = [`"${path}"`, ...args.map(quoteForBatch)].join(' ');
  return { words: [env['COMSPEC'] ?? 'cmd.exe', '/d', '/s', '/c', `"${line}"`], isVerbatim: true };
}

function listProgramPaths(name: string, env: Env, cwd: string) {
  const folders = (env['PATH'] ?? '').split(';').filter(win32.isAbsolute);
  const paths = /[\\/:]/.test(name)
    ? [win32.resolve(cwd, name)]
    : folders.map((folder) => win32.join(folder, name));
  if (STARTABLE.includes(win32.extname(name).toLowerCase())) return paths;
  const endings = (env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').toLowerCase().split(';');
  return paths.flatMap((path) =>
    endings.filter((one) => STARTABLE.includes(one)).map((ending) => path + ending),
  );
}

const META = /[()\][%!^"`<>&|;, *?]/g;

/**
 * Quotes an argument for a program, to which a backslash means something only before a quote; then
 * twice for cmd: it reads the line itself, and once more in the batch file.
 */
function quoteForBatch(text: string) {
  if (/^[\w+=:./\\@-]+$/.test(text)) return text;
  const content = text.replace(/(?<!\\)(\\*)"/g, '$1$1\\"').replace(/(?<!\\)\\+$/, '$&$&');
  return `"${content}"`.replace(META, '^$&').replace(META, '^$&');
}
