import { dirname, join } from 'node:path';
import type { Clock } from '../clock.ts';
import { type CliError, usageError } from '../errors.ts';
import { changeDocument, type DocumentKind, type DocumentPlace, readDocument } from '../store/document.ts';
import { ownerMark } from '../store/lock.ts';
import type { Machine } from '../store/machine.ts';
import { asUsage, cannotSave } from '../store/problem.ts';
import { findMatch, isObstacle, isSending, type Match, type OrderStanding, type Wanted } from './match.ts';
import { belongsTo, contentsOf, newKey, type OrderEntries, type OrderEntry, toOrder } from './order.ts';

/** The journal's file in the configuration folder. */
export const JOURNAL_FILE = 'orders.json';

/** How long an order is remembered, in milliseconds. */
const YEAR_MS = 366 * 24 * 3_600_000;
/** Closed orders that are remembered. */
export const MAX_CLOSED = 1_000;

const ORDERS: DocumentKind<OrderEntries> = {
  format: 1,
  empty: [],
  parse({ orders }) {
    const entries = Array.isArray(orders) ? orders.map(toOrder) : [undefined];
    return entries.every((entry) => entry !== undefined) ? entries : undefined;
  },
  // A guess could buy something twice.
  damaged: (path) =>
    usageError(
      `The list of orders is damaged: ${path}.`,
      'Check which of your last orders exist, then move the file away: svc no longer knows what is unfinished.',
    ),
};

/** An order to send. */
export interface OrderPlan extends Omit<Wanted, 'contents'> {
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
 * Opens the orders of a configuration folder, in a file that outlives the process. An order is on disk before the first byte
 * of its request is sent, stays open until the user has the answer, and is remembered for a year. Touches the disk only
 * when one of its functions is called; each throws CliError `usage` if the file cannot be read, parsed or written.
 */
export function openJournal(folder: string, machine: Machine, clock: Clock) {
  const place = { path: join(folder, JOURNAL_FILE), machine, clock };
  const find = (plan: OrderPlan, entries: OrderEntries): Match =>
    findMatch(entries, { ...plan, contents: contentsOf(plan.body) }, clock.now(), machine);
  return {
    path: place.path,
    /** The open orders of all accounts, the oldest first. */
    unfinished: async (): Promise<OrderEntries> => (await readOrders(place)).filter(({ state }) => state === 'open'),
    /** The orders of a year, of all accounts, the oldest first. */
    all: async (): Promise<OrderEntries> => remembered(await readOrders(place), clock.now()),
    /** Looks for an order like this one; changes nothing. */
    look: async (plan: OrderPlan): Promise<Match> => find(plan, await readOrders(place)),
    /**
     * Adds an order, or returns why it must not be sent. Looking and writing happen under one lock.
     * @param patienceMs milliseconds after which this process gives up
     * @param told what the user was told of it before
     */
    begin(plan: OrderPlan, patienceMs: number, told: OrderStanding | undefined): Promise<Beginning> {
      const freshKey = newKey();
      return changeOrders<Beginning>(place, (entries) => {
        const found = find(plan, entries);
        if (isObstacle(found)) return [undefined, found];
        if (!plan.isNew && tellsMore(found, told)) return [undefined, { kind: 'changed', standing: found }];
        const now = clock.now();
        const earlier = found.kind === 'same' ? found.record : undefined;
        const record = {
          ...(earlier ?? newEntry(plan, freshKey, now)),
          state: 'open',
          // Keep the original bytes: the platform may compare them.
          body: earlier?.body ?? plan.body,
          sender: { mark: ownerMark(machine), until: new Date(now + patienceMs).toISOString() },
        } as const;
        const others = entries.map((other) => (other === earlier ? record : other));
        return [earlier === undefined ? [...entries, record] : others, { kind: 'begun', record, earlier }];
      });
    },
    /** Records that the user has the answer. */
    close: (record: OrderEntry, answer: AnsweredOrder) => replace(place, record, [closed(record, answer)]),
    /**
     * Ends an order that a person has looked up: as this order, or without one. Returns false, and changes nothing, if
     * another process sends or ends it now.
     */
    settle(record: OrderEntry, orderId: string | undefined): Promise<boolean> {
      const isUnchanged = (now: OrderEntry) =>
        now.state === 'open' && isSentBy(record)(now) && !isSending(now, clock.now(), machine);
      return replace(place, record, orderId === undefined ? [] : [closed(record, { orderId })], isUnchanged);
    },
    /** Records that this process gave up with an unknown outcome. No effect if another process sends it now. */
    release: (record: OrderEntry) => replace(place, record, [{ ...record, sender: undefined }], isSentBy(record)),
    /** Removes an order that was not placed. No effect if another process sends it now. */
    forget: (record: OrderEntry) => replace(place, record, [], isSentBy(record)),
  };
}

async function readOrders({ path, machine }: DocumentPlace): Promise<OrderEntries> {
  try {
    return readDocument(path, ORDERS, machine).content;
  } catch (error) {
    throw explained(path, error);
  }
}

/** Changes the file under its lock. `edit` returns the orders to write; undefined leaves the file as it is. */
async function changeOrders<T>(
  place: DocumentPlace,
  edit: (entries: OrderEntries) => readonly [OrderEntries | undefined, T],
): Promise<T> {
  try {
    return await changeDocument(place, ORDERS, ({ content, write }) => {
      const [entries, result] = edit(content);
      if (entries !== undefined) write({ orders: remembered(entries, place.clock.now()) });
      return result;
    });
  } catch (error) {
    throw explained(place.path, error);
  }
}

/** Replaces an order by `next`. Returns false, and changes nothing, if it is gone or `mayReplace` refuses it. */
function replace(
  place: DocumentPlace,
  record: OrderEntry,
  next: OrderEntries,
  mayReplace = (_now: OrderEntry) => true,
): Promise<boolean> {
  return changeOrders<boolean>(place, (entries) => {
    const isMeant = (one: OrderEntry) => one.key === record.key && belongsTo(one, record) && mayReplace(one);
    if (!entries.some(isMeant)) return [undefined, false];
    return [entries.flatMap((one) => (isMeant(one) ? next : one)), true];
  });
}

function explained(path: string, error: unknown): CliError {
  return asUsage(cannotSave('the list of orders', dirname(path), error, 'Set SVC_CONFIG_DIR to another folder.'));
}

function newEntry(plan: OrderPlan, freshKey: string, now: number): OrderEntry {
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
    contents: contentsOf(body),
    fingerprint,
  };
}

function closed(record: OrderEntry, { orderId, amount, currency, status }: AnsweredOrder): OrderEntry {
  const answer = { orderId, amount, currency, status };
  return { ...record, ...answer, state: 'closed', body: undefined, sender: undefined };
}

/** Matches an entry that still has the sender of this one. */
function isSentBy({ sender }: OrderEntry): (entry: OrderEntry) => boolean {
  return (entry) => entry.sender?.until === sender?.until && entry.sender?.mark === sender?.mark;
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

/** Returns what is open, whatever the clock says, and the latest of what was closed within a year. */
function remembered(entries: OrderEntries, now: number): OrderEntries {
  const isRecent = ({ state, createdAt }: OrderEntry) => state === 'closed' && Date.parse(createdAt) > now - YEAR_MS;
  const kept = new Set(entries.filter(isRecent).slice(-MAX_CLOSED));
  return entries.filter((entry) => entry.state === 'open' || kept.has(entry));
}
