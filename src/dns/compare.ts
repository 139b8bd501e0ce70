import { type AskOptions, ask } from './ask.ts';
import { DnsFault } from './fault.ts';
import type { DnsReply } from './message.ts';
import { type RecordSet, valuesOf } from './record-set.ts';
import { referralOf } from './resolver.ts';
import type { DnsServer } from './server.ts';

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
