import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { CliError } from '../../errors.ts';
import { isObject, parseJson } from '../../json/values.ts';
import type { Machine } from '../machine.ts';
import { asUsage, cannotSave } from '../problem.ts';
import { readPrivateFile } from '../read.ts';
import { type LockedFile, withLockedFile } from '../write.ts';
import { belongsTo, findMatch, isObstacle, type Match, type Obstacle, pruned, type Wanted } from './match.ts';
import { fromText, newKey, type PurchaseRecord, type Records, sealedPurchases, senderHere, toText } from './record.ts';

/** The journal's file, and what changing it needs. */
interface JournalPlace {
  readonly path: string;
  readonly machine: Machine;
  readonly clock: Clock;
}

/**
 * Reads the journal; nothing where there is none yet.
 * @throws CliError `usage` where the file cannot be read or understood, and once for one of svc 0.1, which is set aside.
 */
async function readJournal(place: JournalPlace): Promise<Records> {
  const { path, machine } = place;
  try {
    const text = readPrivateFile(path, machine)?.text;
    if (text === undefined) return [];
    if (sealedPurchases(text) === undefined) return fromText(text, path);
  } catch (error) {
    throw error instanceof CliError ? asUsage(error) : error;
  }
  return changeJournal(place, (records) => [undefined, records]);
}

/**
 * Changes the journal under its lock, on the disk once this resolves. `edit` answers the new content, or nothing to leave
 * it as it is, and a result; it may be asked again after a lost lock.
 * @throws CliError `usage` where the file cannot be read, understood or written; see {@link readJournal}.
 */
async function changeJournal<T>(
  { path, machine, clock }: JournalPlace,
  edit: (records: Records) => readonly [Records | undefined, T],
): Promise<T> {
  try {
    return await withLockedFile(path, machine, clock, (file) => {
      const [records, result] = edit(recordsOf(file, path));
      if (records !== undefined) file.write(Buffer.from(toText(records)));
      return result;
    });
  } catch (error) {
    throw asUsage(cannotSave('the list of purchases', dirname(path), error, 'SVC_CONFIG_DIR=<another folder>'));
  }
}

function recordsOf(file: LockedFile, path: string): Records {
  const text = file.read()?.text;
  if (text === undefined) return [];
  const sealed = sealedPurchases(text);
  if (sealed === undefined) return fromText(text, path);
  if (sealed.length === 0) return [];
  const aside = file.setAside('old');
  throw new CliError('usage', `Purchases of an older svc, whose outcome is unknown, were moved to ${aside}.`, {
    lines: [...sealed, 'svc cannot resume them: look which of these orders exist before you place them again.'],
    hint: 'the same command again, which no longer knows of them',
  });
}

/** The journal's file in the configuration folder. */
export const JOURNAL_FILE = 'purchases.json';

/** A purchase that is about to be sent. */
export interface Plan extends Omit<Wanted, 'fingerprint'> {
  /** The JSON that is sent. */
  readonly body: string;
  /** See {@link PurchaseRecord.summary}. */
  readonly summary: string;
}

/** A purchase that is written down, and may be sent now. */
export interface Begun {
  readonly kind: 'begun';
  readonly record: PurchaseRecord & { readonly body: string };
  /** Its record from before, where it was sent before. */
  readonly earlier: PurchaseRecord | undefined;
}

/**
 * What was bought and is not known to have arrived, in a file that outlives the process: a purchase is in it, on the
 * disk, before the first byte of its request leaves, and until the user has the answer.
 */
export interface Journal {
  readonly path: string;
  /** The purchases of the last 30 days whose answer the user may not have, of all accounts, the oldest first. */
  unfinished(): Promise<Records>;
  /** What is known of a purchase like this one; changes nothing. */
  look(plan: Plan): Promise<Match>;
  /**
   * Writes a purchase down, or says why it must not be sent. Looking and writing are one step for all processes.
   * @param patienceMs milliseconds after which this process will have given up
   */
  begin(plan: Plan, patienceMs: number): Promise<Begun | Obstacle>;
  /** The user has the answer: this order. */
  close(record: PurchaseRecord, orderId: string | undefined): Promise<void>;
  /** This process no longer sends it, and its outcome is unknown. Does nothing where another one sends it by now. */
  release(record: PurchaseRecord): Promise<void>;
  /** Nothing was ordered. Does nothing where another process sends it by now. */
  forget(record: PurchaseRecord): Promise<void>;
}

/**
 * Opens the journal of a configuration folder; nothing is read or made yet.
 * Every function throws CliError `usage` where the file cannot be read, understood or written.
 */
export function openJournal(folder: string, machine: Machine, clock: Clock): Journal {
  const place = { path: join(folder, JOURNAL_FILE), machine, clock };
  const read = async (): Promise<Records> => pruned(await readJournal(place), clock.now());
  const match = (records: Records, plan: Plan): Match =>
    findMatch(records, { ...plan, fingerprint: fingerprint(plan.body) }, clock.now(), machine);
  const replace = (
    record: PurchaseRecord,
    next: PurchaseRecord | undefined,
    mayReplace = (_now: PurchaseRecord) => true,
  ) =>
    changeJournal<void>(place, (records) => {
      const isMeant = (other: PurchaseRecord) =>
        other.key === record.key && belongsTo(other, record) && mayReplace(other);
      return [records.flatMap((other) => (isMeant(other) ? (next ?? []) : other)), undefined];
    });
  return {
    path: place.path,
    unfinished: async () => (await read()).filter(({ state }) => state === 'open'),
    look: async (plan) => match(await read(), plan),
    begin(plan, patienceMs) {
      const freshKey = newKey();
      return changeJournal<Begun | Obstacle>(place, (content) => {
        const now = clock.now();
        const records = pruned(content, now);
        const found = match(records, plan);
        if (isObstacle(found)) return [undefined, found];
        const earlier = found.kind === 'same' ? found.record : undefined;
        const record = {
          ...(earlier ?? newRecord(plan, freshKey, now)),
          state: 'open',
          // A purchase goes on with the bytes that it began with: a service may compare them.
          body: earlier?.body ?? plan.body,
          sender: senderHere(machine, now + patienceMs),
        } as const;
        return [[...records.filter((other) => other !== earlier), record], { kind: 'begun', record, earlier }];
      });
    },
    close: (record, orderId) =>
      replace(record, { ...record, state: 'closed', orderId, body: undefined, sender: undefined }),
    release: (record) => replace(record, { ...record, sender: undefined }, isSentBy(record)),
    forget: (record) => replace(record, undefined, isSentBy(record)),
  };
}

/** Whether a record is still in the hands of the sender of this one. */
function isSentBy({ sender }: PurchaseRecord): (record: PurchaseRecord) => boolean {
  return (record) => record.sender?.until === sender?.until && record.sender?.pid === sender?.pid;
}

function newRecord(plan: Plan, freshKey: string, now: number): PurchaseRecord {
  const { address, account, org, body, summary, key } = plan;
  return {
    key: key ?? freshKey,
    state: 'open',
    createdAt: new Date(now).toISOString(),
    address,
    account,
    org,
    summary,
    fingerprint: fingerprint(body),
  };
}

/** A text that is equal for bodies that order the same, whatever the order of their fields. */
export function fingerprint(body: string): string {
  return createHash('sha256')
    .update(canonicalJson(parseJson(body)))
    .digest('base64url');
}

/** JSON with the fields of every object in one order, so that equal values are equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const names = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(',')}}`;
}
