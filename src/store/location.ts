import { userInfo } from 'node:os';
import { posix, win32 } from 'node:path';
import type { Env } from '../environment.ts';
import { usageError } from '../errors.ts';

/**
 * The folder of `credentials.json` and `config.json`: `SVC_CONFIG_DIR`, else the platform's place for settings. On
 * Windows that is the local profile, because a token must not roam to other machines.
 * @throws CliError `usage` without a home folder, or if `SVC_CONFIG_DIR` is not absolute.
 */
export function configDir(env: Env, platform: string, home?: string): string {
  const { join, isAbsolute } = pathsOf(platform);
  const own = env['SVC_CONFIG_DIR'];
  if (own) {
    if (isAbsolute(own)) return own;
    throw usageError('SVC_CONFIG_DIR must be an absolute path.', 'For example: SVC_CONFIG_DIR="$PWD/folder"');
  }
  if (platform === 'win32') {
    return join(
      absolute(env['LOCALAPPDATA'], platform) ?? join(homeFolder(env, platform, home), 'AppData', 'Local'),
      'svc',
    );
  }
  const settings = platform === 'darwin' ? ['Library', 'Application Support'] : ['.config'];
  const folder = absolute(env['XDG_CONFIG_HOME'], platform) ?? join(homeFolder(env, platform, home), ...settings);
  return join(folder, 'svc');
}

/** Ignores a home that is not an absolute path, so that nothing is ever written below the current folder. */
function homeFolder(env: Env, platform: string, home: string | undefined): string {
  const variable = env[platform === 'win32' ? 'USERPROFILE' : 'HOME'];
  const found = absolute(variable, platform) ?? absolute(home, platform) ?? absolute(homeOfUser(), platform);
  if (found !== undefined) return found;
  throw usageError(
    'No home folder is known, so there is no place for the settings of svc.',
    'Set SVC_CONFIG_DIR to a folder.',
  );
}

/** The home in the system's user database, which does not depend on the environment. */
function homeOfUser(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}

function absolute(path: string | undefined, platform: string): string | undefined {
  return path && pathsOf(platform).isAbsolute(path) ? path : undefined;
}

function pathsOf(platform: string): typeof posix {
  return platform === 'win32' ? win32 : posix;
}
