import { expect, test } from 'vitest';
import { findSubdomainFault, fullName, partBelow } from '../../src/zone/record-value.ts';

const fault = (subdomain: string) => findSubdomainFault(subdomain, 'example.com');

test('a name that is not a label below the apex is refused with the label to write', () => {
  expect(fault('@')).toBe('is "@"; the apex itself is the empty string');
  expect(fault('Example.com')).toBe('"Example.com" is the apex itself, which is the empty string');
  expect(fault('www.EXAMPLE.com.')).toBe(
    '"www.EXAMPLE.com." is a full name; only the part before example.com, "www", goes here',
  );
  expect(fault('a.b.example.com')).toContain('only the part before example.com, "a.b", goes here');
  expect(fault('www.')).toBe('"www." ends with a dot, and only the part before example.com goes here');
  expect(fault('notexample.com')).toBeUndefined();
});

test('labels may hold underscores and start with an asterisk', () => {
  for (const subdomain of ['', '_dmarc', '*', '*.a', 'a_b', 'x'.repeat(63), 'xn--bcher-kva', '1', 'A.b']) {
    expect(fault(subdomain)).toBeUndefined();
  }
});

test('labels follow the DNS otherwise', () => {
  const refused = [
    'a..b',
    '.a',
    'a b',
    ' ',
    'a/b',
    '**',
    'a.*',
    '*a',
    '*.*',
    '-a',
    'a-',
    'x'.repeat(64),
    'a\n',
    'a\\.b',
    'ſ',
  ];
  for (const subdomain of refused) expect(fault(subdomain)).toContain(JSON.stringify(subdomain));
  expect(fault('bücher')).toBe('"bücher" has the character "ü"; in the DNS it is "xn--bcher-kva"');
});

test('a name ends at 253 characters, the apex included', () => {
  const subdomain = Array.from({ length: 4 }, () => 'x'.repeat(60))
    .join('.')
    .slice(2);
  expect(fullName(subdomain, 'example.com')).toHaveLength(253);
  expect(fault(subdomain)).toBeUndefined();
  expect(fault(`x${subdomain}`)).toContain('makes a name longer than 253 characters');
});

test('the part below the apex keeps its case', () => {
  expect(partBelow('WWW.Example.com.', 'example.COM')).toBe('WWW');
  expect(partBelow('example.com', 'example.com')).toBe('');
  expect(partBelow('wwwexample.com', 'example.com')).toBeUndefined();
});
