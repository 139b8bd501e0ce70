import { CliError } from '../../errors.ts';
import { unsetVariable } from '../../shell-line.ts';
import { getProfileName } from '../../sign-in/credentials.ts';
import { describePastExpiry } from '../../sign-in/expiry.ts';
import type { ChosenCredential, Settings } from './settings.ts';

/** Says which sign-in was refused, and what to do. None is deleted because of it. */
export function explainUnauthenticated(settings: Settings, nowMs: number) {
  const credential = settings.credential();
  if (!credential) return undefined;
  const { record, source, kind } = credential;
  if (!record) {
    const what = kind === 'session' ? 'dashboard session' : 'token';
    return {
      message: `The platform did not accept the ${what} in ${source}.`,
      hint: {
        say: `Set ${source} to a valid ${what}, or sign in without it:`,
        run: [suggestSignIn(settings)],
      },
    };
  }
  const why = describePastExpiry(record.expiresAt, nowMs) ?? 'It may have been revoked.';
  return {
    message: `The platform did not accept the stored token (${source}). ${why}`,
    hint: signInCommand(settings),
  };
}

/** Creates the error that names the address and the command to sign in. */
export function explainMissing(settings: Settings): CliError {
  const address = settings.findApiUrl()?.value ?? 'the platform';
  return new CliError('unauthenticated', `Not signed in to ${address}.`, {
    hint: { say: 'Sign in, or set SVC_TOKEN.', run: [signInCommand(settings)] },
  });
}

/** Throws CliError `unauthenticated` without a sign-in. */
export function requireCredential(settings: Settings): ChosenCredential {
  settings.apiUrl();
  const credential = settings.credential();
  if (!credential) throw explainMissing(settings);
  return credential;
}

/** Says where a new token goes if the one in use is of a variable; undefined for a stored one. */
export function describeVariableRenewal(settings: Settings): string | undefined {
  const credential = settings.credential();
  if (!credential || credential.record) return undefined;
  return `Put a new token in ${credential.source}.`;
}

/** Returns the line that makes a stored sign-in the one in use: a variable would win over it. */
export function suggestSignIn(settings: Settings): string {
  const credential = settings.credential();
  const command = signInCommand(settings);
  if (!credential || credential.record) return command;
  return `${unsetVariable(credential.source)}; ${command}`;
}

/** Returns the command that renews the sign-in in use. */
export function signInCommand(settings: Settings): string {
  const address = settings.findApiUrl();
  const record = settings.credential()?.record;
  const isNamed = record !== undefined && record.profile !== getProfileName(record.baseUrl);
  if (isNamed) return `svc login --profile ${record.profile}`;
  return address?.origin === 'flag' ? `svc login --api-url ${address.value}` : 'svc login';
}
