import { createHash } from 'node:crypto';
import { bareName } from './presentation.ts';

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
