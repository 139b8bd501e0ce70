import { expect, test } from 'vitest';
import { checkRecords } from '../../src/zone/records.ts';
import { readScanned } from '../../src/zone/scanned.ts';

const read = (entry: unknown) => readScanned(entry, 'moved.test');

// biome-ignore format: a table
test.each([
  [{ subdomain: '@' }, { subdomain: '' }],
  [{ subdomain: 'Moved.TEST.' }, { subdomain: '' }],
  [{ subdomain: 'www.moved.test' }, { subdomain: 'www' }],
  [{ ttl: '300' }, { ttl: 300 }],
  [{ type: 'MX', value: '10 mail.moved.test.' }, { type: 'MX', value: 'mail.moved.test.', priority: 10 }],
  [{ type: 'SRV', value: '10 60 5060 sip' }, { type: 'SRV', value: '60 5060 sip', priority: 10 }],
  [{ type: 'MX', value: 'mail', preference: '10' }, { type: 'MX', value: 'mail', priority: 10 }],
  [{ type: 'srv', value: 'sip', weight: '60', port: 5060 }, { type: 'srv', value: '60 5060 sip' }],
  [{ type: 'SRV', value: '10 60 5060 sip', weight: 60, port: 5060 }, { type: 'SRV', value: '60 5060 sip', priority: 10 }],
])('%j is read as %j', (entry, expected) => {
  expect(read({ ...entry, proxied: true })).toEqual({ ...expected, proxied: true });
});

// biome-ignore format: a table
test.each([
  { subdomain: 'www.other.test' }, { ttl: '5m' }, { type: 'MX', value: '10 mail', priority: 20 },
  { type: 'MX', value: 'mail', priority: null }, { type: 'MX', value: 'mail', preference: 10, priority: 20 },
  { type: 'TXT', value: '10 mail' }, { type: 'A', value: '192.0.2.1', preference: 10, weight: 1 },
  { type: 'SRV', value: '60 5060 sip', weight: 60, port: 5061 }, { type: 'SRV', value: 'sip', port: 5060 }, null, [[]],
])('%j stays as it is', (entry) => {
  expect(read(entry)).toEqual(entry);
});

test('the same forms in a file of the user are mistakes', () => {
  const record = { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 300 };
  const odd = [
    { ...record, subdomain: '@' },
    { ...record, ttl: '300' },
    { ...record, type: 'MX', value: '10 mail.moved.test' },
    { ...record, type: 'SRV', value: '10 60 5060 sip.moved.test' },
  ];
  expect(checkRecords(odd, 'moved.test')).toMatchObject({ records: [], problems: odd.map((record) => ({ record })) });
  expect(checkRecords(odd.map(read), 'moved.test')).toMatchObject({ problems: [] });
});
