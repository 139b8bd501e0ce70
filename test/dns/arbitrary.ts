import fc from 'fast-check';
import type { DnsRecord } from '../../src/contract/operations.ts';

const label = fc.stringMatching(/^[a-zA-Z0-9_]([a-zA-Z0-9_-]{0,8}[a-zA-Z0-9_])?$/);
const labels = fc.array(label, { minLength: 1, maxLength: 3 }).map((list) => list.join('.'));
const end = fc.constantFrom('example.net', 'mail.example', 'xn--bcher-kva.com');
const hostName = fc.tuple(labels, end).map((parts) => parts.join('.'));
const target = fc.oneof(hostName, fc.constant('.'));
const uint16 = fc.nat({ max: 65_535 });

const subdomain = fc.oneof(
  fc.constantFrom('', '*'),
  labels,
  labels.map((name) => `*.${name}`),
);

/**
 * Text of any kind, with what zone files treat specially well represented, and long enough for
 * several strings.
 */
const txt = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'"\\; ()\n\t\0\x7f065@$é😀\ufeff') }),
  fc.string({ minLength: 250, maxLength: 600 }),
);

const data = fc.oneof(
  fc.record({ type: fc.constant('A' as const), value: fc.ipV4() }),
  fc.record({ type: fc.constant('AAAA' as const), value: fc.ipV6() }),
  fc.record({ type: fc.constantFrom('CNAME' as const, 'NS' as const), value: hostName }),
  fc.record({ type: fc.constant('TXT' as const), value: txt }),
  fc.record({ type: fc.constant('MX' as const), value: target, priority: uint16 }),
  fc.record({
    type: fc.constant('SRV' as const),
    value: fc.tuple(uint16, uint16, target).map((parts) => parts.join(' ')),
    priority: uint16,
  }),
);

/** A record that can be staged, of any type, in the form that a zone file gives back. */
export const dnsRecord: fc.Arbitrary<DnsRecord> = fc
  .tuple(subdomain, fc.nat({ max: 2_147_483_647 }), data)
  .map(([name, ttl, rest]) => ({ subdomain: name, ttl, ...rest }));
