import { expect, test } from 'vitest';
import type { Answer, Call } from '../../src/api/call.ts';
import { startDeviceLogin } from '../../src/sign-in/start.ts';
import { START } from '../support/device-login.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const PLACE = { apiUrl: 'https://api.example.com:8443', clientName: 'laptop' };

/** The login that a platform starts with this answer. */
function read(change: object, headers: Record<string, string> = {}) {
  const answer = { status: 200, headers, value: { ...START, ...change } };
  return startDeviceLogin(
    { call: async <T>(_call: Call) => answer as unknown as Answer<T> },
    PLACE,
    () => NOW,
  );
}

test('a whole answer is taken as it is', async () => {
  const { interval: intervalSeconds, expiresIn: lifeSeconds, ...shown } = START;
  const times = { intervalSeconds, lifeSeconds, isLifeKnown: true, startedAtMs: NOW };
  expect(await read({})).toEqual({ ...PLACE, ...shown, ...times, warnings: [] });
});

test('the interval may be missing, a text, too short, or huge', async () => {
  const given = [undefined, 'soon', 0, ' 7.5 ', 0.1, 1e308];
  const intervals = given.map(async (interval) => (await read({ interval })).intervalSeconds);
  expect(await Promise.all(intervals)).toEqual([5, 5, 5, 7.5, 1, 1e9]);
});

test.each<
  [seconds: number | undefined, given: readonly unknown[], headers?: Record<string, string>]
>([
  [undefined, [0, 'garbage 1', '2026-03-01T11:00:00Z']],
  [3600, [86_400, '2027-01-01']],
  [600, ['600', '2026-03-01T12:10:00Z', NOW + 600_000]],
  // A point in time is seen from the clock of the server.
  [300, ['2026-03-01T10:05:00Z'], { date: 'Sun, 01 Mar 2026 10:00:00 GMT' }],
])('%j seconds is the life for an expiresIn of %j', async (seconds, given, headers) => {
  for (const expiresIn of given) {
    const login = await read({ expiresIn }, headers);
    expect([login.isLifeKnown, login.lifeSeconds]).toEqual([seconds !== undefined, seconds ?? 900]);
  }
});

const ELSEWHERE = {
  verificationUriComplete: undefined,
  warnings: [expect.stringContaining('leads to another site')],
};
test.each<[change: object, login: object]>([
  // Links are written anew, so that no byte can drive a terminal.
  [
    { verificationUri: 'https://EXAMPLE.com/a\u001b[31m' },
    { verificationUri: 'https://example.com/a%1B[31m' },
  ],
  [{ verificationUri: 'javascript:alert(1)' }, { verificationUri: undefined }],
  // Relative ones lead to the platform, and those without a scheme are https.
  ...[
    ['/device', 'https://api.example.com:8443/device'],
    ['device', 'https://api.example.com:8443/device'],
    ['//login.example.com/device', 'https://login.example.com/device'],
    ['example.com/device', 'https://example.com/device'],
    [' example.com:8080/device ', 'https://example.com:8080/device'],
    ['localhost:3000/device', 'https://localhost:3000/device'],
    ['data:text/html,x', undefined],
    ['//user:pw@example.com/', undefined],
  ].map(([verificationUri, href]): [object, object] => [
    { verificationUri, ...(href !== undefined && { verificationUriComplete: undefined }) },
    { verificationUri: href },
  ]),
  [{ verificationUriComplete: 'https://evil.example/device?code=1' }, ELSEWHERE],
])('a start with %j', async (change, login) => {
  expect(await read(change)).toMatchObject(login);
});

test.each([
  [{ verificationUri: 'not a url', verificationUriComplete: undefined }, 'usable verificationUri'],
  [{ userCode: undefined, verificationUriComplete: undefined }, 'userCode'],
  [{ deviceCode: {} }, 'deviceCode'],
])('a start with %j is none', async (change, name) => {
  await expect(read(change)).rejects.toThrow(`it has no ${name}.`);
});
