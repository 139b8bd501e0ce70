import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { CommandTime, KeptFiles } from '../cli/define/context.ts';
import type { DocumentPlace } from '../store/document.ts';
import { ownerMark } from '../store/lock.ts';
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
import { belongsTo, hasAnswerLeft, type OrderEntries, type OrderEntry } from './order.ts';

/** An order to send. */
export interface OrderPlan extends Wanted {
  /** JSON. */
  readonly body: string;
  readonly summary: string;
  readonly items: string;
}

/** What the answer to an order says of it. */
export interface AnsweredOrder
  extends Pick<OrderEntry, 'orderId' | 'amount' | 'currency' | 'status' | 'answer'> {
  readonly isDoubtful?: boolean;
}

/** In the journal, and may be sent now. */
export interface Begun {
  readonly kind: 'begun';
  readonly entry: OrderEntry & { readonly body: string };
  /** Of an order that was sent before. */
  readonly earlier: OrderEntry | undefined;
}

/** Its answer is there, and to be printed now. */
export interface Reprint {
  readonly kind: 'reprint';
  readonly entry: OrderEntry;
  /** Records that the user has the answer. No effect if another process prints it now. */
  readonly printed: () => Promise<boolean>;
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

/** Each function throws CliError `usage` if the file cannot be read, parsed or written. */
export type OrderJournal = ReturnType<typeof openJournal>;

interface JournalParts {
  readonly store: Pick<KeptFiles, 'configFolder' | 'machine'>;
  readonly time: Pick<CommandTime, 'clock'>;
}

/**
 * Opens the orders of a configuration folder. An order is on disk before the first byte of its
 * request is sent, stays open until the user has the answer, and is remembered for a year. Touches
 * the disk only when a function is called.
 */
export function openJournal({ store, time }: JournalParts) {
  const { machine } = store;
  const { clock } = time;
  const place: DocumentPlace = {
    machine,
    clock,
    get path() {
      return join(store.configFolder(), JOURNAL_FILE);
    },
  };
  return {
    /** Of all accounts, the oldest first. */
    unfinished: async (): Promise<OrderEntries> =>
      (await readOrders(place)).filter(({ state }) => state !== 'closed'),
    /** Also those whose answer nobody could read. */
    async resumable(): Promise<OrderEntries> {
      const entries = await readOrders(place);
      return entries.filter(
        (entry) => entry.state !== 'closed' || hasAnswerLeft(entry, clock.now()),
      );
    },
    all: (): Promise<OrderEntries> => readOrders(place),
    /**
     * Adds an order that is agreed to, or returns why it must not be sent; undefined if it may be
     * sent without the journal. Looking once more and writing happen under one lock. If the answer
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
        const found = await orWithout(() =>
          add(place, agreedPlan(plan, known), known, asking.patienceMs),
        );
        if (found === undefined || found.kind === 'begun' || found.kind === 'reprint') return found;
        told = found;
      }
      return told;
    },
    /**
     * Returns what to call once the user has the answer. Until then, the next same order is
     * answered from it.
     */
    async close(entry: OrderEntry, answer: AnsweredOrder) {
      const answered = closed(entry, answer);
      await replace(place, entry, [answered]);
      return recordPrinted(place, answered);
    },
    /**
     * For a person who has looked the order up. Returns false, and changes nothing, if another
     * process has it.
     */
    settle(entry: OrderEntry, orderId: string | undefined): Promise<boolean> {
      const isUnchanged = (now: OrderEntry) =>
        now.state !== 'closed' && isSentBy(entry)(now) && !isSending(now, clock.now(), machine);
      const settled = orderId === undefined ? [] : [closed(entry, { orderId })];
      return replace(place, entry, settled, isUnchanged);
    },
    /** Gives up with an unknown outcome. No effect if another process sends it now. */
    release: (entry: OrderEntry) =>
      replace(place, entry, [{ ...entry, sender: undefined }], isSentBy(entry)),
    /**
     * For one that was not placed now; what the journal had before stays. No effect if another
     * process sends it now.
     */
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

/**
 * Adds an order, or takes its answer; returns what the journal knows if that is more than was told.
 */
function add(
  place: DocumentPlace,
  plan: OrderPlan,
  told: OrderStanding | Unprinted,
  patienceMs: number,
) {
  const { machine, clock } = place;
  return changeOrders<Begun | Reprint | Match>(place, (entries) => {
    const found = find(place, plan, entries);
    const now = clock.now();
    const sender = { mark: ownerMark(machine), until: new Date(now + patienceMs).toISOString() };
    if (found.kind === 'unprinted') {
      const taken = { ...found.entry, sender };
      const reprint = {
        kind: 'reprint',
        entry: taken,
        printed: recordPrinted(place, taken),
      } as const;
      return [replaced(entries, found.entry, taken), reprint];
    }
    if (isObstacle(found) || told.kind === 'unprinted' || (!plan.isNew && tellsMore(found, told))) {
      return [undefined, found];
    }
    const earlier = found.kind === 'same' ? found.entry : undefined;
    const entry = {
      ...(earlier ?? newEntry(plan, now)),
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

/** Returns false, and changes nothing, if the order is gone or `mayReplace` refuses it. */
function replace(
  place: DocumentPlace,
  entry: OrderEntry,
  next: OrderEntries,
  mayReplace = (_now: OrderEntry) => true,
): Promise<boolean> {
  return changeOrders<boolean>(place, (entries) => {
    const isMeant = (one: OrderEntry) =>
      one.key === entry.key && belongsTo(one, entry) && mayReplace(one);
    if (!entries.some(isMeant)) return [undefined, false];
    return [entries.flatMap((one) => (isMeant(one) ? next : one)), true];
  });
}

function recordPrinted(place: DocumentPlace, entry: OrderEntry) {
  return () =>
    replace(place, entry, [{ ...entry, answer: undefined, sender: undefined }], isSentBy(entry));
}

function newEntry(plan: OrderPlan, now: number): OrderEntry {
  const { address, account, org, summary, items, contents, key, fingerprint } = plan;
  const of = { address, account, org, summary, items, contents, fingerprint };
  return {
    key: key ?? randomUUID(),
    ownKey: key !== undefined,
    state: 'open',
    createdAt: new Date(now).toISOString(),
    ...of,
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
