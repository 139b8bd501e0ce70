import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { asObject, asText, parseJson } from '../json/values.ts';
import { namesIn, pathsIn } from '../store/folder.ts';
import { isAbandoned } from '../store/lock.ts';
import type { Machine } from '../store/machine.ts';
import { cannotSave } from '../store/problem.ts';
import { readPrivateFile } from '../store/read.ts';
import { shownWebUrl } from './browser.ts';
import { profileNameOf } from './records.ts';
import type { StartedLogin } from './start.ts';

/** A login that one process starts and another completes. */
export interface PendingLogin {
  /** Includes the device code, a secret: stored in a private file and never printed. */
  readonly login: StartedLogin;
  readonly profile: string;
}

/** What a login signs in to. */
export interface MeantLogin {
  readonly apiUrl: string;
  readonly profile: string;
}

/** The file of a pending login, of which each address and profile have one; and of one that a process completes. */
const WAITING = /^pending-login-([0-9a-f]{8})\.json$/;
const CLAIM = /^pending-login-([0-9a-f]{8})-([0-9a-f]{8}-\d+)\.json$/;
/** Files that a killed process may have left beside them. */
const LEFT = /^pending-login[-0-9a-f]*\.json(?:\.tmp)?$/;
/** Milliseconds after which the claim of another machine counts as abandoned; no login lives longer. */
const STALE_MS = 60 * 60 * 1000;

/** Where pending logins are kept. */
export interface PendingPlace {
  /** The configuration folder. */
  readonly folder: string;
  readonly machine: Machine;
  readonly clock: Clock;
}

/** The name of the file of a pending login. */
export function pendingName({ apiUrl, profile }: MeantLogin): string {
  const key = createHash('sha256')
    .update(`${profileNameOf(apiUrl)}\n${profile}`)
    .digest('hex')
    .slice(0, 8);
  return `pending-login-${key}.json`;
}

/** A file of a pending login. */
export interface PendingFile {
  readonly path: string;
  /** Undefined if the file is damaged. */
  readonly pending: PendingLogin | undefined;
  /** Whether its code has expired; also for a damaged file. */
  readonly isOver: boolean;
  /** Whether another process completes it. */
  readonly isHeld: boolean;
}

/** Reads the files of pending logins. */
export function pendingFilesIn({ folder, machine, clock }: PendingPlace): readonly PendingFile[] {
  return pendingNames(folder).flatMap((name): readonly PendingFile[] => {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    const file = readPrivateFile(path, machine);
    if (stats === undefined || file === undefined) return [];
    const owner = CLAIM.exec(name)?.[2];
    const isHeld = owner !== undefined && !isAbandoned(owner, clock.now() - stats.mtimeMs, STALE_MS, machine);
    const pending = parsePending(file.text);
    const { startedAtMs = 0, lifeSeconds = 0 } = pending?.login ?? {};
    return [{ path, pending, isOver: clock.now() >= startedAtMs + lifeSeconds * 1000, isHeld }];
  });
}

function pendingNames(folder: string): readonly string[] {
  try {
    return namesIn(folder).filter((name) => WAITING.test(name) || CLAIM.test(name));
  } catch (error) {
    throw cannotSave('the started login', folder, error, 'Set SVC_CONFIG_DIR to another folder.');
  }
}

/** The paths of all files of pending logins, including those that a killed process left half written. */
export function leftovers(folder: string): readonly string[] {
  return pathsIn([folder], (name) => LEFT.test(name));
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
