import { userInfo } from 'node:os';
import { posix, win32 } from 'node:path';
import type { Env } from '../environment.ts';
import { usageError } from '../errors.ts';
import { tryOr } from '../once.ts';

/**
 * Returns `SVC_CONFIG_DIR`, else the platform's place for settings; on Windows the local profile,
 * because a token must not roam to other machines.
 * @throws CliError `usage` without a home folder, or if `SVC_CONFIG_DIR` is not absolute.
 */
export function resolveConfigFolder(env: Env, platform: string, home?: string): string {
  const { join, isAbsolute } = getPathModule(platform);
  const chosenFolder = toPath(env['SVC_CONFIG_DIR']);
  if (chosenFolder) {
    if (isAbsolute(chosenFolder)) return chosenFolder;
    throw usageError(
      'SVC_CONFIG_DIR must be an absolute path.',
      'For example: SVC_CONFIG_DIR="$PWD/folder"',
    );
  }
  const [variable, ...usualPath] = FOLDERS[platform] ?? ['XDG_CONFIG_HOME', '.config'];
  const folder = toPath(env[variable]);
  if (folder && isAbsolute(folder)) return join(folder, 'svc');
  return join(findHome(env, platform, home), ...usualPath, 'svc');
}

/** The variable with the folder of settings on a platform, and its usual place below the home. */
const FOLDERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  win32: ['LOCALAPPDATA', 'AppData', 'Local'],
  darwin: ['XDG_CONFIG_HOME', 'Library', 'Application Support'],
};

/**
 * Finds the home folder. One that is not an absolute path does not count, so that nothing is ever
 * written below the current folder.
 */
function findHome(env: Env, platform: string, home: string | undefined): string {
  const variable = toPath(env[platform === 'win32' ? 'USERPROFILE' : 'HOME']);
  const candidates = [variable, home, tryOr(() => userInfo().homedir, undefined)];
  const { isAbsolute } = getPathModule(platform);
  const folder = candidates.find((path) => path && isAbsolute(path));
  if (folder !== undefined) return folder;
  const message = 'No home folder is known, so there is no place for the settings of svc.';
  throw usageError(message, 'Set SVC_CONFIG_DIR to a folder.');
}

/** Removes the carriage return that a file with Windows line ends leaves behind its variables. */
function toPath(value: string | undefined): string | undefined {
  return value?.replace(/\r$/, '');
}

function getPathModule(platform: string): typeof posix {
  return platform === 'win32' ? win32 : posix;
}
