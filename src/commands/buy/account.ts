import type { Credential } from '../../command/settings.ts';
import { type Account, accountOfToken } from '../../purchase/account.ts';

/** The account that a sign-in pays for. */
export function accountOf({ token, record }: Credential): Account {
  return record === undefined ? accountOfToken(token) : { profile: record.profile, email: record.email };
}
