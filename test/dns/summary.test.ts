import { expect, test } from 'vitest';
import { diffRecords } from '../../src/dns/diff.ts';
import { findLostMail, findMail, getFullName } from '../../src/dns/scanned.ts';

const APEX = 'example.com';
const a = (subdomain: string, value: string, more: object = {}) => ({
  subdomain,
  type: 'A',
  value,
  ttl: 60,
  ...more,
});
const txt = (value: unknown, subdomain = '') => ({ subdomain, type: 'TXT', value, ttl: 60 });

test('what mail depends on is found, however a scan writes it, and only where it counts', () => {
  const mail = [
    { subdomain: '@', type: 'mx', value: 'mail.example.com', priority: 10 },
    txt('"V=SPF1 mx -all"', 'example.com.'),
    txt('v=DMARC1; p=none', '_dmarc'),
  ];
  expect(findMail(mail, APEX)).toEqual({ mx: true, spf: true, dmarc: true });
  const other = [
    { subdomain: 'sub', type: 'MX', value: 'mail' },
    txt('v=spf1 -all', 'sub'),
    txt('v=DMARC1'),
    txt(5),
  ];
  expect(findMail([...other, null, 'text'], APEX)).toEqual({ mx: false, spf: false, dmarc: false });
});

const MX = { subdomain: '', type: 'MX', value: 'mx.example.net', ttl: 60, priority: 10 };
const SRV = {
  subdomain: '_sip._tcp',
  type: 'SRV',
  value: '5 5060 sip.example.net',
  ttl: 60,
  priority: 20,
};
const AAAA = { subdomain: '', type: 'AAAA', value: '2001:DB8:0:0::1', ttl: 60 };

test.each([
  ['without a TTL', txt('Case.'), { id: 1, subdomain: '@', type: 'TXT', value: 'Case.' }],
  [
    'with another spelling of an address',
    AAAA,
    { name: 'example.com', type: 'aaaa', value: '2001:db8::1', priority: null },
  ],
  [
    'within an entry, with the priority in front',
    MX,
    { record: { subdomain: '@', type: 'MX', value: '10 MX.example.net.', ttl: '60' } },
  ],
  [
    'with four parts',
    SRV,
    { ...SRV, subdomain: '_sip._tcp.example.com', value: '20 5 5060 sip.example.net' },
  ],
])('a record that was staged %s is the same', (_how, asked, staged) => {
  expect(diffRecords([asked], [staged], APEX)).toEqual({
    held: [staged],
    added: [],
    lost: [],
    missing: [],
    changed: [],
  });
});

test('what differs is added, missing or changed', () => {
  const asked = [
    a('same', '1'),
    a('ttl', '1'),
    a('value', '1'),
    a('gone', '1'),
    a('many', '1'),
    a('many', '2'),
    MX,
  ];
  const [retimed, moved] = [a('ttl', '1', { ttl: 300 }), { ...MX, priority: 20 }];
  const many = [a('many', '3'), a('many', '2'), a('many', '4')];
  const staged = [a('same', '1'), retimed, a('value', '2'), a('new', '1'), ...many, moved];
  expect(diffRecords(asked, staged, APEX)).toEqual({
    held: [a('same', '1'), retimed, a('many', '2'), moved],
    added: [a('new', '1'), a('many', '3'), a('many', '4')],
    lost: [a('value', '1'), a('gone', '1'), a('many', '1')],
    missing: [a('gone', '1'), a('many', '1')],
    changed: [
      { before: a('ttl', '1'), after: retimed },
      { before: MX, after: moved },
      { before: a('value', '1'), after: a('value', '2') },
    ],
  });
  expect(diffRecords([txt('Case')], [txt('case')], APEX)?.changed).toHaveLength(1);
});

test('two records of a name whose values are both others have not become these one by one', () => {
  const asked = [a('many', '1'), a('many', '2')];
  const staged = [a('many', '3'), a('many', '4')];

  expect(diffRecords(asked, staged, APEX)).toMatchObject({
    added: staged,
    missing: asked,
    changed: [],
  });
});

test('an entry without a name does not matter where every record is found', () => {
  const soa = { type: 'SOA', value: 'ns1.new.test admin.new.test 1' };

  expect(diffRecords([a('www', '1')], [soa, a('www', '1')], APEX)).toMatchObject({
    held: [a('www', '1')],
    added: [soa],
    lost: [],
  });
});

test('an answer that lists no records is not compared', () => {
  for (const staged of [undefined, {}, [1], ['www A'], [{ id: 'r1' }]])
    expect(diffRecords([a('www', '1')], staged, APEX)).toBeUndefined();
});

test('a scanned record whose subdomain is null has the name of its other field, and not that of the domain', () => {
  const record = { subdomain: null, name: 'www', type: 'A', value: '192.0.2.1' };

  expect(getFullName(record, 'example.com')).toBe('www.example.com');
});

test('mail records are lost only if they were there before', () => {
  const after = { mx: false, spf: true, dmarc: false };

  expect(findLostMail({ mx: true, spf: true, dmarc: false }, after)).toEqual(['MX']);
  expect(findLostMail({}, after)).toEqual([]);
});
