import { expect, test } from 'vitest';
import { unsetVariable } from '../../src/shell-line.ts';
import {
  describePastExpiry,
  describeSoonExpiry,
  judgeExpiry,
  readExpiry,
} from '../../src/sign-in/expiry.ts';
import { parseToken, readEnvironmentToken, readIssuedToken } from '../../src/sign-in/token.ts';
import { storedSignIn } from '../support/stored.ts';

test('white space around a token is taken off', () => {
  expect(parseToken(' \tsvc_CANARY_1\n', 'SVC_TOKEN')).toBe('svc_CANARY_1');
});

test.each([
  ['SVC_TOKEN', { SVC_TOKEN: ' ' }],
  ['SVC_SESSION_TOKEN', { SVC_SESSION_TOKEN: '"x"' }],
])('an unusable %s is unset before a sign-in, which it would hide', (variable, env) => {
  expect(() => readEnvironmentToken(env, undefined)).toThrow(
    expect.objectContaining({
      details: expect.objectContaining({
        hint: expect.objectContaining({ run: [`${unsetVariable(variable)}; svc login`] }),
      }),
    }),
  );
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

test.each([
  ['"svc_CANARY_1"', /^SVC_TOKEN is in quotes/],
  ["'svc_CANARY_1'", /^SVC_TOKEN is in quotes/],
  ['\u201csvc_CANARY_1\u201d', /^SVC_TOKEN is in quotes/],
  ['"svc_CANARY_1', /^SVC_TOKEN is in quotes/],
  ['SVC_TOKEN=svc_CANARY_1', /^SVC_TOKEN begins with "SVC_TOKEN"/],
  ['export SVC_TOKEN=svc_CANARY_1', /^SVC_TOKEN begins with "export SVC_TOKEN"/],
  ['token: svc_CANARY_1', /^SVC_TOKEN begins with "token"/],
  ['SVC_SESSION_TOKEN=CANARY', /^SVC_TOKEN begins with "SVC_SESSION_TOKEN"/],
  ['Bearer svc_CANARY_1', /^SVC_TOKEN begins with "Bearer"/],
])('what was copied along in %s is named, and the token is not', (text, said) => {
  const error = expect.objectContaining({
    message: expect.stringMatching(said),
    stack: expect.not.stringContaining('CANARY'),
    exitCode: 4,
  });
  expect(() => parseToken(text, 'SVC_TOKEN')).toThrow(error);
});

test.each(['svc_CANARY=', 'eyJhbGciOiJIUzI1NiJ9.e30.x-y_z==', 'a=b'])(
  'an equals sign in %s is a part of the token',
  (text) => {
    expect(parseToken(text, 'SVC_TOKEN')).toBe(text);
  },
);

test.each([
  ['svc.session-token=abc', 'abc'],
  [' svc.session-token=abc.d%2Fe=\r\n', 'abc.d%2Fe='],
  ['abc', 'abc'],
])('the session %j is read without the name of its cookie', (value, token) => {
  const read = readEnvironmentToken({ SVC_SESSION_TOKEN: value }, '/');
  expect(read).toEqual({ kind: 'session', source: 'SVC_SESSION_TOKEN', token });
});

test.each<[value: unknown, end: string | undefined]>([
  ['0001-01-01T00:00:00Z', undefined],
  ['1970-01-01T00:00:00Z', undefined],
  ['1899-12-30', undefined],
  [0, undefined],
  ['9999-12-31T23:59:59Z', undefined],
  ['2026-02-30T12:00:00Z', undefined],
  ['2026-13-01T12:00:00Z', undefined],
  [1772366400, '2026-03-01T12:00:00.000Z'],
  [1772366400000, '2026-03-01T12:00:00.000Z'],
  [1772366400000000, '2026-03-01T12:00:00.000Z'],
  ['1772366400000000000', '2026-03-01T12:00:00.000Z'],
  ['2026-03-01T12:00:00.123456Z', '2026-03-01T12:00:00.123Z'],
])('the end %j is read as %s', (value, end) => {
  expect(readExpiry(value)).toBe(end);
});

const NOW = Date.parse('2026-03-01T12:00:00Z');

test.each<[expiresAt: string, daysLeft: number, notice: string | undefined, reason?: string]>([
  ['2026-03-15T12:00:00Z', 14, 'expires in 14 days, on 15 Mar 2026'],
  ['2026-03-02T13:00:00Z', 1, 'expires in 1 day, on 2 Mar 2026'],
  ['2026-03-03T11:00:00Z', 1, 'expires in 1 day, on 3 Mar 2026'],
  ['2026-03-01T12:00:01Z', 0, 'expires within a day, on 1 Mar 2026'],
  ['2026-03-01T12:00:00Z', 0, undefined, 'The token expired on 1 Mar 2026.'],
])('a token that expires on %s has %i days left: %s', (expiresAt, daysLeft, notice, reason) => {
  const [isPast, isSoon] = [reason !== undefined, notice !== undefined];
  expect(judgeExpiry(expiresAt, NOW)).toMatchObject({ daysLeft, isPast, isSoon });
  const record = storedSignIn('work', 'https://api.example.com', { expiresAt });
  const said = notice && `The token of profile work ${notice}. Renew it with svc login.`;
  expect([
    describeSoonExpiry(record, NOW, 'svc login'),
    describePastExpiry(expiresAt, NOW),
  ]).toEqual([said, reason]);
  // A new one says it at once.
  expect(readIssuedToken({ token: 'svc_CANARY_1', expiresAt }, NOW)?.warnings).toEqual(
    isPast ? [reason] : [],
  );
});
