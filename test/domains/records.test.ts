import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkRecords, describeProblem } from '../../src/domains/records.ts';
import { tries } from '../support/property.ts';
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
    { subdomain: '_xmpp._tcp', type: 'SRV', value: 'xmpp.example.net', ttl: 300, priority: 0 },
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
  expect(only({ type: 'ſrv' })).toBe('records[0] (www ſrv): type "ſrv" is not held by the service');
  expect(only({ type: ' A' })).toContain('type " A" is not held by the service');
});

test('a type that the service does not hold is told apart from a mistake', () => {
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

test('what is missing is said, field by field', () => {
  expect(problemsOf({ type: 'MX' })).toEqual([
    'records[0] (MX): subdomain is missing',
    'records[0] (MX): value is missing',
    'records[0] (MX): ttl is missing',
    'records[0] (MX): priority is missing; MX needs one from 0 to 65535',
  ]);
  expect(problemsOf(null, 'x', [], {})).toEqual([
    'records[0]: is not a record with fields',
    'records[1]: is not a record with fields',
    'records[2]: is not a record with fields',
    'records[3]: type is missing',
  ]);
});

test('a name that is not a label below the apex is refused with the label to write', () => {
  expect(only({ subdomain: '@' })).toBe('records[0] (@ A): subdomain is "@"; the apex itself is the empty string');
  expect(only({ subdomain: 'Example.com' })).toContain('"Example.com" is the apex itself, which is the empty string');
  expect(only({ subdomain: 'www.EXAMPLE.com.' })).toContain(
    'is a full name; only the part before example.com, "www", goes here',
  );
  expect(only({ subdomain: 'a.b.example.com' })).toContain('only the part before example.com, "a.b", goes here');
  expect(only({ subdomain: 'www.' })).toContain(
    '"www." ends with a dot, and only the part before example.com goes here',
  );
  expect(only({ subdomain: 'notexample.com' })).toBe('');
  expect(only({ subdomain: null })).toContain('subdomain must be text');
});

test('labels may hold underscores and start with an asterisk, and follow the DNS otherwise', () => {
  for (const subdomain of ['_dmarc', '*', '*.a', 'a_b', 'x'.repeat(63), 'xn--bcher-kva', '1'])
    expect(only({ subdomain })).toBe('');
  const refused = [
    'a..b',
    '.a',
    'a b',
    ' ',
    'a/b',
    'bücher',
    '**',
    'a.*',
    '*a',
    '-a',
    'a-',
    'x'.repeat(64),
    'a\n',
    'a\\.b',
  ];
  for (const subdomain of refused) expect(only({ subdomain })).toContain(': subdomain ');
  expect(only({ subdomain: 'bücher' })).toContain('has the character "ü"; in the DNS it is "xn--bcher-kva"');
  const long = Array.from({ length: 4 }, () => 'x'.repeat(60)).join('.');
  expect(only({ subdomain: long })).toContain('makes a name longer than 253 characters');
  expect(only({ subdomain: long.slice(2) })).toBe('');
});

test('a TTL is a whole number of seconds', () => {
  for (const ttl of [-1, 1.5, 2_147_483_648, '300', '', true, Number.NaN, null, [300]]) {
    expect(only({ ttl })).toBe('records[0] (www A): ttl must be a whole number from 0 to 2147483647, in seconds');
  }
  for (const ttl of [0, 2_147_483_647]) expect(only({ ttl })).toBe('');
});

test('a priority belongs to MX and SRV and to no other type', () => {
  const mx = { type: 'MX', value: 'mx.example.net' };
  for (const priority of [-1, 65_536, 1.5, '10', true, {}]) {
    expect(only({ ...mx, priority })).toContain('priority must be a whole number from 0 to 65535');
  }
  for (const priority of [null, undefined]) expect(only({ ...mx, priority })).toContain('priority is missing');
  for (const priority of [0, 65_535]) expect(only({ ...mx, priority })).toBe('');
  expect(only({ priority: 0 })).toBe('records[0] (www A): priority is for MX and SRV only, not for A');
});

test('a value fits its type', () => {
  const refused: Record<string, string[]> = {
    A: [
      '',
      '2001:db8::1',
      '192.0.2',
      '192.0.2.256',
      '192.0.2.01',
      ' 192.0.2.1',
      '192.0.2.1\n',
      'example.com',
      '1.2.3.4.',
    ],
    AAAA: ['', '192.0.2.1', 'fe80::1%eth0', '2001:db8::g', '[::1]', '::1/64'],
    CNAME: [
      '',
      '@',
      '.',
      '192.0.2.1',
      '::1',
      'a b',
      'a..b',
      '.a',
      'a..',
      '-a.example',
      'bücher.example',
      '*.a.example',
      'a.1',
    ],
    NS: ['', '@', '.', '192.0.2.1'],
    MX: ['', '10 mx.example.net', '192.0.2.1', 'mx .example', '@'],
    SRV: [
      '',
      '1 2',
      '10 5 5060 sip.example',
      '65536 1 a.example',
      '1 -1 a.example',
      'x y a.example',
      '1 2 3 4 5',
      '1\t2\ta.example',
      ' 1 2 a.example',
    ],
  };
  for (const [type, values] of Object.entries(refused)) {
    const priority = type === 'MX' || type === 'SRV' ? 1 : null;
    for (const value of values)
      expect([type, value, only({ type, value, priority })]).toContainEqual(expect.stringContaining(': value '));
  }
  expect(only({ type: 'CNAME', value: 'bücher.example' })).toContain('in the DNS it is "xn--bcher-kva.example"');
  expect(only({ type: 'MX', value: '10 mx.example.net', priority: 10 })).toContain(
    'the priority has a field of its own',
  );
  for (const type of ['MX', 'SRV']) expect(only({ type, value: '.', priority: 0 })).toBe('');
});

test('a TXT value is any text that a TXT record can hold', () => {
  const txt = (value: string) => only({ type: 'TXT', value });
  for (const value of ['', ' ', '"', '\n\0', 'é'.repeat(300), 'x'.repeat(65_279)]) expect(txt(value)).toBe('');
  expect(txt('x'.repeat(65_280))).toContain('has 65280 bytes; a TXT record holds 65279');
  expect(txt('é'.repeat(32_640))).toContain('has 65280 bytes');
  expect(txt('a\ud800')).toContain('has a damaged character in it');
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

test('doubts are warnings, and the records are staged all the same', () => {
  const cname = { ...A, type: 'CNAME', value: 'other.example' };
  const checked = check(
    A,
    { ...cname, subdomain: 'WWW' },
    { ...cname, subdomain: '' },
    { ...cname, subdomain: 'ok' },
    { ...A, subdomain: '', type: 'NS', value: 'ns1.old.example' },
    { ...A, subdomain: 'short', ttl: 59 },
    { ...A, subdomain: 'long', ttl: 86_401 },
    { ...A, subdomain: 'mx', type: 'MX', value: 'mail', priority: 1 },
  );
  expect(checked.records).toHaveLength(8);
  expect(checked.warnings).toEqual([
    'short.example.com A: the TTL is below 60 seconds.',
    'long.example.com A: the TTL is above one day, and a mistake stays in caches as long.',
    'www.example.com CNAME, example.com CNAME: a CNAME allows no other record of the same name.',
    'example.com CNAME: a CNAME is not allowed at the apex.',
    'example.com NS: NS at the apex usually names the nameservers that you leave.',
    'mx.example.com MX: the target has one label, and host names are written in full.',
  ]);
  expect(check(A, { ...A, ttl: 60 }, { ...A, ttl: 86_400 }).warnings).toEqual([]);
});

test('a warning names five records and counts the rest', () => {
  const short = Array.from({ length: 12 }, (_, index) => ({ ...A, subdomain: `n${index}`, ttl: 1 }));
  expect(check(...short).warnings).toEqual([
    'n0.example.com A, n1.example.com A, n2.example.com A, n3.example.com A, n4.example.com A and 7 more: the TTL is below 60 seconds.',
  ]);
});

test('a problem is placed by its line where the records came from a zone file', () => {
  const problem = check(A, { ...A, subdomain: '', ttl: -1 }).problems[0];
  if (problem === undefined) throw new Error('no problem was found');
  expect(describeProblem(problem, [3, 9])).toBe(
    'line 9 (apex A): ttl must be a whole number from 0 to 2147483647, in seconds',
  );
});

test('ten thousand records of one name cost no more for each than a hundred do', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...A,
      value: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
      ttl: 1,
    }));
  const cost = (count: number) => {
    const raw = many(count);
    const start = performance.now();
    for (let round = 0; round < 10_000 / count; round += 1)
      expect(checkRecords(raw, 'example.com').records).toHaveLength(count);
    return performance.now() - start;
  };
  cost(10_000);
  // A quadratic step would make it a hundred times as much.
  expect(cost(10_000)).toBeLessThan(20 * (cost(100) + 5));
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
