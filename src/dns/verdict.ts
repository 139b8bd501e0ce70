import { createHash } from 'node:crypto';
import { bareName } from './message.ts';

/** Hash functions of DS records (RFC 4034, 4509 and 6605), by their number. */
const DIGESTS: Readonly<Record<string, string>> = { 1: 'sha1', 2: 'sha256', 4: 'sha384' };

/**
 * Whether a DS record of the zone above belongs to a DNSKEY record of the domain, both as a zone file has them
 * (RFC 4034, section 5). Where none does, resolvers that check DNSSEC take the whole domain for forged.
 */
export function belongsTo(ds: string, dnskey: string, domain: string): boolean {
  const [keyTag, algorithm, digestType = '', digest] = ds.split(' ');
  const [, , keyAlgorithm] = dnskey.split(' ');
  const hash = DIGESTS[digestType];
  const key = keyData(dnskey);
  if (algorithm !== keyAlgorithm || Number(keyTag) !== keyTagOf(key)) return false;
  // A rarer digest cannot be computed here; key tag and algorithm make a match likely enough.
  if (hash === undefined) return true;
  const owner = Buffer.concat(labelsOf(domain).map((label) => Buffer.concat([Buffer.of(label.length), label])));
  const computed = createHash(hash).update(owner).update(Buffer.of(0)).update(key).digest('hex');
  return computed.toUpperCase() === digest;
}

function labelsOf(domain: string): Buffer[] {
  return bareName(domain)
    .split('.')
    .map((label) => Buffer.from(label));
}

/** The data of a DNSKEY record as it is hashed: flags, protocol, algorithm, key. */
function keyData(dnskey: string): Buffer {
  const [flags, protocol, algorithm, key = ''] = dnskey.split(' ');
  const head = Buffer.alloc(4);
  head.writeUInt16BE(Number(flags));
  head.writeUInt8(Number(protocol), 2);
  head.writeUInt8(Number(algorithm), 3);
  return Buffer.concat([head, Buffer.from(key, 'base64')]);
}

/** The number that tells keys apart at a glance (RFC 4034, appendix B). */
function keyTagOf(key: Buffer): number {
  let sum = 0;
  for (const [index, byte] of key.entries()) sum += index % 2 === 0 ? byte << 8 : byte;
  return (sum + (sum >>> 16)) & 0xffff;
}

/**
 * How far the move of a domain is. The list is closed.
 * - `complete`: the world uses the new nameservers, and they answer with the records.
 * - `propagating`: the switch is made, and some resolvers still have the old nameservers in their caches.
 * - `mixed`: old and new nameservers are set side by side.
 * - `not_started`: only other nameservers are set.
 * - `not_delegated`: the domain has no nameservers at all.
 * - `broken_dnssec`: a DS record does not fit the new nameservers; validating resolvers refuse the domain.
 * - `broken_nameservers`: a new nameserver does not serve the domain.
 * - `broken_records`: the new nameservers answer with other records than were staged.
 */
export type Verdict =
  | 'complete'
  | 'propagating'
  | 'mixed'
  | 'not_started'
  | 'not_delegated'
  | 'broken_dnssec'
  | 'broken_nameservers'
  | 'broken_records';

/** Which nameservers somebody sees: none, the new ones only, others only, or both. */
export type Sight = 'none' | 'new' | 'old' | 'mixed';

/**
 * Whether the chain of DNSSEC holds.
 * - `unsigned`: there is no DS record, so nothing can break.
 * - `signed`: a DS record fits a key of the new nameservers.
 * - `will_break`: no DS record fits; the domain stops resolving at the switch.
 * - `broken`: no DS record fits, and the switch is made.
 * - `unknown`: nobody could say.
 */
export type DnssecState = 'unsigned' | 'signed' | 'will_break' | 'broken' | 'unknown';

/** What a verdict is made of. */
interface Evidence {
  /** What the zone above says; `undefined` where it could not be asked. */
  readonly parent: Sight | undefined;
  /** What the resolver says; `undefined` where it could not. */
  readonly resolver: Sight | undefined;
  readonly dnssec: DnssecState;
  /** Whether every new nameserver serves the domain. */
  readonly nameserversServe: boolean;
  /** Whether every answer was as staged; sets without an answer do not count. */
  readonly recordsMatch: boolean;
}

/** The verdict on a move. Before the switch nothing is broken yet, however badly it would go. */
export function judge(evidence: Evidence): Verdict {
  const { resolver, dnssec, nameserversServe, recordsMatch } = evidence;
  const set = sightThatCounts(evidence);
  if (set === 'none') return 'not_delegated';
  if (set === 'old') return 'not_started';
  if (dnssec === 'broken') return 'broken_dnssec';
  if (!nameserversServe) return 'broken_nameservers';
  if (!recordsMatch) return 'broken_records';
  if (set === 'mixed') return 'mixed';
  return resolver === 'new' ? 'complete' : 'propagating';
}

/** Whether the nameservers were switched, at least in part. */
export function isSwitched(evidence: Pick<Evidence, 'parent' | 'resolver'>): boolean {
  const set = sightThatCounts(evidence);
  return set === 'new' || set === 'mixed';
}

/** Whether a verdict says that something needs fixing, and waiting does not help. */
export function isBroken(verdict: Verdict): boolean {
  return verdict === 'not_delegated' || verdict.startsWith('broken_');
}

/** The zone above decides; where it knows nothing, as with names that exist inside one network only, the resolver does. */
function sightThatCounts({ parent = 'none', resolver = 'none' }: Pick<Evidence, 'parent' | 'resolver'>): Sight {
  return parent === 'none' ? resolver : parent;
}
