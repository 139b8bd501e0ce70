import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Machine } from '../store/machine.ts';
import { ownerMark } from '../store/owner.ts';
import { fingerprint, type PurchaseRequest } from './fingerprint.ts';
import { changeJournal, readJournal } from './journal-file.ts';
import { newKey } from './key.ts';
import { findMatch, isObstacle, type Match, type Obstacle, pruned } from './match.ts';
import type { JournalContent, PurchaseRecord } from './record.ts';
import { seal } from './seal.ts';

/** The journal's file in the configuration folder. */
export const JOURNAL_FILE = 'purchases.json';

/** A purchase that is about to be sent. */
export interface Plan {
  readonly request: PurchaseRequest;
  /** The base address of the service. */
  readonly address: string;
  /** See {@link PurchaseRecord.summary}. */
  readonly summary: string;
  /** The key to send it with; otherwise that of the same unfinished purchase, or a new one. */
  readonly key: string | undefined;
  /** Whether a purchase like an unfinished one is meant as another one. */
  readonly isNew: boolean;
}

/** What sending needs beside the plan. */
export interface Sending {
  /** The token that pays; it seals the body. */
  readonly token: string;
  /** Milliseconds after which this process will have given up. */
  readonly patienceMs: number;
}

/** A purchase that is written down, and may be sent now. */
export interface Begun {
  readonly kind: 'begun';
  readonly record: PurchaseRecord;
  /** Its record from before, where it was sent before. */
  readonly earlier: PurchaseRecord | undefined;
}

/**
 * What was bought and is not known to have arrived, in a file that outlives the process: a purchase is in it, on the
 * disk, before the first byte of its request leaves, and until the user has the answer.
 */
export interface Journal {
  readonly path: string;
  /** The purchases of the last 30 days whose answer the user may not have, the oldest first. */
  unfinished(): readonly PurchaseRecord[];
  /** What is known of a purchase like this one; changes nothing. */
  look(plan: Plan): Match;
  /** Writes a purchase down, or says why it must not be sent. Looking and writing are one step for all processes. */
  begin(plan: Plan, sending: Sending): Promise<Begun | Obstacle>;
  /** The user has the answer: this order. */
  close(record: PurchaseRecord, orderId: string | undefined): Promise<void>;
  /** Nothing was ordered. */
  forget(record: PurchaseRecord): Promise<void>;
}

/**
 * Opens the journal of a configuration folder; nothing is read or made yet.
 * Every function throws CliError `usage` where the file cannot be read, understood or written.
 */
export function openJournal(folder: string, machine: Machine, clock: Clock): Journal {
  const path = join(folder, JOURNAL_FILE);
  const read = (): JournalContent | undefined => readJournal(path, machine);
  const replace = (record: PurchaseRecord, next: PurchaseRecord | undefined): Promise<void> =>
    changeJournal(path, machine, clock, (content) => [withRecord(content, record, next), undefined]);
  return {
    path,
    unfinished: () => pruned(read()?.purchases ?? [], clock.now()).filter(({ state }) => state === 'open'),
    look(plan) {
      const content = read();
      return content === undefined ? { kind: 'none' } : matchIn(content, plan, clock.now(), machine);
    },
    begin(plan, sending) {
      const freshKey = newKey();
      return changeJournal<Begun | Obstacle>(path, machine, clock, (content) => {
        const now = clock.now();
        const match = matchIn(content, plan, now, machine);
        if (isObstacle(match)) return [undefined, match];
        const earlier = match.kind === 'same' ? match.record : undefined;
        const record = inHand(earlier ?? newRecord(content, plan, freshKey, now), plan, sending, now, machine);
        const others = pruned(content.purchases, now).filter((other) => other !== earlier);
        return [
          { ...content, purchases: [...others, record] },
          { kind: 'begun', record, earlier },
        ];
      });
    },
    close: (record, orderId) =>
      replace(record, { ...record, state: 'closed', orderId, sealed: undefined, sender: undefined }),
    forget: (record) => replace(record, undefined),
  };
}

function matchIn({ salt, purchases }: JournalContent, plan: Plan, now: number, machine: Machine): Match {
  return findMatch(purchases, { ...plan, fingerprint: fingerprint(plan.request, salt) }, now, machine);
}

function newRecord({ salt }: JournalContent, plan: Plan, freshKey: string, now: number): PurchaseRecord {
  const { request, address, summary, key } = plan;
  return {
    key: key ?? freshKey,
    state: 'open',
    createdAt: new Date(now).toISOString(),
    address,
    org: request.org,
    summary,
    fingerprint: fingerprint(request, salt),
  };
}

/** The record as this process sends it: sealed anew, since the token may be another one than before. */
function inHand(
  record: PurchaseRecord,
  { request }: Plan,
  { token, patienceMs }: Sending,
  now: number,
  machine: Machine,
): PurchaseRecord {
  return {
    ...record,
    state: 'open',
    sealed: seal(JSON.stringify(request.body), token, record.key),
    sender: { mark: ownerMark(machine), until: new Date(now + patienceMs).toISOString() },
  };
}

function withRecord(content: JournalContent, record: PurchaseRecord, next: PurchaseRecord | undefined): JournalContent {
  const { key, address } = record;
  const purchases = content.purchases.flatMap((other) => {
    const isMeant = other.key === key && other.address === address;
    return isMeant ? (next ?? []) : other;
  });
  return { ...content, purchases };
}
