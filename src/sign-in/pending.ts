import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { quote, usageError } from '../errors.ts';
import { asObject, asText, type JsonObject } from '../json/values.ts';
import { changeDocument, type DocumentKind, readDocument } from '../store/document.ts';
import { cannotSaveError } from '../store/problem.ts';
import { parseShownUrl } from './browser.ts';
import { getProfileName } from './record.ts';
import type { StartedLogin } from './start.ts';
import type { CredentialsFolder } from './types.ts';

/** A login for another process to complete. */
export interface PendingLogin {
  /** The started login; its device code is a secret. */
  readonly login: StartedLogin;
  readonly profile: string;
}

/** The started login. Nobody misses a damaged file for longer than its code lives. */
const PENDING: DocumentKind<PendingLogin | undefined> = {
  format: 1,
  empty: undefined,
  parse: parsePending,
};

const COMPLETE = 'svc login --complete';

/** Returns the path of the started login, which holds a device code. */
export function getPendingPath({ folder }: CredentialsFolder): string {
  return join(folder, 'pending-login.json');
}

/** Throws a usage error if a login can still be completed: its token would be lost. */
export function requireNoPendingLogin(place: CredentialsFolder): void {
  const pending = readPending(place);
  if (pending === undefined) return;
  const { login, profile } = pending;
  if (place.clock.now() >= login.startedAtMs + login.lifeSeconds * 1000) return;
  const message = `A login waits for approval already, at ${login.apiUrl}, as profile ${quote(profile)}.`;
  throw usageError(message, { say: 'Finish it, which shows the code again:', run: [COMPLETE] });
}

/**
 * Keeps a started login.
 * @throws CliError `usage` if there is one already, or if it cannot be written
 */
export async function keepPending(
  place: CredentialsFolder,
  { login, profile }: PendingLogin,
): Promise<void> {
  const path = getPendingPath(place);
  await changeDocument({ ...place, path }, PENDING, ({ write }) => {
    requireNoPendingLogin(place);
    write({ login, profile });
  }).catch((error: unknown) => {
    const hint = { say: 'Wait in one process instead:', run: ['svc login'] };
    throw cannotSaveError('the started login', place.folder, error, hint);
  });
}

/**
 * Finds the login to complete; absent parts of `wanted` match any. One whose code has expired counts: it may have been approved.
 * @throws CliError `usage` if there is none, or one for another address or profile
 */
export function findPending(
  place: CredentialsFolder,
  wanted: Partial<Record<'apiUrl' | 'profile', string | undefined>>,
): PendingLogin {
  const pending = readPending(place);
  if (pending === undefined) {
    const say = 'A plain svc login ends with its command. Start one that waits:';
    throw usageError('There is no login to complete here.', { say, run: ['svc login --no-wait'] });
  }
  const { login, profile } = pending;
  const { apiUrl = login.apiUrl, profile: wantedProfile = profile } = wanted;
  const isThere = getProfileName(apiUrl) === getProfileName(login.apiUrl);
  if (isThere && wantedProfile === profile) return pending;
  throw usageError(
    `The login that was started is for ${login.apiUrl}, as profile ${quote(profile)}.`,
    COMPLETE,
  );
}

/** Forgets a login after its end. */
export async function forgetPending(
  place: CredentialsFolder,
  { login }: PendingLogin,
): Promise<void> {
  const path = getPendingPath(place);
  await changeDocument({ ...place, path }, PENDING, ({ content }) => {
    if (content?.login.deviceCode === login.deviceCode) rmSync(path, { force: true });
  });
}

function readPending(place: CredentialsFolder): PendingLogin | undefined {
  return readDocument(getPendingPath(place), PENDING, place.machine).content;
}

function parsePending(content: JsonObject): PendingLogin | undefined {
  const fields = asObject(content['login']);
  const profile = asText(content['profile']);
  const deviceCode = asText(fields['deviceCode']);
  const apiUrl = asText(fields['apiUrl']);
  const { intervalSeconds, lifeSeconds, startedAtMs } = fields;
  if (profile === undefined || deviceCode === undefined || apiUrl === undefined) return undefined;
  if (parseShownUrl(apiUrl) === undefined) return undefined;
  if (!isPositive(intervalSeconds) || !isPositive(lifeSeconds) || !isPositive(startedAtMs)) {
    return undefined;
  }
  const login = {
    apiUrl,
    clientName: asText(fields['clientName']) ?? 'svc',
    deviceCode,
    userCode: asText(fields['userCode']),
    verificationUri: parseShownUrl(fields['verificationUri'])?.href,
    verificationUriComplete: parseShownUrl(fields['verificationUriComplete'])?.href,
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
