import type { CredentialRecord } from '../../sign-in/records.ts';
import type { FORGOTTEN } from '../../spec/fields/accounts.ts';
import type { RecordOf } from '../../spec/fields/field.ts';
import { date, type Screen } from '../../terminal/screen.ts';

/** A sign-in that was removed from this machine, without its token. */
type Forgotten = RecordOf<typeof FORGOTTEN>;

/** Describes a removed sign-in for people and scripts. */
export function forgotten({ profile, baseUrl, tokenId, expiresAt }: CredentialRecord): Forgotten {
  return { profile, baseUrl, tokenId: tokenId ?? null, expiresAt: expiresAt ?? null };
}

/** Adds that the platform still accepts the tokens, because the API has no operation that revokes one. */
export function showForgotten(screen: Screen, records: readonly Forgotten[]): void {
  for (const { profile, tokenId, expiresAt } of records) {
    screen.success(`Signed out of ${profile}.`);
    screen.fields([
      ['Token', tokenId ?? undefined],
      ['Valid until', expiresAt === null ? undefined : date(expiresAt)],
    ]);
  }
  if (records.length === 0) return;
  const [token, it] = records.length === 1 ? ['token', 'it'] : ['tokens', 'them'];
  screen.line(`The platform still accepts the ${token}. Revoke ${it} in Settings > API tokens.`);
}
