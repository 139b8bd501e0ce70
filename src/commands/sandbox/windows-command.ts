import { statSync } from 'node:fs';
import { win32 } from 'node:path';
import type { Env } from '../../environment.ts';
import { tryOr } from '../../errors.ts';

/** Endings that Windows can start; others of `PATHEXT` belong to programs that open documents. */
const STARTABLE = ['.com', '.exe', '.bat', '.cmd'];

/**
 * Finds a command as cmd does, by `PATH` and `PATHEXT`, but in the current folder only if it is
 * given as a path. A batch file is run by cmd: Windows starts none with arguments safely. The
 * arguments are quoted already if `isVerbatim`.
 */
export function windowsCommand(
  [name = '', ...args]: readonly string[],
  env: Env,
  cwd: string,
  isFile = isFileOnDisk,
): { readonly words: readonly string[]; readonly isVerbatim: boolean } {
  const path = candidates(name, env, cwd).find(isFile);
  if (path === undefined || !/\.(?:bat|cmd)$/i.test(path)) {
    return { words: [path ?? name, ...args], isVerbatim: false };
  }
  const line = [`"${path}"`, ...args.map(batchArgument)].join(' ');
  return { words: [env['COMSPEC'] ?? 'cmd.exe', '/d', '/s', '/c', `"${line}"`], isVerbatim: true };
}

function candidates(name: string, env: Env, cwd: string) {
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

const isFileOnDisk = (path: string): boolean => tryOr(() => statSync(path).isFile(), false);

const META = /[()\][%!^"`<>&|;, *?]/g;

/**
 * Quotes an argument for a program, to which a backslash means something only before a quote; then
 * twice for cmd: it reads the line itself, and once more in the batch file.
 */
function batchArgument(text: string) {
  if (/^[\w+=:./\\@-]+$/.test(text)) return text;
  const content = text.replace(/(?<!\\)(\\*)"/g, '$1$1\\"').replace(/(?<!\\)\\+$/, '$&$&');
  return `"${content}"`.replace(META, '^$&').replace(META, '^$&');
}
