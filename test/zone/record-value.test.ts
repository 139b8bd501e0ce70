import { expect, test } from 'vitest';
import type { RecordType } from '../../src/spec/types.ts';
import { findSubdomainFault, fullName, partBelow, VALUE_FAULTS } from '../../src/zone/record-value.ts';

const nameFault = (subdomain: string) => findSubdomainFault(subdomain, 'example.com');

test.each([
  ['@', 'is "@"; the apex itself is the empty string'],
  ['Example.com', '"Example.com" is the apex itself, which is the empty string'],
  ['a.EXAMPLE.com.', '"a.EXAMPLE.com." is a full name; only the part before example.com, "a", goes here'],
  ['www.', '"www." ends with a dot, and only the part before example.com goes here'],
  ['bücher', '"bücher" has the character "ü"; in the DNS it is "xn--bcher-kva"'],
  ['a.*', '"a.*" has a * that is not its first label'],
])('the name %j is refused with the label to write', (subdomain, words) => {
  expect(nameFault(subdomain)).toBe(words);
});

test('labels may hold underscores and start with an asterisk, and follow the DNS otherwise', () => {
  for (const subdomain of ['', '_dmarc', '*.a', 'x'.repeat(63), 'notexample.com'])
    expect(nameFault(subdomain)).toBeUndefined();
  for (const subdomain of ['a..b', ' ', 'a/b', '**', '*a', '*.*', '-a', 'x'.repeat(64), 'a\n', 'ſ'])
    expect(nameFault(subdomain)).toContain(JSON.stringify(subdomain));
});

test('a name ends at 253 characters, the apex included', () => {
  const subdomain = `${'x'.repeat(58)}.${'x'.repeat(60)}.${'x'.repeat(60)}.${'x'.repeat(60)}`;
  expect(fullName(subdomain, 'example.com')).toHaveLength(253);
  expect(nameFault(subdomain)).toBeUndefined();
  expect(nameFault(`x${subdomain}`)).toContain('makes a name longer than 253 characters');
});

test('the part below the apex keeps its case', () => {
  expect(partBelow('WWW.Example.com.', 'example.COM')).toBe('WWW');
  expect(partBelow('example.com', 'Example.com')).toBe('');
  expect(partBelow('wwwexample.com', 'example.com')).toBeUndefined();
});

test.each<[RecordType, readonly string[]]>([
  ['A', ['192.0.2.1', '0.0.0.0', '255.255.255.255']],
  ['AAAA', ['::', '2001:DB8::1', '::ffff:192.0.2.1']],
  ['CNAME', ['host.example', 'Host.Example.', '_a.b_c.example', 'xn--bcher-kva.example', 'mail']],
  ['NS', ['host.example']],
  ['MX', ['host.example', '.']],
  ['SRV', ['0 0 a.example', '65535 65535 a.example', '1  2  a.example', '0 0 .']],
  ['TXT', ['', ' ', '"', '\n\0', 'é'.repeat(300), 'x'.repeat(65_279)]],
])('%s holds its values', (type, values) => {
  for (const value of values) expect(VALUE_FAULTS[type](value)).toBeUndefined();
});

// biome-ignore format: a table
test.each<[RecordType, readonly string[], RegExp]>([
  ['A', ['', '2001:db8::1', '192.0.2', '192.0.2.256', '192.0.2.01', ' 192.0.2.1', '192.0.2.1\n', '1.2.3.4.'], /^".*" is not an IPv4 address$/],
  ['AAAA', ['', '192.0.2.1', 'fe80::1%eth0', '2001:db8::g', '[::1]', '::1/64'], /^".*" is not an IPv6 address$/],
  ['CNAME', ['a..b', '.a', 'a..', '-a.example', '*.a.example', 'a.1', 'a/b'], /^".*" \w/],
  ['CNAME', ['192.0.2.1', '::1'], /is an address, and this type takes a host name/],
  ['CNAME', [''], /^is empty$/],
  ['NS', ['@'], /is "@"; a host name is written in full/],
  ['CNAME', ['bücher.example'], /in the DNS it is "xn--bcher-kva.example"/],
  ['NS', ['.'], /is the root of the DNS/],
  ['MX', ['10 mx.example'], /^"10 mx.example" has a number in front; the priority has a field of its own$/],
  ['SRV', ['10 5 5060 sip.example'], /the priority has a field of its own/],
  ['SRV', ['a.example', '1 2', '1 a.example', '65536 1 a.example', '1 -1 a.example', '1 2 3 4 5', '1\t2\ta.example', ' 1 2 a.example', '1 2 a.example '], /./],
  ['TXT', ['x'.repeat(65_280), 'é'.repeat(32_640)], /^has 65280 bytes, and a TXT record can have 65279$/],
  ['TXT', ['a\ud800'], /^has a damaged character in it$/],
  ['TXT', ['"a\\255"'], /^has bytes that are not UTF-8, which JSON cannot carry$/],
])('%s refuses %j', (type, values, words) => {
  for (const value of values) expect(VALUE_FAULTS[type](value)).toMatch(words);
});
