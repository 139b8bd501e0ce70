import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Context } from '../kit/context.ts';
import type { DocumentPlace } from '../store/document.ts';
import { ownerMark } from '../store/lock.ts';
import type { Machine } from '../store/machine.ts';
import { changeOrders, JOURNAL_FILE, readOrders } from './file.ts';
import {
  findMatch,
  isObstacle,
  isSending,
  type Match,
  type Obstacle,
  type OrderStanding,
  tellsMore,
  type Unprinted,
  type Wanted,
} from './match.ts';
import { belongsTo, hasAnswerLeft, newKey, type OrderEntries, type OrderEntry } from './order.ts';

/** An order to send. */
export interface OrderPlan extends Wanted {
  /** JSON. */
  readonly body: string;
  /** See {@link OrderEntry.summary}. */
  readonly summary: string;
  /** See {@link OrderEntry.items}. */
  readonly items: string;
}

/** What the answer to an order says of it. */
export interface AnsweredOrder extends Pick<OrderEntry, 'orderId' | 'amount' | 'currency' | 'status' | 'answer'> {
  /** Whether it shows trouble that svc cannot judge. */
  readonly isDoubtful?: boolean;
}

/** An order that is in the journal and may be sent now. */
export interface Begun {
  readonly kind: 'begun';
  readonly entry: OrderEntry & { readonly body: string };
  /** What the journal had of it before, if it was sent before. */
  readonly earlier: OrderEntry | undefined;
}

/** Records that the user has the answer to an order. No effect if another process prints it now. */
type RecordPrinted = () => Promise<boolean>;

/** An order whose answer svc has, which is to be printed now. */
export interface Reprint {
  readonly kind: 'reprint';
  readonly entry: OrderEntry;
  readonly printed: RecordPrinted;
}

/** What `begin` asks of the command that places an order. */
export interface Asking {
  /** Milliseconds after which the command gives up. */
  readonly patienceMs: number;
  /**
   * Asks whether to send the order. Throws if it must not be sent.
   * @param known what the journal knows of it; undefined if the journal cannot be used
   * @param isChanged whether the journal has changed since the last time
   */
  agree(known: OrderStanding | undefined, isChanged: boolean): Promise<void>;
  /** Called if the journal cannot be used. Throws, unless the order may be sent all the same. */
  doWithout(error: unknown): Promise<void>;
}

/** See {@link openJournal}. */
export type OrderJournal = ReturnType<typeof openJournal>;

/** Opens the journal of the configuration folder of a run. */
export function openJournalOf({ machine, clock, configFolder }: Context): OrderJournal {
  return openJournal(configFolder, machine, clock);
}

/**
 * Opens the orders of a configuration folder, in a file that outlives the process. An order is on disk before the first byte
 * of its request is sent, stays open until the user has the answer, and is remembered for a year. Touches the disk only
 * when one of its functions is called; each throws CliError `usage` if the file cannot be read, parsed or written.
 */
export function openJournal(folder: () => string, machine: Machine, clock: Clock) {
  const place: DocumentPlace = {
    machine,
    clock,
    get path() {
      return join(folder(), JOURNAL_FILE);
    },
  };
  return {
    /** The orders of all accounts that are not settled, the oldest first. */
    unfinished: async (): Promise<OrderEntries> => (await readOrders(place)).filter(({ state }) => state !== 'closed'),
    /** The orders of all accounts that are not settled, and those whose answer nobody could read. */
    async resumable(): Promise<OrderEntries> {
      const entries = await readOrders(place);
      return entries.filter((entry) => entry.state !== 'closed' || hasAnswerLeft(entry, clock.now()));
    },
    /** The orders of a year, of all accounts, the oldest first. */
    all: (): Promise<OrderEntries> => readOrders(place),
    /**
     * Adds an order that is agreed to, or returns why it must not be sent; undefined if it may be sent without the journal.
     * What is agreed to is true when the order is added: looking once more and writing happen under one lock. If the answer
     * is there already, nobody is asked.
     */
    async begin(plan: OrderPlan, asking: Asking): Promise<Begun | Reprint | Obstacle | undefined> {
      const { agree, doWithout } = asking;
      const orWithout = async <T>(step: () => Promise<T>): Promise<T | undefined> => {
        try {
          return await step();
        } catch (error) {
          await doWithout(error);
          return undefined;
        }
      };
      let told = await orWithout(async () => find(place, plan, await readOrders(place)));
      for (let isChanged = false; told === undefined || !isObstacle(told); isChanged = true) {
        const known = told;
        if (known?.kind !== 'unprinted') await agree(known, isChanged);
        if (known === undefined) return undefined;
        const found = await orWithout(() => add(place, agreedPlan(plan, known), known, asking.patienceMs));
        if (found === undefined || found.kind === 'begun' || found.kind === 'reprint') return found;
        told = found;
      }
      return told;
    },
    /**
     * Records what the answer says, and returns what to call once the user has it. Until then, the next same order is
     * answered from it.
     */
    async close(entry: OrderEntry, answer: AnsweredOrder): Promise<RecordPrinted> {
      const answered = closed(entry, answer);
      await replace(place, entry, [answered]);
      return recordPrinted(place, answered);
    },
    /**
     * Ends an order that a person has looked up: as this order, or without one. Returns false, and changes nothing, if
     * another process sends or ends it now.
     */
    settle(entry: OrderEntry, orderId: string | undefined): Promise<boolean> {
      const isUnchanged = (now: OrderEntry) =>
        now.state !== 'closed' && isSentBy(entry)(now) && !isSending(now, clock.now(), machine);
      return replace(place, entry, orderId === undefined ? [] : [closed(entry, { orderId })], isUnchanged);
    },
    /** Records that this process gave up with an unknown outcome. No effect if another process sends it now. */
    release: (entry: OrderEntry) => replace(place, entry, [{ ...entry, sender: undefined }], isSentBy(entry)),
    /** Takes back an order that was not placed now; what the journal had of it before stays. No effect if another process sends it now. */
    forget: (entry: OrderEntry, earlier: OrderEntry | undefined) =>
      replace(place, entry, earlier === undefined ? [] : [earlier], isSentBy(entry)),
  };
}

function find({ machine, clock }: DocumentPlace, plan: OrderPlan, entries: OrderEntries): Match {
  return findMatch(entries, plan, clock.now(), machine);
}

/** Who agreed to go on with an order means that order, whatever becomes of it meanwhile. */
function agreedPlan(plan: OrderPlan, known: OrderStanding | Unprinted): OrderPlan {
  if (known.kind !== 'same') return plan;
  const { key, state } = known.entry;
  return { ...plan, key: plan.key ?? key, isResumed: plan.isResumed || state === 'open' };
}

/** Adds an order under the lock, or takes its answer; returns what the journal knows if that is more than was told. */
function add(place: DocumentPlace, plan: OrderPlan, told: OrderStanding | Unprinted, patienceMs: number) {
  const { machine, clock } = place;
  const freshKey = newKey();
  return changeOrders<Begun | Reprint | Match>(place, (entries) => {
    const found = find(place, plan, entries);
    const now = clock.now();
    const sender = { mark: ownerMark(machine), until: new Date(now + patienceMs).toISOString() };
    if (found.kind === 'unprinted') {
      const taken = { ...found.entry, sender };
      const reprint = { kind: 'reprint', entry: taken, printed: recordPrinted(place, taken) } as const;
      return [replaced(entries, found.entry, taken), reprint];
    }
    if (isObstacle(found) || told.kind === 'unprinted' || (!plan.isNew && tellsMore(found, told))) {
      return [undefined, found];
    }
    const earlier = found.kind === 'same' ? found.entry : undefined;
    const entry = {
      ...(earlier ?? newEntry(plan, freshKey, now)),
      state: 'open',
      // Keep the original bytes: the platform may compare them.
      body: earlier?.body ?? plan.body,
      sender,
    } as const;
    const changed = earlier === undefined ? [...entries, entry] : replaced(entries, earlier, entry);
    return [changed, { kind: 'begun', entry, earlier }];
  });
}

function replaced(entries: OrderEntries, one: OrderEntry, by: OrderEntry): OrderEntries {
  return entries.map((entry) => (entry === one ? by : entry));
}

/** Replaces an order by `next`. Returns false, and changes nothing, if it is gone or `mayReplace` refuses it. */
function replace(
  place: DocumentPlace,
  entry: OrderEntry,
  next: OrderEntries,
  mayReplace = (_now: OrderEntry) => true,
): Promise<boolean> {
  return changeOrders<boolean>(place, (entries) => {
    const isMeant = (one: OrderEntry) => one.key === entry.key && belongsTo(one, entry) && mayReplace(one);
    if (!entries.some(isMeant)) return [undefined, false];
    return [entries.flatMap((one) => (isMeant(one) ? next : one)), true];
  });
}

function recordPrinted(place: DocumentPlace, entry: OrderEntry): RecordPrinted {
  return () => replace(place, entry, [{ ...entry, answer: undefined, sender: undefined }], isSentBy(entry));
}

function newEntry(plan: OrderPlan, freshKey: string, now: number): OrderEntry {
  const { address, account, org, summary, items, contents, key, fingerprint } = plan;
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
    contents,
    fingerprint,
  };
}

/** While its answer is not printed, a process is busy with it. */
function closed(entry: OrderEntry, { isDoubtful, ...known }: AnsweredOrder): OrderEntry {
  const { orderId, amount, currency, status, answer } = known;
  const sender = answer === undefined ? undefined : entry.sender;
  const state = isDoubtful ? 'doubtful' : 'closed';
  return { ...entry, orderId, amount, currency, status, answer, sender, state, body: undefined };
}

function isSentBy({ sender }: OrderEntry): (entry: OrderEntry) => boolean {
  return (entry) => entry.sender?.until === sender?.until && entry.sender?.mark === sender?.mark;
}
