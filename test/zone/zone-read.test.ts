import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readZone } from '../../src/zone/read.ts';
import { lengthOf, tries } from '../support/property.ts';
import { acceptedBy, refusal } from '../support/refusal.ts';

const readWhole = (text: string) =>
  readZone(text, 'example.com', (fault) => {
    throw fault;
  });
const read = (text: string) => readWhole(text).records;
const refused = (text: string) => refusal(() => read(text));

test('a zone file as the RFC writes them is read', () => {
  const zone = readWhole(`; the zone of an example
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
$ORIGIN sub
a        a       192.0.2.2
*        txt     plain "and quoted"
b.example.com. 1h30m IN CNAME @`);
  expect(zone.records).toEqual([
    { subdomain: '', type: 'NS', value: 'ns1.example.com', ttl: 3600 },
    { subdomain: '', type: 'NS', value: 'ns2.example.net', ttl: 3600 },
    { subdomain: 'www', type: 'A', value: '192.0.2.1', ttl: 300 },
    { subdomain: 'www', type: 'AAAA', value: '2001:db8::1', ttl: 604_800 },
    { subdomain: '', type: 'MX', value: 'mail.example.com', ttl: 3600, priority: 10 },
    { subdomain: '_sip._tcp', type: 'SRV', value: '5 5060 sip.example.net', ttl: 3600, priority: 10 },
    { subdomain: 'a.sub', type: 'A', value: '192.0.2.2', ttl: 3600 },
    { subdomain: '*.sub', type: 'TXT', value: 'plainand quoted', ttl: 3600 },
    { subdomain: 'b', type: 'CNAME', value: 'sub.example.com', ttl: 5400 },
  ]);
  expect(zone.lines).toEqual([7, 8, 9, 10, 11, 12, 14, 15, 16]);
});

test.each([
  ['"a;b  c" ; comment', 'a;b  c'],
  [String.raw`"say \"hi\" \\ \065\059\032x"`, String.raw`say "hi" \ A; x`],
  [String.raw`"caf\195\169" "\240\159\152" "\128"`, 'café😀'],
  ['""', ''],
  [String.raw`"\239\187\191x"`, '\ufeffx'],
  ['( "one"\n ; a comment\n "two" )', 'onetwo'],
  ['"a""b"c', 'abc'],
])('the text %s keeps every byte', (data, text) => {
  expect(read(`t 60 TXT ${data}`)[0]?.value).toBe(text);
});

test('a record without a TTL has that of $TTL, else that of the record before', () => {
  expect(read('a 5 A 192.0.2.1\nb A 192.0.2.2\n$TTL 7\nc A 192.0.2.3').map(({ ttl }) => ttl)).toEqual([5, 5, 7]);
  expect(read('@ 9 SOA ns h 1 2 3 4 5\na A 192.0.2.1')[0]?.ttl).toBe(9);
});

test('types that the platform does not hold come along as they are written', () => {
  expect(read('@ 60 CAA 0 issue "ca.example; x" \n@ 60 TYPE65534 \\# 4 0a000001')).toEqual([
    { subdomain: '', type: 'CAA', value: '0 issue "ca.example; x"', ttl: 60 },
    { subdomain: '', type: 'TYPE65534', value: '\\# 4 0a000001', ttl: 60 },
  ]);
});

test('accepts the line ends of any system, a byte order mark, and nothing', () => {
  expect(read('\ufeff$TTL 60\r\na A 192.0.2.1\r\n\r\n  A 192.0.2.2\r')).toHaveLength(2);
  expect(read('; nothing\n\n   \n')).toEqual([]);
});

test('a name may be below another origin, and an escape in it that stands for a plain letter is that letter', () => {
  const record = { subdomain: 'www', type: 'CNAME', value: 'host', ttl: 60 };
  expect(read('$ORIGIN .\nwww.EXAMPLE.com 60 CNAME host')).toEqual([record]);
  expect(read('\\119\\119w 60 A 192.0.2.1')[0]?.subdomain).toBe('www');
});

test.each([
  ['www.example.net. 60 A 192.0.2.1', 'line 1, column 1: "www.example.net" is not example.com or below it.'],
  ['a A 192.0.2.1', 'line 1, column 3: the record has no TTL. Put a line such as $TTL 3600 at the top.'],
  ['a 60 A 192.0.2.1\n  60', 'line 2, column 3: the record has no type'],
  ['  60 A 192.0.2.1', 'line 1, column 3: the first record has no name'],
  ['a 60 CH TXT x', 'line 1, column 6: class CH is not supported, only IN'],
  ['a 60 "TXT" x', 'line 1, column 6: the type of a record is expected here, not "TXT"'],
  ['a 1x A 192.0.2.1', 'line 1, column 3: a TTL is expected here, not "1x"'],
  ['$TTL', 'line 1, column 1: $TTL has no value'],
  ['$TTL 60 70', 'line 1, column 9: $TTL takes one value'],
  ['$INCLUDE /etc/passwd', 'line 1, column 1: "$INCLUDE" is not supported'],
  ['a 60 TXT "open\nb', 'line 1, column 10: this quote is not closed on its line'],
  ['a 60 TXT ( x\n\n', 'line 1, column 10: this parenthesis is not closed'],
  ['a 60 TXT x )', 'line 1, column 12: this parenthesis closes nothing'],
  ['a 60 TXT', 'line 1, column 6: TXT takes a text or several'],
  ['a 60 TXT x\\', 'line 1, column 10: this ends in a backslash that escapes nothing'],
  ['a 60 TXT "\\256"', 'line 1, column 10: an escape is \\ with three digits from 000 to 255'],
  ['a 60 TXT "\\255"', 'line 1, column 10: the bytes of this text are not UTF-8'],
  ['a 60 MX mail', 'line 1, column 9: a whole number from 0 to 65535 is expected here, not "mail"'],
  ['a 60 MX 10', 'line 1, column 6: MX takes a priority and a host name'],
  ['a 60 MX 10 mail x', 'line 1, column 17: MX takes a priority and a host name'],
  ['a 60 CNAME "x"', 'line 1, column 12: a name is expected here, not text in quotes'],
  ['a\\.b 60 A 192.0.2.1', 'line 1, column 1: "a\\\\.b" has the escape \\., and the name of a record cannot have it'],
])('%j is refused with its line and column', (text, says) => {
  expect(refused(text)).toContain(`Zone file, ${says}`);
});

test('megabytes on one line, in a word, in quotes or in parentheses, are read', () => {
  const long = 'x'.repeat(lengthOf(5_000_000));
  const many = lengthOf(1_000_000);
  expect(read(`t 60 TXT "${long}"`)[0]?.value).toHaveLength(long.length);
  expect(read(`t 60 TXT ${'\\"'.repeat(many)}`)[0]?.value).toHaveLength(many);
  expect(refused(`t 60 TXT "${long}`)).toContain('line 1, column 10: this quote is not closed');
  expect(refused('('.repeat(many))).toContain('this parenthesis is not closed');
});

test('any text is a list of records or a usage error', () => {
  const words = String.raw`a @ www 60 1h IN A TXT MX SRV SOA ( ) ; \ \065 " $TTL $ORIGIN . b. 192.0.2.1 10`.split(' ');
  const word = fc.constantFrom('"x y"', ...words);
  const near = fc
    .array(fc.tuple(word, fc.constantFrom(' ', ' ', '\n', '\n ', '\t', '')))
    .map((words) => words.flat().join(''));
  const isUsable = (text: string) => {
    const zone = acceptedBy(() => readWhole(text));
    return zone === undefined || zone.records.length === zone.lines.length;
  };
  fc.assert(fc.property(fc.oneof(fc.string(), near), isUsable), tries(3_000, 411));
});
