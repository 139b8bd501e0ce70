import { createHash, randomUUID } from 'node:crypto';
import { quoted, usageError } from '../errors.ts';
import { canonicalJson } from '../json/raw-json.ts';
import { asObject, asText, isObject, type JsonObject, parseJson } from '../json/values.ts';
import { checkFormat } from '../store/problem.ts';
import { type Account, toAccount } from './account.ts';
import type { Contents } from './contents.ts';
import { type Sender, toSender } from './sender.ts';

/** Printable ASCII, as a header allows. A proxy may trim surrounding white space, which would change the key. */
const KEY = /^[!-~](?:[ -~]{0,253}[!-~])?$/;

/** A new idempotency key: a UUID, version 4. */
export function newKey(): string {
  return randomUUID();
}

/** Reads an idempotency key that a user chose: 1 to 255 characters of printable ASCII. Throws a usage error. */
export function parseOrderKey(text: string, field: string): string {
  if (KEY.test(text)) return text;
  throw usageError(
    `${field} ${quoted(text)} is not 1 to 255 printable ASCII characters without spaces around them.`,
    `For example: ${field} ${newKey()}`,
  );
}

/** One order in the journal. */
export interface OrderEntry extends Contents {
  /** The idempotency key of all its requests. */
  readonly key: string;
  /** Whether the user chose the key. */
  readonly ownKey: boolean;
  /** `open`: the order may exist, and the user has no answer; `closed`: the user has the answer. */
  readonly state: 'open' | 'closed';
  /** ISO 8601; just before the first request. */
  readonly createdAt: string;
  /** The base address of the platform. */
  readonly address: string;
  readonly account: Account;
  readonly org?: string | undefined;
  /** Items and payment on one line, with the phone number masked. */
  readonly summary: string;
  /** The items alone. */
  readonly items: string;
  /** The labels of the items. */
  readonly label?: string | undefined;
  /** The hash of the body, whatever the order of its fields (`fingerprint`). */
  readonly fingerprint: string;
  /** The exact body of all its requests; absent once the order is closed. */
  readonly body?: string | undefined;
  readonly orderId?: string | undefined;
  /** The price in the answer, as the API wrote it. */
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
  /** The status in the answer, in the words of the platform. */
  readonly status?: string | undefined;
  /** The process that is sending it. */
  readonly sender?: Sender | undefined;
}

/** The content of the journal, the oldest first. */
export type OrderEntries = readonly OrderEntry[];

const VERSION = 3;

/** Writes the journal as JSON, with a checksum for each order. */
export function toJournalText(purchases: OrderEntries): string {
  return `${JSON.stringify({ version: VERSION, purchases: purchases.map(sealed) }, null, 2)}\n`;
}

/** Adds the checksum of an order, to write it. */
export function sealed(record: OrderEntry): object {
  return { ...record, checksum: checksumOf({ ...record }) };
}

const CHECKSUM_LENGTH = 16;

function checksumOf(record: JsonObject): string {
  return createHash('sha256').update(canonicalJson(record)).digest('base64url').slice(0, CHECKSUM_LENGTH);
}

/** Parses the journal. Throws a usage error that names a damaged file: a guess could buy something twice. */
export function parseJournal(text: string, path: string): OrderEntries {
  const { version, purchases } = asObject(parseJson(text));
  checkFormat(version, VERSION, path);
  const records = version === VERSION && Array.isArray(purchases) ? purchases.map(unsealed) : [undefined];
  if (records.every((record) => record !== undefined)) return records;
  throw usageError(
    `The list of purchases is damaged: ${path}.`,
    'Check which of your last orders exist, then move the file away: svc no longer knows what is unfinished.',
  );
}

/** Reads an order with its checksum; undefined if it is damaged. */
export function unsealed(value: unknown): OrderEntry | undefined {
  if (!isObject(value)) return undefined;
  const { checksum, ...record } = value;
  if (checksum !== checksumOf(record)) return undefined;
  const { key, state, createdAt, address, summary, fingerprint, org, body, orderId } = record;
  const account = toAccount(record['account']);
  const isState = state === 'open' || state === 'closed';
  const isTime = typeof createdAt === 'string' && !Number.isNaN(Date.parse(createdAt));
  if (typeof key !== 'string' || typeof address !== 'string' || typeof fingerprint !== 'string') return undefined;
  if (!isState || !isTime || account === undefined) return undefined;
  // An open order may be sent again, which needs the body.
  if (state === 'open' && (typeof body !== 'string' || !isObject(parseJson(body)))) return undefined;
  return {
    // Fields of a later svc with the same format are kept.
    ...record,
    key,
    ownKey: record['ownKey'] === true,
    state,
    createdAt,
    address,
    account,
    org: asText(org),
    summary: asText(summary) ?? '',
    items: asText(record['items']) ?? '',
    fingerprint,
    things: asText(record['things']) ?? '',
    labelled: asText(record['labelled']) ?? '',
    body: asText(body),
    orderId: asText(orderId),
    ...optionalTexts(record),
    sender: toSender(record['sender']),
  };
}

function optionalTexts(record: JsonObject) {
  const { label, amount, currency, status } = record;
  return {
    label: asText(label),
    amount: asText(amount),
    currency: asText(currency),
    status: asText(status),
  };
}
