import { createHash } from 'node:crypto';
import { asObject, asText } from '../../json/values.ts';

/**
 * The account that pays: a stored sign-in, or a token that is not stored. The email tells two users of one profile
 * apart. A token is known by the first 16 hex digits of its SHA-256 and shown by its last characters.
 */
export type Account =
  | { readonly profile: string; readonly email?: string | undefined }
  | { readonly tokenHash: string; readonly tokenEnding: string };

const ENDING_LENGTH = 4;
/** The ending would reveal too much of a shorter token. */
const MIN_SHOWN_LENGTH = 12;

/** The account of a token that is not stored, such as that of `SVC_TOKEN`. */
export function accountOfToken(token: string): Account {
  return {
    tokenHash: createHash('sha256').update(token).digest('hex').slice(0, 16),
    tokenEnding: token.length < MIN_SHOWN_LENGTH ? '' : token.slice(-ENDING_LENGTH),
  };
}

export function isSameAccount(one: Account, other: Account): boolean {
  if ('profile' in one && 'profile' in other) {
    const isKnown = one.email !== undefined && other.email !== undefined;
    return one.profile === other.profile && (!isKnown || one.email === other.email);
  }
  return 'tokenHash' in one && 'tokenHash' in other && one.tokenHash === other.tokenHash;
}

/** Names an account for people: `profile work`, or `SVC_TOKEN …1234`. */
export function accountName(account: Account): string {
  if ('tokenHash' in account) return `SVC_TOKEN …${account.tokenEnding}`;
  return account.email === undefined ? `profile ${account.profile}` : `profile ${account.profile} (${account.email})`;
}

/** Whether both accounts are known by their e-mail, and by different ones. */
export function isOtherPerson(one: Account, other: Account): boolean {
  const [mine, theirs] = [one, other].map((account) => ('email' in account ? account.email?.toLowerCase() : undefined));
  return mine !== undefined && theirs !== undefined && mine !== theirs;
}

/** Reads an account of the journal; undefined if it is none. */
export function toAccount(value: unknown): Account | undefined {
  const { profile, email, tokenHash, tokenEnding } = asObject(value);
  if (typeof profile === 'string') return { profile, email: asText(email) };
  return typeof tokenHash === 'string' ? { tokenHash, tokenEnding: asText(tokenEnding) ?? '' } : undefined;
}
