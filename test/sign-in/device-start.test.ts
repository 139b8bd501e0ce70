import { expect, test } from 'vitest';
import { expiryOfLogin, readDeviceStart, type StartedLogin } from '../../src/sign-in/start.ts';
import { START } from '../support/device-login.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const PLACE = { apiUrl: 'https://api.example.com:8443', clientName: 'laptop' };

function read(change: object, headers: Record<string, string> = {}): StartedLogin {
  return readDeviceStart({ ...START, ...change }, { ...PLACE, headers, nowMs: NOW, status: 200 });
}

test('a whole answer is taken as it is', () => {
  const { interval: intervalSeconds, expiresIn: lifeSeconds, ...shown } = START;
  const times = { intervalSeconds, lifeSeconds, isLifeKnown: true, startedAtMs: NOW };
  expect(read({})).toEqual({ ...PLACE, ...shown, ...times, warnings: [] });
  expect(expiryOfLogin(read({}))).toBe('2026-03-01T12:15:00.000Z');
});

test.each<[seconds: number, intervals: readonly unknown[]]>([
  [5, [undefined, null, 'soon', '', true, 0, -3, Number.NaN, Number.POSITIVE_INFINITY]],
  [7.5, [' 7.5 ']],
  [1, [0.1]],
  [2.001, [2.00049]],
  [1e9, [1e9]],
])('%d seconds is the interval for %j', (seconds, intervals) => {
  for (const interval of intervals) expect(read({ interval }).intervalSeconds).toBe(seconds);
});

test.each<[seconds: number | undefined, given: readonly unknown[], headers?: Record<string, string>]>([
  [undefined, [undefined, null, 0, -1, 'soon', 'garbage 1', {}, '2026-03-01T11:00:00Z']],
  [1, [1]],
  [900, [899.2]],
  [3600, [86_400, '2027-01-01']],
  [600, ['600', '2026-03-01T12:10:00Z', '2026-03-01T14:10:00+02:00', '2026-03-01T12:10:00', '2026-03-01 12:10']],
  [300, [NOW / 1000 + 300, NOW + 300_000, String(NOW / 1000 + 300)]],
  // A point in time is seen from the clock of the server.
  [300, ['2026-03-01T10:05:00Z', NOW - 6_900_000], { date: 'Sun, 01 Mar 2026 10:00:00 GMT' }],
])('%j seconds is the life for an expiresIn of %j', (seconds, given, headers) => {
  for (const expiresIn of given) {
    const login = read({ expiresIn }, headers);
    expect([login.isLifeKnown, login.lifeSeconds]).toEqual([seconds !== undefined, seconds ?? 900]);
    if (seconds === undefined) expect(expiryOfLogin(login)).toBeUndefined();
  }
});

test('links are written anew, so that no byte can drive a terminal', () => {
  const verificationUri = 'https://EXAMPLE.com/a b\u001b[31m';
  const { verificationUri: written } = read({ verificationUri, verificationUriComplete: 1 });
  expect(written).toBe('https://example.com/a%20b%1B[31m');
});

// What is safe to open is the subject of browser.test.ts.
test.each(['javascript:alert(1)', 'not a url', null, ['https://example.com']])('%j is no link', (verificationUri) => {
  const said = 'Unexpected answer from api.example.com:8443: it has no usable verificationUri.';
  expect(() => read({ verificationUri, verificationUriComplete: undefined })).toThrow(said);
  const { verificationUriComplete } = START;
  expect(read({ verificationUri })).toMatchObject({ verificationUri: undefined, verificationUriComplete });
});

test.each(['https://evil.example/device?code=1', 'http://example.com/device', 'https://example.com:444/'])(
  'a link with the code that leads to another site is left out, and said: %s',
  (verificationUriComplete) => {
    const login = read({ verificationUriComplete });
    expect([login.verificationUriComplete, login.warnings.length]).toEqual([undefined, 1]);
  },
);

test('a code is kept letter by letter; without one the link must contain it, and the user is warned', () => {
  expect(read({ userCode: ' wdjb mjht ' }).userCode).toBe(' wdjb mjht ');
  expect(read({ userCode: 123456 }).userCode).toBe('123456');
  expect(read({ userCode: '' }).warnings).toHaveLength(1);
  expect(() => read({ userCode: undefined, verificationUriComplete: undefined })).toThrow('it has no userCode');
});

test.each([undefined, null, '', {}, []])('without a device code (%j) there is no login', (deviceCode) => {
  expect(() => read({ deviceCode })).toThrow('Unexpected answer from api.example.com:8443: it has no deviceCode.');
});
