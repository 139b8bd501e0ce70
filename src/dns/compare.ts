import { comparableValue } from '../zone/tokens.ts';
import { type AskOptions, ask, DnsFault } from './client.ts';
import { bareName, type DnsReply, type QueryType, type ResourceRecord } from './message.ts';
import { referralOf } from './resolver.ts';
import type { DnsServer } from './server.ts';

/** A record that a nameserver should have, with its full name. */
export interface WantedRecord {
  readonly name: string;
  readonly type: QueryType;
  readonly value: string;
  readonly priority?: number | undefined;
}

/** All records of one name and type: what one question asks for. */
export interface RecordSet {
  readonly name: string;
  readonly type: QueryType;
  /** Each in the one form in which values are compared, sorted, without repetitions. */
  readonly values: readonly string[];
}

/** The records by name and type, in the order in which these first occur. */
export function toRecordSets(records: readonly WantedRecord[]): RecordSet[] {
  const sets = new Map<string, { name: string; type: QueryType; values: Set<string> }>();
  for (const record of records) {
    const name = bareName(record.name);
    const key = `${name} ${record.type}`;
    const set = sets.get(key) ?? { name, type: record.type, values: new Set() };
    sets.set(key, set);
    set.values.add(comparable(record));
  }
  return [...sets.values()].map(({ name, type, values }) => ({ name, type, values: [...values].sort() }));
}

/** The values of the records of a type, as {@link RecordSet.values} has them. */
function valuesOf(records: readonly ResourceRecord[], type: QueryType): string[] {
  return [...new Set(records.filter((record) => record.type === type).map(comparable))].sort();
}

/** Data with its priority in front: the same text for whatever means the same. */
function comparable({ type, value, priority }: Pick<ResourceRecord, 'type' | 'value' | 'priority'>): string {
  const data = comparableValue(type, value);
  return priority === undefined ? data : `${priority} ${data}`;
}

/**
 * The sets that a nameserver of the domain can be asked for: not the nameservers of the apex, which change with the
 * move, and nothing below a name that is delegated further. At most `max`, spread evenly over all.
 */
export function chooseSets(sets: readonly RecordSet[], domain: string, max: number): RecordSet[] {
  const apex = bareName(domain);
  const cuts = new Set(sets.filter(({ name, type }) => type === 'NS' && name !== apex).map(({ name }) => name));
  const own = sets.filter(({ name, type }) => (type === 'NS' ? name !== apex : !isBelowAny(name, cuts)));
  const step = Math.max(1, own.length / max);
  return own.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

function isBelowAny(name: string, cuts: ReadonlySet<string>): boolean {
  if (cuts.size === 0) return false;
  const labels = name.split('.');
  return labels.some((_, first) => cuts.has(labels.slice(first).join('.')));
}

/** A set of records that a server answers otherwise than wanted. */
export interface Difference {
  readonly name: string;
  readonly type: string;
  readonly wanted: readonly string[];
  readonly found: readonly string[];
}

/** How the answers of a server compare with the records that it should have. */
export interface Comparison {
  readonly matching: number;
  readonly different: readonly Difference[];
  /** Sets that no answer came for. */
  readonly unanswered: number;
}

/** Questions that a server is given at a time. */
const AT_A_TIME = 8;
/** A server that stays silent this often is not asked for the rest. */
const PATIENCE = 3;

/** Whether a server answered well enough to be taken for one that serves the zone; single packets get lost. */
export function isAnswered({ matching, different, unanswered }: Comparison): boolean {
  return unanswered === 0 || (unanswered < PATIENCE && matching + different.length > 0);
}

/** Asks a server for every set and compares. Never throws but the signal's reason. */
export async function compareRecords(
  server: DnsServer,
  sets: readonly RecordSet[],
  options: AskOptions,
): Promise<Comparison> {
  const different: Difference[] = [];
  let matching = 0;
  let unanswered = 0;
  const waiting = [...sets];
  const work = async () => {
    for (let set = waiting.shift(); set !== undefined; set = waiting.shift()) {
      const found = unanswered < PATIENCE ? await findValues(server, set, options) : undefined;
      if (found === undefined) unanswered += 1;
      else if (isEqual(found, set.values)) matching += 1;
      else different.push({ name: set.name, type: set.type, wanted: set.values, found });
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return { matching, different: different.sort(byNameAndType), unanswered };
}

async function findValues(
  server: DnsServer,
  { name, type }: RecordSet,
  options: AskOptions,
): Promise<readonly string[] | undefined> {
  let reply: DnsReply;
  try {
    reply = await ask(server, { name, type }, options);
  } catch (error) {
    if (error instanceof DnsFault) return undefined;
    throw error;
  }
  if (reply.code !== 'NOERROR' && reply.code !== 'NXDOMAIN') return undefined;
  const found = valuesOf(reply.answers, type);
  return found.length === 0 && type === 'NS' ? valuesOf(referralOf(reply, name), type) : found;
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}

function byNameAndType(one: Difference, other: Difference): number {
  const [a, b] = [`${one.name} ${one.type}`, `${other.name} ${other.type}`];
  return a < b ? -1 : a > b ? 1 : 0;
}
