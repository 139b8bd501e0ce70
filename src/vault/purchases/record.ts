import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { quoted, usageError } from '../../errors.ts';
import { asObject, asText, isObject, parseJson } from '../../json/values.ts';
import type { Machine } from '../machine.ts';

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

/** Printable ASCII, as a header allows. A proxy may trim surrounding white space, which would change the key. */
const KEY = /^[!-~](?:[ -~]{0,253}[!-~])?$/;

/** A new idempotency key: a UUID, version 4. */
export function newKey(): string {
  return randomUUID();
}

/** Reads an idempotency key that a user chose: 1 to 255 characters of printable ASCII. Throws a usage error. */
export function parseKey(text: string, field: string): string {
  if (KEY.test(text)) return text;
  throw usageError(
    `${field} ${quoted(text)} is not 1 to 255 printable ASCII characters without spaces around them.`,
    `For example: ${field} ${newKey()}`,
  );
}

/** A process that sends a purchase, described so that others can check whether it is running. */
export interface Sender {
  readonly host: string;
  /** The id of the machine's boot, which differs between hosts with the same name. Linux only. */
  readonly boot?: string | undefined;
  /** Each container has its own. Linux only. */
  readonly pidNamespace?: string | undefined;
  readonly pid: number;
  /** Ticks since the boot: process ids are reused. Linux only. */
  readonly startedAt?: string | undefined;
  /** ISO 8601; when it gives up. */
  readonly until: string;
}

/** Describes this process as a sender. `until` is in milliseconds since the epoch. */
export function senderHere({ hostname, pid }: Machine, until: number): Sender {
  return {
    host: hostname,
    boot: quietly(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pidNamespace: quietly(() => readlinkSync('/proc/self/ns/pid')),
    pid,
    startedAt: statOf(pid)?.startedAt,
    until: new Date(until).toISOString(),
  };
}

/** Whether another process may still be sending. On another machine or in another container, only its time counts. */
export function isSending(sender: Sender, now: number, machine: Machine): boolean {
  if (!(Date.parse(sender.until) > now)) return false;
  const self = senderHere(machine, now);
  if (self.boot === undefined || self.pidNamespace === undefined) return true;
  const isHere = (['host', 'boot', 'pidNamespace'] as const).every((field) => self[field] === sender[field]);
  if (!isHere) return true;
  if (sender.pid === self.pid || !machine.isAlive(sender.pid)) return false;
  const stat = statOf(sender.pid);
  return stat === undefined || (stat.isRunning && stat.startedAt === sender.startedAt);
}

/** Reads the state of a process on Linux; undefined elsewhere. */
function statOf(pid: number): { readonly isRunning: boolean; readonly startedAt: string | undefined } | undefined {
  const text = quietly(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The program's name, in parentheses, may have any characters. The state follows it, and 19 fields later the start.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields && { isRunning: !/^[ZX]/.test(fields[0] ?? ''), startedAt: fields[19] };
}

function quietly(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** One purchase in the journal. */
export interface PurchaseRecord {
  /** The idempotency key of all its requests. */
  readonly key: string;
  /** `open`: the order may exist, and the user has no answer; `closed`: the user has the answer. */
  readonly state: 'open' | 'closed';
  /** ISO 8601; just before the first request. */
  readonly createdAt: string;
  /** The base address of the service. */
  readonly address: string;
  readonly account: Account;
  readonly org?: string | undefined;
  /** Items and payment on one line, with the phone number masked. */
  readonly summary: string;
  /** See `fingerprint`. */
  readonly fingerprint: string;
  /** The exact body of all its requests; absent once the purchase is closed. */
  readonly body?: string | undefined;
  readonly orderId?: string | undefined;
  /** The process that is sending it. */
  readonly sender?: Sender | undefined;
}

/** The content of the journal, the oldest first. */
export type Records = readonly PurchaseRecord[];

const VERSION = 2;

export function toText(purchases: Records): string {
  return `${JSON.stringify({ version: VERSION, purchases }, null, 2)}\n`;
}

/** Parses the journal. Throws a usage error that names a damaged file: a guess could buy something twice. */
export function fromText(text: string, path: string): Records {
  const { version, purchases } = asObject(parseJson(text));
  if (typeof version === 'number' && version > VERSION) {
    throw usageError(`${path} was written by a newer svc.`, 'Use the newest svc.');
  }
  const records = version === VERSION && Array.isArray(purchases) ? purchases.map(toRecord) : [undefined];
  if (records.every((record) => record !== undefined)) return records;
  throw usageError(
    `The list of purchases is damaged: ${path}.`,
    'Check which of your last orders exist, then move the file away: svc no longer knows what is unfinished.',
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
  // An open purchase may be sent again, which needs the body.
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
