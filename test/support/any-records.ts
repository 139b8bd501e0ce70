import fc from 'fast-check';
import type { DnsRecord } from '../../src/spec/types.ts';

const label = fc.stringMatching(/^[a-z_]([a-z0-9-]{0,8}[a-z0-9])?$/);
const host = fc.tuple(label, label).map(([first, second]) => `${first}.${second}.example`);
const uint16 = fc.nat({ max: 65_535 });

const data = fc.oneof(
  fc.ipV4().map((value) => ({ type: 'A' as const, value })),
  fc.ipV6().map((value) => ({ type: 'AAAA' as const, value })),
  fc.tuple(host, uint16).map(([value, priority]) => ({ type: 'MX' as const, value, priority })),
  fc.tuple(uint16, uint16, host, uint16).map(([weight, port, target, priority]) => ({
    type: 'SRV' as const,
    value: `${weight} ${port} ${target}`,
    priority,
  })),
  fc
    .string({ unit: 'grapheme', maxLength: 400 })
    // In a DNS answer a text in quotes cannot be told from one that was staged with the quotes of a zone file.
    .filter((value) => !value.startsWith('"'))
    .map((value) => ({ type: 'TXT' as const, value })),
);

/** A record that can be staged; no alias, so that any of them fit into one zone. */
export const anyRecord: fc.Arbitrary<DnsRecord> = fc
  .record({ subdomain: fc.oneof(fc.constant(''), label, fc.constant('*.wild')), data, ttl: fc.nat({ max: 86_400 }) })
  .map(({ subdomain, data: { type, value, ...rest }, ttl }) => ({ subdomain, type, value, ttl, ...rest }));

/** The records of a zone: those of one name and type share their TTL, as the DNS has it. */
export const anyZone: fc.Arbitrary<DnsRecord[]> = fc
  .array(anyRecord, { minLength: 20, maxLength: 60 })
  .map((records) => {
    const ttls = new Map<string, number>();
    return records.map((record) => {
      const key = `${record.subdomain} ${record.type}`;
      const ttl = ttls.get(key) ?? record.ttl;
      ttls.set(key, ttl);
      return { ...record, ttl };
    });
  });
