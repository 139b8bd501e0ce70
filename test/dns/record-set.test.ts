import { expect, test } from 'vitest';
import { chooseSets, toRecordSets, type WantedRecord } from '../../src/dns/compare.ts';

const name = 'moved.test';

test('records of one name and type are one set, whatever their order and case', () => {
  const values = [`WWW.${name}`, name, `www.${name}.`, `www.${name}`].map((host, index) => ({
    name: host,
    type: 'A' as const,
    value: `192.0.2.${[2, 9, 1, 1][index]}`,
  }));
  expect(toRecordSets(values)).toEqual([
    { name: `www.${name}`, type: 'A', values: ['192.0.2.1', '192.0.2.2'], isWithoutPriority: false },
    { name, type: 'A', values: ['192.0.2.9'], isWithoutPriority: false },
  ]);
});

test.each<[Omit<WantedRecord, 'name'>, string]>([
  [{ type: 'AAAA', value: '2001:DB8:0:0:0:0:0:1' }, '2001:db8::1'],
  [{ type: 'MX', value: 'Mail.Example.', priority: 10 }, '10 mail.example'],
  [{ type: 'MX', value: '.', priority: 0 }, '0 .'],
  [{ type: 'SRV', value: '5  5060 Sip.Example.', priority: 1 }, '1 5 5060 sip.example'],
  [{ type: 'TXT', value: 'Case Matters. ' }, 'Case Matters. '],
  [{ type: 'TXT', value: '"in \\"two\\" " "strings"' }, 'in "two" strings'],
  [{ type: 'TXT', value: '"a" b' }, '"a" b'],
  [{ type: 'TXT', value: '"a" ; b' }, '"a" ; b'],
])('%j is compared as %j', (record, value) => {
  expect(toRecordSets([{ name, ...record }])).toMatchObject([{ values: [value] }]);
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
