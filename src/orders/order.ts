import { createHash, randomUUID } from 'node:crypto';
import { quoted, usageError } from '../errors.ts';
import { canonicalJson } from '../json/raw-json.ts';
import { asArray, asObject, asText, isObject, parseJson } from '../json/values.ts';
import { type Account, isSameAccount, toAccount } from './account.ts';

/**
 * Printable ASCII, as a header allows. A proxy may trim surrounding white space, which would change
 * the key.
 */
const KEY = /^[!-~](?:[ -~]{0,253}[!-~])?$/;

/** Reads an idempotency key that a user chose. Throws a usage error. */
export function parseOrderKey(text: string, field: string): string {
  if (KEY.test(text)) return text;
  throw usageError(
    `${field} ${quoted(text)} is not 1 to 255 printable ASCII characters without spaces around them.`,
    `For example: ${field} ${randomUUID()}`,
  );
}

/** One item of an order, or several equal ones. */
export interface OrderedItem {
  readonly planId?: string | undefined;
  readonly domain?: string | undefined;
  readonly label?: string | undefined;
  readonly renew: boolean;
  readonly quantity: number;
}

/** An order of this machine. */
export interface OrderEntry {
  readonly key: string;
  /** Whether the user chose the key. */
  readonly ownKey: boolean;
  /**
   * - `open`: the order may exist, and no answer says so
   * - `doubtful`: it exists, and its answer contradicts itself
   * - `closed`: svc has the answer, or a person has looked it up
   */
  readonly state: 'open' | 'doubtful' | 'closed';
  /** ISO 8601; just before the first request. */
  readonly createdAt: string;
  readonly address: string;
  readonly account: Account;
  readonly org?: string | undefined;
  readonly summary: string;
  readonly items: string;
  readonly contents: readonly OrderedItem[];
  readonly fingerprint: string;
  /** The exact body of all its requests; of an open order only. */
  readonly body?: string | undefined;
  readonly orderId?: string | undefined;
  /** The price in the answer, as the API wrote it. */
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
  readonly status?: string | undefined;
  /** The answer as it came, until the user has it. */
  readonly answer?: string | undefined;
  /** The process that is busy with it (see `ownerMark`), and when it gives up (ISO 8601). */
  readonly sender?: { readonly mark: string; readonly until: string } | undefined;
}

/** Orders, the oldest first. */
export type OrderEntries = readonly OrderEntry[];

/** Whether it was placed there by this account. */
export function belongsTo(
  entry: OrderEntry,
  { address, account }: Pick<OrderEntry, 'address' | 'account'>,
): boolean {
  return entry.address === address && isSameAccount(entry.account, account);
}

type Request = Pick<OrderEntry, 'org' | 'fingerprint'>;

/** Whoever sent it. */
export function isSameRequest(one: Request, other: Request): boolean {
  return one.org === other.org && one.fingerprint === other.fingerprint;
}

const DAY_MS = 24 * 3_600_000;

/**
 * Whether the platform may have forgotten the key. Looks both ways: the clock may have been set.
 */
export function isOld({ createdAt }: OrderEntry, now: number): boolean {
  return Math.abs(now - Date.parse(createdAt)) >= DAY_MS;
}

/** Whether its answer is kept for a user who could not read it. */
export function hasAnswerLeft(entry: OrderEntry, now: number): boolean {
  return entry.answer !== undefined && !isOld(entry, now);
}

/**
 * Returns what a body of operation 3 orders, however it was written: equal items are added up and
 * sorted.
 */
export function contentsOf(body: string): readonly OrderedItem[] {
  const sums = new Map<string, OrderedItem>();
  for (const { quantity, ...item } of asArray(asObject(parseJson(body))['items']).map(toItem)) {
    const name = canonicalJson(item);
    sums.set(name, { ...item, quantity: (sums.get(name)?.quantity ?? 0) + quantity });
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
}

/** Of the same items, in the same quantities. */
export function isSameContents(
  one: readonly OrderedItem[],
  other: readonly OrderedItem[],
): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/**
 * Whether two orders have an item in common: the same domain, or the same plan under the same
 * label. Two domains tell two equal plans apart.
 */
export function sharesItem(one: readonly OrderedItem[], other: readonly OrderedItem[]): boolean {
  return one.some((item) => other.some((another) => isSameItem(item, another)));
}

function isSameItem(one: OrderedItem, other: OrderedItem): boolean {
  if (one.domain !== undefined && other.domain !== undefined) return one.domain === other.domain;
  return one.planId !== undefined && one.planId === other.planId && one.label === other.label;
}

/** Each once; undefined without any. */
export function labelsOf(contents: readonly OrderedItem[]): string | undefined {
  return [...new Set(contents.flatMap(({ label }) => label ?? []))].join(', ') || undefined;
}

/** A hash that is equal for bodies with the same fields in any order. */
export function fingerprint(body: string): string {
  return createHash('sha256')
    .update(canonicalJson(parseJson(body)))
    .digest('base64url');
}

function toItem(value: unknown): OrderedItem {
  const { planId, domain, label, renew, quantity } = asObject(value);
  return {
    planId: asText(planId),
    domain: asText(domain),
    label: asText(label),
    renew: renew === true,
    quantity: typeof quantity === 'number' ? quantity : 1,
  };
}

/** Undefined if it is damaged. Fields of a later svc with the same format are kept. */
export function toOrder(value: unknown): OrderEntry | undefined {
  const fields = asObject(value);
  const text = (name: keyof OrderEntry) => {
    const value = fields[name];
    return typeof value === 'string' ? value : undefined;
  };
  const { state, contents, ownKey } = fields;
  const account = toAccount(fields['account']);
  const [key, createdAt, address, print] = [
    text('key'),
    text('createdAt'),
    text('address'),
    text('fingerprint'),
  ];
  if (key === undefined || address === undefined || print === undefined || account === undefined)
    return undefined;
  if (createdAt === undefined || Number.isNaN(Date.parse(createdAt)) || !Array.isArray(contents))
    return undefined;
  if (state !== 'open' && state !== 'doubtful' && state !== 'closed') return undefined;
  // An open order may be sent again, which needs the body.
  if (state === 'open' && !isObject(parseJson(text('body') ?? ''))) return undefined;
  return {
    ...fields,
    key,
    ownKey: ownKey === true,
    state,
    createdAt,
    address,
    account,
    org: text('org'),
    summary: text('summary') ?? '',
    items: text('items') ?? '',
    contents: contents.map(toItem),
    fingerprint: print,
    body: text('body'),
    orderId: text('orderId'),
    amount: text('amount'),
    currency: text('currency'),
    status: text('status'),
    answer: text('answer'),
    sender: toSender(fields['sender']),
  };
}

function toSender(value: unknown): OrderEntry['sender'] {
  const { mark, until } = asObject(value);
  return typeof mark === 'string' && typeof until === 'string' ? { mark, until } : undefined;
}
