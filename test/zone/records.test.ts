import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkRecords, describeProblem } from '../../src/zone/records.ts';
import { tries } from '../support/property.ts';
import { dnsRecord } from './arbitrary.ts';

const A = { subdomain: 'www', type: 'A', value: '192.0.2.1', ttl: 3600 };
const MX = { ...A, type: 'MX', value: 'mx.example.net' };
const check = (...raw: unknown[]) => checkRecords(raw, 'example.com');

// biome-ignore format: a table
test('records of every type pass with the five fields and no other', () => {
  const kept = [
    A,
    { subdomain: '', type: 'AAAA', value: '2001:db8::1', ttl: 300 },
    { subdomain: '*.shop', type: 'CNAME', value: 'Shop.Example.net.', ttl: 300 },
    { subdomain: '', type: 'MX', value: 'mx1.example.net', ttl: 0, priority: 65_535 },
    { subdomain: '', type: 'TXT', value: ' "v=spf1; é" \\ ', ttl: 2_147_483_647 },
    { subdomain: '_sip._tcp', type: 'SRV', value: '5 5060 sip.example.net', ttl: 300, priority: 0 },
  ];
  const raw = kept.map((record) => ({ priority: null, ...record, type: record.type.toLowerCase(), id: 7 }));
  expect(check(...raw)).toMatchObject({ records: kept, problems: [] });
  expect(check({ ...A, priority: 0 }).records).toEqual([A]);
});

const TTL = 'A at www.example.com: ttl must be a whole number from 0 to 2147483647, in seconds';
const SRV = { ...A, type: 'SRV', value: '60 5060 sip.example.net' };
const PRIORITY = 'MX at www.example.com: priority must be a whole number from 0 to 65535';

// biome-ignore format: a table
test.each<[entry: unknown, ...problems: string[]]>([
  [null, 'records[0]: is not a record with fields'],
  [{}, 'records[0]: type is missing'],
  [{ type: 'MX' }, 'records[0]: subdomain is missing', 'records[0]: value is missing', 'records[0]: ttl is missing'],
  [{ ...A, type: 5 }, 'www.example.com: type must be one of A, AAAA, CNAME, MX, TXT, NS, SRV'],
  [{ ...A, type: 'caa' }, 'caa at www.example.com: the platform does not support CAA records'],
  [{ ...A, subdomain: '@' }, 'A at example.com: subdomain is "@"; the apex itself is the empty string'],
  [{ ...A, value: 'x' }, 'A at www.example.com: value "x" is not an IPv4 address'],
  [{ ...A, value: 5 }, 'A at www.example.com: value must be text'],
  [{ ...A, ttl: 1.5 }, TTL],
  [{ ...A, ttl: 2_147_483_648 }, TTL],
  [{ ...A, ttl: '300' }, TTL],
  [{ ...MX, priority: 65_536 }, PRIORITY],
  [{ ...MX, priority: '10' }, PRIORITY],
  [{ ...SRV, value: 'sip.example', weight: 60 }, 'SRV at www.example.com: value "sip.example" is not "weight port target" with whole numbers from 0 to 65535'],
  [{ ...SRV, port: 5061 }, 'SRV at www.example.com: port is not the one in the value, "60 5060 sip.example.net"'],
  [{ ...A, priority: 1 }, 'A at www.example.com: priority is for MX and SRV only, not for A'],
])('%j cannot be staged, and svc says why', (entry, ...words) => {
  const { records, problems } = check(entry);
  expect(records).toEqual([]);
  expect(problems.map((problem) => describeProblem(problem))).toEqual(words);
});

test('exact duplicates are left out and counted, and the order stays', () => {
  const records = [{ ...A, value: '192.0.2.2' }, A, { ...A, ttl: 60 }, { ...A, subdomain: 'WWW' }];
  const priorities = [10, 20].map((priority) => ({ ...MX, subdomain: '', priority }));
  const checked = check(...records, { ...A, type: 'a', note: 'x' }, A, ...priorities, priorities[0]);
  expect(checked).toMatchObject({ duplicates: 3, records: [...records, ...priorities] });
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
  expect(checked.warnings).toEqual([
    'short.example.com A: the TTL is below 60 seconds.',
    'long.example.com A: the TTL is longer than a day, so mistakes stay in caches that long.',
    'www.example.com CNAME, example.com CNAME: a name with a CNAME can have no other records.',
    'example.com CNAME: a CNAME is not allowed at the apex.',
    'example.com NS: NS records at the apex usually point to the nameservers you are leaving.',
    'mx.example.com MX: it has no priority and is sent without one, so the platform chooses it.',
    'mx.example.com MX: the target has no dot, but host names must be written in full.',
  ]);
  expect(check({ ...A, ttl: 60 }, { ...A, ttl: 86_400 }).warnings).toEqual([]);
});

test('every record that can be staged passes unchanged', () => {
  const passes = (record: object) => {
    expect(check(record)).toMatchObject({ records: [record], problems: [], duplicates: 0 });
  };
  fc.assert(fc.property(dnsRecord, passes), tries(500, 401));
});

test('any JSON is records or problems, and what passes is as it was', () => {
  const some = fc.constantFrom('www', 'A', 'TXT', 'MX', '192.0.2.1', 300, 10, null);
  const field = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.string(), some);
  const fields = { subdomain: field, type: field, value: field, ttl: field, priority: field };
  const isTrue = (entry: { subdomain?: unknown; value?: unknown; ttl?: unknown }) => {
    const { records, problems } = check(entry);
    const { subdomain, value, ttl } = entry;
    if (records.length === 0) expect(problems.every(({ message }) => message !== '')).toBe(true);
    else expect(records).toMatchObject([{ subdomain, value, ttl }]);
    expect(records.length === 0).toBe(problems.length > 0);
  };
  fc.assert(fc.property(fc.record(fields, { requiredKeys: [] }), isTrue), tries(3_000, 402));
});
