import { userInfo } from 'node:os';
import { posix, win32 } from 'node:path';
import type { Env } from '../environment.ts';
import { tryOr, usageError } from '../errors.ts';

/** The variable with the folder of settings on a platform, and its usual place below the home. */
const FOLDERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  win32: ['LOCALAPPDATA', 'AppData', 'Local'],
  darwin: ['XDG_CONFIG_HOME', 'Library', 'Application Support'],
};

/**
 * Returns `SVC_CONFIG_DIR`, else the platform's place for settings; on Windows the local profile,
 * because a token must not roam to other machines. A home folder that is not an absolute path does
 * not count, so that nothing is ever written below the current folder.
 * @throws CliError `usage` without a home folder, or if `SVC_CONFIG_DIR` is not absolute.
 */
export function resolveConfigFolder(env: Env, platform: string, home?: string): string {
  const isWindows = platform === 'win32';
  const { join, isAbsolute } = isWindows ? win32 : posix;
  const chosenFolder = readPath(env, 'SVC_CONFIG_DIR');
  if (chosenFolder !== '') {
    if (isAbsolute(chosenFolder)) return chosenFolder;
    throw usageError(
      'SVC_CONFIG_DIR must be an absolute path.',
      'For example: SVC_CONFIG_DIR="$PWD/folder"',
    );
  }
  const [variable, ...usualPath] = FOLDERS[platform] ?? ['XDG_CONFIG_HOME', '.config'];
  const folder = readPath(env, variable);
  if (isAbsolute(folder)) return join(folder, 'svc');

  const homes = [
    readPath(env, isWindows ? 'USERPROFILE' : 'HOME'),
    home ?? '',
    tryOr(() => userInfo().homedir, ''),
  ];
  const usedHome = homes.find((path) => isAbsolute(path));
  if (usedHome !== undefined) return join(usedHome, ...usualPath, 'svc');
  throw usageError(
    'No home folder is known, so there is no place for the settings of svc.',
    'Set SVC_CONFIG_DIR to a folder.',
  );
}

/** Removes the carriage return that a file with Windows line ends leaves behind its variables. */
function readPath(env: Env, variable: string): string {
  return (env[variable] ?? '').replace(/\r$/, '');
}
