import { expect, test } from 'vitest';
import { chooseSets, toRecordSets, type WantedRecord } from '../../src/dns/compare.ts';

const name = 'moved.test';

test('records of one name and type are one set, whatever their order and case', () => {
  const values = [`WWW.${name}`, name, `www.${name}.`].map((host, index): WantedRecord => {
    return { name: host, type: 'A', value: `192.0.2.${9 - index}` };
  });
  expect(toRecordSets([...values, ...values])).toMatchObject([
    { name: `www.${name}`, type: 'A', values: ['192.0.2.7', '192.0.2.9'] },
    { name, type: 'A', values: ['192.0.2.8'] },
  ]);
});

test.each<[Omit<WantedRecord, 'name'>, string]>([
  [{ type: 'AAAA', value: '2001:DB8:0:0:0:0:0:1' }, '2001:db8::1'],
  [{ type: 'MX', value: 'Mail.Example.', priority: 10 }, '10 mail.example'],
  [{ type: 'MX', value: 'mail.example' }, 'mail.example'],
  [{ type: 'MX', value: '.', priority: 0 }, '0 .'],
  [{ type: 'SRV', value: '5  5060 Sip.Example.', priority: 1 }, '1 5 5060 sip.example'],
  [{ type: 'TXT', value: 'Case Matters. ' }, 'Case Matters. '],
  [{ type: 'TXT', value: '"in \\"two\\" " "strings"' }, 'in "two" strings'],
  [{ type: 'TXT', value: '"a" ; b' }, '"a" ; b'],
])('%j is compared as %j', (record, value) => {
  expect(toRecordSets([{ name, ...record }])).toMatchObject([{ values: [value] }]);
});

test('the nameservers of the apex and what lies below a delegated name are not asked for', () => {
  const records = [
    'moved.test NS',
    'moved.test A',
    'sub.moved.test NS',
    'sub.moved.test A',
    'ns1.sub.moved.test A',
    'notsub.moved.test A',
  ];
  const sets = records.map((text) => {
    const [host = '', type = ''] = text.split(' ');
    return { name: host, type: type as 'A' | 'NS', values: [], isWithoutPriority: false };
  });
  const chosen = chooseSets(sets, 'moved.test').map(({ name, type }) => `${name} ${type}`);
  expect(chosen).toEqual(['moved.test A', 'sub.moved.test NS', 'notsub.moved.test A']);
});

test('with one mail record without a priority all of its set are compared by their hosts', () => {
  const sets = toRecordSets([
    { name, type: 'MX', value: 'mail.moved.test' },
    { name, type: 'MX', value: 'mail2.moved.test', priority: 20 },
  ]);
  expect(sets).toMatchObject([
    { values: ['mail.moved.test', 'mail2.moved.test'], isWithoutPriority: true },
  ]);
});

test('a service record without a priority is compared by what it has', () => {
  const value = '5 5060 sip.moved.test';
  expect(toRecordSets([{ name, type: 'SRV', value }])).toMatchObject([
    { values: [value], isWithoutPriority: true },
  ]);
});
