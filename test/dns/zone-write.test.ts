import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DnsRecord } from '../../src/contract/operations.ts';
import { readZoneFile } from '../../src/dns/read-zone.ts';
import { writeZone } from '../../src/dns/write-zone.ts';
import { tries } from '../support/property.ts';
import { dnsRecord } from './arbitrary.ts';

test('a long text is cut into strings of 255 bytes, and a record that needs a priority and has none is a comment', () => {
  const long = writeZone(
    [{ subdomain: '', type: 'TXT', value: 'é'.repeat(200), ttl: 60 }],
    'example.com',
  );
  const strings = [...long.text.matchAll(/"([^"]*)"/g)].map(([, string = '']) => string.length / 4);
  expect(strings).toEqual([255, 145]);
  const record: DnsRecord = { subdomain: 'x', type: 'SRV', value: '5 5060 sip.example', ttl: 60 };
  const text = expect.stringContaining(
    '\n; left out, no priority: x 60 IN SRV 5 5060 sip.example\n',
  );
  expect(writeZone([record], 'example.com')).toEqual({ isWhole: false, text });
});

test('what a zone file is written from is read from it again, to the byte', () => {
  const comesBack = (records: DnsRecord[]) => {
    const { text, isWhole } = writeZone(records, 'example.com');
    const { records: again, faults } = readZoneFile(text, 'example.com');
    expect(faults).toEqual([]);
    expect(isWhole).toBe(true);
    expect(text).toMatch(/^[\n -~]*$/);
    expect(again).toHaveLength(records.length);
    expect(again).toEqual(expect.arrayContaining(records));
  };
  fc.assert(
    fc.property(fc.array(dnsRecord, { minLength: 1, maxLength: 10 }), comesBack),
    tries(1_000, 421),
  );
});
