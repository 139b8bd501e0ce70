import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkRecords, describeProblem } from '../../src/zone/records.ts';
import { tries } from '../support/property.ts';
import { stepsOf } from '../support/work.ts';
import { dnsRecord } from './arbitrary.ts';

const A = { subdomain: 'www', type: 'A', value: '192.0.2.1', ttl: 3600 };
const check = (...raw: unknown[]) => checkRecords(raw, 'example.com');
const problemsOf = (...raw: unknown[]) => check(...raw).problems.map((problem) => describeProblem(problem));
const only = (fields: object) => problemsOf({ ...A, ...fields }).join(' | ');

test('records of every type pass with the five fields and no other', () => {
  const raw = [
    A,
    { subdomain: '', type: 'AAAA', value: '2001:db8::1', ttl: 300, priority: null },
    { subdomain: '*.shop', type: 'CNAME', value: 'Shop.Example.net.', ttl: 300, id: 7, proxied: true },
    { subdomain: '', type: 'MX', value: 'mx1.example.net', ttl: 300, priority: 10 },
    { subdomain: '', type: 'TXT', value: ' "v=spf1; é" \\ ', ttl: 300 },
    { subdomain: 'sub', type: 'NS', value: 'ns_1.example.net', ttl: 300 },
    { subdomain: '_sip._tcp', type: 'SRV', value: '5 5060 sip.example.net', ttl: 300, priority: 0 },
  ];
  const checked = check(...raw);
  expect(checked.problems).toEqual([]);
  expect(checked.records[1]).toEqual({ subdomain: '', type: 'AAAA', value: '2001:db8::1', ttl: 300 });
  expect(checked.records[2]).toEqual({ subdomain: '*.shop', type: 'CNAME', value: 'Shop.Example.net.', ttl: 300 });
  expect(checked.records.map(({ value }) => value)).toEqual(raw.map(({ value }) => value));
});

test('the type may come in lower case and is never guessed beyond that', () => {
  expect(check({ ...A, type: 'a' }).records[0]?.type).toBe('A');
  expect(check({ ...A, type: 'Txt' }).records[0]?.type).toBe('TXT');
  expect(only({ type: 'ſrv' })).toBe('ſrv at www.example.com: the platform does not support "ſrv" records');
  expect(only({ type: ' A' })).toContain('the platform does not support " A" records');
});

test('a type the platform does not support is not reported as a mistake', () => {
  const { problems } = check(
    { subdomain: '', type: 'CAA', value: '0 issue "x"', ttl: 1 },
    { ...A, type: 5 },
    { ...A, ttl: '1' },
  );
  expect(problems.map(({ index, field, kind }) => [index, field, kind])).toEqual([
    [0, 'type', 'unsupported_type'],
    [1, 'type', 'invalid'],
    [2, 'ttl', 'invalid'],
  ]);
  expect(problems[0]?.record).toEqual({ subdomain: '', type: 'CAA', value: '0 issue "x"', ttl: 1 });
});

test('each missing field is reported', () => {
  expect(problemsOf({ type: 'MX' })).toEqual([
    'records[0]: subdomain is missing',
    'records[0]: value is missing',
    'records[0]: ttl is missing',
  ]);
  expect(problemsOf(null, 'x', [], {})).toEqual([
    'records[0]: is not a record with fields',
    'records[1]: is not a record with fields',
    'records[2]: is not a record with fields',
    'records[3]: type is missing',
  ]);
});

test('a name or a value that breaks a rule is said by its field', () => {
  expect(only({ subdomain: '@' })).toBe('A at example.com: subdomain is "@"; the apex itself is the empty string');
  expect(only({ subdomain: null })).toBe('records[0]: subdomain must be text');
  expect(only({ value: 'x' })).toBe('A at www.example.com: value "x" is not an IPv4 address');
  expect(only({ value: 5 })).toBe('A at www.example.com: value must be text');
});

test('a TTL is a whole number of seconds', () => {
  for (const ttl of [-1, 1.5, 2_147_483_648, '300', '', true, Number.NaN, null, [300]]) {
    expect(only({ ttl })).toBe('A at www.example.com: ttl must be a whole number from 0 to 2147483647, in seconds');
  }
  for (const ttl of [0, 2_147_483_647]) expect(only({ ttl })).toBe('');
});

test('a priority belongs to MX and SRV and to no other type', () => {
  const mx = { type: 'MX', value: 'mx.example.net' };
  for (const priority of [-1, 65_536, 1.5, '10', true, {}]) {
    expect(only({ ...mx, priority })).toContain('priority must be a whole number from 0 to 65535');
  }
  for (const priority of [null, undefined]) {
    const { records, warnings } = check({ ...A, ...mx, priority });
    expect(records).toEqual([{ ...A, ...mx }]);
    expect(warnings).toEqual([
      'www.example.com MX: it has no priority and is sent without one, so the platform chooses it.',
    ]);
  }
  for (const priority of [0, 65_535]) expect(only({ ...mx, priority })).toBe('');
  for (const type of ['A', 'a']) expect(check({ ...A, type, priority: 0 }).records).toEqual([{ ...A, type: 'A' }]);
  expect(only({ priority: 1 })).toBe('A at www.example.com: priority is for MX and SRV only, not for A');
});

test('exact duplicates are left out and counted, and the order stays', () => {
  const other = { ...A, value: '192.0.2.2' };
  const checked = check(other, A, { ...A, type: 'a', note: 'x' }, { ...A, ttl: 60 }, A, { ...A, subdomain: 'WWW' });
  expect(checked.duplicates).toBe(2);
  expect(checked.records.map(({ subdomain, value, ttl }) => [subdomain, value, ttl])).toEqual([
    ['www', '192.0.2.2', 3600],
    ['www', '192.0.2.1', 3600],
    ['www', '192.0.2.1', 60],
    ['WWW', '192.0.2.1', 3600],
  ]);
});

test('two mail servers that differ in priority alone are two records', () => {
  const mx = { subdomain: '', type: 'MX', value: 'mx.example.net', ttl: 300 };
  const checked = check({ ...mx, priority: 10 }, { ...mx, priority: 20 }, { ...mx, priority: 10 });
  expect([checked.records.length, checked.duplicates]).toEqual([2, 1]);
});

test('a problem is placed by its line where the records came from a zone file', () => {
  const problem = check(A, { ...A, subdomain: '', ttl: -1 }).problems[0];
  if (problem === undefined) throw new Error('no problem was found');
  expect(describeProblem(problem, [3, 9])).toBe(
    'line 9, A at example.com: ttl must be a whole number from 0 to 2147483647, in seconds',
  );
});

test('ten thousand records of one name take no more work for each than a hundred do', async () => {
  const [few = 0, many = 0] = await stepsOf(join(import.meta.dirname, 'many-records.ts'), [100, 10_000]);
  expect(few).toBeGreaterThan(100);
  // A quadratic step would make it ten thousand times as much.
  expect(many / few).toBeLessThan(101);
});

test('every record that can be staged passes unchanged', () => {
  const passes = (records: object[]) => {
    const checked = checkRecords(records, 'example.com');
    const kept = new Set(records.map((record) => JSON.stringify(checkRecords([record], 'example.com').records[0])));
    return (
      checked.problems.length === 0 &&
      checked.records.length + checked.duplicates === records.length &&
      kept.size === checked.records.length
    );
  };
  fc.assert(fc.property(fc.array(dnsRecord, { maxLength: 8 }), passes), tries(500, 401));
});

test('any JSON is records or problems, and what passes is as it was', () => {
  const field = fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.string(),
    fc.constantFrom('www', 'A', 'TXT', 'MX', '192.0.2.1', 300, 10, null),
  );
  const raw = fc.record(
    { subdomain: field, type: field, value: field, ttl: field, priority: field },
    { requiredKeys: [] },
  );
  const isTrue = (entry: Record<string, unknown>) => {
    const { records, problems } = checkRecords([entry], 'example.com');
    const [record] = records;
    if (record === undefined) return problems.length > 0 && problems.every(({ message }) => message !== '');
    return (
      problems.length === 0 &&
      record.value === entry['value'] &&
      record.ttl === entry['ttl'] &&
      record.subdomain === entry['subdomain']
    );
  };
  fc.assert(fc.property(raw, isTrue), tries(3_000, 402));
});
