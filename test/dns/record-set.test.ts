import { expect, test } from 'vitest';
import { chooseSets, toRecordSets, type WantedRecord } from '../../src/dns/compare.ts';

const values = (records: readonly WantedRecord[]) => toRecordSets(records).map((set) => set.values);

test('records of one name and type are one set, whatever their order and case', () => {
  expect(
    toRecordSets([
      { name: 'WWW.moved.test', type: 'A', value: '192.0.2.2' },
      { name: 'moved.test', type: 'A', value: '192.0.2.9' },
      { name: 'www.moved.test.', type: 'A', value: '192.0.2.1' },
      { name: 'www.moved.test', type: 'A', value: '192.0.2.1' },
    ]),
  ).toEqual([
    { name: 'www.moved.test', type: 'A', values: ['192.0.2.1', '192.0.2.2'], isWithoutPriority: false },
    { name: 'moved.test', type: 'A', values: ['192.0.2.9'], isWithoutPriority: false },
  ]);
});

test('values that mean the same are the same, and others are not', () => {
  const name = 'moved.test';
  expect(values([{ name, type: 'AAAA', value: '2001:DB8:0:0:0:0:0:1' }])).toEqual([['2001:db8::1']]);
  expect(values([{ name, type: 'CNAME', value: 'Host.Example.' }])).toEqual([['host.example']]);
  expect(values([{ name, type: 'MX', value: 'Mail.Example.', priority: 10 }])).toEqual([['10 mail.example']]);
  expect(values([{ name, type: 'MX', value: '.', priority: 0 }])).toEqual([['0 .']]);
  expect(values([{ name, type: 'SRV', value: '5  5060 Sip.Example.', priority: 1 }])).toEqual([
    ['1 5 5060 sip.example'],
  ]);
  expect(values([{ name, type: 'SRV', value: '0 0 .', priority: 1 }])).toEqual([['1 0 0 .']]);
  expect(values([{ name, type: 'TXT', value: 'Case Matters. ' }])).toEqual([['Case Matters. ']]);
  expect(values([{ name, type: 'TXT', value: '"in \\"two\\" " "strings"' }])).toEqual([['in "two" strings']]);
  expect(values([{ name, type: 'TXT', value: '"caf\\195\\169"' }])).toEqual([['café']]);
  expect(values([{ name, type: 'TXT', value: '"half' }])).toEqual([['"half']]);
});

test('the nameservers of the apex and what lies below a delegated name are not asked for', () => {
  const sets = toRecordSets([
    { name: 'moved.test', type: 'NS', value: 'ns1.old.test' },
    { name: 'moved.test', type: 'A', value: '192.0.2.1' },
    { name: 'sub.moved.test', type: 'NS', value: 'ns1.sub.moved.test' },
    { name: 'ns1.sub.moved.test', type: 'A', value: '192.0.2.2' },
    { name: 'notsub.moved.test', type: 'A', value: '192.0.2.3' },
  ]);
  const chosen = chooseSets(sets, 'moved.test').map(({ name, type }) => `${name} ${type}`);
  expect(chosen).toEqual(['moved.test A', 'sub.moved.test NS', 'notsub.moved.test A']);
});

test('a mail record without a priority is compared by its host', () => {
  const name = 'moved.test';
  const sets = toRecordSets([
    { name, type: 'MX', value: 'mail.moved.test' },
    { name, type: 'MX', value: 'mail2.moved.test', priority: 20 },
    { name, type: 'A', value: '192.0.2.1' },
  ]);
  expect(sets).toEqual([
    { name, type: 'MX', values: ['mail.moved.test', 'mail2.moved.test'], isWithoutPriority: true },
    { name, type: 'A', values: ['192.0.2.1'], isWithoutPriority: false },
  ]);
});
