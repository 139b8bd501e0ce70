import { expect, test } from 'vitest';
import { checkRecords } from '../../src/zone/records.ts';

const A = { subdomain: 'www', type: 'A', value: '192.0.2.1', ttl: 3600 };
const check = (...raw: unknown[]) => checkRecords(raw, 'example.com');

test('doubts are warnings, and the records are staged', () => {
  const cname = { ...A, type: 'CNAME', value: 'other.example' };
  const checked = check(
    A,
    { ...cname, subdomain: 'WWW' },
    { ...cname, subdomain: '' },
    { ...cname, subdomain: 'ok' },
    { ...A, subdomain: '', type: 'NS', value: 'ns1.old.example' },
    { ...A, subdomain: 'short', ttl: 59 },
    { ...A, subdomain: 'long', ttl: 86_401 },
    { ...A, subdomain: 'mx', type: 'MX', value: 'mail', priority: 1 },
  );
  expect(checked.records).toHaveLength(8);
  expect(checked.warnings).toEqual([
    'short.example.com A: the TTL is below 60 seconds.',
    'long.example.com A: the TTL is longer than a day, so mistakes stay in caches that long.',
    'www.example.com CNAME, example.com CNAME: a name with a CNAME can have no other records.',
    'example.com CNAME: a CNAME is not allowed at the apex.',
    'example.com NS: NS records at the apex usually point to the nameservers you are leaving.',
    'mx.example.com MX: the target has no dot, but host names must be written in full.',
  ]);
  expect(check(A, { ...A, ttl: 60 }, { ...A, ttl: 86_400 }).warnings).toEqual([]);
});

test('a warning names five records and counts the rest', () => {
  const short = Array.from({ length: 12 }, (_, index) => ({ ...A, subdomain: `n${index}`, ttl: 1 }));
  expect(check(...short).warnings).toEqual([
    'n0.example.com A, n1.example.com A, n2.example.com A, n3.example.com A, n4.example.com A and 7 more: the TTL is below 60 seconds.',
  ]);
});
