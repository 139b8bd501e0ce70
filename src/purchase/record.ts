import { usageError } from '../errors.ts';
import { asObject, asText, isObject, parseJson } from '../spec/read.ts';
import type { Account } from './account.ts';
import type { Sender } from './sender.ts';

/**
 * How far a purchase is known to have come.
 * - `open`: its request may have left, and the user has no answer. The order may exist.
 * - `closed`: the user has the answer.
 */
export type PurchaseState = 'open' | 'closed';

/** One purchase in the journal. */
export interface PurchaseRecord {
  /** The idempotency key that all its requests carry. */
  readonly key: string;
  readonly state: PurchaseState;
  /** ISO 8601; when it was written down, just before the first request. */
  readonly createdAt: string;
  /** The base address of the service. */
  readonly address: string;
  readonly account: Account;
  readonly org?: string | undefined;
  /** What is bought and how it is paid, in one line, the phone number masked. */
  readonly summary: string;
  /** See `fingerprint`. */
  readonly fingerprint: string;
  /** The very bytes that all its requests carry, as text; gone once the purchase is closed. */
  readonly body?: string | undefined;
  readonly orderId?: string | undefined;
  /** The process that sends it now. */
  readonly sender?: Sender | undefined;
}

/** What the journal's file holds: the oldest first. */
export type Records = readonly PurchaseRecord[];

const VERSION = 2;
/** The form of svc 0.1, with bodies that only the token of their purchase opened. */
const SEALED_VERSION = 1;

/** The journal as text. */
export function toText(purchases: Records): string {
  return `${JSON.stringify({ version: VERSION, purchases }, null, 2)}\n`;
}

/**
 * The unfinished purchases of a journal in the form of svc 0.1, in a line each: they cannot be matched, because nothing
 * says whose they are. `undefined` for every other text.
 */
export function sealedPurchases(text: string): readonly string[] | undefined {
  const { version, purchases } = asObject(parseJson(text));
  if (version !== SEALED_VERSION || !Array.isArray(purchases)) return undefined;
  const open = purchases.map(asObject).filter(({ state }) => state === 'open');
  return open.map(({ key, summary }) => `${asText(key) ?? '(no key)'}  ${asText(summary) ?? ''}`);
}

/** Reads the journal's text. Throws a usage error that names the file: to guess here could buy something twice. */
export function fromText(text: string, path: string): Records {
  const { version, purchases } = asObject(parseJson(text));
  if (typeof version === 'number' && version > VERSION) {
    throw usageError(`${path} was written by a newer svc.`, 'the newest svc');
  }
  const records = version === VERSION && Array.isArray(purchases) ? purchases.map(toRecord) : [undefined];
  if (records.every((record) => record !== undefined)) return records;
  throw usageError(
    `The list of purchases is damaged: ${path}.`,
    'look which of your last orders exist, then move the file away: svc no longer knows what is unfinished',
  );
}

function toRecord(value: unknown): PurchaseRecord | undefined {
  if (!isObject(value)) return undefined;
  const { key, state, createdAt, address, summary, fingerprint, org, body, orderId } = value;
  const account = toAccount(value['account']);
  const isState = state === 'open' || state === 'closed';
  const isTime = typeof createdAt === 'string' && !Number.isNaN(Date.parse(createdAt));
  if (typeof key !== 'string' || typeof address !== 'string' || typeof fingerprint !== 'string') return undefined;
  if (!isState || !isTime || account === undefined) return undefined;
  // The body is what would be sent again.
  if (state === 'open' && (typeof body !== 'string' || !isObject(parseJson(body)))) return undefined;
  return {
    key,
    state,
    createdAt,
    address,
    account,
    org: asText(org),
    summary: asText(summary) ?? '',
    fingerprint,
    body: asText(body),
    orderId: asText(orderId),
    sender: toSender(value['sender']),
  };
}

function toAccount(value: unknown): Account | undefined {
  const { profile, email, tokenHash, tokenEnding } = asObject(value);
  if (typeof profile === 'string') return { profile, email: asText(email) };
  return typeof tokenHash === 'string' ? { tokenHash, tokenEnding: asText(tokenEnding) ?? '' } : undefined;
}

function toSender(value: unknown): Sender | undefined {
  const { host, boot, pidNamespace, pid, startedAt, until } = asObject(value);
  if (typeof host !== 'string' || typeof pid !== 'number' || typeof until !== 'string') return undefined;
  return { host, boot: asText(boot), pidNamespace: asText(pidNamespace), pid, startedAt: asText(startedAt), until };
}
