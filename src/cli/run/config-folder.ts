import { statSync } from 'node:fs';
import { listSignInVariables } from '../../environment.ts';
import { getErrorCode, tryOr, usageError } from '../../errors.ts';
import { resolveConfigFolder } from '../../store/location.ts';
import { checkTrusted, describeSystemError } from '../../store/machine.ts';
import type { World } from '../../world.ts';
import type { Globals } from '../settings/globals.ts';

/**
 * Returns the folder of sign-ins and settings.
 * @throws CliError `usage` without a home folder, if svc cannot look at the folder, or if others may
 * have written there
 */
export function getConfigFolder({ env, machine, home }: World): string {
  const folder = resolveConfigFolder(env, machine.platform, home);
  checkTrusted(folder, 'The configuration folder', machine);
  checkUsable(folder);
  return folder;
}

/** Throws a usage error for a folder behind a loop of links, on a dead network drive and the like. */
function checkUsable(folder: string): void {
  try {
    statSync(folder, { throwIfNoEntry: false });
  } catch (error) {
    if (['EACCES', 'EPERM', 'ENOTDIR'].includes(getErrorCode(error))) return;
    throw usageError(
      `The configuration folder ${folder} cannot be used: ${describeSystemError(error)}.`,
      'Set SVC_CONFIG_DIR to another folder.',
    );
  }
}

/** Whether the line and the environment say where to send a request, and with which token. */
export function needsNoConfigFolder({ env }: World, { apiUrl, profile }: Globals): boolean {
  const hasAddress = apiUrl !== undefined || Boolean(env['SVC_API_URL']?.trim());
  const hasProfile = profile !== undefined || Boolean(env['SVC_PROFILE']?.trim());
  return hasAddress && !hasProfile && listSignInVariables(env).length > 0;
}

/** {@link getConfigFolder} refuses an unusable SVC_CONFIG_DIR. */
export function hasConfigFolder({ env, machine, home }: World): boolean {
  return tryOr(
    () => resolveConfigFolder(env, machine.platform, home) !== '',
    Boolean(env['SVC_CONFIG_DIR']),
  );
}
