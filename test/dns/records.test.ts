import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RecordType } from '../../src/contract/operations.ts';
import { findSubdomainFault, VALUE_FAULTS } from '../../src/dns/record-value.ts';
import { checkRecords } from '../../src/dns/records.ts';
import { tries } from '../support/property.ts';
import { dnsRecord } from './arbitrary.ts';

const A = { subdomain: 'www', type: 'A', value: '192.0.2.1', ttl: 3600 };
const MX = { ...A, type: 'MX', value: 'mx.example.net' };
const check = (...raw: unknown[]) => checkRecords(raw, 'example.com');

test('every record that can be staged passes unchanged, but for fields that nobody asks for', () => {
  const passes = (record: { type: string; subdomain: string }) => {
    // The NS records of the apex are left out, and named.
    fc.pre(record.type !== 'NS' || record.subdomain !== '');
    const given = { priority: null, ...record, type: record.type.toLowerCase(), id: 7 };
    expect(check(record, given)).toMatchObject({ records: [record], problems: [], duplicates: 1 });
  };
  fc.assert(fc.property(dnsRecord, passes), tries(500, 401));
  expect(check({ ...A, priority: 0 }).records).toEqual([A]);
});

const SRV = { ...A, type: 'SRV', value: '60 5060 sip.example.net' };

test.each<[entry: unknown, ...problems: string[]]>([
  [null, 'records[0]: is not a record with fields'],
  [
    { type: 'MX' },
    'records[0]: subdomain is missing',
    'records[0]: value is missing',
    'records[0]: ttl is missing',
  ],
  [{ ...A, type: 5 }, 'www.example.com: type must be'],
  [{ ...A, type: 'caa' }, 'caa at www.example.com: the platform does not support CAA records'],
  [
    { ...A, subdomain: '@' },
    'A at example.com: subdomain is "@"; the apex itself is the empty string',
  ],
  [{ ...A, value: 5 }, 'A at www.example.com: value must be text'],
  [{ ...A, ttl: -1 }, 'A at www.example.com: ttl must be'],
  [{ ...A, ttl: 1.5 }, 'A at www.example.com: ttl must be'],
  [{ ...A, ttl: 2_147_483_648 }, 'A at www.example.com: ttl must be'],
  [{ ...A, ttl: '300' }, 'A at www.example.com: ttl must be'],
  [{ ...MX, priority: 65_536 }, 'MX at www.example.com: priority must be'],
  [
    { ...SRV, value: 'sip.example', weight: 60 },
    'SRV at www.example.com: value "sip.example" is not "weight port target"',
  ],
  [{ ...SRV, port: 5061 }, 'SRV at www.example.com: port is not the one in the value'],
  [{ ...A, priority: 1 }, 'A at www.example.com: priority is for MX and SRV only'],
])('%j cannot be staged, and svc says why', (entry, ...words) => {
  const { records, problems } = check(entry);
  expect(records).toEqual([]);
  expect(problems.flatMap(({ texts }) => texts)).toEqual(
    words.map((text) => expect.stringContaining(text)),
  );
});

test.each<[RecordType, readonly string[]]>([
  ['A', ['', '2001:db8::1', '192.0.2', '192.0.2.256', '192.0.2.01', '192.0.2.1\n']],
  ['AAAA', ['', '192.0.2.1', 'fe80::1%eth0', '[::1]', '::1/64']],
  [
    'CNAME',
    [
      '',
      '@',
      '.',
      'a..b',
      '-a.example',
      '*.a.example',
      'a.1',
      'a/b',
      '192.0.2.1',
      '::1',
      'bücher.example',
    ],
  ],
  ['MX', ['', '10 mx.example', '192.0.2.1']],
  [
    'SRV',
    [
      'a.example',
      '1 a.example',
      '65536 1 a.example',
      '1 -1 a.example',
      '10 5 5060 sip.example',
      '1\t2\ta.example',
      '1 2 a.example ',
    ],
  ],
  ['TXT', ['x'.repeat(65_280), 'é'.repeat(32_640), 'a\ud800', '"a\\255"']],
])('%s refuses %j', (type, values) => {
  for (const value of values) expect(VALUE_FAULTS[type](value)).toMatch(/./);
});

test('a name is the part before the apex, as the DNS writes it, of at most 253 characters in all', () => {
  const long = `${'x'.repeat(58)}.${'x'.repeat(60)}.${'x'.repeat(60)}.${'x'.repeat(60)}`;
  for (const subdomain of ['', '_dmarc', '*.a', 'notexample.com', long])
    expect(findSubdomainFault(subdomain, 'example.com')).toBeUndefined();
  const full = ['Example.com', 'a.EXAMPLE.com.', 'www.'];
  const odd = ['a.*', 'a..b', ' ', 'a/b', '*a', '-a', 'x'.repeat(64), 'a\n', 'ſ', `x${long}`];
  for (const subdomain of [...full, ...odd])
    expect(findSubdomainFault(subdomain, 'example.com')).toBeTypeOf('string');
  expect(findSubdomainFault('bücher', 'example.com')).toContain('in the DNS it is "xn--bcher-kva"');
});

test('records that the DNS cannot tell apart are sent once and counted, and the order stays', () => {
  const records = [{ ...A, value: '192.0.2.2' }, A, { ...A, ttl: 60 }];
  const priorities = [10, 20].map((priority) => ({ ...MX, priority }));
  const again = [
    { ...A, subdomain: 'WWW' },
    { ...MX, value: 'MX.example.NET.', priority: 10 },
  ];
  const checked = check(...records, A, ...priorities, priorities[0], ...again);

  expect(checked).toMatchObject({ duplicates: 4, records: [...records, ...priorities] });
});

test('texts that differ in case are two records: their readers may tell them apart', () => {
  const texts = ['Token', 'token'].map((value) => ({ ...A, type: 'TXT', value }));

  expect(check(...texts)).toMatchObject({ duplicates: 0, records: texts });
});

test('doubts are warnings, and the records are staged', () => {
  const cname = { ...A, type: 'CNAME', value: 'other.example' };
  const checked = check(
    A,
    { ...cname, subdomain: 'WWW' },
    { ...cname, subdomain: '' },
    { ...cname, subdomain: 'ok' },
    { ...A, subdomain: 'short', ttl: 59 },
    { ...A, subdomain: 'long', ttl: 86_401 },
    { ...MX, subdomain: 'mx', value: 'mail', priority: null },
  );
  expect(checked.records).toHaveLength(7);
  const named = ['short.example.com A', 'long.example.com A', 'www.example.com CNAME'];
  named.push('example.com CNAME', 'mx.example.com MX', 'mx.example.com MX');
  expect(checked.warnings.map((text) => text.replace(/: .*/, ''))).toEqual(named);
});

test.each<[what: string, set: readonly object[], doubt: string]>([
  ['one set with two TTLs', [A, { ...A, value: '192.0.2.2', ttl: 60 }], 'different TTLs'],
  ['one record with two TTLs', [A, { ...A, subdomain: 'WWW', ttl: 60 }], 'different TTLs'],
  [
    'a null MX beside another',
    [
      { ...MX, value: '.', priority: 0 },
      { ...MX, priority: 5 },
    ],
    '"."',
  ],
  [
    'a service that is not there beside one that is',
    [
      { ...SRV, priority: 0, value: '0 0 .' },
      { ...SRV, priority: 0 },
    ],
    '"."',
  ],
])('%s is a doubt, and is staged', (_what, set, doubt) => {
  const { records, warnings } = check(...set);

  expect(records).toHaveLength(2);
  expect(warnings).toEqual([expect.stringMatching(/^www\.example\.com (?:A|MX|SRV): /)]);
  expect(warnings[0]).toContain(doubt);
});

test.each<[what: string, set: readonly object[]]>([
  ['a set with one TTL', [A, { ...A, value: '192.0.2.2' }]],
  ['two types of one name with a TTL each', [A, { ...A, type: 'TXT', value: 'x', ttl: 60 }]],
  ['a null MX alone', [{ ...MX, value: '.', priority: 0 }]],
  [
    'null MX of two names',
    [0, 1].map((n) => ({ ...MX, subdomain: `h${n}`, value: '.', priority: n })),
  ],
])('%s is no doubt', (_what, set) => {
  expect(check(...set).warnings).toEqual([]);
});

test.each<[what: string, record: object, named: string]>([
  ['NS of the apex', { subdomain: '', type: 'NS', value: 'ns1.old.example' }, 'ns1.old.example'],
  ['ns of the apex in lower case', { subdomain: '@', type: 'ns', value: 'ns.old' }, 'ns.old'],
  ['an SOA record', { subdomain: '', type: 'SOA', value: 'ns h 1 2 3 4 5' }, 'SOA'],
  ['an SOA record of any name', { subdomain: 'x', type: 'SOA', value: 'ns h' }, 'SOA'],
])('%s is left out and named, since the new nameservers have their own', (_what, record, named) => {
  const { records, problems, warnings } = check(A, { ttl: 300, ...record });

  expect(records).toEqual([A]);
  expect(problems).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining(named)]);
  expect(warnings[0]).toMatch(/^example\.com (?:NS|SOA).*: left out/);
});

test('a delegation below the apex is staged', () => {
  const ns = { ...A, type: 'NS', value: 'ns1.other.example' };
  expect(check(ns)).toMatchObject({ records: [ns], warnings: [] });
});

test('a field that staging has no place for is lost, and named once', () => {
  const { records, warnings } = check(
    { ...A, proxied: true },
    { ...A, proxied: true, value: '192.0.2.2' },
  );

  expect(records).toEqual([A, { ...A, value: '192.0.2.2' }]);
  expect(warnings).toEqual([
    'www.example.com A: the field "proxied" cannot be staged, and is lost.',
  ]);
});
