import { expect, test } from 'vitest';
import { expiryNotice, expiryOf, expiryReason } from '../../src/sign-in/expiry.ts';
import { parseToken, readIssuedToken } from '../../src/sign-in/token.ts';
import { storedSignIn } from '../support/stored.ts';

test('white space around a token is taken off', () => {
  expect(parseToken(' \tsvc_CANARY_1\n', 'SVC_TOKEN')).toBe('svc_CANARY_1');
});

const ODD = 'SVC_TOKEN holds spaces or characters that no token has.';
test.each([
  [' \n', 'SVC_TOKEN is blank.'],
  ['svc_CANARY\r\nX: y', ODD],
  ['x'.repeat(4097), 'SVC_TOKEN is longer than 4096 characters.'],
])('%j is refused without being repeated', (text, message) => {
  expect(() => parseToken(text, 'SVC_TOKEN')).toThrow(
    expect.objectContaining({ message, exitCode: 4 }),
  );
});

const NOW = Date.parse('2026-03-01T12:00:00Z');

test.each<[expiresAt: string, daysLeft: number, notice: string | undefined, reason?: string]>([
  ['2026-03-15T12:00:00Z', 14, 'expires in 14 days, on 15 Mar 2026'],
  ['2026-03-02T13:00:00Z', 1, 'expires in 1 day, on 2 Mar 2026'],
  ['2026-03-01T12:00:01Z', 0, 'expires within a day, on 1 Mar 2026'],
  ['2026-03-01T12:00:00Z', 0, undefined, 'The token expired on 1 Mar 2026.'],
])('a token that expires on %s has %i days left: %s', (expiresAt, daysLeft, notice, reason) => {
  const [isPast, isSoon] = [reason !== undefined, notice !== undefined];
  expect(expiryOf(expiresAt, NOW)).toMatchObject({ daysLeft, isPast, isSoon });
  const record = storedSignIn('work', 'https://api.example.com', { expiresAt });
  const said = notice && `The token of profile work ${notice}. Renew it with svc login.`;
  expect([expiryNotice(record, NOW, 'svc login'), expiryReason(expiresAt, NOW)]).toEqual([
    said,
    reason,
  ]);
  // A new one says it at once.
  expect(readIssuedToken({ token: 'svc_CANARY_1', expiresAt }, NOW)?.warnings).toEqual(
    isPast ? [reason] : [],
  );
});
