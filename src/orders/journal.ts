import { dirname, join } from 'node:path';
import type { Clock } from '../clock.ts';
import { CliError } from '../errors.ts';
import type { Machine } from '../store/machine.ts';
import { asUsage, cannotSave } from '../store/problem.ts';
import { type PrivateFile, readPrivateFile } from '../store/read.ts';
import { withLockedFile } from '../store/write.ts';
import { BOOK_DAYS, MAX_BOOKED, openBook } from './book.ts';
import { contentsOf, labelsOf } from './contents.ts';
import {
  belongsTo,
  findMatch,
  findUsed,
  isObstacle,
  type Match,
  type OrderStanding,
  sortOut,
  type Wanted,
} from './match.ts';
import { newKey, type OrderEntries, type OrderEntry, parseJournal, toJournalText } from './order.ts';
import { isSending, senderHere } from './sender.ts';

/** The journal's file in the configuration folder. */
export const JOURNAL_FILE = 'purchases.json';

/** An order to send. */
export interface OrderPlan extends Omit<Wanted, 'things' | 'labelled'> {
  /** JSON. */
  readonly body: string;
  /** See {@link OrderEntry.summary}. */
  readonly summary: string;
  /** See {@link OrderEntry.items}. */
  readonly items: string;
}

/** What the answer to an order says of it. */
export type AnsweredOrder = Pick<OrderEntry, 'orderId' | 'amount' | 'currency' | 'status'>;

/** An order that is in the journal and may be sent now. */
export interface Begun {
  readonly kind: 'begun';
  readonly record: OrderEntry & { readonly body: string };
  /** Its former record, if it was sent before. */
  readonly earlier: OrderEntry | undefined;
}

/** The journal has changed since the user was told what it says of this order; nothing was begun. */
export interface Changed {
  readonly kind: 'changed';
  readonly standing: OrderStanding;
}

/** The result of `begin`. */
type Beginning = Begun | Changed | Exclude<Match, OrderStanding>;

/** See {@link openJournal}. */
export type OrderJournal = ReturnType<typeof openJournal>;

/**
 * Opens the journal of a configuration folder: the orders whose answer the user may not have, in a file that outlives
 * the process. An order is on disk before the first byte of its request is sent, and until the user has the answer.
 * Touches the disk only when one of its functions is called; each throws CliError `usage` if the file cannot be read,
 * parsed or written.
 */
export function openJournal(folder: string, machine: Machine, clock: Clock) {
  const place = { path: join(folder, JOURNAL_FILE), machine, clock };
  const book = openBook(folder, machine);
  const read = (): OrderEntries => sortOut(readJournal(place), clock.now()).kept;
  /** Orders that the book cannot take now stay in the journal. */
  const wasBooked = (leaving: OrderEntries): boolean => {
    try {
      book.add(leaving, clock.now());
      return true;
    } catch {
      return false;
    }
  };
  /** An order of the last day is in the journal, an earlier one in the book. */
  const find = (plan: OrderPlan, { kept, leaving }: ReturnType<typeof sortOut>): Match => {
    const wanted = { ...plan, ...contentsOf(plan.body) };
    const found = findMatch(kept, wanted, clock.now(), machine);
    if (found.kind !== 'new' || plan.key === undefined) return found;
    return findUsed([...book.read(clock.now()).records, ...leaving], wanted) ?? found;
  };
  return {
    path: place.path,
    /** The open orders of all accounts, the oldest first. */
    unfinished: async (): Promise<OrderEntries> => read().filter(({ state }) => state === 'open'),
    /** Looks for an order like this one; changes nothing. */
    look: async (plan: OrderPlan): Promise<Match> => find(plan, sortOut(readJournal(place), clock.now())),
    /** The orders of a year, of all accounts, the oldest first; counts the lines of the book that are damaged. */
    async all(): Promise<{ readonly records: OrderEntries; readonly damaged: number }> {
      const { records, damaged } = book.read(clock.now());
      // One that was being moved when svc was killed is in both.
      const unique = new Map([...records, ...readJournal(place)].map((one) => [`${one.createdAt} ${one.key}`, one]));
      const first = clock.now() - BOOK_DAYS * 24 * 3_600_000;
      const kept = [...unique.values()].filter((one) => one.state === 'open' || Date.parse(one.createdAt) >= first);
      return { records: kept.sort(byTime).slice(-MAX_BOOKED), damaged };
    },
    /**
     * Adds an order, or returns why it must not be sent. Looking and writing happen under one lock.
     * @param patienceMs milliseconds after which this process gives up
     * @param told what the user was told of it before
     */
    begin(plan: OrderPlan, patienceMs: number, told: OrderStanding | undefined): Promise<Beginning> {
      const freshKey = newKey();
      return changeJournal<Beginning>(place, (content) => {
        const sorted = sortOut(content, clock.now());
        const found = find(plan, sorted);
        if (isObstacle(found)) return [undefined, found];
        if (!plan.isNew && tellsMore(found, told)) return [undefined, { kind: 'changed', standing: found }];
        const begun = begunFrom(found, plan, freshKey, patienceMs, place);
        const records = wasBooked(sorted.leaving) ? sorted.kept : content;
        return [[...records.filter((other) => other !== begun.earlier), begun.record], begun];
      });
    },
    /** Records that the user has the answer. */
    close: (record: OrderEntry, answer: AnsweredOrder) => replace(place, record, [closed(record, answer)]),
    /**
     * Ends an order that a person has looked up: as this order, or without one. Returns false, and changes nothing, if
     * another process sends or ends it now.
     */
    async settle(record: OrderEntry, orderId: string | undefined): Promise<boolean> {
      if (record.sender !== undefined && isSending(record.sender, clock.now(), machine)) return false;
      const isUnchanged = (now: OrderEntry) => now.state === 'open' && isSentBy(record)(now);
      return replace(place, record, orderId === undefined ? [] : [closed(record, { orderId })], isUnchanged);
    },
    /** Records that this process gave up with an unknown outcome. No effect if another process sends it now. */
    release: (record: OrderEntry) => replace(place, record, [{ ...record, sender: undefined }], isSentBy(record)),
    /** Removes an order that was not placed. No effect if another process sends it now. */
    forget: (record: OrderEntry) => replace(place, record, [], isSentBy(record)),
  };
}

/** Makes the record to write before an order is sent: the one it has already, or a new one with the fresh key. */
function begunFrom(
  found: OrderStanding,
  plan: OrderPlan,
  freshKey: string,
  patienceMs: number,
  { machine, clock }: JournalPlace,
): Begun {
  const now = clock.now();
  const earlier = found.kind === 'same' ? found.record : undefined;
  const record = {
    ...(earlier ?? newRecord(plan, freshKey, now)),
    state: 'open',
    // Keep the original bytes: the platform may compare them.
    body: earlier?.body ?? plan.body,
    sender: senderHere(machine, now + patienceMs),
  } as const;
  return { kind: 'begun', record, earlier };
}

function closed(record: OrderEntry, { orderId, amount, currency, status }: AnsweredOrder): OrderEntry {
  const answer = { orderId, amount, currency, status };
  return { ...record, ...answer, state: 'closed', body: undefined, sender: undefined };
}

function byTime(one: OrderEntry, other: OrderEntry): number {
  return Date.parse(one.createdAt) - Date.parse(other.createdAt);
}

/** Replaces a record by `next`. Returns false, and changes nothing, if it is gone or `mayReplace` refuses it. */
function replace(
  place: JournalPlace,
  record: OrderEntry,
  next: readonly OrderEntry[],
  mayReplace = (_now: OrderEntry) => true,
): Promise<boolean> {
  return changeJournal<boolean>(place, (records) => {
    const isMeant = (other: OrderEntry) => other.key === record.key && belongsTo(other, record) && mayReplace(other);
    return [records.flatMap((other) => (isMeant(other) ? next : other)), records.some(isMeant)];
  });
}

/** Reads the journal; empty if there is none. Throws CliError `usage` if the file cannot be read or parsed. */
function readJournal({ path, machine }: JournalPlace): OrderEntries {
  try {
    return recordsOf(readPrivateFile(path, machine), path);
  } catch (error) {
    throw error instanceof CliError ? asUsage(error) : error;
  }
}

/**
 * Changes the journal under its lock; it is on disk once this resolves. `edit` returns the new content, or undefined to
 * keep it, and a result; it runs again if the lock was lost.
 * @throws CliError `usage` if the file cannot be read, parsed or written.
 */
async function changeJournal<T>(
  { path, machine, clock }: JournalPlace,
  edit: (records: OrderEntries) => readonly [OrderEntries | undefined, T],
): Promise<T> {
  try {
    return await withLockedFile(path, machine, clock, (file) => {
      const [records, result] = edit(recordsOf(file.read(), path));
      if (records !== undefined) file.write(toJournalText(records));
      return result;
    });
  } catch (error) {
    throw asUsage(cannotSave('the list of purchases', dirname(path), error, 'Set SVC_CONFIG_DIR to another folder.'));
  }
}

interface JournalPlace {
  readonly path: string;
  readonly machine: Machine;
  readonly clock: Clock;
}

function recordsOf(file: PrivateFile | undefined, path: string): OrderEntries {
  return file === undefined ? [] : parseJournal(file.text, path);
}

/** Matches a record that still has the sender of this one. */
function isSentBy({ sender }: OrderEntry): (record: OrderEntry) => boolean {
  return (record) => record.sender?.until === sender?.until && record.sender?.pid === sender?.pid;
}

/** Whether the journal knows an order of the same things that the user was not told of. */
function tellsMore(found: OrderStanding, told: OrderStanding | undefined): boolean {
  const known = new Set(told === undefined ? [] : marksOf(told));
  return marksOf(found).some((mark) => !known.has(mark));
}

function marksOf(standing: OrderStanding): readonly string[] {
  const records = standing.kind === 'same' ? [standing.record] : [...standing.doubts, standing.settled];
  return records.flatMap((record) => (record === undefined ? [] : `${record.state} ${record.key}`));
}

function newRecord(plan: OrderPlan, freshKey: string, now: number): OrderEntry {
  const { address, account, org, body, summary, items, key, fingerprint } = plan;
  return {
    key: key ?? freshKey,
    ownKey: key !== undefined,
    state: 'open',
    createdAt: new Date(now).toISOString(),
    address,
    account,
    org,
    summary,
    items,
    label: labelsOf(body),
    fingerprint,
    ...contentsOf(body),
  };
}
