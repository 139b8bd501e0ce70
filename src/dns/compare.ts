import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../zone/summary.ts';
import { comparableValue } from '../zone/tokens.ts';
import { ask, type DnsFault, type DnsOptions } from './client.ts';
import { bareName, type DnsReply, type QueryType, type ResourceRecord, type ResponseCode } from './message.ts';
import { referralOf } from './resolver.ts';
import type { DnsServer } from './server.ts';

/** A record that a nameserver should have. */
export interface WantedRecord {
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
  /** Whether a record of it has no priority, so that only the other data can be compared. */
  readonly isWithoutPriority: boolean;
}

/** Groups records by name and type, in the order of their first occurrence. */
export function toRecordSets(records: readonly WantedRecord[]): RecordSet[] {
  const groups = groupBy(records, ({ name, type }) => `${bareName(name)} ${type}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const hasPriority = first.type === 'MX' || first.type === 'SRV';
    const isWithoutPriority = hasPriority && group.some(({ priority }) => priority === undefined);
    return [
      { name: bareName(first.name), type: first.type, values: valuesOf(group, isWithoutPriority), isWithoutPriority },
    ];
  });
}

function valuesOf(
  records: readonly Pick<ResourceRecord, 'type' | 'value' | 'priority'>[],
  isWithoutPriority: boolean,
): string[] {
  const values = records.map(({ type, value, priority }) => {
    const data = comparableValue(type, value);
    return priority === undefined || isWithoutPriority ? data : `${priority} ${data}`;
  });
  return [...new Set(values)].sort();
}

/**
 * Chooses the sets to ask a nameserver of the domain for: not the nameservers of the apex, which change with the move,
 * and nothing below a name that is delegated to other nameservers.
 */
export function chooseSets(sets: readonly RecordSet[], domain: string): RecordSet[] {
  const apex = bareName(domain);
  const cuts = new Set(sets.filter(({ name, type }) => type === 'NS' && name !== apex).map(({ name }) => name));
  return sets.filter(({ name, type }) => (type === 'NS' ? name !== apex : !isBelowAny(name, cuts)));
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

/** A set of records that a server gave no answer for. */
export interface Unanswered {
  readonly name: string;
  readonly type: string;
  /** The response code, such as `SERVFAIL`, what went wrong on the way, or that it was not asked any more. */
  readonly reason: ResponseCode | DnsFault | 'not_asked';
}

/** How a server's answers compare with the sets of records that it should have. */
export interface Comparison {
  /** How many sets it answers as wanted. */
  readonly matching: number;
  readonly different: readonly Difference[];
  readonly unanswered: readonly Unanswered[];
}

/** Asks a server for every set and compares the answers. Throws only the signal's reason. */
export async function compareRecords(
  server: DnsServer,
  sets: readonly RecordSet[],
  options: DnsOptions,
): Promise<Comparison> {
  const different: Difference[] = [];
  const unanswered: Unanswered[] = [];
  let matching = 0;
  for (const { set, reply } of await askAll(server, sets, options)) {
    const { name, type } = set;
    if (typeof reply === 'string') unanswered.push({ name, type, reason: reply });
    else if (reply.code !== 'NOERROR' && reply.code !== 'NXDOMAIN') {
      unanswered.push({ name, type, reason: reply.code });
    } else {
      const found = valuesOf(recordsFor(set, reply), set.isWithoutPriority);
      if (isDeepStrictEqual(found, set.values)) matching += 1;
      else different.push({ name, type, wanted: set.values, found });
    }
  }
  return { matching, different: different.sort(byNameAndType), unanswered: unanswered.sort(byNameAndType) };
}

/** How many questions a server gets at a time, so that it is not flooded. */
const AT_ONCE = 8;
/** After this many questions that met silence, the server is not asked the rest. */
const PATIENCE = 3;

async function askAll(server: DnsServer, sets: readonly RecordSet[], options: DnsOptions) {
  const results: { set: RecordSet; reply: DnsReply | DnsFault | 'not_asked' }[] = [];
  const waiting = [...sets.entries()];
  let silences = 0;
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, set] = next;
      const reply = silences < PATIENCE ? await ask(server, set, options) : 'not_asked';
      if (typeof reply === 'string') silences += 1;
      results[index] = { set, reply };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

function recordsFor({ name, type }: RecordSet, reply: DnsReply): readonly ResourceRecord[] {
  const owners = new Set([name]);
  // A set grows while it is walked, so that a chain is followed to its end and a circle once.
  for (const owner of type === 'CNAME' ? [] : owners) {
    const aliases = reply.answers.filter((record) => record.type === 'CNAME' && record.name === owner);
    for (const { value } of aliases) owners.add(value);
  }
  const own = reply.answers.filter((record) => record.type === type && owners.has(record.name));
  return own.length === 0 && type === 'NS' ? referralOf(reply, name) : own;
}

type Named = Pick<Difference, 'name' | 'type'>;

function byNameAndType(one: Named, other: Named): number {
  const [a, b] = [`${one.name} ${one.type}`, `${other.name} ${other.type}`];
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
