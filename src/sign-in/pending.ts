import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { quote, usageError } from '../errors.ts';
import { asObject, asText } from '../json/values.ts';
import { commandLine } from '../shell-line.ts';
import { changeDocument, type DocumentKind, readDocument } from '../store/document.ts';
import { cannotSaveError } from '../store/problem.ts';
import { parseShownUrl } from './browser.ts';
import { type CredentialsFolder, getProfileName } from './credentials.ts';
import type { StartedLogin } from './start.ts';

/** A login for another process to complete. */
export interface PendingLogin {
  /** The started login; its device code is a secret. */
  readonly login: StartedLogin;
  readonly profile: string;
}

/** The login that is looked for; absent parts match any. */
interface WantedLogin {
  readonly apiUrl: string | undefined;
  readonly profile: string | undefined;
}

/** The started logins, the oldest first. Nobody misses a damaged file for longer than its codes live. */
const PENDING: DocumentKind<readonly PendingLogin[]> = {
  format: 1,
  empty: [],
  parse: ({ logins }) => (Array.isArray(logins) ? logins.flatMap(readPending) : undefined),
};

const COMPLETE = 'svc login --complete';

/** Returns the path of the started logins, which holds device codes. */
export function getPendingPath({ folder }: CredentialsFolder): string {
  return join(folder, 'pending-login.json');
}

/** Throws a usage error if a login can still be completed: its token would be lost. */
export function requireNoPendingLogin(place: CredentialsFolder, wanted: WantedLogin): void {
  const waiting = readAll(place).find((other) => fits(other, wanted) && !isOver(other, place));
  if (waiting === undefined) return;
  const { login, profile } = waiting;
  throw usageError(
    `A login waits for approval already, at ${login.apiUrl}, as profile ${quote(profile)}.`,
    { say: 'Finish it, which shows the code again:', run: [COMPLETE] },
  );
}

/**
 * Keeps a started login.
 * @throws CliError `usage` if there is one already, or if it cannot be written
 */
export async function keepPending(place: CredentialsFolder, pending: PendingLogin): Promise<void> {
  const { login, profile } = pending;
  await change(place, (all) => {
    requireNoPendingLogin(place, { apiUrl: login.apiUrl, profile });
    return [...all.filter((other) => !isOver(other, place)), pending];
  }).catch((error: unknown) => {
    throw cannotSaveError('the started login', place.folder, error, {
      say: 'Wait in one process instead:',
      run: ['svc login'],
    });
  });
}

/**
 * Finds the login to complete. One whose code has expired counts if there is no other: it may have
 * been approved.
 * @throws CliError `usage` if there is none or more than one.
 */
export function findPending(place: CredentialsFolder, wanted: WantedLogin): PendingLogin {
  const all = readAll(place);
  const fitting = all.filter((pending) => fits(pending, wanted));
  const living = fitting.filter((pending) => !isOver(pending, place));
  if (living.length > 1) {
    throw usageError('Several logins wait to be completed.', {
      say: 'Complete one of them:',
      run: living.map(({ login: { apiUrl }, profile }) =>
        commandLine(['login'], { complete: true }, { profile, apiUrl }),
      ),
    });
  }
  const pending = living[0] ?? fitting.at(-1);
  if (pending !== undefined) return pending;

  const [other] = all;
  if (other === undefined) {
    throw usageError('There is no login to complete here.', {
      say: 'A plain svc login ends with its command. Start one that waits:',
      run: ['svc login --no-wait'],
    });
  }
  const { apiUrl } = other.login;
  const profile = quote(other.profile);
  throw usageError(`The login that was started is for ${apiUrl}, as profile ${profile}.`, COMPLETE);
}

/** Forgets a login after its end. */
export async function forgetPending(
  place: CredentialsFolder,
  { login }: PendingLogin,
): Promise<void> {
  await change(place, (all) => all.filter((other) => other.login.deviceCode !== login.deviceCode));
}

async function change(
  place: CredentialsFolder,
  edit: (all: readonly PendingLogin[]) => readonly PendingLogin[],
) {
  const path = getPendingPath(place);
  await changeDocument({ ...place, path }, PENDING, ({ content, write }) => {
    const logins = edit(content);
    if (logins.length > 0) write({ logins });
    else rmSync(path, { force: true });
  });
}

function readAll(place: CredentialsFolder): readonly PendingLogin[] {
  return readDocument(getPendingPath(place), PENDING, place.machine).content;
}

function readPending(value: unknown): readonly PendingLogin[] {
  const entry = asObject(value);
  const fields = asObject(entry['login']);
  const profile = asText(entry['profile']);
  const deviceCode = asText(fields['deviceCode']);
  const { apiUrl, intervalSeconds, lifeSeconds, startedAtMs } = fields;
  if (profile === undefined || deviceCode === undefined) return [];
  if (parseShownUrl(apiUrl) === undefined || !isPositive(intervalSeconds)) return [];
  if (!isPositive(lifeSeconds) || !isPositive(startedAtMs)) return [];
  const login = {
    apiUrl: String(apiUrl),
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
  return [{ login, profile }];
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function isOver({ login }: PendingLogin, { clock }: CredentialsFolder): boolean {
  return clock.now() >= login.startedAtMs + login.lifeSeconds * 1000;
}

function fits({ login, profile }: PendingLogin, wanted: WantedLogin): boolean {
  const { apiUrl = login.apiUrl } = wanted;
  if (getProfileName(apiUrl) !== getProfileName(login.apiUrl)) return false;
  return wanted.profile === undefined || wanted.profile === profile;
}
