import { CliError } from '../errors.ts';
import { profileNameOf } from '../login/credentials/records.ts';
import { expiryReason } from '../login/expiry.ts';
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
