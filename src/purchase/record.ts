import { randomBytes } from 'node:crypto';
import { usageError } from '../errors.ts';
import { asArray, asObject, asText, isObject, parseJson } from '../spec/read.ts';

/**
 * How far a purchase is known to have come.
 * - `open`: its request may have left, and the user has no answer. The order may exist.
 * - `closed`: the user has the answer.
 */
export type PurchaseState = 'open' | 'closed';

/** One purchase in the journal. Nothing in it is a secret or a phone number. */
export interface PurchaseRecord {
  /** The idempotency key that all its requests carry. */
  readonly key: string;
  readonly state: PurchaseState;
  /** ISO 8601; when it was written down, just before the first request. */
  readonly createdAt: string;
  /** The base address of the service. */
  readonly address: string;
  readonly org?: string | undefined;
  /** What is bought and how it is paid, in one line, the phone number masked. */
  readonly summary: string;
  /** See `fingerprint`. */
  readonly fingerprint: string;
  /** The body, sealed with the sign-in; gone once the purchase is closed. */
  readonly sealed?: string | undefined;
  readonly orderId?: string | undefined;
  /** The process that sends it now, and the instant (ISO 8601) when it will have given up. */
  readonly sender?: { readonly mark: string; readonly until: string } | undefined;
}

/** What the journal's file holds. */
export interface JournalContent {
  /** The salt of the fingerprints. */
  readonly salt: string;
  /** The oldest first. */
  readonly purchases: readonly PurchaseRecord[];
}

const VERSION = 1;
const SALT_BYTES = 16;

/** A journal in which nothing was written yet. */
export function emptyJournal(): JournalContent {
  return { salt: randomBytes(SALT_BYTES).toString('base64url'), purchases: [] };
}

/** The journal as text. */
export function toText(content: JournalContent): string {
  return `${JSON.stringify({ version: VERSION, ...content }, null, 2)}\n`;
}

/** Reads the journal's text. Throws a usage error that names the file: to guess here could buy something twice. */
export function fromText(text: string, path: string): JournalContent {
  const { version, salt, purchases } = asObject(parseJson(text));
  if (typeof version === 'number' && version > VERSION) {
    throw usageError(`${path} was written by a newer svc.`, 'the newest svc');
  }
  const records = asArray(purchases).map(toRecord);
  const isWhole = version === VERSION && Array.isArray(purchases) && typeof salt === 'string';
  if (isWhole && records.every((record) => record !== undefined)) return { salt, purchases: records };
  throw usageError(
    `The list of purchases is damaged: ${path}`,
    'move the file away; what it says of unfinished purchases is then unknown to svc',
  );
}

function toRecord(value: unknown): PurchaseRecord | undefined {
  if (!isObject(value)) return undefined;
  const { key, state, createdAt, address, summary, fingerprint, org, sealed, orderId } = value;
  const isState = state === 'open' || state === 'closed';
  const isTime = typeof createdAt === 'string' && !Number.isNaN(Date.parse(createdAt));
  if (typeof key !== 'string' || typeof address !== 'string' || typeof fingerprint !== 'string') return undefined;
  if (!isState || !isTime) return undefined;
  return {
    key,
    state,
    createdAt,
    address,
    org: asText(org),
    summary: asText(summary) ?? '',
    fingerprint,
    sealed: asText(sealed),
    orderId: asText(orderId),
    sender: toSender(value['sender']),
  };
}

function toSender(value: unknown): PurchaseRecord['sender'] {
  const { mark, until } = asObject(value);
  return typeof mark === 'string' && typeof until === 'string' ? { mark, until } : undefined;
}
