import { expect, test } from 'vitest';
import { findLostFields, normalizeScanned, readScanRemarks } from '../../src/dns/scanned.ts';

// In a file of the user, which nobody may guess at, records.test.ts has the same forms as mistakes.

test.each([
  [{ subdomain: '@' }, { subdomain: '' }],
  [{ subdomain: 'Moved.TEST.' }, { subdomain: '' }],
  [{ subdomain: 'WWW.moved.test' }, { subdomain: 'WWW' }],
  [{ ttl: '300' }, { ttl: 300 }],
  [
    { type: 'MX', value: '10 mail.moved.test.' },
    { type: 'MX', value: 'mail.moved.test.', priority: 10 },
  ],
  [
    { type: 'MX', value: 'mail', preference: '10' },
    { type: 'MX', value: 'mail', priority: 10 },
  ],
  [
    { type: 'srv', value: 'sip', weight: '60', port: 5060 },
    { type: 'srv', value: '60 5060 sip' },
  ],
  [
    { type: 'SRV', value: '10 60 5060 sip', weight: 60, port: 5060 },
    { type: 'SRV', value: '60 5060 sip', priority: 10 },
  ],
])('%j is read as %j', (entry, expected) => {
  expect(normalizeScanned({ ...entry, proxied: true }, 'moved.test')).toEqual({
    ...expected,
    proxied: true,
  });
});

test.each([
  { subdomain: 'wwwmoved.test' },
  { ttl: '5m' },
  { type: 'MX', value: '10 mail', priority: 20 },
  { type: 'MX', value: 'mail', preference: 10, priority: 20 },
  { type: 'TXT', value: '10 mail' },
  { type: 'A', value: '192.0.2.1', preference: 10, weight: 1 },
  { type: 'SRV', value: '60 5060 sip', weight: 60, port: 5061 },
  { type: 'SRV', value: 'sip', port: 5060 },
  null,
  [[]],
])('%j stays as it is', (entry) => {
  expect(normalizeScanned(entry, 'moved.test')).toEqual(entry);
});

test.each([
  ['a time of the record', { created: '2026-03-01T12:00:00Z' }, []],
  ['an empty list', { tags: [] }, []],
  ['a yes, though it is called as a time is', { created: true }, ['created']],
  ['a setting', { proxied: false }, ['proxied']],
])('%s beside the record table: %j loses %j', (_what, more, lost) => {
  const record = { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 60, ...more };

  expect(findLostFields(record).map(({ field }) => field)).toEqual(lost);
});

test.each([
  ['as many as there are', { total: 1 }, []],
  ['more than there are', { total: 2 }, ['total']],
  ['a yes', { truncated: true }, ['truncated']],
  ['a no', { truncated: false }, []],
  ['a time', { scannedAt: '2026-03-01' }, []],
])('a scan that counts or says %s: %j makes a doubt of %j', (_what, remarks, doubtful) => {
  const records = [{ subdomain: '', type: 'A', value: '192.0.2.1', ttl: 60 }];

  expect(readScanRemarks({ records, ...remarks }, (fields) => fields).doubtful).toEqual(doubtful);
});
