import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { codeOf, usageError } from '../errors.ts';
import { asObject, asText, parseJson } from '../json/values.ts';
import { namesIn, renameFile } from '../vault/folder.ts';
import { isAbandoned, ownerMark } from '../vault/lock.ts';
import type { Machine } from '../vault/machine.ts';
import { cannotSave } from '../vault/problem.ts';
import { readPrivateFile } from '../vault/read.ts';
import { unfinishedName, updateFile } from '../vault/write.ts';
import { shownWebUrl } from './browser.ts';
import type { DeviceLogin } from './start.ts';

/** A login that one process starts and another completes. */
export interface PendingLogin {
  /** Includes the device code, a secret: stored in a private file and never printed. */
  readonly login: DeviceLogin;
  readonly profile: string;
}

/** A pending login that only this process may complete. */
export interface ClaimedLogin extends PendingLogin {
  /** Lets another process complete it, unless a newer login was started meanwhile. */
  giveBack(): void;
  /** Removes it after its end. */
  forget(): void;
}

/** The file of the pending login; there is one at a time. */
const PENDING_FILE = 'pending-login.json';
/** The file's name while a process completes the login. */
const CLAIM = /^pending-login-([0-9a-f]{8}-\d+)\.json$/;
/** Milliseconds after which the claim of another machine counts as abandoned; no login lives longer. */
const STALE_MS = 60 * 60 * 1000;

const START = 'svc login --no-wait';

/** Stores a started login for another process; replaces an older one. Throws a usage error if it cannot be written. */
export async function keepPending(
  folder: string,
  machine: Machine,
  clock: Clock,
  pending: PendingLogin,
): Promise<void> {
  try {
    await updateFile(join(folder, PENDING_FILE), machine, clock, () => JSON.stringify(pending));
  } catch (error) {
    throw cannotSave('the started login', folder, error, { say: 'Wait in one process instead:', run: ['svc login'] });
  }
}

/**
 * Claims the pending login by renaming its file, which succeeds for one process only. Takes over the claim of a killed
 * process.
 * @throws CliError `usage` if there is none, another process has claimed it, or its file is damaged.
 */
export function claimPending(folder: string, machine: Machine, clock: Clock): ClaimedLogin {
  const waiting = join(folder, PENDING_FILE);
  const claim = join(folder, `pending-login-${ownerMark(machine)}.json`);
  const abandoned = abandonedClaims(folder, machine, clock);
  if (!take(waiting, claim) && !abandoned.some((path) => take(path, claim))) throw nothingToClaim(folder);
  for (const path of abandoned) rmSync(path, { force: true });
  const forget = (): void => rmSync(claim, { force: true });
  const pending = parsePending(readPrivateFile(claim, machine)?.text);
  if (pending === undefined) {
    forget();
    throw usageError('The started login cannot be read any more.', START);
  }
  return { ...pending, forget, giveBack: () => (existsSync(waiting) ? forget() : renameFile(claim, waiting)) };
}

/** Removes the pending login and the claims of killed processes. Returns the paths of the removed files. */
export function forgetPending(folder: string, machine: Machine, clock: Clock): readonly string[] {
  const waiting = join(folder, PENDING_FILE);
  const all = [waiting, unfinishedName(waiting), ...abandonedClaims(folder, machine, clock)];
  const found = all.filter((path) => existsSync(path));
  for (const path of found) rmSync(path, { force: true });
  return found;
}

/** The claims of killed processes, the newest first. */
function abandonedClaims(folder: string, machine: Machine, clock: Clock): readonly string[] {
  return claimsIn(folder)
    .map((name) => {
      const path = join(folder, name);
      return {
        path,
        owner: CLAIM.exec(name)?.[1] ?? '',
        mtimeMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
      };
    })
    .filter(({ owner, mtimeMs }) => isAbandoned(owner, clock.now() - mtimeMs, STALE_MS, machine))
    .sort((a, b) => b.mtimeMs - a.mtimeMs)
    .map(({ path }) => path);
}

function nothingToClaim(folder: string): Error {
  return claimsIn(folder).length > 0
    ? usageError('Another svc login --complete waits for this login already.', {
        say: 'To start another one:',
        run: [START],
      })
    : usageError('No login was started here.', START);
}

function claimsIn(folder: string): readonly string[] {
  try {
    return namesIn(folder).filter((name) => CLAIM.test(name));
  } catch (error) {
    throw cannotSave('the started login', folder, error, START);
  }
}

function take(from: string, claim: string): boolean {
  try {
    renameFile(from, claim);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Parses the file of a pending login. Returns undefined if a field is missing that the polling needs. */
function parsePending(text: string | undefined): PendingLogin | undefined {
  const value = asObject(parseJson(text ?? ''));
  const fields = asObject(value['login']);
  const profile = asText(value['profile']);
  const deviceCode = asText(fields['deviceCode']);
  const { intervalSeconds, lifeSeconds, startedAtMs } = fields;
  if (profile === undefined || deviceCode === undefined || shownWebUrl(fields['apiUrl']) === undefined)
    return undefined;
  if (!isPositive(intervalSeconds) || !isPositive(lifeSeconds) || !isPositive(startedAtMs)) return undefined;
  const login = {
    apiUrl: String(fields['apiUrl']),
    clientName: asText(fields['clientName']) ?? 'svc',
    deviceCode,
    userCode: asText(fields['userCode']),
    verificationUri: shownWebUrl(fields['verificationUri'])?.href,
    verificationUriComplete: shownWebUrl(fields['verificationUriComplete'])?.href,
    intervalSeconds,
    lifeSeconds,
    isLifeKnown: fields['isLifeKnown'] === true,
    startedAtMs,
    warnings: [],
  };
  return { login, profile };
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}
