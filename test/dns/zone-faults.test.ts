import { describe, expect, test } from 'vitest';
import { readRecords } from '../../src/dns/read-records.ts';
import { readZoneFile } from '../../src/dns/read-zone.ts';
import { refusal } from '../support/refusal.ts';

// Each table has what others met in real exports, and its brothers.

const R = String.raw;
const read = (text: string) => readZoneFile(`$TTL 300\n${text}`, 'ex.com');
const readLineValues = (text: string) => {
  const { faults, records } = read(text);
  expect(faults).toEqual([]);
  return records.map(({ subdomain, value }) => `${subdomain} ${value}`);
};

describe('a target without its final dot', () => {
  test.each([
    ['@ MX 0 ex-com.mail.protection.outlook.com', 'ex-com.mail.protection.outlook.com'],
    ['w CNAME mail.ex.com', 'mail.ex.com'],
    ['w CNAME ex.com', 'ex.com'],
    ['w CNAME MAIL.EX.COM\nmail A 192.0.2.1', 'MAIL.EX.COM'],
    ['sub NS ns1.other.example', 'ns1.other.example'],
    ['_sip._tcp SRV 0 0 5060 sip.other.example', 'sip.other.example'],
    ['$ORIGIN dev\nw CNAME web.dev.ex.com', 'web.dev.ex.com'],
    ['$ORIGIN dev\nw CNAME a.b', 'a.b'],
    ['$ORIGIN net.\nw.ex.com. CNAME host.other.net', 'host.other.net'],
    ['*.wild A 192.0.2.1\nw CNAME any.tame', 'any.tame'],
    ['* A 192.0.2.1\n@ MX 0 x.protection.outlook.com', 'x.protection.outlook.com'],
    ['www.ex.com A 192.0.2.1', 'www.ex.com'],
    ['ex.com A 192.0.2.1', 'ex.com'],
  ])('%s has two readings, and is refused with both', (text, written) => {
    const { faults } = read(text);

    expect(faults).toHaveLength(1);
    expect(faults[0]?.message).toContain(`"${written}" has no final dot`);
    expect(faults[0]?.message).toContain(
      `Write "${written}." for the host itself, or "${written}.`,
    );
  });

  test.each([
    ['@ MX 10 mail\nmail A 192.0.2.1'],
    ['@ MX 10 mail'],
    ['*.wild A 192.0.2.1\nw CNAME any.wild'],
    ['*.wild A 192.0.2.1\nw CNAME a.b.wild'],
    ['mail.eu A 192.0.2.1\nw CNAME mail.eu'],
    ['MAIL.eu A 192.0.2.1\nw CNAME mail.EU'],
    ['sub NS ns1.other.example.\nw CNAME host.sub'],
    ['tree DNAME other.example.\nw CNAME leaf.tree'],
    ['w CNAME mail.eu\nmail.eu ALIAS other.example.'],
    ['w CNAME @'],
    ['w CNAME ex.com.'],
    ['$ORIGIN .\nw.ex.com CNAME mail.ex.com'],
    ['$ORIGIN net.\nw.ex.com. CNAME host.other'],
    ['@ NS ns1.old.example'],
    ['* A 192.0.2.1\nw CNAME any.thing'],
    ['www.ex.com. A 192.0.2.1'],
    ['www.ex.community A 192.0.2.1'],
  ])('%s is meant as it stands', (text) => {
    expect(read(text).faults).toEqual([]);
  });
});

test.each([
  ['an address', '@ MX 10 192.0.2.1', '"192.0.2.1" ends in a number, as an address does'],
  ['a URL', 'w CNAME http://other.example/', '"http://other.example/" has the character ":"'],
])('%s as a target gets no final dot', (_what, text, reason) => {
  const { faults } = read(text);

  expect(faults).toHaveLength(1);
  expect(faults[0]?.message).toContain(reason);
  expect(faults[0]?.message).not.toContain('final dot');
});

test('the origin itself is called @ where an $ORIGIN above has no final dot', () => {
  const { faults } = read('$ORIGIN ex.com\n@ A 192.0.2.1');

  expect(faults[0]?.message).toContain('"@" stands below the origin "ex.com.ex.com"');
});

test.each([
  ['x.bücher.example. A 192.0.2.1', '"x.xn--bcher-kva.example"'],
  ['$ORIGIN BÜCHER.example.\nwww A 192.0.2.1', '"www.xn--bcher-kva.example"'],
])('of %s it is said how the DNS writes the name', (text, written) => {
  const { faults } = readZoneFile(`$TTL 300\n${text}`, 'xn--bcher-kva.example');

  expect(faults).toHaveLength(1);
  expect(faults[0]?.message).toContain(`in the DNS it is ${written}`);
  expect(faults[0]?.message).not.toContain('or below it');
});

describe('an escape in a name', () => {
  test.each([
    [R`\052`, '"4"', 'Route 53 (octal) "*"'],
    [R`\052.dev`, '"4"', 'Route 53 (octal) "*"'],
    [R`\055a`, '"7"', 'Route 53 (octal) "-"'],
    [R`\119ww`, '"w"', 'Write the character itself'],
    [R`a\045b`, '"-"', 'Route 53 (octal) "%"'],
  ])('%s may be two characters, and is refused', (name, decimal, more) => {
    for (const text of [`${name} A 192.0.2.1`, `w CNAME ${name}.other.example.`]) {
      const [fault] = read(text).faults;

      expect(fault?.message).toContain(`(decimal) is ${decimal}`);
      expect(fault?.message).toContain(more);
    }
  });

  test.each([
    [R`\*`, '*'],
    [R`\042`, '*'],
    [R`\042.dev`, '*.dev'],
    [R`\*.dev.ex.com.`, '*.dev'],
    [R`\_dmarc`, '_dmarc'],
    [R`\095dmarc`, '_dmarc'],
  ])('%s is the name %s', (name, subdomain) => {
    expect(readLineValues(`${name} A 192.0.2.1`)).toEqual([`${subdomain} 192.0.2.1`]);
  });

  test.each([[R`a\042`], [R`a.\*`], [R`\042b`], [R`a\.b`], [R`a\137b`], [R`a\032b`]])(
    '%s is no name',
    (name) => {
      expect(read(`${name} A 192.0.2.1`).faults[0]?.message).toContain('has the escape');
    },
  );
});

test.each([
  ['_dmarc TXT \u201cv=DMARC1; p=none\u201d', '_dmarc TXT "v=DMARC1; p=none"'],
  ['w TXT \u2018it\u2019s\u2019', 'w TXT "it\u2019s"'],
  ['w TXT \u00abone\u00bb', 'w TXT "one"'],
  ["w TXT 'one two'", 'w TXT "one two"'],
  ['w TXT `one`', 'w TXT "one"'],
])('%s has quotes that a zone file does not know, and is refused', (text, meant) => {
  const { faults } = read(text);

  expect(faults).toHaveLength(1);
  expect(faults[0]?.message).toContain('a text has straight double quotes');
  expect(faults[0]?.message).toMatch(new RegExp(` Write: ${meant}$`));
});

describe('a text without quotes', () => {
  test.each([
    ['@ TXT v=spf1 include:_spf.google.com -all', '@ TXT "v=spf1 include:_spf.google.com -all"'],
    ['k._domainkey TXT v=DKIM1;k=rsa;p=AA', 'k._domainkey TXT "v=DKIM1;k=rsa;p=AA"'],
    ['k._domainkey TXT v=DKIM1; k=rsa', 'k._domainkey TXT "v=DKIM1; k=rsa"'],
    ['_dmarc TXT v=DMARC1 ; p=none', '_dmarc TXT "v=DMARC1 ; p=none"'],
    ['w TXT ( one\n two )', 'w TXT "one two"'],
    ['w A 192.0.2.1\n  TXT one two', 'w TXT "one two"'],
    [R`w TXT one;say "hi"`, R`w TXT "one;say \"hi\""`],
    ['w TXT one two # a comment', 'w TXT "one two # a comment"'],
  ])('%s is refused with the line that is meant', (text, meant) => {
    const { faults } = read(text);

    expect(faults).toHaveLength(1);
    expect(faults[0]?.message).toMatch(/^line \d.*this text has no quotes/);
    expect(faults[0]?.message.endsWith(` Write: ${meant}`)).toBe(true);
  });

  test.each([
    ['w TXT one', 'w one'],
    ['w TXT one ; a comment', 'w one'],
    [R`w TXT one\;two`, 'w one;two'],
    ['w TXT "one two";comment', 'w one two'],
    ['w TXT plain "and quoted"', 'w plainand quoted'],
  ])('%s is read', (text, value) => {
    expect(readLineValues(text)).toEqual([value]);
  });
});

test.each([
  ['TXT as bytes', R`g TXT \# 4 03666f6f`, 'RFC 3597'],
  ['an address as bytes', R`g A \# 4 c0000201`, 'RFC 3597'],
  ['a host as bytes', R`g CNAME \# 1 00`, 'RFC 3597'],
  ['a line that # makes a comment elsewhere', '# the web server', 'Write ; for #'],
  ['a line that // makes a comment elsewhere', '// the web server', 'Write ; for //'],
  ['such a comment behind data', 'w A 192.0.2.1 # web', 'Write ; for #'],
  ['an indented name', 'a A 192.0.2.1\n  www A 192.0.2.2', 'remove the blank'],
  ['an indented name with class and TTL', 'a A 192.0.2.1\n  www 300 IN A 192.0.2.2', 'the blank'],
  ['an origin without its dot', '$ORIGIN ex.com\nwww A 192.0.2.1', 'Write: $ORIGIN ex.com.'],
  ['a target below it', '$ORIGIN ex.com\nw.ex.com. CNAME mail', 'Write: $ORIGIN ex.com.'],
  ['an @ behind a name', 'x.@ A 192.0.2.1', 'Write: x'],
  ['an @ behind a target', 'w CNAME x.@', 'Write: x'],
])('%s is refused in the words of a zone file', (_what, text, words) => {
  const { faults, records } = read(text);

  expect(faults).toHaveLength(1);
  expect(faults[0]?.message).toContain(words);
  expect(records.length).toBeLessThan(2);
});

test.each([
  [
    'a signature without a name',
    'a A 192.0.2.1\n  RRSIG A 13 2 300 20260401 20260301 1 ex.com. x=',
  ],
  ['text in the form of RFC 3597 in quotes', R`a TXT "\\# 4 03666f6f"`],
  ['a service without a name', 'a A 192.0.2.1\n  HTTPS 1 a alpn=h2'],
  ['a name below the root', '$ORIGIN .\na.ex.com A 192.0.2.1'],
])('%s is read', (_what, text) => {
  expect(read(text).faults).toEqual([]);
});

test.each([
  ['a table (CSV)', 'Type,Name,Content,TTL\nA,www,192.0.2.1,300'],
  ['a table (CSV)', '"Record Type","Host","Value"\n"A","www","192.0.2.1"'],
  ['a table (CSV)', 'Record Type,Name,Value\nA,www,192.0.2.1'],
  ['a table (CSV)', 'Name;Type;Value\nwww;A;192.0.2.1'],
  ['a table', 'Type\tName\tValue\nA\twww\t192.0.2.1'],
  ['a table', `${'Name\t'.repeat(30)}Value\nwww\t192.0.2.1`],
  ['YAML', '---\nwww:\n  type: A\n  value: 192.0.2.1'],
  ['YAML', "'':\n  - type: A\n    value: 192.0.2.1"],
  ['YAML', '# octoDNS\nwww:\n  ttl: 300\n  type: A'],
  ['a data file of tinydns', '.ex.com:192.0.2.53:a:259200\n+www.ex.com:192.0.2.1:300'],
  ['a data file of tinydns', "# web\n+www.ex.com:192.0.2.1\n'ex.com:v=spf1 -all"],
  ['an indented text', '  www 300 A 192.0.2.1\n  mail 300 A 192.0.2.2'],
  ['an indented text', '    $TTL 300\n    www A 192.0.2.1'],
  ['an indented text', '$TTL 300\n\twww A 192.0.2.1'],
  ['a web page or XML', '<!doctype html>\n<title>Sign in</title>'],
  ['a configuration file of BIND', 'zone "ex.com" {\n  type master;\n};'],
  ['Terraform', 'resource "cloudflare_record" "www" {\n  name = "www"\n}'],
  ['a table of PowerShell', 'HostName  RecordType  Timestamp\n--------  ----------\nwww  A  0'],
])('%s is named as what it looks like', (format, text) => {
  const message = refusal(() => readRecords(text, 'ex.com', 'dns.txt'));

  expect(message).toContain(`dns.txt looks like ${format}`);
});

test('a zone file that looks like another format in one of its lines is a zone file', () => {
  const text = '$TTL 300\nw TXT a,b,c\nx TXT "a;b;c"\n# comment\n';
  const { faults } = readRecords(text, 'ex.com', 'x');

  expect(faults).toHaveLength(1);
});

test('all faults of a file are found, in its order', () => {
  const bad = Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? `a${at} MX x` : `b CNAME x.y`));
  const { faults } = read(['w A 192.0.2.1', ...bad, 'v A 192.0.2.2'].join('\n'));

  expect(faults.map(({ line }) => line)).toEqual(bad.map((_, at) => at + 3));
});

test.each([
  ['$TTL soon\na A 192.0.2.1'],
  ['$ORIGIN \\052\na A 192.0.2.1'],
  ['$ORIGIN "sub"\na A 192.0.2.1'],
  ['$ORIGIN sub extra\na A 192.0.2.1'],
  ['$GENERATE 1-9 h$ A 192.0.2.$\na A 192.0.2.1'],
])('a directive that cannot be read is a fault of the whole file: %j', (text) => {
  expect(readZoneFile(text, 'ex.com').faults[0]).toMatchObject({ line: 1, isOfWholeFile: true });
});

test('behind a quote that is not closed, a directive or a parenthesis the other lines are read', () => {
  const { faults, records } = read('a TXT "x\n$INCLUDE y\nb A )\nc A 192.0.2.1\nd MX x\ne A ( 1');

  expect(faults.map(({ line, isOfWholeFile }) => `${line} ${isOfWholeFile}`)).toEqual([
    '2 true',
    '3 true',
    '4 true',
    '6 false',
    '7 true',
  ]);
  expect(records).toMatchObject([{ subdomain: 'c' }]);
});
