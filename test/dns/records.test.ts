import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RecordType } from '../../src/contract/types.ts';
import { findSubdomainFault, VALUE_FAULTS } from '../../src/dns/record-value.ts';
import { checkRecords, describeProblem } from '../../src/dns/records.ts';
import { tries } from '../support/property.ts';
import { dnsRecord } from './arbitrary.ts';

const A = { subdomain: 'www', type: 'A', value: '192.0.2.1', ttl: 3600 };
const MX = { ...A, type: 'MX', value: 'mx.example.net' };
const check = (...raw: unknown[]) => checkRecords(raw, 'example.com');

test('every record that can be staged passes unchanged, but for fields that nobody asks for', () => {
  const passes = (record: { type: string }) => {
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
  expect(problems.map((problem) => describeProblem(problem))).toEqual(
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

test('exact duplicates are left out and counted, and the order stays', () => {
  const records = [{ ...A, value: '192.0.2.2' }, A, { ...A, ttl: 60 }, { ...A, subdomain: 'WWW' }];
  const priorities = [10, 20].map((priority) => ({ ...MX, priority }));
  const checked = check(...records, A, ...priorities, priorities[0]);
  expect(checked).toMatchObject({ duplicates: 2, records: [...records, ...priorities] });
});

test('doubts are warnings, and the records are staged', () => {
  const cname = { ...A, type: 'CNAME', value: 'other.example' };
  const checked = check(
    A,
    { ...cname, subdomain: 'WWW' },
    { ...cname, subdomain: '' },
    { ...cname, subdomain: 'ok' },
    { ...A, subdomain: '', type: 'NS', value: 'ns1.old.example' },
    { ...A, subdomain: 'short', ttl: 59 },
    { ...A, subdomain: 'long', ttl: 86_401 },
    { ...MX, subdomain: 'mx', value: 'mail', priority: null },
  );
  expect(checked.records).toHaveLength(8);
  const named = [
    'short.example.com A',
    'long.example.com A',
    'www.example.com CNAME, example.com CNAME',
  ];
  named.push('example.com CNAME', 'example.com NS', 'mx.example.com MX', 'mx.example.com MX');
  expect(checked.warnings.map((text) => text.replace(/: .*/, ''))).toEqual(named);
});
