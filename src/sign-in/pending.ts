import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type CliError, quoted, usageError } from '../errors.ts';
import { asObject, asText } from '../json/values.ts';
import { commandLine } from '../shell-line.ts';
import { changeDocument, type DocumentKind, readDocument } from '../store/document.ts';
import { cannotSaveError } from '../store/problem.ts';
import { parseShownUrl } from './browser.ts';
import { getProfileName } from './record.ts';
import type { StartedLogin } from './start.ts';
import type { CredentialsFolder } from './types.ts';

/** For another process to complete. */
export interface PendingLogin {
  /** With the device code, a secret. */
  readonly login: StartedLogin;
  readonly profile: string;
}

/** Absent parts match any. */
export interface WantedLogin {
  readonly apiUrl: string | undefined;
  readonly profile: string | undefined;
}

/** The oldest first. Nobody misses a damaged file for longer than its codes live. */
const PENDING: DocumentKind<readonly PendingLogin[]> = {
  format: 1,
  empty: [],
  parse: ({ logins }) => (Array.isArray(logins) ? logins.flatMap(readPending) : undefined),
};

const COMPLETE = 'svc login --complete';

/** Holds device codes. */
export function getPendingPath({ folder }: CredentialsFolder): string {
  return join(folder, 'pending-login.json');
}

/** Throws a usage error if a login can still be completed: its token would be lost. */
export function requireNoPendingLogin(place: CredentialsFolder, wanted: WantedLogin): void {
  const found = read(place).find((one) => fits(one, wanted) && !isOver(one, place));
  if (found === undefined) return;
  const { login, profile } = found;
  const message = `A login waits for approval already, at ${login.apiUrl}, as profile ${quoted(profile)}.`;
  throw usageError(message, { say: 'Finish it, which shows the code again:', run: [COMPLETE] });
}

/** Throws a usage error if there is one, or if it cannot be written. */
export async function keepPending(place: CredentialsFolder, pending: PendingLogin): Promise<void> {
  const { login, profile } = pending;
  await change(place, (all) => {
    requireNoPendingLogin(place, { apiUrl: login.apiUrl, profile });
    return [...all.filter((one) => !isOver(one, place)), pending];
  }).catch((error: unknown) => {
    const hint = { say: 'Wait in one process instead:', run: ['svc login'] };
    throw cannotSaveError('the started login', place.folder, error, hint);
  });
}

/**
 * One whose code has expired counts if there is no other: it may have been approved.
 * @throws CliError `usage` if there is none or more than one.
 */
export function findPending(place: CredentialsFolder, wanted: WantedLogin): PendingLogin {
  const all = read(place);
  const meant = all.filter((one) => fits(one, wanted));
  const living = meant.filter((one) => !isOver(one, place));
  if (living.length > 1) {
    const run = living.map(({ login: { apiUrl }, profile }) =>
      commandLine(['login'], { complete: true }, { profile, apiUrl }),
    );
    throw usageError('Several logins wait to be completed.', { say: 'Complete one of them:', run });
  }
  const found = living[0] ?? meant.at(-1);
  if (found === undefined) throw nothingWaits(all[0]);
  return found;
}

function nothingWaits(other: PendingLogin | undefined): CliError {
  if (other === undefined) {
    const say = 'A plain svc login ends with its command. Start one that waits:';
    return usageError('There is no login to complete here.', { say, run: ['svc login --no-wait'] });
  }
  const { login, profile } = other;
  return usageError(
    `The login that was started is for ${login.apiUrl}, as profile ${quoted(profile)}.`,
    COMPLETE,
  );
}

/** After its end. */
export async function forgetPending(
  place: CredentialsFolder,
  { login }: PendingLogin,
): Promise<void> {
  await change(place, (all) => all.filter((one) => one.login.deviceCode !== login.deviceCode));
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

function read(place: CredentialsFolder): readonly PendingLogin[] {
  return readDocument(getPendingPath(place), PENDING, place.machine).content;
}

function readPending(value: unknown): readonly PendingLogin[] {
  const entry = asObject(value);
  const fields = asObject(entry['login']);
  const [profile, deviceCode] = [asText(entry['profile']), asText(fields['deviceCode'])];
  const { intervalSeconds, lifeSeconds, startedAtMs } = fields;
  if (
    profile === undefined ||
    deviceCode === undefined ||
    parseShownUrl(fields['apiUrl']) === undefined
  ) {
    return [];
  }
  if (!isPositive(intervalSeconds) || !isPositive(lifeSeconds) || !isPositive(startedAtMs)) {
    return [];
  }
  const started = {
    apiUrl: String(fields['apiUrl']),
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
  return [{ login: started, profile }];
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function isOver({ login }: PendingLogin, { clock }: CredentialsFolder): boolean {
  return clock.now() >= login.startedAtMs + login.lifeSeconds * 1000;
}

function fits({ login, profile }: PendingLogin, wanted: WantedLogin): boolean {
  const isThere =
    wanted.apiUrl === undefined || getProfileName(wanted.apiUrl) === getProfileName(login.apiUrl);
  return isThere && (wanted.profile === undefined || wanted.profile === profile);
}
