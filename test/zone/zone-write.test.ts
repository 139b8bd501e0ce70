import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DnsRecord } from '../../src/spec/types.ts';
import { readZone } from '../../src/zone/read.ts';
import { checkRecords } from '../../src/zone/records.ts';
import { writeZone } from '../../src/zone/write.ts';
import { tries } from '../support/property.ts';
import { dnsRecord } from './arbitrary.ts';

test('a zone file is sorted, with full host names and quoted text', () => {
  const records: DnsRecord[] = [
    { subdomain: 'www', type: 'CNAME', value: 'example.com', ttl: 300 },
    { subdomain: '_sip._tcp', type: 'SRV', value: '5 5060 sip.example.net.', ttl: 300, priority: 10 },
    { subdomain: '', type: 'TXT', value: 'say "é" \\ ; \n', ttl: 300 },
    { subdomain: '', type: 'MX', value: 'mx2.example.net', ttl: 60, priority: 20 },
    { subdomain: '', type: 'MX', value: 'mx1.example.net', ttl: 60, priority: 10 },
    { subdomain: '*', type: 'A', value: '192.0.2.1', ttl: 0 },
    { subdomain: 'nomail', type: 'MX', value: '.', ttl: 60, priority: 0 },
  ];
  expect(writeZone(records, 'example.com')).toEqual({
    isWhole: true,
    text: [
      '; DNS records of example.com, written by svc; without an SOA record',
      '$ORIGIN example.com.',
      '$TTL 3600',
      '',
      '@         60 IN MX 20 mx2.example.net.',
      '@         60 IN MX 10 mx1.example.net.',
      '@         300 IN TXT "say \\"\\195\\169\\" \\\\ ; \\010"',
      '*         0 IN A 192.0.2.1',
      '_sip._tcp 300 IN SRV 10 5 5060 sip.example.net.',
      'nomail    60 IN MX 0 .',
      'www       300 IN CNAME example.com.',
      '',
    ].join('\n'),
  });
});

test('a long text is cut into strings of 255 bytes, and a record that needs a priority and has none is a comment', () => {
  const long = writeZone([{ subdomain: '', type: 'TXT', value: 'é'.repeat(200), ttl: 60 }], 'example.com');
  const strings = [...long.text.matchAll(/"([^"]*)"/g)].map(([, string = '']) => string.length / 4);
  expect(strings).toEqual([255, 145]);
  const record: DnsRecord = { subdomain: 'x', type: 'SRV', value: '5 5060 sip.example', ttl: 60 };
  const text = expect.stringContaining('\n; left out, no priority: x 60 IN SRV 5 5060 sip.example\n');
  expect(writeZone([record], 'example.com')).toEqual({ isWhole: false, text });
});

test('what a zone file is written from is read from it again, to the byte', () => {
  const comesBack = (records: DnsRecord[]) => {
    const { text, isWhole } = writeZone(records, 'example.com');
    const { records: again } = readZone(text, 'example.com', ({ message }) => expect.fail(message));
    expect(isWhole).toBe(true);
    expect(text).toMatch(/^[\n -~]*$/);
    expect(again).toHaveLength(records.length);
    expect(again).toEqual(expect.arrayContaining(records));
    expect(checkRecords(again, 'example.com').problems).toEqual([]);
  };
  fc.assert(fc.property(fc.array(dnsRecord, { minLength: 1, maxLength: 10 }), comesBack), tries(1_000, 421));
});
