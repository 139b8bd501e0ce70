import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRecords } from '../../src/dns/read-records.ts';
import { readZoneFile } from '../../src/dns/read-zone.ts';
import { lengthOf, tries } from '../support/property.ts';
import { acceptedBy, refusal } from '../support/refusal.ts';

const readWhole = (text: string) => {
  const zone = readZoneFile(text, 'example.com');
  expect(zone.faults.map(({ message }) => message)).toEqual([]);
  return zone;
};
const read = (text: string) => readWhole(text).records;
const faultsIn = (text: string) =>
  readZoneFile(text, 'example.com').faults.map(({ message }) => message);

test('a zone file as the RFC writes them is read', () => {
  const zone = readWhole(`\ufeff; the zone of an example\r
$ORIGIN example.com.
$TTL 1h
@ IN SOA ns1 hostmaster ( 2026030101 ; serial
    3600 900
    1209600 300 )
@        IN NS    ns1
         IN NS    ns2.example.net.
www 300  IN A     192.0.2.1
    IN 1W  AAAA  2001:db8::1
@ MX 10 mail
_sip._tcp SRV 10 5 5060 sip.example.net.
\\_w 60 A 192.0.2.2
$ORIGIN sub
*        txt     plain "and quoted"
b.example.com. 1h30m IN CNAME @
$ORIGIN .
CAA.EXAMPLE.com 60 CAA 0 issue "ca.example; x" `);
  expect(zone.records).toEqual([
    { subdomain: '', type: 'NS', value: 'ns1.example.com', ttl: 3600 },
    { subdomain: '', type: 'NS', value: 'ns2.example.net', ttl: 3600 },
    { subdomain: 'www', type: 'A', value: '192.0.2.1', ttl: 300 },
    { subdomain: 'www', type: 'AAAA', value: '2001:db8::1', ttl: 604_800 },
    { subdomain: '', type: 'MX', value: 'mail.example.com', ttl: 3600, priority: 10 },
    {
      subdomain: '_sip._tcp',
      type: 'SRV',
      value: '5 5060 sip.example.net',
      ttl: 3600,
      priority: 10,
    },
    { subdomain: '_w', type: 'A', value: '192.0.2.2', ttl: 60 },
    { subdomain: '*.sub', type: 'TXT', value: 'plainand quoted', ttl: 3600 },
    { subdomain: 'b', type: 'CNAME', value: 'sub.example.com', ttl: 5400 },
    { subdomain: 'CAA', type: 'CAA', value: '0 issue "ca.example; x"', ttl: 60 },
  ]);
  expect(zone.lines).toEqual([7, 8, 9, 10, 11, 12, 13, 15, 16, 18]);
});

test.each([
  [String.raw`"say \"hi\" \\ \065\059\032x"`, String.raw`say "hi" \ A; x`],
  [String.raw`"caf\195\169" "\240\159\152" "\128"`, 'café😀'],
  [String.raw`"\239\187\191x"`, '\ufeffx'],
  ['( "one"\n ; a comment\n "" "two" )', 'onetwo'],
  ['"a""b;"c ; comment', 'ab;c'],
])('the text %s keeps every byte', (data, text) => {
  expect(read(`t 60 TXT ${data}`)[0]?.value).toBe(text);
});

test.each(['\n', '\r\n', '\r'])('a line ends with %j', (lineEnd) => {
  const zone = readWhole(['$TTL 60', 'a A 192.0.2.1 ; one', 'b A 192.0.2.2'].join(lineEnd));

  expect(zone.records.map(({ subdomain }) => subdomain)).toEqual(['a', 'b']);
  expect(zone.lines).toEqual([2, 3]);
});

test('an origin without its final dot is below the one before', () => {
  const records = read('$ORIGIN sub\n$ORIGIN deep\nx 60 A 192.0.2.1');

  expect(records).toMatchObject([{ subdomain: 'x.deep.sub' }]);
});

test('a record without a TTL has that of $TTL, else that of the record before', () => {
  expect(
    read('a 5 A 192.0.2.1\nb A 192.0.2.2\n$TTL 7\nc A 192.0.2.3').map(({ ttl }) => ttl),
  ).toEqual([5, 5, 7]);
  expect(read('@ 9 SOA ns h 1 2 3 4 5\na A 192.0.2.1')[0]?.ttl).toBe(9);
});

test.each([
  ['www.example.net. 60 A 192.0.2.1', 'line 1, column 1: "www.example.net" is not'],
  ['a A 192.0.2.1', 'line 1, column 3: the record has no TTL'],
  ['a 60 A 192.0.2.1\n  60', 'line 2, column 3: the record has no type'],
  ['  60 A 192.0.2.1', 'line 1, column 3: the first record has no name'],
  ['a 60 CH TXT x', 'line 1, column 6: class CH'],
  ['a 1x A 192.0.2.1', 'line 1, column 3: a TTL is expected'],
  ['$TTL', 'line 1, column 1: $TTL has no value'],
  ['$INCLUDE /etc/passwd', 'line 1, column 1: "$INCLUDE" is not supported'],
  ['a 60 TXT "open\nb 60 A 192.0.2.1', 'line 1, column 10: this quote'],
  ['a 60 TXT ( x\n\n', 'line 1, column 10: this parenthesis'],
  ['a 60 TXT x )', 'line 1, column 12: this parenthesis'],
  ['a 60 TXT', 'line 1, column 6: TXT takes'],
  ['a 60 TXT x\\', 'line 1, column 10: this ends in a backslash'],
  ['a 60 TXT "\\256"', 'line 1, column 10: an escape'],
  ['a 60 TXT "\\255"', 'line 1, column 10: the bytes of this text'],
  ['a 60 MX mail', 'line 1, column 9: a whole number'],
  ['a 60 MX 10', 'line 1, column 6: MX takes'],
  ['a 60 MX 10 mail x', 'line 1, column 17: MX takes'],
  ['a\\.b 60 A 192.0.2.1', 'line 1, column 1: "a\\.b" has the escape \\.'],
])('%j is refused with its line and column', (text, says) => {
  expect(faultsIn(text)).toEqual([expect.stringContaining(says)]);
});

test.each([
  [
    'a plan of another domain',
    '{"apex":"example.net","records":[]}',
    'has the records of "example.net"',
  ],
  ['a file without a text', ' \n', 'is empty'],
  ['an object whose records are no list', '{"records":{}}', 'without a list named records'],
  ['a name that a record has twice', '[{"ttl":60,"ttl":3600}]', 'the name "ttl" is there twice'],
])('%s is refused', (_what, text, words) => {
  const fault = refusal(() => readRecords(text, 'example.com', 'plan.json'));

  expect(fault).toContain(`plan.json`);
  expect(fault).toContain(words);
});

test('megabytes in a word, in quotes or in parentheses, are read', () => {
  const many = lengthOf(1_000_000);
  expect(read(`t 60 TXT "${'x'.repeat(5 * many)}"`)[0]?.value).toHaveLength(5 * many);
  expect(read(`t 60 TXT ${'\\"'.repeat(many)}`)[0]?.value).toHaveLength(many);
  expect(faultsIn('('.repeat(many))).toEqual([
    expect.stringContaining('this parenthesis is not closed'),
  ]);
});

test('any text is a list of records and faults, or a usage error', () => {
  const words =
    String.raw`a @ www 60 1h IN A TXT MX SRV SOA ( ) ; \ \065 " $TTL $ORIGIN . b. 192.0.2.1 10`.split(
      ' ',
    );
  const space = fc.constantFrom(' ', ' ', '\n', '\n ', '\t', '');
  const near = fc
    .array(fc.tuple(fc.constantFrom(...words), space))
    .map((all) => all.flat().join(''));
  const isUsable = (text: string) => {
    const file = acceptedBy(() => readRecords(text, 'example.com', 'zone'));
    return file?.lines === undefined || file.records.length === file.lines.length;
  };
  fc.assert(fc.property(fc.oneof(fc.string(), near), isUsable), tries(3_000, 411));
});

test('a record without a TTL has that of $TTL, whatever the record before has', () => {
  const zone = readZoneFile('$TTL 300\na 60 A 192.0.2.1\nb A 192.0.2.2\n', 'ex.com');

  expect(zone.records.map(({ ttl }) => ttl)).toEqual([60, 300]);
});
