import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { usageError } from '../errors.ts';
import { asObject } from '../spec/read.ts';
import { updateFile } from '../store/locked-file.ts';
import type { Machine } from '../store/machine.ts';
import { readPrivateFile } from '../store/private-file.ts';
import { cannotSave } from '../store/problem.ts';
import type { DeviceLogin } from './device-start.ts';

/** A login that one process started and another completes. */
export interface PendingLogin {
  /** Holds the device code, a secret; it is kept in a file of the user's own and never printed. */
  readonly login: DeviceLogin;
  readonly profile: string;
}

/** The file of the login that waits; there is one at a time. */
const PENDING_FILE = 'pending-login.json';

/** Keeps a started login for another process, in place of an older one. Throws a usage error where it cannot. */
export async function keepPending(
  folder: string,
  machine: Machine,
  clock: Clock,
  pending: PendingLogin,
): Promise<void> {
  try {
    await updateFile(join(folder, PENDING_FILE), machine, clock, () => JSON.stringify(pending));
  } catch (error) {
    throw cannotSave('the started login', folder, error, 'svc login, which waits in one process');
  }
}

/** The login that waits. Throws a usage error where none does, or its file cannot be understood. */
export function readPending(folder: string, machine: Machine): PendingLogin {
  const text = readPrivateFile(join(folder, PENDING_FILE), machine)?.text;
  if (text === undefined) throw usageError('No login was started here.', 'svc login --no-wait');
  const pending = parsed(text);
  if (pending === undefined) throw usageError('The started login cannot be read any more.', 'svc login --no-wait');
  return pending;
}

/** Removes the file of a login that ended. */
export function forgetPending(folder: string): void {
  rmSync(join(folder, PENDING_FILE), { force: true });
}

function parsed(text: string): PendingLogin | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const { profile, login } = asObject(value);
    const isWhole = typeof profile === 'string' && typeof asObject(login)['deviceCode'] === 'string';
    return isWhole ? (value as PendingLogin) : undefined;
  } catch {
    return undefined;
  }
}
