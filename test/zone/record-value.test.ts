import { expect, test } from 'vitest';
import { findValueFault } from '../../src/zone/record-value.ts';

test('an address fits its family', () => {
  for (const value of ['192.0.2.1', '0.0.0.0', '255.255.255.255']) expect(findValueFault('A', value)).toBeUndefined();
  for (const value of [
    '',
    '2001:db8::1',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.01',
    ' 192.0.2.1',
    '192.0.2.1\n',
    '1.2.3.4.',
  ]) {
    expect(findValueFault('A', value)).toBe(`${JSON.stringify(value)} is not an IPv4 address`);
  }
  for (const value of ['::', '2001:DB8::1', '::ffff:192.0.2.1']) expect(findValueFault('AAAA', value)).toBeUndefined();
  for (const value of ['', '192.0.2.1', 'fe80::1%eth0', '2001:db8::g', '[::1]', '::1/64']) {
    expect(findValueFault('AAAA', value)).toBe(`${JSON.stringify(value)} is not an IPv6 address`);
  }
});

test('a target is a host name, with or without its last dot', () => {
  for (const type of ['CNAME', 'NS', 'MX'] as const) {
    for (const value of ['host.example', 'Host.Example.', '_a.b_c.example', 'xn--bcher-kva.example', 'mail']) {
      expect(findValueFault(type, value)).toBeUndefined();
    }
    for (const value of ['', '@', '192.0.2.1', '::1', 'a..b', '.a', 'a..', '-a.example', '*.a.example', 'a.1', 'a/b']) {
      expect(findValueFault(type, value)).toMatch(/./);
    }
  }
  expect(findValueFault('CNAME', 'bücher.example')).toContain('in the DNS it is "xn--bcher-kva.example"');
});

test('the root as a target means no such host, for types that allow it', () => {
  expect(findValueFault('MX', '.')).toBeUndefined();
  expect(findValueFault('SRV', '0 0 .')).toBeUndefined();
  expect(findValueFault('CNAME', '.')).toContain('is the root of the DNS');
  expect(findValueFault('NS', '.')).toContain('is the root of the DNS');
});

test('a priority within the value is pointed at', () => {
  expect(findValueFault('MX', '10 mx.example')).toBe(
    '"10 mx.example" has a number in front; the priority has a field of its own',
  );
  expect(findValueFault('SRV', '10 5 5060 sip.example')).toContain('the priority has a field of its own');
});

test('an SRV value is weight, port and target', () => {
  for (const value of ['0 0 a.example', '65535 65535 a.example', '1  2  a.example']) {
    expect(findValueFault('SRV', value)).toBeUndefined();
  }
  for (const value of [
    'a.example',
    '1 2',
    '1 a.example',
    '65536 1 a.example',
    '1 -1 a.example',
    'x y a.example',
    '1 2 3 4 5',
  ]) {
    expect(findValueFault('SRV', value)).toMatch(/./);
  }
  for (const value of ['1\t2\ta.example', ' 1 2 a.example', '1 2 a.example '])
    expect(findValueFault('SRV', value)).toMatch(/./);
});

test('a TXT value is any text that a TXT record can hold', () => {
  for (const value of ['', ' ', '"', '\n\0', 'é'.repeat(300), 'x'.repeat(65_279)]) {
    expect(findValueFault('TXT', value)).toBeUndefined();
  }
  expect(findValueFault('TXT', 'x'.repeat(65_280))).toBe('has 65280 bytes, and a TXT record can have 65279');
  expect(findValueFault('TXT', 'é'.repeat(32_640))).toContain('has 65280 bytes');
  expect(findValueFault('TXT', 'a\ud800')).toBe('has a damaged character in it');
  expect(findValueFault('TXT', '"a\\255"')).toBe('has bytes that are not UTF-8, which JSON cannot carry');
});
