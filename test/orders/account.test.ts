import { expect, test } from 'vitest';
import { accountName, accountOfToken, isSameAccount } from '../../src/orders/account.ts';

test('a token is known by its hash, and shown by its last characters unless it is hardly longer', () => {
  const account = accountOfToken('svc_CANARY_0123456789abcdef');
  expect(isSameAccount(account, accountOfToken('svc_ANOTHER_0123456789abcdef'))).toBe(false);
  expect(accountName(account)).toBe('SVC_TOKEN …cdef');
  expect(JSON.stringify(account)).not.toContain('0123456789');
  expect(accountName(accountOfToken('svc_1234'))).toBe('SVC_TOKEN …');
});

test('a profile is the same under its name, unless two people are known to have used it', () => {
  const work = { profile: 'work' };
  const marie = { ...work, email: 'marie@example.com' };
  expect(isSameAccount(work, marie)).toBe(true);
  expect(isSameAccount(marie, { ...work, email: 'paul@example.com' })).toBe(false);
  expect(isSameAccount(marie, { ...marie, profile: 'home' })).toBe(false);
  expect(isSameAccount(work, { profile: 'home' })).toBe(false);
});
