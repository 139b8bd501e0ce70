import type { Credential, Settings } from '../../command/settings.ts';
import { requireCredential } from '../../command/unauthenticated.ts';
import { CliError } from '../../errors.ts';
import { type Account, accountOfToken } from '../../purchase/account.ts';

/** The token that pays. Throws CliError `unauthenticated` where there is none: operation 3 takes no dashboard session. */
export function requireToken(settings: Settings): Credential {
  const credential = requireCredential(settings);
  if (credential.kind === 'bearer') return credential;
  throw new CliError('unauthenticated', `buy needs a token; ${credential.source} holds a dashboard session.`, {
    hint: 'svc login, or set SVC_TOKEN',
  });
}

/** The account that a sign-in pays for. */
export function accountOf({ token, record }: Credential): Account {
  return record === undefined ? accountOfToken(token) : { profile: record.profile, email: record.email };
}
