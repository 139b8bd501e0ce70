import { isDeepStrictEqual } from 'node:util';
import { comparableValue } from '../zone/tokens.ts';
import { type AskOptions, ask, DnsFault, mapLimited } from './client.ts';
import { bareName, type DnsReply, type QueryType, type ResourceRecord } from './message.ts';
import { referralOf } from './resolver.ts';
import type { DnsServer } from './server.ts';

/** A record that a nameserver should have. */
export interface WantedRecord {
  /** The full name. */
  readonly name: string;
  readonly type: QueryType;
  readonly value: string;
  readonly priority?: number | undefined;
}

/** All records of one name and type: the answer to one question. */
export interface RecordSet {
  readonly name: string;
  readonly type: QueryType;
  /** In the form in which values are compared, sorted, without duplicates. */
  readonly values: readonly string[];
}

/** Groups records by name and type, in the order of their first occurrence. */
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

function valuesOf(records: readonly ResourceRecord[], type: QueryType): string[] {
  return [...new Set(records.filter((record) => record.type === type).map(comparable))].sort();
}

function comparable({ type, value, priority }: Pick<ResourceRecord, 'type' | 'value' | 'priority'>): string {
  const data = comparableValue(type, value);
  return priority === undefined ? data : `${priority} ${data}`;
}

/**
 * Chooses the sets to ask a nameserver of the domain for: not the nameservers of the apex, which change with the move,
 * and nothing below a name that is delegated to other nameservers. At most `max`, spread evenly over all.
 */
export function chooseSets(sets: readonly RecordSet[], domain: string, max: number): RecordSet[] {
  const apex = bareName(domain);
  const cuts = new Set(sets.filter(({ name, type }) => type === 'NS' && name !== apex).map(({ name }) => name));
  const own = sets.filter(({ name, type }) => (type === 'NS' ? name !== apex : !isBelowAny(name, cuts)));
  const step = Math.max(1, own.length / max);
  return own.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

function isBelowAny(name: string, cuts: ReadonlySet<string>): boolean {
  const labels = name.split('.');
  return labels.some((_, first) => cuts.has(labels.slice(first).join('.')));
}

/** A set of records that a server answers with other values. */
export interface Difference {
  readonly name: string;
  readonly type: string;
  readonly wanted: readonly string[];
  readonly found: readonly string[];
}

export interface Comparison {
  readonly matching: number;
  readonly different: readonly Difference[];
  /** How many sets got no answer. */
  readonly unanswered: number;
}

/** After this many questions without an answer, the server is not asked the rest. */
const PATIENCE = 3;

/** Whether a server answered often enough to count as serving the zone; single packets get lost. */
export function isAnswered({ matching, different, unanswered }: Comparison): boolean {
  return unanswered === 0 || (unanswered < PATIENCE && matching + different.length > 0);
}

/** Asks a server for every set and compares the answers. Throws only the signal's reason. */
export async function compareRecords(
  server: DnsServer,
  sets: readonly RecordSet[],
  options: AskOptions,
): Promise<Comparison> {
  const different: Difference[] = [];
  let matching = 0;
  let unanswered = 0;
  await mapLimited(sets, async (set) => {
    const found = unanswered < PATIENCE ? await findValues(server, set, options) : undefined;
    if (found === undefined) unanswered += 1;
    else if (isDeepStrictEqual(found, set.values)) matching += 1;
    else different.push({ name: set.name, type: set.type, wanted: set.values, found });
  });
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

function byNameAndType(one: Difference, other: Difference): number {
  const [a, b] = [`${one.name} ${one.type}`, `${other.name} ${other.type}`];
  return a < b ? -1 : a > b ? 1 : 0;
}
