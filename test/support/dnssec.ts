import { createHash } from 'node:crypto';
import * as dnsPacket from 'dns-packet';

/** Two codecs that the library has and its types leave out. */
const { dnskey, name } = dnsPacket as unknown as {
  readonly dnskey: { encode(key: object): Buffer };
  readonly name: { encode(name: string): Buffer };
};

/**
 * The DS record (SHA-256) of a key, computed apart from svc: over the bytes that `dns-packet`
 * writes.
 */
export function dsFor(domain: string, key: { flags: number; algorithm: number; key: Buffer }) {
  const data = dnskey.encode(key).subarray(2);
  const digest = createHash('sha256').update(name.encode(domain)).update(data).digest();
  let sum = 0;
  data.forEach((byte, index) => {
    sum += index % 2 === 0 ? byte * 256 : byte;
  });
  return {
    keyTag: (sum + Math.floor(sum / 65_536)) % 65_536,
    algorithm: key.algorithm,
    digestType: 2,
    digest,
  };
}
