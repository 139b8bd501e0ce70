import { createHash } from 'node:crypto';

/** Whose purchase it is: a stored sign-in, or a token that is stored nowhere. */
export type Account =
  | {
      readonly profile: string;
      /** Tells two people apart who signed in under one name, where the service says who they are. */
      readonly email?: string | undefined;
    }
  | {
      /** The beginning of the token's SHA-256. */
      readonly tokenHash: string;
      /** The token's last characters, to be shown. */
      readonly tokenEnding: string;
    };

const HASH_LENGTH = 16;
const ENDING_LENGTH = 4;
/** A shorter token would be half shown by its ending. */
const SHORTEST_SHOWN = 12;

/** The account of a token that is stored nowhere, such as that of `SVC_TOKEN`. */
export function accountOfToken(token: string): Account {
  return {
    tokenHash: createHash('sha256').update(token).digest('hex').slice(0, HASH_LENGTH),
    tokenEnding: token.length < SHORTEST_SHOWN ? '' : token.slice(-ENDING_LENGTH),
  };
}

/** Whether two purchases are paid by the same sign-in. */
export function isSameAccount(one: Account, other: Account): boolean {
  if ('profile' in one && 'profile' in other) {
    const isKnown = one.email !== undefined && other.email !== undefined;
    return one.profile === other.profile && (!isKnown || one.email === other.email);
  }
  return 'tokenHash' in one && 'tokenHash' in other && one.tokenHash === other.tokenHash;
}

/** What an account is called: `profile work`, or `SVC_TOKEN …1234`. */
export function accountName(account: Account): string {
  if ('tokenHash' in account) return `SVC_TOKEN …${account.tokenEnding}`;
  return account.email === undefined ? `profile ${account.profile}` : `profile ${account.profile} (${account.email})`;
}
