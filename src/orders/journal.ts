import { join } from 'node:path';
import type { Needs } from '../cli/define/context.ts';
import { usageError } from '../errors.ts';
import { asArray, asObject } from '../json/values.ts';
import { changeDocument, type DocumentKind, readDocument } from '../store/document.ts';
import { getOwnerMark } from '../store/lock.ts';
import { cannotSaveError } from '../store/problem.ts';
import { type Decision, decide, isSameDecision, type WantedOrder } from './decide.ts';
import { isBeingSent, isOrderEntry, isSameAccount, type OrderEntry } from './entry.ts';

/** The journal's file in the configuration folder. */
export const JOURNAL_FILE = 'orders.json';

type OrderEntries = readonly OrderEntry[];
type Keeper = Needs<'store' | 'time'>;
type DocumentPlace = Parameters<typeof changeDocument>[0];

const YEAR_MS = 366 * 24 * 3_600_000;
const MAX_PLACED = 1_000;

/** The format with the states `sending`, `unknown` and `placed`. */
const FORMAT = 2;

const ORDERS: DocumentKind<OrderEntries> = {
  format: FORMAT,
  empty: [],
  parse: ({ orders }) => (Array.isArray(orders) && orders.every(isOrderEntry) ? orders : undefined),
  // A guess could buy something twice.
  damaged: (path) =>
    usageError(
      `The list of orders is damaged: ${path}.`,
      'Check which of your last orders exist, then move the file away.',
    ),
};

/** The same file as an older svc wrote it: the orders of which it says that they are not closed. */
const OLDER_ORDERS: DocumentKind<readonly unknown[] | undefined> = {
  format: FORMAT,
  empty: undefined,
  parse({ version, orders }) {
    const isOlder = typeof version === 'number' && version < FORMAT && Array.isArray(orders);
    if (!isOlder) return undefined;
    return asArray(orders).filter((order) => asObject(order)['state'] !== 'closed');
  },
};

/**
 * Moves the file of an older svc aside, and warns with its new name. Called before the journal is
 * used for somebody who reads warnings.
 * @throws CliError `usage`, once, if it has an order in doubt: that would no longer be known
 */
export function setOlderOrdersAside(keeper: Needs<'io' | 'store' | 'time'>): Promise<void> {
  return withFile(keeper, async (file) => {
    const { content: inDoubt } = readDocument(file.path, OLDER_ORDERS, file.machine);
    if (!inDoubt) return;

    const place = await changeDocument(file, ORDERS, ({ asidePath }) => asidePath, {
      movesAside: true,
    });
    // It had no orders, or another svc has been quicker, and has told it.
    if (!place) return;
    const message = `The list of orders was written by an older svc. It is now ${place}.`;
    if (inDoubt.length === 0) return keeper.io.warn(message, 'orders_set_aside');
    throw usageError(
      `${message} It has ${inDoubt.length} in doubt. Nothing was sent.`,
      'Look up which of your last orders exist, then repeat the command.',
    );
  });
}

/**
 * Returns the orders of all accounts, the oldest first: what is `sending` or `unknown`, whatever
 * the clock says, and the latest 1,000 that were placed within a year.
 * @throws CliError `usage` if the file cannot be read, parsed or written, as every function here
 * does
 */
export function readOrders(keeper: Keeper): Promise<OrderEntries> {
  return withFile(keeper, ({ path, machine, clock }) => {
    const { content } = readDocument(path, ORDERS, machine);
    return forgetOld(content, clock.now());
  });
}

/** Changes the file under its lock; `change` may write other orders. */
function changeOrders<T>(
  keeper: Keeper,
  change: (entries: OrderEntries, write: (entries: OrderEntries) => void) => T,
): Promise<T> {
  return withFile(keeper, (file) =>
    changeDocument(file, ORDERS, ({ content, write }) =>
      change(content, (entries) => write({ orders: forgetOld(entries, file.clock.now()) })),
    ),
  );
}

async function withFile<T>(
  { store, time }: Keeper,
  use: (file: DocumentPlace) => T | Promise<T>,
): Promise<T> {
  const folder = store.configFolder();
  const path = join(folder, JOURNAL_FILE);
  try {
    return await use({ path, machine: store.machine, clock: time.clock });
  } catch (error) {
    const hint = 'Set SVC_CONFIG_DIR to another folder.';
    throw cannotSaveError('the list of orders', folder, error, hint);
  }
}

/** Returns the place of an order in the list; that of a new one is at the end. */
function findPlace(entries: OrderEntries, entry: OrderEntry): number {
  const index = entries.findIndex(
    (known) => known.key === entry.key && isSameAccount(known, entry),
  );
  return index < 0 ? entries.length : index;
}

/** An order that is on the disk, and may be sent now. */
interface BegunOrder {
  readonly kind: 'begun';
  readonly entry: OrderEntry;
}

/**
 * Writes an order down: it is on the disk when this returns, and may be sent. If the journal says
 * by now something else than what the user has agreed to, it writes nothing and returns that.
 * @param patienceMs after which the command gives up
 */
export function beginOrder(
  wanted: WantedOrder,
  agreed: Decision,
  patienceMs: number,
  keeper: Keeper,
): Promise<BegunOrder | Decision> {
  const { machine } = keeper.store;
  return changeOrders<BegunOrder | Decision>(keeper, (entries, write) => {
    const now = keeper.time.clock.now();
    const decision = decide(entries, wanted, now, machine);
    if (decision.kind === 'refused' || !isSameDecision(decision, agreed)) return decision;

    const earlier = decision.kind === 'again' ? decision.entry : undefined;
    // The user keeps the key of an order that was placed: nothing about it is open.
    if (earlier?.state === 'placed') return { kind: 'begun', entry: earlier };

    const first = earlier ?? { ...wanted.draft, createdAt: toText(now) };
    const sender = { mark: getOwnerMark(machine), until: toText(now + patienceMs) };
    const entry: OrderEntry = { ...first, state: 'sending', sender };
    write(entries.toSpliced(findPlace(entries, entry), 1, entry));
    return { kind: 'begun', entry };
  });
}

/** The facts that an answer tells of an order; without an id, nobody knows whether it was placed. */
export interface OrderFacts
  extends Pick<OrderEntry, 'orderId' | 'amount' | 'currency' | 'status' | 'hasFailed'> {
  readonly state: 'placed' | 'unknown';
}

/** Records what an answer says of an order, or forgets an order that was not placed. */
export async function recordOrder(
  entry: OrderEntry,
  facts: OrderFacts | undefined,
  keeper: Keeper,
): Promise<void> {
  const now = toText(keeper.time.clock.now());
  const placedAt = facts?.state === 'placed' ? now : undefined;
  const next = facts ? [{ ...addFacts(entry, facts), placedAt }] : [];
  const mayReplace = (known: OrderEntry | undefined) => {
    if (isUnchanged(known, entry)) return true;
    // An order id counts whoever sends the order by now, and even if somebody has settled it. But
    // what is known to be placed stays so.
    const isStepBack = known?.state === 'placed' && facts?.state === 'unknown';
    return facts?.orderId !== undefined && !isStepBack;
  };
  await replaceEntry(entry, next, mayReplace, keeper);
}

/**
 * Closes an order that a person has looked up. Returns false, and changes nothing, if another
 * process has it.
 */
export function settleOrder(
  entry: OrderEntry,
  orderId: string | undefined,
  keeper: Keeper,
): Promise<boolean> {
  const next = orderId ? [addFacts(entry, { state: 'placed', orderId })] : [];
  return replaceEntry(
    entry,
    next,
    (known) =>
      isUnchanged(known, entry) &&
      !isBeingSent(entry, keeper.time.clock.now(), keeper.store.machine),
    keeper,
  );
}

/** Adds what is known by now. The body has the phone number: it goes when it is no longer sent. */
function addFacts(entry: OrderEntry, facts: OrderFacts): OrderEntry {
  const body = facts.orderId ? undefined : entry.body;
  return { ...entry, ...facts, body, sender: undefined };
}

/**
 * Puts `next`, or nothing, in place of an entry, unless `mayReplace` refuses what the file has by
 * now.
 */
function replaceEntry(
  entry: OrderEntry,
  next: OrderEntries,
  mayReplace: (known: OrderEntry | undefined) => boolean,
  keeper: Keeper,
): Promise<boolean> {
  return changeOrders(keeper, (entries, write) => {
    const place = findPlace(entries, entry);
    if (!mayReplace(entries[place])) return false;
    write(entries.toSpliced(place, 1, ...next));
    return true;
  });
}

/** Whether no other process has sent, settled or answered an order since. */
function isUnchanged(known: OrderEntry | undefined, { state, sender }: OrderEntry): boolean {
  const isSameSender =
    known?.sender?.mark === sender?.mark && known?.sender?.until === sender?.until;
  return known?.state === state && isSameSender;
}

function forgetOld(entries: OrderEntries, now: number): OrderEntries {
  const isRecent = ({ state, createdAt }: OrderEntry) =>
    state === 'placed' && Date.parse(createdAt) > now - YEAR_MS;
  const kept = new Set(entries.filter(isRecent).slice(-MAX_PLACED));
  return entries.filter((entry) => entry.state !== 'placed' || kept.has(entry));
}

function toText(time: number): string {
  return new Date(time).toISOString();
}
