import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { codeOf, usageError } from '../errors.ts';
import { asText, isObject, parseJson } from '../json/values.ts';
import { isAbandoned, ownerMark } from '../vault/lock.ts';
import type { Machine } from '../vault/machine.ts';
import { cannotSave } from '../vault/problem.ts';
import { readPrivateFile } from '../vault/read.ts';
import { unfinishedName, updateFile } from '../vault/write.ts';
import { shownWebUrl } from './browser.ts';
import type { DeviceLogin } from './start.ts';

/** A login that one process started and another completes. */
export interface PendingLogin {
  /** Holds the device code, a secret; it is kept in a file of the user's own and never printed. */
  readonly login: DeviceLogin;
  readonly profile: string;
}

/** A started login that this process alone completes. */
export interface ClaimedLogin extends PendingLogin {
  /** Leaves it to another process, unless a newer one was started meanwhile. */
  giveBack(): void;
  /** It has ended. */
  forget(): void;
}

/** The file of the login that waits; there is one at a time. */
const PENDING_FILE = 'pending-login.json';
/** Its name while a process completes it. */
const CLAIM = /^pending-login-([0-9a-f]{8}-\d+)\.json$/;
/** Milliseconds after which the claim of another machine counts as left behind; no login lives longer. */
const STALE_MS = 60 * 60 * 1000;

const START = 'svc login --no-wait';

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

/**
 * Takes the login that waits: its file is renamed, which succeeds for one process only. The claim of a process that was
 * killed is taken over.
 * @throws CliError `usage` where none waits, another process has it, or its file cannot be understood.
 */
export function claimPending(folder: string, machine: Machine, clock: Clock): ClaimedLogin {
  const waiting = join(folder, PENDING_FILE);
  const claim = join(folder, `pending-login-${ownerMark(machine)}.json`);
  const abandoned = otherClaims(folder, machine, clock);
  if (!take(waiting, claim) && !abandoned.some((path) => take(path, claim))) throw nothingToClaim(folder);
  for (const path of abandoned) rmSync(path, { force: true });
  const forget = (): void => rmSync(claim, { force: true });
  const pending = parsePending(readPrivateFile(claim, machine)?.text);
  if (pending === undefined) {
    forget();
    throw usageError('The started login cannot be read any more.', START);
  }
  return { ...pending, forget, giveBack: () => (existsSync(waiting) ? forget() : renameSync(claim, waiting)) };
}

/** Removes the login that waits, and what killed processes left of others. Returns the paths of the files. */
export function forgetPending(folder: string, machine: Machine, clock: Clock): readonly string[] {
  const waiting = join(folder, PENDING_FILE);
  const all = [waiting, unfinishedName(waiting), ...otherClaims(folder, machine, clock)];
  const found = all.filter((path) => existsSync(path));
  for (const path of found) rmSync(path, { force: true });
  return found;
}

/** The claims of processes that are gone, the newest first. */
function otherClaims(folder: string, machine: Machine, clock: Clock): readonly string[] {
  return claimsIn(folder)
    .map((name) => ({ name, path: join(folder, name) }))
    .flatMap(({ name, path }) => ({ name, path, mtimeMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .filter(({ name, mtimeMs }) => isAbandoned(CLAIM.exec(name)?.[1] ?? '', clock.now() - mtimeMs, STALE_MS, machine))
    .sort((a, b) => b.mtimeMs - a.mtimeMs)
    .map(({ path }) => path);
}

function nothingToClaim(folder: string): Error {
  return claimsIn(folder).length > 0
    ? usageError('Another svc login --complete waits for this login already.', `${START}, to start another one`)
    : usageError('No login was started here.', START);
}

function claimsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => CLAIM.test(name));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw cannotSave('the started login', folder, error, START);
  }
}

function take(from: string, claim: string): boolean {
  try {
    renameSync(from, claim);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Understands the file of a started login; `undefined` where what the polling needs is not in it. */
function parsePending(text: string | undefined): { login: DeviceLogin; profile: string } | undefined {
  const value = parseJson(text ?? '');
  const { profile: name, login: fields } = isObject(value) ? value : {};
  const profile = asText(name);
  if (profile === undefined || !isObject(fields)) return undefined;
  const [apiUrl, deviceCode] = [shownWebUrl(fields['apiUrl']), asText(fields['deviceCode'])];
  const [intervalSeconds, lifeSeconds, startedAtMs] = [
    positive(fields['intervalSeconds']),
    positive(fields['lifeSeconds']),
    positive(fields['startedAtMs']),
  ];
  if (apiUrl === undefined || deviceCode === undefined) return undefined;
  if (intervalSeconds === undefined || lifeSeconds === undefined || startedAtMs === undefined) return undefined;
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

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
}
