import { expect, test } from 'vitest';
import { diffRecords } from '../../src/zone/diff.ts';
import { findLostMail, findMail, shownRecords } from '../../src/zone/summary.ts';

const APEX = 'example.com';
const a = (subdomain: string, value: string, more: object = {}) => ({ subdomain, type: 'A', value, ttl: 60, ...more });
const txt = (value: unknown, subdomain = '') => ({ subdomain, type: 'TXT', value, ttl: 60 });

test('records are shown by name, the apex first, with odd entries and unknown fields', () => {
  const raw = [
    a('www', '1'),
    { subdomain: '@', type: 'CAA', value: { tag: 'issue' }, ttl: '300', proxied: true },
    a('api', '3'),
    { name: 'WWW.example.com.', type: 'MX', value: 'mx', priority: 0 },
    'odd',
    null,
  ];
  expect(shownRecords(raw, APEX).map(({ cells, other }) => [cells.join('|'), other])).toEqual([
    ['@|CAA|300||{"tag":"issue"}', { proxied: true }],
    ['@||||odd', {}],
    ['@||||', {}],
    ['api|A|60||3', {}],
    ['www|A|60||1', {}],
    ['www|MX||0|mx', { name: 'WWW.example.com.' }],
  ]);
});

test('what mail depends on is found, however a scan writes it, and only where it counts', () => {
  const mail = [
    { subdomain: '@', type: 'mx', value: 'mail.example.com', priority: 10 },
    txt('"V=SPF1 mx -all"', 'example.com.'),
    txt('v=DMARC1; p=none', '_dmarc'),
  ];
  expect(findMail(mail, APEX)).toEqual({ mx: true, spf: true, dmarc: true });
  const other = [{ subdomain: 'sub', type: 'MX', value: 'mail' }, txt('v=spf1 -all', 'sub'), txt('v=DMARC1'), txt(5)];
  expect(findMail([...other, null, 'text'], APEX)).toEqual({ mx: false, spf: false, dmarc: false });
});

test('lost mail records are named, missing ones are not', () => {
  const all = { mx: true, spf: true, dmarc: true };
  expect(findLostMail(all, { ...all, spf: false })).toEqual(['SPF']);
  expect(findLostMail({}, findMail([], APEX))).toEqual([]);
});

const MX = { subdomain: '', type: 'MX', value: 'mx.example.net', ttl: 60, priority: 10 };
const SRV = { subdomain: '_sip._tcp', type: 'SRV', value: '5 5060 sip.example.net', ttl: 60, priority: 20 };
const AAAA = { subdomain: '', type: 'AAAA', value: '2001:DB8:0:0::1', ttl: 60 };

// biome-ignore format: a table
test.each([
  ['without a TTL', txt('Case.'), { id: 1, subdomain: '@', type: 'TXT', value: 'Case.' }],
  ['with a full name and a small type', a('www', '192.0.2.1'), { name: 'www.example.com', type: 'a', value: '192.0.2.1', ttl: 60, priority: null }],
  ['with another spelling of an address', AAAA, { ...AAAA, value: '2001:db8::1' }],
  ['with another spelling of a host', MX, { ...MX, subdomain: 'Example.com.', value: 'MX.example.net.' }],
  ['within an entry, with the priority in front', MX, { record: { subdomain: '@', type: 'MX', value: '10 mx.example.net.', ttl: '60' }, status: 'staged' }],
  ['with four parts', SRV, { record: { subdomain: '_sip._tcp.example.com', type: 'SRV', value: '20 5 5060 sip.example.net', ttl: 60 } }],
])('a record that was staged %s is the same', (_how, asked, staged) => {
  expect(diffRecords([asked], [staged], APEX)).toEqual({ held: 1, added: [], lost: [], missing: [], changed: [] });
});

test('what differs is added, missing or changed', () => {
  const asked = [a('same', '1'), a('ttl', '1'), a('value', '1'), a('gone', '1'), a('many', '1'), a('many', '2')];
  const retimed = a('ttl', '1', { ttl: 300 });
  const many = [a('many', '3'), a('many', '2'), a('many', '4')];
  expect(diffRecords(asked, [a('same', '1'), retimed, a('value', '2'), a('new', '1'), ...many], APEX)).toEqual({
    held: 3,
    added: [a('new', '1'), a('many', '3'), a('many', '4')],
    lost: [a('value', '1'), a('gone', '1'), a('many', '1')],
    missing: [a('gone', '1'), a('many', '1')],
    changed: [
      { before: a('ttl', '1'), after: retimed },
      { before: a('value', '1'), after: a('value', '2') },
    ],
  });
  expect(diffRecords([a('x', '1')], [], APEX)?.missing).toEqual([a('x', '1')]);
  expect(diffRecords([txt('Case')], [txt('case')], APEX)?.changed).toHaveLength(1);
  expect(diffRecords([MX], [{ ...MX, priority: 20 }], APEX)).toMatchObject({ held: 1, changed: [{}] });
});

test('an answer that lists no records is not compared', () => {
  for (const staged of [undefined, null, 3, 'x', {}, [1], ['www A'], [{ id: 'r1' }]]) {
    expect(diffRecords([a('www', '1')], staged, APEX)).toBeUndefined();
  }
});

test('every record is counted once, whatever was staged', () => {
  const asked = Array.from({ length: 10_000 }, (_, index) => a(`n${index % 100}`, String(index)));
  const staged = asked.filter((_, index) => index % 3 !== 0).toReversed();
  const diff = diffRecords(asked, staged, APEX);
  expect([diff?.held, diff?.added.length, diff?.missing.length, diff?.changed.length]).toEqual([6_666, 0, 3_334, 0]);
});
