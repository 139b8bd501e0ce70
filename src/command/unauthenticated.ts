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

/** Why the service did not accept the sign-in (401), and what to do about it. */
interface Explanation {
  readonly message: string;
  readonly hint: string;
}

/** Says which sign-in was refused and what to do about it; a stored one is never deleted for it. */
export function explainUnauthenticated(settings: Settings, nowMs: number): Explanation | undefined {
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

/** The error of a command that needs a sign-in where there is none. */
export function explainMissing(settings: Settings): CliError {
  const address = settings.findApiUrl()?.value ?? 'the service';
  return new CliError('unauthenticated', `Not signed in to ${address}.`, {
    hint: `${signInCommand(settings)}, or set SVC_TOKEN`,
  });
}

/** The sign-in in use. Throws CliError `unauthenticated` where there is none. */
export function requireCredential(settings: Settings): Credential {
  settings.apiUrl();
  const credential = settings.credential();
  if (credential === undefined) throw explainMissing(settings);
  return credential;
}

/** The login that renews the sign-in in use: with the address and the profile that a plain one would not choose. */
export function signInCommand(settings: Settings): string {
  const address = settings.findApiUrl();
  const record = settings.credential()?.record;
  const isNamed = record !== undefined && record.profile !== profileNameOf(record.baseUrl);
  if (isNamed) return `svc login --profile ${record.profile}`;
  return address?.origin === 'flag' ? `svc login --api-url ${address.value}` : 'svc login';
}

/** Remembers what was said today. */
const REMINDERS_FILE = 'reminders.json';

/** Tells a person at a terminal, at most once a day, that the stored token in use is about to end. */
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

/**
 * Whether this is the first time today (UTC) that something is said about a subject; the file remembers it. If it
 * cannot be read or written, every time is the first.
 */
async function isFirstToday(path: string, subject: string, machine: Machine, clock: Clock): Promise<boolean> {
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  const wasSaid = (text: string): boolean => daysIn(text).get(subject) === today;
  let isFirst = true;
  try {
    if (wasSaid(readPlainFile(path) ?? '')) return false;
    await updateFile(path, machine, clock, (text = '') => {
      isFirst = !wasSaid(text);
      const others = [...daysIn(text)].filter(([name, day]) => name !== subject && day === today);
      return isFirst ? `${JSON.stringify(Object.fromEntries([...others, [subject, today]]))}\n` : undefined;
    });
  } catch {
    // Saying it twice does no harm.
  }
  return isFirst;
}

/** On which day each subject was spoken of. */
function daysIn(text: string): ReadonlyMap<string, unknown> {
  try {
    return new Map(Object.entries(JSON.parse(text)));
  } catch {
    return new Map();
  }
}
