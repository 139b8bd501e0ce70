import { createHash } from 'node:crypto';
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { type CliError, codeOf, quoted, usageError } from '../errors.ts';
import { asObject, asText, parseJson } from '../json/values.ts';
import { shellWord } from '../shell-line.ts';
import { profileNameOf } from '../vault/credentials/records.ts';
import { namesIn, renameFile } from '../vault/folder.ts';
import { isAbandoned, ownerMark } from '../vault/lock.ts';
import type { Machine } from '../vault/machine.ts';
import { cannotSave } from '../vault/problem.ts';
import { readPrivateFile } from '../vault/read.ts';
import { updateFile } from '../vault/write.ts';
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
  /** Lets another process complete it. */
  giveBack(): void;
  /** Removes it after its end. */
  forget(): void;
}

/** What a login signs in to. */
export interface MeantLogin {
  readonly apiUrl: string;
  readonly profile: string;
}

/** What is known of a login that is to be completed; absent parts match any. */
export type WantedLogin = { readonly [Part in keyof MeantLogin]: string | undefined };

/** The file of a pending login, of which each address and profile have one; and of one that a process completes. */
const WAITING = /^pending-login-([0-9a-f]{8})\.json$/;
const CLAIM = /^pending-login-([0-9a-f]{8})-([0-9a-f]{8}-\d+)\.json$/;
/** Files that a killed process may have left beside them. */
const LEFT = /^pending-login[-0-9a-f]*\.json(?:\.tmp)?$/;
/** Milliseconds after which the claim of another machine counts as abandoned; no login lives longer. */
const STALE_MS = 60 * 60 * 1000;

const START = 'svc login --no-wait';
const COMPLETE = 'svc login --complete';

/** Where pending logins are kept. */
export interface PendingPlace {
  /** The configuration folder. */
  readonly folder: string;
  readonly machine: Machine;
  readonly clock: Clock;
}

/** Throws a usage error if a login for this address and profile can still be completed: its token would be lost. */
export function refuseSecond(place: PendingPlace, meant: MeantLogin): void {
  const found = entriesIn(place).find(
    ({ pending, isOver }) => pending !== undefined && !isOver && fits(pending, meant),
  );
  if (found?.pending !== undefined) throw alreadyStarted(found.pending, found.isHeld);
}

/** Stores a started login for another process. Throws a usage error if there is one, or if it cannot be written. */
export async function keepPending(place: PendingPlace, pending: PendingLogin): Promise<void> {
  const { folder, machine, clock } = place;
  const meant = { apiUrl: pending.login.apiUrl, profile: pending.profile };
  try {
    await updateFile(join(folder, pendingName(meant)), machine, clock, () => {
      refuseSecond(place, meant);
      return JSON.stringify(pending);
    });
  } catch (error) {
    throw cannotSave('the started login', folder, error, { say: 'Wait in one process instead:', run: ['svc login'] });
  }
}

/**
 * Claims the pending login that is meant by renaming its file, which succeeds for one process only. Takes over the claim
 * of a killed process.
 * @throws CliError `usage` if there is none or more than one, if another process has claimed it, or if its file is damaged.
 */
export function claimPending(place: PendingPlace, wanted: WantedLogin): ClaimedLogin {
  const { folder, machine } = place;
  const entries = entriesIn(place);
  const free = entries.filter(({ isHeld }) => !isHeld);
  const { path, pending } = chosen(free, wanted) ?? {};
  if (path === undefined || pending === undefined) throw nothingToClaim(entries, wanted);
  const waiting = join(folder, pendingName({ apiUrl: pending.login.apiUrl, profile: pending.profile }));
  const claim = waiting.replace('.json', `-${ownerMark(machine)}.json`);
  if (!take(path, claim)) throw heldElsewhere();
  for (const other of free) if (other.path !== path && other.isOver) rmSync(other.path, { force: true });
  const forget = (): void => rmSync(claim, { force: true });
  return { ...pending, forget, giveBack: () => (existsSync(waiting) ? forget() : renameFile(claim, waiting)) };
}

/** Removes the pending logins and the claims of killed processes. Returns the paths of the removed files. */
export function forgetPending(place: PendingPlace): readonly string[] {
  const held = new Set(entriesIn(place).flatMap(({ path, isHeld }) => (isHeld ? [path] : [])));
  const found = namesIn(place.folder)
    .filter((name) => LEFT.test(name))
    .map((name) => join(place.folder, name))
    .filter((path) => !held.has(path));
  for (const path of found) rmSync(path, { force: true });
  return found;
}

/** A file of a pending login. */
interface Entry {
  readonly path: string;
  /** Undefined if the file is damaged. */
  readonly pending: PendingLogin | undefined;
  /** Whether its code has expired; also for a damaged file. */
  readonly isOver: boolean;
  /** Whether another process completes it. */
  readonly isHeld: boolean;
}

function entriesIn({ folder, machine, clock }: PendingPlace): readonly Entry[] {
  return pendingNames(folder).flatMap((name): readonly Entry[] => {
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
    throw cannotSave('the started login', folder, error, START);
  }
}

/** Finds the login that is meant. One whose code has expired counts if there is no other: it may have been approved. */
function chosen(entries: readonly Entry[], wanted: WantedLogin): Entry | undefined {
  const meant = entries.filter(({ pending }) => pending !== undefined && fits(pending, wanted));
  const living = meant.filter(({ isOver }) => !isOver);
  if (living.length > 1) throw severalWait(living.flatMap(({ pending }) => pending ?? []));
  const startOf = ({ pending }: Entry) => pending?.login.startedAtMs ?? 0;
  return living[0] ?? meant.toSorted((a, b) => startOf(b) - startOf(a))[0];
}

function fits({ login, profile }: PendingLogin, wanted: WantedLogin): boolean {
  const isThere = wanted.apiUrl === undefined || profileNameOf(wanted.apiUrl) === profileNameOf(login.apiUrl);
  return isThere && (wanted.profile === undefined || wanted.profile === profile);
}

/** The name of the file of a pending login. */
export function pendingName({ apiUrl, profile }: MeantLogin): string {
  const key = createHash('sha256')
    .update(`${profileNameOf(apiUrl)}\n${profile}`)
    .digest('hex')
    .slice(0, 8);
  return `pending-login-${key}.json`;
}

function nothingToClaim(entries: readonly Entry[], wanted: WantedLogin): CliError {
  const readable = entries.flatMap((entry) => (entry.pending === undefined ? [] : [{ ...entry, ...entry.pending }]));
  if (readable.some((entry) => fits(entry, wanted))) return heldElsewhere();
  const [other] = readable;
  if (other !== undefined) {
    const { login, profile } = other;
    return usageError(`The login that was started is for ${login.apiUrl}, as profile ${quoted(profile)}.`, COMPLETE);
  }
  for (const { path } of entries) rmSync(path, { force: true });
  return entries.length > 0
    ? usageError('The started login cannot be read any more.', START)
    : usageError('There is no login to complete here.', {
        say: '--complete finishes what --no-wait started. A plain svc login waits itself, and its login ends with it. Start one:',
        run: [START],
      });
}

function heldElsewhere(): CliError {
  return usageError(
    'Another svc login --complete waits for this login already.',
    'Approve the login, and that command signs in.',
  );
}

function alreadyStarted({ login, profile }: PendingLogin, isHeld: boolean): CliError {
  const { userCode, apiUrl } = login;
  const code = userCode === undefined ? '' : ` with code ${userCode}`;
  const message = `A login${code} waits for approval already, at ${apiUrl}, as profile ${quoted(profile)}.`;
  return usageError(
    `${message} No other was started.`,
    isHeld
      ? 'Approve it: another svc login --complete waits for it.'
      : { say: 'Finish it, which shows the code again:', run: [COMPLETE] },
  );
}

function severalWait(pending: readonly PendingLogin[]): CliError {
  return usageError('Several logins wait to be completed.', {
    say: 'Complete one of them:',
    run: pending.map(({ login, profile }) => {
      return `${COMPLETE} --profile ${shellWord(profile)} --api-url ${shellWord(login.apiUrl)}`;
    }),
  });
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
