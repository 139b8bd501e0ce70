import { expect, test } from 'vitest';
import { findLostMail, findMail } from '../../src/zone/summary.ts';

const APEX = 'example.com';

test('what mail depends on is found, however a scan writes it', () => {
  const records = [
    { subdomain: '@', type: 'mx', value: 'mail.example.com', ttl: 300, priority: 10 },
    { subdomain: 'example.com.', type: 'TXT', value: '"V=SPF1 mx -all"' },
    { subdomain: '_dmarc', type: 'TXT', value: 'v=DMARC1; p=none' },
  ];
  expect(findMail(records, APEX)).toEqual({ mx: true, spf: true, dmarc: true });
});

test('the same records elsewhere in the zone, and oddities, do not count', () => {
  const records = [
    { subdomain: 'sub', type: 'MX', value: 'mail.example.com' },
    { subdomain: 'sub', type: 'TXT', value: 'v=spf1 -all' },
    { subdomain: '', type: 'TXT', value: 'v=DMARC1; p=none' },
    { subdomain: '', type: 'TXT', value: 5 },
    null,
    'text',
  ];
  expect(findMail(records, APEX)).toEqual({ mx: false, spf: false, dmarc: false });
});

test('lost mail records are named, missing ones are not', () => {
  const all = { mx: true, spf: true, dmarc: true };
  const none = { mx: false, spf: false, dmarc: false };
  expect(findLostMail(all, none)).toEqual(['MX', 'SPF', 'DMARC']);
  expect(findLostMail(all, { ...all, spf: false })).toEqual(['SPF']);
  expect(findLostMail(none, all)).toEqual([]);
});
