import { expect, test } from 'vitest';
import { diffRecords } from '../../src/zone/diff.ts';
import { groupByName } from '../../src/zone/summary.ts';

const APEX = 'example.com';
const a = (subdomain: string, value: string, more: object = {}) => ({ subdomain, type: 'A', value, ttl: 60, ...more });

test('records are grouped by name, the apex first, the rest by the alphabet', () => {
  const groups = groupByName([a('www', '1'), a('', '2'), a('api', '3'), a('WWW', '4'), a('*', '5')], APEX);
  expect(groups.map(({ name, records }) => [name, records.map(({ value }) => value).join()])).toEqual([
    ['@', '2'],
    ['*', '5'],
    ['api', '3'],
    ['www', '1,4'],
  ]);
});

test('everything in a scan is shown, with odd entries and unknown fields', () => {
  const raw = [
    { subdomain: '@', type: 'CAA', value: { tag: 'issue' }, ttl: '300', proxied: true },
    { name: 'www.example.com.', type: 'MX', value: 'mx', priority: 0 },
    'odd',
    null,
  ];
  expect(groupByName(raw, APEX)).toEqual([
    {
      name: '@',
      records: [
        { type: 'CAA', value: '{"tag":"issue"}', ttl: '300', priority: '', other: { proxied: true } },
        { type: '', value: 'odd', ttl: '', priority: '', other: {} },
        { type: '', value: '', ttl: '', priority: '', other: {} },
      ],
    },
    {
      name: 'www',
      records: [{ type: 'MX', value: 'mx', ttl: '', priority: '0', other: { name: 'www.example.com.' } }],
    },
  ]);
});

test('what was staged as asked is the same, in whatever spelling', () => {
  const asked = [
    a('www', '192.0.2.1'),
    { subdomain: '', type: 'MX', value: 'mx.example.net', ttl: 60, priority: 10 },
    { subdomain: '', type: 'AAAA', value: '2001:DB8:0:0::1', ttl: 60 },
    { subdomain: '', type: 'TXT', value: 'Case.', ttl: 60 },
  ];
  const staged = [
    { id: 1, subdomain: '@', type: 'TXT', value: 'Case.' },
    { id: 2, name: 'www.example.com', type: 'a', value: '192.0.2.1', ttl: 60, priority: null },
    { id: 3, subdomain: '', type: 'AAAA', value: '2001:db8::1', ttl: 60 },
    { id: 4, subdomain: 'Example.com.', type: 'MX', value: 'MX.example.net.', ttl: 60, priority: 10 },
  ];
  expect(diffRecords(asked, staged, APEX)).toEqual({ same: 4, held: 4, added: [], lost: [], missing: [], changed: [] });
});

test('what differs is added, missing or changed', () => {
  const asked = [a('same', '1'), a('ttl', '1'), a('value', '1'), a('gone', '1'), a('many', '1'), a('many', '2')];
  const staged = [
    a('same', '1'),
    a('ttl', '1', { ttl: 300 }),
    a('value', '2'),
    a('new', '1'),
    a('many', '3'),
    a('many', '2'),
    a('many', '4'),
  ];
  expect(diffRecords(asked, staged, APEX)).toEqual({
    same: 2,
    held: 3,
    added: [a('new', '1'), a('many', '3'), a('many', '4')],
    lost: [a('value', '1'), a('gone', '1'), a('many', '1')],
    missing: [a('gone', '1'), a('many', '1')],
    changed: [
      { before: a('ttl', '1'), after: a('ttl', '1', { ttl: 300 }) },
      { before: a('value', '1'), after: a('value', '2') },
    ],
  });
  expect(diffRecords([a('x', '1')], [], APEX)?.missing).toEqual([a('x', '1')]);
  const txt = (value: string) => ({ subdomain: '', type: 'TXT', value, ttl: 60 });
  expect(diffRecords([txt('Case')], [txt('case')], APEX)?.changed).toHaveLength(1);
});

test('a priority in front of the value, a TTL in a text and a record within an entry are the same record', () => {
  const asked = [
    { subdomain: '', type: 'MX', value: 'mx.example.net', ttl: 60, priority: 10 },
    { subdomain: '_sip._tcp', type: 'SRV', value: '5 5060 sip.example.net', ttl: 60, priority: 20 },
  ];
  const staged = [
    { record: { subdomain: '@', type: 'MX', value: '10 mx.example.net.', ttl: '60' }, status: 'staged' },
    { record: { subdomain: '_sip._tcp.example.com', type: 'SRV', value: '20 5 5060 sip.example.net', ttl: 60 } },
  ];
  expect(diffRecords(asked, staged, APEX)).toMatchObject({ same: 2, held: 2, changed: [] });
  expect(diffRecords(asked, [{ ...staged[0]?.record, value: '20 mx.example.net' }], APEX)).toMatchObject({
    same: 0,
    held: 1,
    changed: [{ after: { priority: 20 } }],
  });
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
  expect([diff?.same, diff?.added.length, diff?.missing.length, diff?.changed.length]).toEqual([6_666, 0, 3_334, 0]);
});
