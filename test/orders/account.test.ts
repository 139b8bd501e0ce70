import { expect, test } from 'vitest';
import { accountName, accountOfToken, isSameAccount } from '../../src/orders/account.ts';

const TOKEN = 'svc_CANARY_0123456789abcdef';

test('a token is identified by its hash, and shown by its last characters', () => {
  const account = accountOfToken(TOKEN);
  expect(isSameAccount(account, accountOfToken(TOKEN))).toBe(true);
  expect(isSameAccount(account, accountOfToken('svc_ANOTHER_0123456789abcdef'))).toBe(false);
  expect(accountName(account)).toBe('SVC_TOKEN …cdef');
  expect(JSON.stringify(account)).not.toContain('0123456789');
});

test('of a token that is hardly longer than its ending, nothing is shown', () => {
  expect(accountName(accountOfToken('svc_1234'))).toBe('SVC_TOKEN …');
});

test('a profile is the same under its name, unless two people are known to have used it', () => {
  const work = { profile: 'work' };
  const [marie, paul] = [
    { ...work, email: 'marie@example.com' },
    { ...work, email: 'paul@example.com' },
  ];
  expect(isSameAccount(work, { profile: 'work' })).toBe(true);
  expect(isSameAccount(work, marie)).toBe(true);
  expect(isSameAccount(marie, marie)).toBe(true);
  expect(isSameAccount(marie, paul)).toBe(false);
  expect(isSameAccount(marie, { ...marie, profile: 'home' })).toBe(false);
  expect(isSameAccount(work, accountOfToken(TOKEN))).toBe(false);
  expect([accountName(work), accountName(marie)]).toEqual(['profile work', 'profile work (marie@example.com)']);
});
