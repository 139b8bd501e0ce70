import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type CliError, codeOf, quoted, usageError } from '../errors.ts';
import { shellWord } from '../shell-line.ts';
import { renameFile } from '../store/folder.ts';
import { ownerMark } from '../store/lock.ts';
import { cannotSave } from '../store/problem.ts';
import { updateFile } from '../store/write.ts';
import {
  leftovers,
  type MeantLogin,
  type PendingFile,
  type PendingLogin,
  type PendingPlace,
  pendingFilesIn,
  pendingName,
} from './pending-file.ts';
import { profileNameOf } from './records.ts';

/** A pending login that this process has claimed. */
export interface ClaimedLogin extends PendingLogin {
  /** Lets another process complete it. */
  giveBack(): void;
  /** Removes it after its end. */
  forget(): void;
}

/** Finds a login to complete; absent parts match any. */
export type WantedLogin = { readonly [Part in keyof MeantLogin]: string | undefined };

const START = 'svc login --no-wait';
const COMPLETE = 'svc login --complete';

/** Throws a usage error if a login for this address and profile can still be completed: its token would be lost. */
export function refuseSecond(place: PendingPlace, meant: MeantLogin): void {
  const found = pendingFilesIn(place).find(
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
  const entries = pendingFilesIn(place);
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
  const held = new Set(pendingFilesIn(place).flatMap(({ path, isHeld }) => (isHeld ? [path] : [])));
  const found = leftovers(place.folder).filter((path) => !held.has(path));
  for (const path of found) rmSync(path, { force: true });
  return found;
}

/** Finds the login that is meant. One whose code has expired counts if there is no other: it may have been approved. */
function chosen(entries: readonly PendingFile[], wanted: WantedLogin): PendingFile | undefined {
  const meant = entries.filter(({ pending }) => pending !== undefined && fits(pending, wanted));
  const living = meant.filter(({ isOver }) => !isOver);
  if (living.length > 1) throw severalWait(living.flatMap(({ pending }) => pending ?? []));
  const startOf = ({ pending }: PendingFile) => pending?.login.startedAtMs ?? 0;
  return living[0] ?? meant.toSorted((a, b) => startOf(b) - startOf(a))[0];
}

function fits({ login, profile }: PendingLogin, wanted: WantedLogin): boolean {
  const isThere = wanted.apiUrl === undefined || profileNameOf(wanted.apiUrl) === profileNameOf(login.apiUrl);
  return isThere && (wanted.profile === undefined || wanted.profile === profile);
}

function nothingToClaim(entries: readonly PendingFile[], wanted: WantedLogin): CliError {
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
        say: 'A plain svc login ends with its command. Start one that waits:',
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
