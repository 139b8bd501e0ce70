import { expect, test } from 'vitest';
import { isUsableToken } from '../../src/service/request.ts';
import { expiryNotice, expiryOf, expiryReason } from '../../src/sign-in/expiry.ts';
import { clientNameOf, plain } from '../../src/sign-in/texts.ts';
import { parseToken, readIssuedToken, tokenWarning } from '../../src/sign-in/token.ts';

test('white space around a token is taken off', () => {
  expect(parseToken(' \tsvc_CANARY_1\n', 'SVC_TOKEN')).toBe('svc_CANARY_1');
});

test.each([
  ['', 'SVC_TOKEN is blank.'],
  [' \n', 'SVC_TOKEN is blank.'],
  ['svc_CANARY a', 'SVC_TOKEN holds spaces or characters that no token has.'],
  ['svc_CANARY\r\nX: y', 'SVC_TOKEN holds spaces or characters that no token has.'],
  ['svc_CANARYé', 'SVC_TOKEN holds spaces or characters that no token has.'],
  ['svc_CANARY\u200b', 'SVC_TOKEN holds spaces or characters that no token has.'],
  ['svc_CANARY\u0000', 'SVC_TOKEN holds spaces or characters that no token has.'],
  ['x'.repeat(4097), 'SVC_TOKEN is longer than 4096 characters, so it is no token.'],
])('%j is refused without being repeated', (text, message) => {
  expect(() => parseToken(text, 'SVC_TOKEN')).toThrow(expect.objectContaining({ message, exitCode: 4 }));
});

test('the longest token is a token', () => {
  expect(isUsableToken('x'.repeat(4096))).toBe(true);
});

test('a token without the prefix is used, with a warning', () => {
  expect(tokenWarning('svc_1', 'SVC_TOKEN')).toBeUndefined();
  expect(tokenWarning('abc', 'SVC_TOKEN')).toBe('SVC_TOKEN does not start with svc_; is it an API token?');
});

const NOW = Date.parse('2026-03-01T12:00:00Z');
const expiring = (expiresAt?: string) => ({
  profile: 'work',
  baseUrl: 'https://api.example.com',
  token: 'svc_CANARY_1',
  createdAt: '2026-01-01T00:00:00Z',
  expiresAt,
});

test.each([
  ['2026-05-30T12:00:00Z', 90, false, false],
  ['2026-03-15T12:00:00Z', 14, false, true],
  ['2026-03-14T23:59:59Z', 13, false, true],
  ['2026-03-01T12:00:01Z', 0, false, true],
  ['2026-03-01T12:00:00Z', 0, true, false],
  ['2026-02-27T12:00:00Z', -2, true, false],
])('a token that expires on %s has %i days left', (expiresAt, daysLeft, isPast, isSoon) => {
  expect(expiryOf(expiring(expiresAt), NOW)).toMatchObject({ daysLeft, isPast, isSoon });
});

test('an unknown expiry shows no notice', () => {
  for (const expiresAt of [undefined, 'soon']) {
    expect(expiryOf(expiring(expiresAt), NOW)).toBeUndefined();
    expect(expiryNotice(expiring(expiresAt), NOW)).toBeUndefined();
    expect(expiryReason(expiring(expiresAt), NOW)).toBeUndefined();
  }
});

test('the last two weeks are said with days and date', () => {
  const notice = (expiresAt: string) => expiryNotice(expiring(expiresAt), NOW);
  expect(notice('2026-03-04T13:00:00Z')).toBe(
    'The token of profile work expires in 3 days, on 4 Mar 2026. Renew it with svc login.',
  );
  expect(notice('2026-03-02T13:00:00Z')).toContain('expires in 1 day, on 2 Mar 2026');
  expect(notice('2026-03-02T11:00:00Z')).toContain('expires within a day, on 2 Mar 2026');
  expect(notice('2026-03-16T12:00:00Z')).toBeUndefined();
  expect(expiryReason(expiring('2026-02-18T12:00:00Z'), NOW)).toBe('The token expired on 18 Feb 2026.');
});

test('the name of this client is one short line', () => {
  expect(clientNameOf('  my\u001b[31m\u0007 laptop\u202e\n', 'host')).toBe('my [31m laptop');
  expect(clientNameOf(undefined, 'host')).toBe('host');
  expect(clientNameOf(' \u200b ', '')).toBe('svc');
  expect([...clientNameOf('é'.repeat(500), 'host')]).toHaveLength(64);
  expect([...clientNameOf('👩‍💻'.repeat(100), 'host')].length).toBeLessThanOrEqual(64);
});

test('text of the platform is cut in whole characters', () => {
  expect(plain('👍'.repeat(300))).toBe(`${'👍'.repeat(199)}…`);
  expect(plain('a\u2028b\u0085c')).toBe('a b c');
});

test.each([
  ['2026-03-01T12:00:00Z', ['The token expired on 1 Mar 2026.']],
  ['2026-03-01T12:00:01Z', []],
  [undefined, []],
])('a new token that expires on %s is named if it has expired', (expiresAt, warnings) => {
  expect(readIssuedToken({ token: 'svc_CANARY_1', expiresAt }, NOW)?.warnings).toEqual(warnings);
});
