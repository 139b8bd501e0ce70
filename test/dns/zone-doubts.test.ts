import { describe, expect, test } from 'vitest';
import { readRecords } from '../../src/dns/read-records.ts';

const R = String.raw;
const FULL = 'a'.repeat(255);
const SOA = '@ SOA ns.old.example. h.old.example. 1 2 3 4 3600';

const readFile = (text: string) => {
  const file = readRecords(text, 'ex.com', 'zone');
  expect(file.faults.map(({ message }) => message)).toEqual([]);
  return file;
};
const read = (text: string) => readFile(`$TTL 300\n${text}`);

describe('the bounds of the strings of a text', () => {
  test.each([
    ['x._ipp._tcp TXT "txtvers=1" "qtotal=1"'],
    ['x TXT "a" ""'],
    [`x TXT "${FULL}" "b" "c"`],
    ['x TXT plain "and quoted"'],
    [R`x TXT "${R`\097`.repeat(100)}" "b"`],
  ])('%s is joined with a doubt', (text) => {
    expect(read(text).doubts).toEqual([expect.stringMatching(/^x\..* TXT: .*strings/)]);
  });

  test.each([
    ['d._domainkey TXT "v=DKIM1; p=AA" "BB"', 'v=DKIM1; p=AABB'],
    ['@ TXT "v=spf1 " "-all"', 'v=spf1 -all'],
    ['_dmarc TXT "V=DMARC1;" " p=none"', 'V=DMARC1; p=none'],
    [`x TXT "${FULL}" "b"`, `${FULL}b`],
    [`x TXT "${'é'.repeat(127)}a" "b"`, `${'é'.repeat(127)}ab`],
    ['x TXT "one"', 'one'],
  ])('%s is joined in silence', (text, value) => {
    const { doubts, records } = read(text);

    expect(doubts).toEqual([]);
    expect(records).toMatchObject([{ value }]);
  });
});

describe('what a provider means beside the records', () => {
  test.each([
    ['w 1 A 192.0.2.1', 'automatic'],
    ['w 1 CNAME @ ; cf_tags=cf-proxied:false', 'automatic'],
    ['w 300 A 192.0.2.1 ; cf_tags=cf-proxied:true', 'cf-proxied'],
    ['w 300 CNAME x.example. ; cf_tags=cf-flatten-cname:true', 'a setting of Cloudflare'],
    ['w 60 A 192.0.2.1 ; AWS routing="WEIGHTED" weight=1 identifier="a"', 'AWS routing'],
    ['w 60 A 192.0.2.1 ; AWS routing="FAILOVER" failover="PRIMARY"', 'AWS routing'],
    [R`w TXT "v=DKIM1\\; k=rsa"`, 'backslashes'],
  ])('%s is a doubt that says it', (text, words) => {
    const { doubts, records } = read(text);

    expect(records).toHaveLength(1);
    expect(doubts).toEqual([expect.stringContaining(words)]);
    expect(doubts[0]).toMatch(/^w\.ex\.com (?:A|CNAME|TXT): /);
  });

  test.each([
    ['w 300 A 192.0.2.1 ; cf_tags=cf-proxied:false'],
    ['w 300 A 192.0.2.1 ; behind the proxy'],
    [R`w TXT "v=DKIM1\; k=rsa"`],
    ['w TXT "cf-proxied:true"'],
  ])('%s is no doubt', (text) => {
    expect(read(text).doubts).toEqual([]);
  });
});

test.each([
  [R`v=DKIM1\; k=rsa`, 1],
  [R`say \"hi\"`, 1],
  ['v=DKIM1; k=rsa', 0],
  [R`"v=DKIM1\; k=rsa"`, 0],
  [R`C:\path`, 0],
])('in a list, the text %j is sent as it is, with %i doubts', (value, count) => {
  const record = { subdomain: 'd', type: 'TXT', value, ttl: 300 };
  for (const text of [JSON.stringify([record]), JSON.stringify({ records: [record] })]) {
    const file = readFile(text);

    expect(file.records).toEqual([record]);
    expect(file.doubts).toHaveLength(count);
  }
});

describe('an SOA record', () => {
  test.each([
    ['. 3600 IN SOA ns.old.example. h.old.example. 1 2 3 4 5\nwww 300 A 192.0.2.1'],
    ['other.example. 3600 IN SOA ns h 1 2 3 4 5\nwww 300 A 192.0.2.1'],
    [R`a\.b 3600 SOA ns h 1 2 3 4 5${'\n'}www 300 A 192.0.2.1`],
    ['@ 3600 IN SOA ns h (1 2\n 3 4 5)\nwww 300 A 192.0.2.1'],
  ])('of any name is left out: %j', (text) => {
    expect(readFile(text)).toMatchObject({
      doubts: [],
      records: [{ subdomain: 'www', ttl: 300 }],
    });
  });

  test.each([
    [`${SOA}\nwww A 192.0.2.1`, 3600, 1],
    [`${SOA.replace('3600', '1h')}\nwww A 192.0.2.1`, 3600, 1],
    [`${SOA}\nwww 60 A 192.0.2.1`, 60, 0],
    [`${SOA}\n$TTL 120\nwww A 192.0.2.1`, 120, 0],
    [`${SOA.replace('SOA', '90 SOA')}\nwww A 192.0.2.1`, 90, 0],
    [`$TTL 120\n${SOA}\nwww A 192.0.2.1`, 120, 0],
  ])('gives the TTL to records without one, if nothing else does: %j', (text, ttl, count) => {
    const { doubts, records } = readFile(text);

    expect(records).toMatchObject([{ subdomain: 'www', ttl }]);
    expect(doubts.filter((doubt) => doubt.includes('$TTL'))).toHaveLength(count);
  });
});

describe('addresses of names outside the zone', () => {
  test.each([
    ['@ NS ns1.old.example.\nns1.old.example. A 192.0.2.53'],
    ['ns1.old.example. A 192.0.2.53\n@ NS NS1.old.example.'],
    ['sub NS ns1.old.example.\nns1.old.example. AAAA 2001:db8::53'],
    ['@ NS ns1.old.example\nns1.old.example. A 192.0.2.53'],
    ['@ NS ns1.old.example.\nNS1.Old.example. A 192.0.2.53'],
  ])('are glue, named and left out: %j', (text) => {
    const { doubts, records } = read(text);

    expect(doubts).toEqual([expect.stringMatching(/^ns1\.old\.example: .*left out/i)]);
    expect(records).toEqual([expect.objectContaining({ type: 'NS' })]);
  });

  test.each([['www.old.example. A 192.0.2.1'], ['@ NS ns1.old.example.\nns1.old.example. TXT x']])(
    'are a fault where no NS record names them: %j',
    (text) => {
      expect(readRecords(`$TTL 300\n${text}`, 'ex.com', 'zone').faults).toHaveLength(1);
    },
  );
});
