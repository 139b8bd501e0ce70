import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { quoted, usageError } from '../../errors.ts';
import { asObject, asText, isObject, parseJson } from '../../json/values.ts';
import type { Machine } from '../machine.ts';

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

/** A header carries printable ASCII; white space around it would be trimmed on the way and make another key of it. */
const CARRIABLE = /^[!-~](?:[ -~]{0,253}[!-~])?$/;

/** A new idempotency key: a UUID, version 4. */
export function newKey(): string {
  return randomUUID();
}

/** Reads an idempotency key that a user chose: 1 to 255 characters of printable ASCII. Throws a usage error. */
export function parseKey(text: string, field: string): string {
  if (CARRIABLE.test(text)) return text;
  throw usageError(
    `${field} ${quoted(text)} is not 1 to 255 printable ASCII characters without spaces around them.`,
    `${field} ${newKey()}`,
  );
}

/** A process that sends a purchase, named so that others can tell whether it still lives. */
export interface Sender {
  readonly host: string;
  /** The boot of the machine: hosts that share a name do not share it. Known on Linux. */
  readonly boot?: string | undefined;
  /** What process numbers count in: each container has its own. Known on Linux. */
  readonly pidNamespace?: string | undefined;
  readonly pid: number;
  /** When the process began, in ticks since the boot: a number may be given to another process. Known on Linux. */
  readonly startedAt?: string | undefined;
  /** ISO 8601; when it will have given up. */
  readonly until: string;
}

/** This process as a sender that gives up at an instant (milliseconds since 1970). */
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

/**
 * Whether another process may still be sending. One that cannot be looked up, because it runs on another machine or in
 * another container, counts as alive until its time is over.
 */
export function isSending(sender: Sender, now: number, machine: Machine): boolean {
  if (!(Date.parse(sender.until) > now)) return false;
  const self = senderHere(machine, now);
  const canLookUp =
    self.boot !== undefined &&
    self.pidNamespace !== undefined &&
    self.host === sender.host &&
    self.boot === sender.boot &&
    self.pidNamespace === sender.pidNamespace;
  if (!canLookUp) return true;
  if (sender.pid === self.pid || !machine.isAlive(sender.pid)) return false;
  const stat = statOf(sender.pid);
  return stat === undefined || (stat.isRunning && stat.startedAt === sender.startedAt);
}

/** What Linux says of a process; `undefined` where it says nothing. */
function statOf(pid: number): { readonly isRunning: boolean; readonly startedAt: string | undefined } | undefined {
  const text = quietly(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The name of the program, in parentheses, may hold anything. The state follows it, and 19 fields later the start.
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

/**
 * How far a purchase is known to have come.
 * - `open`: its request may have left, and the user has no answer. The order may exist.
 * - `closed`: the user has the answer.
 */
type PurchaseState = 'open' | 'closed';

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
