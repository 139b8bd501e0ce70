import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { CliError } from '../errors.ts';
import { expiryNotice, expiryReason } from '../login/expiry.ts';
import { profileNameOf } from '../vault/credentials/records.ts';
import type { Machine } from '../vault/machine.ts';
import { readPlainFile } from '../vault/read.ts';
import { updateFile } from '../vault/write.ts';
import type { Context } from './context.ts';
import type { Credential, Settings } from './settings.ts';

/** Explains a 401: which sign-in was refused, and what to do. A stored sign-in is never deleted because of it. */
export function explainUnauthenticated(
  settings: Settings,
  nowMs: number,
): { readonly message: string; readonly hint: string } | undefined {
  const credential = settings.credential();
  if (credential === undefined) return undefined;
  const { record, source, kind } = credential;
  if (record === undefined) {
    const what = kind === 'session' ? 'dashboard session' : 'token';
    return {
      message: `The service did not accept the ${what} in ${source}.`,
      hint: `put a valid ${what} into ${source}, or unset it and run ${signInCommand(settings)}`,
    };
  }
  const expired = expiryReason(record, nowMs);
  return {
    message: `The service did not accept the stored token (${source}). ${expired ?? 'It may have been revoked.'}`,
    hint: signInCommand(settings),
  };
}

export function explainMissing(settings: Settings): CliError {
  const address = settings.findApiUrl()?.value ?? 'the service';
  return new CliError('unauthenticated', `Not signed in to ${address}.`, {
    hint: `${signInCommand(settings)}, or set SVC_TOKEN`,
  });
}

/** Throws CliError `unauthenticated` without a sign-in. */
export function requireCredential(settings: Settings): Credential {
  settings.apiUrl();
  const credential = settings.credential();
  if (credential === undefined) throw explainMissing(settings);
  return credential;
}

/** Returns the login command that renews the sign-in in use, with the flags it needs to find that one. */
export function signInCommand(settings: Settings): string {
  const address = settings.findApiUrl();
  const record = settings.credential()?.record;
  const isNamed = record !== undefined && record.profile !== profileNameOf(record.baseUrl);
  if (isNamed) return `svc login --profile ${record.profile}`;
  return address?.origin === 'flag' ? `svc login --api-url ${address.value}` : 'svc login';
}

/** The days of the last reminders, by profile. */
const REMINDERS_FILE = 'reminders.json';

/** Warns at a terminal, at most once a day, that the stored token in use expires soon. */
export async function remindOfExpiry({
  io,
  settings,
  system: { machine, clock },
  vault: { folder: configFolder },
}: Context): Promise<void> {
  const record = settings.credential()?.record;
  if (record === undefined || !io.err.isTty || io.json || io.quiet) return;
  const notice = expiryNotice(record, clock.now(), signInCommand(settings));
  if (notice === undefined) return;
  if (await isFirstToday(join(configFolder(), REMINDERS_FILE), record.profile, machine, clock)) await io.note(notice);
}

/** Whether this is the first reminder of a profile today (UTC), as the file says; always if it cannot be used. */
async function isFirstToday(path: string, profile: string, machine: Machine, clock: Clock): Promise<boolean> {
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  const wasSaid = (text: string): boolean => daysIn(text).get(profile) === today;
  let isFirst = true;
  try {
    if (wasSaid(readPlainFile(path) ?? '')) return false;
    await updateFile(path, machine, clock, (text = '') => {
      isFirst = !wasSaid(text);
      const others = [...daysIn(text)].filter(([name, day]) => name !== profile && day === today);
      return isFirst ? `${JSON.stringify(Object.fromEntries([...others, [profile, today]]))}\n` : undefined;
    });
  } catch {
    // A second reminder does no harm.
  }
  return isFirst;
}

function daysIn(text: string): ReadonlyMap<string, unknown> {
  try {
    return new Map(Object.entries(JSON.parse(text)));
  } catch {
    return new Map();
  }
}
