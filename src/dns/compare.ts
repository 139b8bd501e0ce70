import { isDeepStrictEqual } from 'node:util';
import type { Comparison } from '../contract/fields/dns.ts';
import { groupBy } from '../group-by.ts';
import { ask, type DnsOptions, type DnsServer, findAnswerRecords, isAnswer } from './client.ts';
import {
  type DnsReply,
  FAULTS,
  type QueryType,
  type ResourceRecord,
  toBareName,
} from './message.ts';
import { mayHavePriority } from './record-value.ts';
import { toComparableValue } from './zone-tokens.ts';

/** A record that a nameserver should have. */
export interface WantedRecord extends Pick<ResourceRecord, 'name' | 'value' | 'priority'> {
  readonly type: QueryType;
}

/** All records of one name and type: the answer to one question. */
export interface RecordSet {
  readonly name: string;
  readonly type: QueryType;
  /** The values in the form in which they are compared, sorted, without duplicates. */
  readonly values: readonly string[];
  /** Whether only the other data can be compared. */
  readonly isWithoutPriority: boolean;
}

/**
 * Groups records by name and type, in the order of their first occurrence.
 */
export function toRecordSets(records: readonly WantedRecord[]): RecordSet[] {
  const named = records.map((record) => ({ ...record, name: toBareName(record.name) }));
  const groups = groupBy(named, ({ name, type }) => `${name} ${type}`);
  return [...groups.values()].map((group) => {
    const [{ name, type }] = group;
    const isWithoutPriority =
      mayHavePriority(type) && group.some(({ priority }) => priority === undefined);
    const values = toComparableValues(group, isWithoutPriority);
    return { name, type, values, isWithoutPriority };
  });
}

function toComparableValues(
  records: readonly ResourceRecord[],
  isWithoutPriority: boolean,
): string[] {
  const values = records.map(({ type, value, priority }) => {
    const data = toComparableValue(type, value);
    return priority === undefined || isWithoutPriority ? data : `${priority} ${data}`;
  });
  return [...new Set(values)].sort();
}

/**
 * The sets of a domain's own nameservers: not those of the apex, which change with the move, and
 * nothing delegated.
 */
export function chooseSets(sets: readonly RecordSet[], domain: string): RecordSet[] {
  const cuts = sets.flatMap(({ name, type }) => (type === 'NS' && name !== domain ? [name] : []));
  const isCut = (name: string) => cuts.some((cut) => name === cut || name.endsWith(`.${cut}`));
  return sets.filter(({ name, type }) => (type === 'NS' ? name !== domain : !isCut(name)));
}

/** A server is asked so many questions at a time, so that it is not flooded. */
const AT_ONCE = 8;
/** A server that met so many questions with silence is not asked the rest. */
const PATIENCE = 3;

/** Asks a server for every set and compares the answers. Throws only the signal's reason. */
export async function compareRecords(
  server: DnsServer,
  sets: readonly RecordSet[],
  options: DnsOptions,
): Promise<Comparison> {
  const different: Comparison['different'][number][] = [];
  const unansweredSets: Comparison['unansweredSets'][number][] = [];
  const waiting = sets.values();
  let silences = 0;
  const worker = async () => {
    for (const set of waiting) {
      const { name, type, values, isWithoutPriority } = set;
      if (silences >= PATIENCE) {
        unansweredSets.push({ name, type, reason: 'not_asked' });
        continue;
      }

      const reply = await ask(server, set, options);
      if (reply.code in FAULTS) silences += 1;
      if (!isAnswer(reply)) {
        unansweredSets.push({ name, type, reason: reply.code });
        continue;
      }

      const found = toComparableValues(findAnswerRecords(set, reply), isWithoutPriority);
      const isSame =
        isDeepStrictEqual(found, values) || (await isAnswerOfChild(server, set, reply, options));
      if (!isSame) different.push({ name, type, wanted: values, found });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return {
    matching: sets.length - different.length - unansweredSets.length,
    different: different.sort(byNameAndType),
    unanswered: unansweredSets.length,
    unansweredSets: unansweredSets.sort(byNameAndType),
  };
}

/**
 * Whether a delegation is answered by the zone below it, with that zone's own NS records: a
 * resolver asks there, and a nameserver that has both zones never shows the delegation.
 */
async function isAnswerOfChild(
  server: DnsServer,
  { name, type }: RecordSet,
  { answers, authoritative }: DnsReply,
  options: DnsOptions,
): Promise<boolean> {
  const hasNs = answers.some((record) => record.type === 'NS' && record.name === name);
  if (type !== 'NS' || !hasNs || !(authoritative || options.recursive)) return false;

  const soa = await ask(server, { name, type: 'SOA' }, options);
  return soa.answers.some((record) => record.type === 'SOA' && record.name === name);
}

type Named = Pick<ResourceRecord, 'name' | 'type'>;

/** Two that are compared are never of the same name and type. */
function byNameAndType(one: Named, other: Named): number {
  return `${one.name} ${one.type}` < `${other.name} ${other.type}` ? -1 : 1;
}
