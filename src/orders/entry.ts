import { createHash, randomUUID } from 'node:crypto';
import type { ChosenCredential } from '../cli/settings/settings.ts';
import { parseDuration } from '../cli/values/time.ts';
import type { Assume } from '../contract/assumptions.ts';
import { quote, usageError } from '../errors.ts';
import { asObject, asText, isObject, parseJson, toCanonicalJson } from '../json/values.ts';
import { getOwnerMark, hasEnded } from '../store/lock.ts';
import type { Machine } from '../store/machine.ts';

/** The account that pays: a stored sign-in, or a token that is not stored. */
export type Account = {
  /** Tells two people apart, where svc knows it. */
  readonly email?: string | undefined;
} & (
  | {
      readonly profile: string;
      readonly tokenHash?: undefined;
      readonly tokenEnding?: undefined;
    }
  | {
      readonly profile?: undefined;
      /** The first 16 hex digits of the SHA-256 of the token. */
      readonly tokenHash: string;
      readonly tokenEnding: string;
    }
);

/** An order of this machine, as the journal keeps it. */
export interface OrderEntry {
  /** The idempotency key of all its requests. */
  readonly key: string;
  /** Whether the user chose the key. */
  readonly ownKey: boolean;
  /**
   * - `sending`: `sender` sends it, or was killed while it did; written before the first byte
   * - `unknown`: no answer settled whether it was placed; with an order id, its answer contradicts
   * itself
   * - `placed`: an answer with an order id came, or a person has found the order
   */
  readonly state: 'sending' | 'unknown' | 'placed';
  /** ISO 8601; just before its first request. */
  readonly createdAt: string;
  /** ISO 8601; when its answer came. */
  readonly placedAt?: string | undefined;
  readonly address: string;
  readonly account: Account;
  readonly org?: string | undefined;
  readonly bodyHash: string;
  /** The exact bytes of all its requests, for as long as it may be sent again. */
  readonly body?: string | undefined;
  readonly summary: string;
  readonly items: string;
  readonly label?: string | undefined;
  readonly orderId?: string | undefined;
  /** The price in the answer, as the API wrote it. */
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
  readonly status?: string | undefined;
  /** Whether its status said that it failed. */
  readonly hasFailed?: boolean | undefined;
  /** The process that sends it (see `getOwnerMark`), and when it gives up (ISO 8601). */
  readonly sender?: { readonly mark: string; readonly until: string } | undefined;
}

/** Returns the account that pays with a credential. */
export function getAccount({ token, record }: Pick<ChosenCredential, 'token' | 'record'>): Account {
  if (record) return { profile: record.profile, email: record.email };
  // The ending would reveal too much of a shorter token.
  return {
    tokenHash: createHash('sha256').update(token).digest('hex').slice(0, 16),
    tokenEnding: token.length < 12 ? '' : token.slice(-4),
  };
}

/** Names an account for people: `profile work`, or `SVC_TOKEN …1234`. */
export function describeAccount({ profile, tokenEnding, email }: Account): string {
  if (profile === undefined) return `SVC_TOKEN …${tokenEnding}`;
  return email === undefined ? `profile ${profile}` : `profile ${profile} (${email})`;
}

/**
 * Returns the hash by which two bodies are compared. Neither the order of the fields counts, nor a
 * blank around a text, which a platform may trim.
 */
export function hashBody(body: string): string {
  const value: unknown = JSON.parse(body, (_name, field) =>
    typeof field === 'string' ? field.trim() : field,
  );
  return createHash('sha256').update(toCanonicalJson(value)).digest('base64url');
}

type Owned = Pick<OrderEntry, 'address' | 'account'>;

/** Whether both are surely of one account at one address. */
export function isSameAccount(one: Owned, other: Owned): boolean {
  const mine = one.account;
  const theirs = other.account;
  if (one.address !== other.address || mine.tokenHash !== theirs.tokenHash) return false;
  if (mine.tokenHash !== undefined) return true;
  return mine.profile === theirs.profile && !isOtherPerson(mine, theirs);
}

/** Whether nobody knows yet what became of it. */
export function isOpen({ state }: OrderEntry): boolean {
  return state !== 'placed';
}

/** Whether sending `wanted` would place the order of `entry` once more. */
export function isSameOrder(entry: OrderEntry, wanted: OrderEntry): boolean {
  const isSameBody = entry.org === wanted.org && entry.bodyHash === wanted.bodyHash;
  return isSameBody && isSameAccount(entry, wanted);
}

/**
 * Whether one buyer may have meant both: nothing says that they are of two people or of two
 * organizations.
 */
export function mayBeSameBuyer(entry: OrderEntry, wanted: OrderEntry): boolean {
  const areOrgsNamed = entry.org !== undefined && wanted.org !== undefined;
  if (areOrgsNamed && entry.org !== wanted.org) return false;
  return entry.address === wanted.address && !isOtherPerson(entry.account, wanted.account);
}

/** Whether the emails of both are known, and differ. */
function isOtherPerson(one: Account, other: Account): boolean {
  const isKnown = one.email !== undefined && other.email !== undefined;
  return isKnown && one.email?.toLowerCase() !== other.email?.toLowerCase();
}

/**
 * Whether another process may be sending it. One of another machine counts as alive until its time
 * is over.
 */
export function isBeingSent({ sender }: OrderEntry, now: number, machine: Machine): boolean {
  if (!sender || !(Date.parse(sender.until) > now)) return false;
  return sender.mark !== getOwnerMark(machine) && !hasEnded(sender.mark, machine);
}

/** Returns how long a key is sent again, from its first request on. Throws a usage error. */
export function getKeyLifetimeMs(assume: Assume): number {
  return parseDuration(assume('checkout.keyLifetime'), 'assume.checkout.keyLifetime') * 1000;
}

/**
 * Whether its key may still be sent: the platform may forget an older one, and place the order
 * anew. Looks both ways, because the clock may have been set.
 */
export function isKeyFresh({ createdAt }: OrderEntry, keyLifetimeMs: number, now: number): boolean {
  return Math.abs(now - Date.parse(createdAt)) < keyLifetimeMs;
}

const DAY_MS = 24 * 3_600_000;

/**
 * Whether it was placed within a day. A time in the future counts: the clock has been set back
 * since.
 */
export function wasJustPlaced(
  { state, createdAt, placedAt = createdAt }: OrderEntry,
  now: number,
): boolean {
  return state === 'placed' && !(now - Date.parse(placedAt) >= DAY_MS);
}

/**
 * Printable ASCII, as a header allows. A proxy may trim surrounding white space, which would change
 * the key.
 */
const KEY = /^[!-~](?:[ -~]{0,253}[!-~])?$/;

/** Reads an idempotency key that a user chose. Throws a usage error. */
export function parseOrderKey(text: string, field: string): string {
  if (KEY.test(text)) return text;
  throw usageError(
    `${field} ${quote(text)} is not 1 to 255 printable ASCII characters without spaces around them.`,
    `For example: ${field} ${randomUUID()}`,
  );
}

const REQUIRED_TEXTS = ['key', 'createdAt', 'address', 'bodyHash', 'summary', 'items'];
const OPTIONAL_TEXTS = 'placedAt org body label orderId amount currency status'.split(' ');

/** Whether the file has this entry undamaged. It may have fields of a later svc, which are kept. */
export function isOrderEntry(value: unknown): value is OrderEntry {
  const fields = asObject(value);
  const { state, account, ownKey, sender, orderId, body } = fields;
  const isText = (name: string) => typeof fields[name] === 'string';
  const isTextOrMissing = (name: string) => fields[name] === undefined || isText(name);

  if (!REQUIRED_TEXTS.every(isText) || !OPTIONAL_TEXTS.every(isTextOrMissing)) return false;
  if (Number.isNaN(Date.parse(`${fields['createdAt']}`)) || typeof ownKey !== 'boolean') {
    return false;
  }
  if (!isAccount(account) || !isSender(sender)) return false;
  if (state === 'placed') return true;

  // Without its body it could not be sent again.
  const isWhole = orderId !== undefined || isObject(parseJson(`${body}`));
  return isWhole && (state === 'sending' || state === 'unknown');
}

function isAccount(value: unknown): boolean {
  const { profile, tokenHash, tokenEnding } = asObject(value);
  const hasToken = asText(tokenHash) !== undefined && typeof tokenEnding === 'string';
  return hasToken || asText(profile) !== undefined;
}

function isSender(value: unknown): boolean {
  const { mark, until } = asObject(value);
  return value === undefined || (typeof mark === 'string' && typeof until === 'string');
}
