import { userInfo } from 'node:os';
import { posix, win32 } from 'node:path';
import type { Env } from '../environment.ts';
import { usageError } from '../errors.ts';
import { tryRead } from '../once.ts';

/**
 * `SVC_CONFIG_DIR`, else the platform's place for settings; on Windows the local profile, because a
 * token must not roam to other machines.
 * @throws CliError `usage` without a home folder, or if `SVC_CONFIG_DIR` is not absolute.
 */
export function resolveConfigFolder(env: Env, platform: string, home?: string): string {
  const { join, isAbsolute } = getPathModule(platform);
  const own = toPath(env['SVC_CONFIG_DIR']);
  if (own) {
    if (isAbsolute(own)) return own;
    throw usageError(
      'SVC_CONFIG_DIR must be an absolute path.',
      'For example: SVC_CONFIG_DIR="$PWD/folder"',
    );
  }
  const [variable, ...usual] = FOLDERS[platform] ?? ['XDG_CONFIG_HOME', '.config'];
  return join(
    absolute(toPath(env[variable]), platform) ?? join(homeFolder(env, platform, home), ...usual),
    'svc',
  );
}

const FOLDERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  win32: ['LOCALAPPDATA', 'AppData', 'Local'],
  darwin: ['XDG_CONFIG_HOME', 'Library', 'Application Support'],
};

/**
 * Ignores a home that is not an absolute path, so that nothing is ever written below the current
 * folder.
 */
function homeFolder(env: Env, platform: string, home: string | undefined): string {
  const variable = toPath(env[platform === 'win32' ? 'USERPROFILE' : 'HOME']);
  const known = [variable, home, tryRead(() => userInfo().homedir, undefined)];
  const found = known.find((path) => absolute(path, platform));
  if (found !== undefined) return found;
  const message = 'No home folder is known, so there is no place for the settings of svc.';
  throw usageError(message, 'Set SVC_CONFIG_DIR to a folder.');
}

/** A file with Windows line ends leaves a carriage return at the end of its variables. */
function toPath(value: string | undefined): string | undefined {
  return value?.replace(/\r$/, '');
}

function absolute(path: string | undefined, platform: string): string | undefined {
  return path && getPathModule(platform).isAbsolute(path) ? path : undefined;
}

function getPathModule(platform: string): typeof posix {
  return platform === 'win32' ? win32 : posix;
}
