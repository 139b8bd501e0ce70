import { createHash } from 'node:crypto';
import { bareName } from './message.ts';

/** Hash functions of DS records by digest type (RFC 4034, 4509 and 6605). */
const DIGESTS: Readonly<Record<string, string>> = { 1: 'sha1', 2: 'sha256', 4: 'sha384' };

/**
 * Whether a DS record of the parent zone matches a DNSKEY record of the domain, both given as their data in a zone file
 * (RFC 4034, section 5).
 */
export function matchesKey(ds: string, dnskey: string, domain: string): boolean {
  const [keyTag, algorithm, digestType = '', digest] = ds.split(' ');
  const [flags, protocol, keyAlgorithm, publicKey = ''] = dnskey.split(' ');
  const head = Buffer.alloc(4);
  head.writeUInt16BE(Number(flags));
  head.writeUInt8(Number(protocol), 2);
  head.writeUInt8(Number(keyAlgorithm), 3);
  const key = Buffer.concat([head, Buffer.from(publicKey, 'base64')]);
  if (algorithm !== keyAlgorithm || Number(keyTag) !== keyTagOf(key)) return false;
  const hash = DIGESTS[digestType];
  // Rarer digests are not computed; a match of key tag and algorithm is likely enough.
  if (hash === undefined) return true;
  const computed = createHash(hash);
  for (const label of bareName(domain).split('.')) computed.update(Buffer.of(label.length)).update(label);
  return computed.update(Buffer.of(0)).update(key).digest('hex').toUpperCase() === digest;
}

/** RFC 4034, appendix B. */
function keyTagOf(key: Buffer): number {
  let sum = 0;
  for (const [index, byte] of key.entries()) sum += index % 2 === 0 ? byte << 8 : byte;
  return (sum + (sum >>> 16)) & 0xffff;
}
