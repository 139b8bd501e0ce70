import { dirname, join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { CliError } from '../../errors.ts';
import type { Machine } from '../machine.ts';
import { asUsage, cannotSave } from '../problem.ts';
import { type PrivateFile, readPrivateFile } from '../read.ts';
import { withLockedFile } from '../write.ts';
import { contentsOf } from './contents.ts';
import { belongsTo, findMatch, isObstacle, type Match, pruned, type Standing, type Wanted } from './match.ts';
import { fromText, newKey, type PurchaseRecord, type Records, toText } from './record.ts';
import { isSending, senderHere } from './sender.ts';

/** The journal's file in the configuration folder. */
export const JOURNAL_FILE = 'purchases.json';

/** A purchase to send. */
export interface Plan extends Omit<Wanted, 'things' | 'labelled'> {
  /** JSON. */
  readonly body: string;
  /** See {@link PurchaseRecord.summary}. */
  readonly summary: string;
}

/** A purchase that is in the journal and may be sent now. */
export interface Begun {
  readonly kind: 'begun';
  readonly record: PurchaseRecord & { readonly body: string };
  /** Its former record, if it was sent before. */
  readonly earlier: PurchaseRecord | undefined;
}

/** The journal says something else of a purchase by now than what the user was told; nothing was begun. */
export interface Changed {
  readonly kind: 'changed';
  readonly standing: Standing;
}

/** What `begin` ends with. */
export type Beginning = Begun | Changed | Exclude<Match, Standing>;

export type Journal = ReturnType<typeof openJournal>;

/**
 * Opens the journal of a configuration folder: the purchases whose answer the user may not have, in a file that outlives
 * the process. A purchase is on disk before the first byte of its request is sent, and until the user has the answer.
 * Reads and makes nothing yet. Every function throws CliError `usage` if the file cannot be read, parsed or written.
 */
export function openJournal(folder: string, machine: Machine, clock: Clock) {
  const place = { path: join(folder, JOURNAL_FILE), machine, clock };
  const read = (): Records => pruned(readJournal(place), clock.now());
  return {
    path: place.path,
    /** The open purchases of all accounts, the oldest first. */
    unfinished: async (): Promise<Records> => read().filter(({ state }) => state === 'open'),
    /** Looks for a purchase like this one; changes nothing. */
    look: async (plan: Plan): Promise<Match> => matchOf(plan, read(), place),
    /**
     * Adds a purchase, or returns why it must not be sent. Looking and writing happen under one lock.
     * @param patienceMs milliseconds after which this process gives up
     * @param told what the user was told of it before
     */
    begin(plan: Plan, patienceMs: number, told: Standing | undefined): Promise<Beginning> {
      const freshKey = newKey();
      return changeJournal<Beginning>(place, (content) => {
        const records = pruned(content, clock.now());
        const found = matchOf(plan, records, place);
        if (isObstacle(found)) return [undefined, found];
        if (!plan.isNew && tellsMore(found, told)) return [undefined, { kind: 'changed', standing: found }];
        const begun = begunFrom(found, plan, freshKey, patienceMs, place);
        return [[...records.filter((other) => other !== begun.earlier), begun.record], begun];
      });
    },
    /** Records that the user has the answer. */
    close: (record: PurchaseRecord, orderId: string | undefined) => replace(place, record, [closed(record, orderId)]),
    /**
     * Ends a purchase that a person has looked up: as this order, or without one. Returns false, and changes nothing, if
     * another process sends or ends it now.
     */
    async settle(record: PurchaseRecord, orderId: string | undefined): Promise<boolean> {
      if (record.sender !== undefined && isSending(record.sender, clock.now(), machine)) return false;
      const isUnchanged = (now: PurchaseRecord) => now.state === 'open' && isSentBy(record)(now);
      return replace(place, record, orderId === undefined ? [] : [closed(record, orderId)], isUnchanged);
    },
    /** Records that this process stopped sending it with an unknown outcome. No effect if another process sends it now. */
    release: (record: PurchaseRecord) => replace(place, record, [{ ...record, sender: undefined }], isSentBy(record)),
    /** Removes a purchase that was not ordered. No effect if another process sends it now. */
    forget: (record: PurchaseRecord) => replace(place, record, [], isSentBy(record)),
  };
}

function matchOf(plan: Plan, records: Records, { machine, clock }: JournalPlace): Match {
  return findMatch(records, { ...plan, ...contentsOf(plan.body) }, clock.now(), machine);
}

/** Makes the record to write before a purchase is sent: the one it has already, or a new one with the fresh key. */
function begunFrom(
  found: Standing,
  plan: Plan,
  freshKey: string,
  patienceMs: number,
  { machine, clock }: JournalPlace,
): Begun {
  const now = clock.now();
  const earlier = found.kind === 'same' ? found.record : undefined;
  const record = {
    ...(earlier ?? newRecord(plan, freshKey, now)),
    state: 'open',
    // Keep the original bytes: the service may compare them.
    body: earlier?.body ?? plan.body,
    sender: senderHere(machine, now + patienceMs),
  } as const;
  return { kind: 'begun', record, earlier };
}

function closed(record: PurchaseRecord, orderId: string | undefined): PurchaseRecord {
  return { ...record, state: 'closed', orderId, body: undefined, sender: undefined };
}

/** Replaces a record by `next`. Returns false, and changes nothing, if it is gone or must not be replaced as it is now. */
function replace(
  place: JournalPlace,
  record: PurchaseRecord,
  next: readonly PurchaseRecord[],
  mayReplace = (_now: PurchaseRecord) => true,
): Promise<boolean> {
  return changeJournal<boolean>(place, (records) => {
    const isMeant = (other: PurchaseRecord) =>
      other.key === record.key && belongsTo(other, record) && mayReplace(other);
    return [records.flatMap((other) => (isMeant(other) ? next : other)), records.some(isMeant)];
  });
}

/** Reads the journal; empty if there is none. Throws CliError `usage` if the file cannot be read or parsed. */
function readJournal({ path, machine }: JournalPlace): Records {
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
  edit: (records: Records) => readonly [Records | undefined, T],
): Promise<T> {
  try {
    return await withLockedFile(path, machine, clock, (file) => {
      const [records, result] = edit(recordsOf(file.read(), path));
      if (records !== undefined) file.write(toText(records));
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

function recordsOf(file: PrivateFile | undefined, path: string): Records {
  return file === undefined ? [] : fromText(file.text, path);
}

/** Matches a record that still has the sender of this one. */
function isSentBy({ sender }: PurchaseRecord): (record: PurchaseRecord) => boolean {
  return (record) => record.sender?.until === sender?.until && record.sender?.pid === sender?.pid;
}

/** Whether the journal knows a purchase of the same things that the user was not told of. */
function tellsMore(found: Standing, told: Standing | undefined): boolean {
  const known = new Set(told === undefined ? [] : marksOf(told));
  return marksOf(found).some((mark) => !known.has(mark));
}

function marksOf(standing: Standing): readonly string[] {
  const records = standing.kind === 'same' ? [standing.record] : [...standing.doubts, standing.settled];
  return records.flatMap((record) => (record === undefined ? [] : `${record.state} ${record.key}`));
}

function newRecord(plan: Plan, freshKey: string, now: number): PurchaseRecord {
  const { address, account, org, body, summary, key, fingerprint } = plan;
  return {
    key: key ?? freshKey,
    ownKey: key !== undefined,
    state: 'open',
    createdAt: new Date(now).toISOString(),
    address,
    account,
    org,
    summary,
    fingerprint,
    ...contentsOf(body),
  };
}
