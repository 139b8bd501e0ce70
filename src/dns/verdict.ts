import { createHash } from 'node:crypto';
import { bareName } from './message.ts';

/**
 * How far the move of a domain is. The list is closed.
 * - `complete`: the domain is delegated to the new nameservers, and each of them answers with every staged record.
 * - `incomplete`: the same, but not every new nameserver answered for every staged record.
 * - `propagating`: the same, but some resolvers still have the old nameservers in their caches.
 * - `mixed`: the domain is delegated to old and new nameservers.
 * - `not_started`: it is delegated to other nameservers only.
 * - `not_delegated`: it has no nameservers.
 * - `broken_dnssec`: no DS record matches the new nameservers' keys; validating resolvers refuse the domain.
 * - `broken_nameservers`: a new nameserver does not serve the domain.
 * - `broken_records`: the new nameservers answer with other records than the staged ones.
 */
export type MoveVerdict =
  | 'complete'
  | 'incomplete'
  | 'propagating'
  | 'mixed'
  | 'not_started'
  | 'not_delegated'
  | 'broken_dnssec'
  | 'broken_nameservers'
  | 'broken_records';

/** Which nameservers the parent zone or a resolver names: none, only new ones, only others, or both. */
export type Sight = 'none' | 'new' | 'old' | 'mixed';

/**
 * Whether the domain validates with the new nameservers.
 * - `unsigned`: it has no DS record, so nothing can break.
 * - `signed`: a DS record matches a key of the new nameservers.
 * - `will_break`: no DS record matches; the domain stops resolving at the switch.
 * - `broken`: no DS record matches, and the switch is made.
 * - `unknown`: the DS record or the keys could not be asked for.
 */
export type DnssecState = 'unsigned' | 'signed' | 'will_break' | 'broken' | 'unknown';

interface Evidence {
  /** `undefined` if the parent zone could not be asked. */
  readonly parent: Sight | undefined;
  /** `undefined` if the resolver failed. */
  readonly resolver: Sight | undefined;
  readonly dnssec: DnssecState;
  /** Whether every new nameserver serves the domain. */
  readonly nameserversServe: boolean;
  /** Whether every answer matched the staged records. */
  readonly recordsMatch: boolean;
  /** Whether every new nameserver answered for every set of staged records. */
  readonly recordsAnswered: boolean;
}

/** Judges a move. Before the switch nothing counts as broken yet. */
export function moveVerdict(evidence: Evidence): MoveVerdict {
  const { resolver, dnssec, nameserversServe, recordsMatch, recordsAnswered } = evidence;
  const set = sightThatCounts(evidence);
  if (set === 'none') return 'not_delegated';
  if (set === 'old') return 'not_started';
  if (dnssec === 'broken') return 'broken_dnssec';
  if (!nameserversServe) return 'broken_nameservers';
  if (!recordsMatch) return 'broken_records';
  if (!recordsAnswered) return 'incomplete';
  if (set === 'mixed') return 'mixed';
  return resolver === 'new' ? 'complete' : 'propagating';
}

/** Whether the nameservers were switched, at least in part. */
export function isSwitched(evidence: Pick<Evidence, 'parent' | 'resolver'>): boolean {
  const set = sightThatCounts(evidence);
  return set === 'new' || set === 'mixed';
}

/** Whether something needs fixing, so that waiting does not help. */
export function isBroken(verdict: MoveVerdict): boolean {
  return verdict === 'not_delegated' || verdict.startsWith('broken_');
}

/** The parent zone decides; the resolver does for names that exist inside one network only. */
function sightThatCounts({ parent = 'none', resolver = 'none' }: Pick<Evidence, 'parent' | 'resolver'>): Sight {
  return parent === 'none' ? resolver : parent;
}

/** Hash functions of DS records by digest type (RFC 4034, 4509 and 6605). */
const DIGESTS: Readonly<Record<string, string>> = { 1: 'sha1', 2: 'sha256', 4: 'sha384' };

/**
 * Whether a DS record of the parent zone matches a DNSKEY record of the domain, both given as their data in a zone file
 * (RFC 4034, section 5).
 */
export function matchesKey(ds: string, dnskey: string, domain: string): boolean {
  const [keyTag, algorithm, digestType = '', digest] = ds.split(' ');
  const [, , keyAlgorithm] = dnskey.split(' ');
  const hash = DIGESTS[digestType];
  const key = keyData(dnskey);
  if (algorithm !== keyAlgorithm || Number(keyTag) !== keyTagOf(key)) return false;
  // Rarer digests are not computed; a match of key tag and algorithm is likely enough.
  if (hash === undefined) return true;
  const computed = createHash(hash);
  for (const label of bareName(domain).split('.')) computed.update(Buffer.of(label.length)).update(label);
  return computed.update(Buffer.of(0)).update(key).digest('hex').toUpperCase() === digest;
}

/** The bytes of a DNSKEY record's data: flags, protocol, algorithm, key. */
function keyData(dnskey: string): Buffer {
  const [flags, protocol, algorithm, key = ''] = dnskey.split(' ');
  const head = Buffer.alloc(4);
  head.writeUInt16BE(Number(flags));
  head.writeUInt8(Number(protocol), 2);
  head.writeUInt8(Number(algorithm), 3);
  return Buffer.concat([head, Buffer.from(key, 'base64')]);
}

/** RFC 4034, appendix B. */
function keyTagOf(key: Buffer): number {
  let sum = 0;
  for (const [index, byte] of key.entries()) sum += index % 2 === 0 ? byte << 8 : byte;
  return (sum + (sum >>> 16)) & 0xffff;
}
