import { expect, test } from 'vitest';
import {
  checkProfileName,
  findByAddress,
  findByProfile,
  findCurrent,
  profileNameOf,
  put,
} from '../../src/sign-in/record.ts';
import type { CredentialRecord } from '../../src/sign-in/types.ts';

function record(profile: string, baseUrl: string, more: Partial<CredentialRecord> = {}): CredentialRecord {
  return { profile, baseUrl, token: `svc_${profile}`, createdAt: '2026-03-01T12:00:00Z', ...more };
}

const home = record('api.example.com', 'https://api.example.com');
const work = record('work', 'https://api.example.com');
const local = record('127.0.0.1:4750', 'http://127.0.0.1:4750');
const stored = { current: 'work', credentials: [home, work, local] };

test.each([
  ['https://api.example.com', 'api.example.com'],
  ['https://API.example.com:443/', 'api.example.com'],
  ['https://api.example.com:8443/v2/', 'api.example.com:8443/v2'],
  ['http://[::1]:4750', '[::1]:4750'],
])('the profile of %s is %s', (baseUrl, name) => {
  expect(profileNameOf(baseUrl)).toBe(name);
});

test('a sign-in is found by its name and by its address', () => {
  expect(findByProfile(stored, 'api.example.com')).toBe(home);
  expect(findByAddress(stored, 'HTTP://127.0.0.1:4750/')).toBe(local);
  expect(findByProfile(stored, 'other')).toBeUndefined();
  expect(findByAddress(stored, 'https://api.example.com/other')).toBeUndefined();
});

test('the current one wins where several share an address', () => {
  expect(findByAddress(stored, 'https://api.example.com')).toBe(work);
  expect(findByAddress({ ...stored, current: undefined }, 'https://api.example.com')).toBe(home);
  expect([findCurrent(stored), findCurrent({ ...stored, current: 'gone' })]).toEqual([work, undefined]);
});

test('a new sign-in becomes the current one and takes the place of its profile', () => {
  const again = record('api.example.com', 'https://api.example.com', { token: 'svc_new' });
  expect(put(stored, again)).toEqual({ current: 'api.example.com', credentials: [work, local, again] });
});

test('the chosen organization survives a new sign-in of the same account at the same address only', () => {
  const former = { current: undefined, credentials: [{ ...home, email: 'a@example.com', org: 'org_2' }] };
  const orgAfter = (more: Partial<CredentialRecord>) => put(former, { ...home, ...more }).credentials[0]?.org;
  expect(orgAfter({ email: 'a@example.com' })).toBe('org_2');
  expect(orgAfter({ email: 'a@example.com', org: 'org_3' })).toBe('org_3');
  expect(orgAfter({ email: 'b@example.com' })).toBeUndefined();
  expect(orgAfter({})).toBeUndefined();
  expect(orgAfter({ email: 'a@example.com', baseUrl: 'https://other.example' })).toBeUndefined();
});

test('names that JavaScript knows are names like any other', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'a.b.c', 'https://x:1/y']) {
    const { credentials } = put(stored, record(name, 'https://x.example'));
    expect(findByProfile({ current: name, credentials }, name)?.profile).toBe(name);
    expect(findByProfile(stored, name)).toBeUndefined();
    expect(checkProfileName(name)).toBe(name);
  }
});

test.each(['', ' ', 'a b', 'a\n', 'a\u202eb', 'x'.repeat(129)])('%j is no name for a profile', (name) => {
  expect(() => checkProfileName(name)).toThrow(expect.objectContaining({ exitCode: 2 }));
});
