import { describe, expect, test } from 'vitest';
import { expiryOfLogin, readDeviceStart, type StartedLogin } from '../../src/sign-in/start.ts';

const WHOLE = {
  deviceCode: 'dev_1',
  userCode: 'WDJB-MJHT',
  verificationUri: 'https://example.com/device',
  verificationUriComplete: 'https://example.com/device?code=WDJB-MJHT',
  expiresIn: 900,
  interval: 5,
};
const NOW = Date.parse('2026-03-01T12:00:00Z');

function read(change: object, headers: Record<string, string> = {}): StartedLogin {
  const context = { apiUrl: 'https://api.example.com:8443', clientName: 'laptop', headers, nowMs: NOW, status: 200 };
  return readDeviceStart({ ...WHOLE, ...change }, context);
}

test('a whole answer is taken as it is', () => {
  expect(read({})).toEqual({
    apiUrl: 'https://api.example.com:8443',
    clientName: 'laptop',
    deviceCode: 'dev_1',
    userCode: 'WDJB-MJHT',
    verificationUri: 'https://example.com/device',
    verificationUriComplete: 'https://example.com/device?code=WDJB-MJHT',
    intervalSeconds: 5,
    lifeSeconds: 900,
    isLifeKnown: true,
    startedAtMs: NOW,
    warnings: [],
  });
  expect(expiryOfLogin(read({}))).toBe('2026-03-01T12:15:00.000Z');
});

test.each([
  [undefined, 5],
  [null, 5],
  ['soon', 5],
  ['', 5],
  [true, 5],
  [0, 5],
  [-3, 5],
  [Number.NaN, 5],
  [Number.POSITIVE_INFINITY, 5],
  ['7', 7],
  [' 7.5 ', 7.5],
  [0.1, 1],
  [2.00049, 2.001],
  [600, 600],
  [1e9, 1e9],
])('an interval of %j is %d seconds', (interval, seconds) => {
  expect(read({ interval }).intervalSeconds).toBe(seconds);
});

test.each([
  [undefined, undefined],
  [null, undefined],
  [0, undefined],
  [-1, undefined],
  ['soon', undefined],
  ['garbage 1', undefined],
  [{}, undefined],
  [1, 1],
  [899.2, 900],
  ['600', 600],
  [86_400, 3600],
  ['2026-03-01T12:10:00Z', 600],
  ['2026-03-01T14:10:00+02:00', 600],
  ['2026-03-01T12:10:00', 600],
  ['2026-03-01 12:10', 600],
  [NOW / 1000 + 300, 300],
  [NOW + 300_000, 300],
  [String(NOW / 1000 + 300), 300],
  ['2026-03-01T11:00:00Z', undefined],
  ['2027-01-01', 3600],
])('an expiresIn of %j is a life of %j seconds', (expiresIn, seconds) => {
  const login = read({ expiresIn });
  expect([login.isLifeKnown, login.lifeSeconds]).toEqual([seconds !== undefined, seconds ?? 900]);
  if (seconds === undefined) expect(expiryOfLogin(login)).toBeUndefined();
});

test('a point in time is seen from the clock of the server', () => {
  const headers = { date: 'Sun, 01 Mar 2026 10:00:00 GMT' };
  expect(read({ expiresIn: '2026-03-01T10:05:00Z' }, headers).lifeSeconds).toBe(300);
  expect(read({ expiresIn: Date.parse('2026-03-01T10:05:00Z') }, headers).lifeSeconds).toBe(300);
});

describe('links', () => {
  test('are written anew, so that no byte can drive a terminal', () => {
    const { verificationUri } = read({
      verificationUri: 'https://EXAMPLE.com/a b\u001b[31m',
      verificationUriComplete: 1,
    });
    expect(verificationUri).toBe('https://example.com/a%20b%1B[31m');
  });

  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    '-version',
    'https://user@example.com/',
    'https://user:pw@example.com/',
    'data:text/html,x',
    'not a url',
    '',
    null,
    ['https://example.com'],
  ])('%j is no link', (verificationUri) => {
    expect(() => read({ verificationUri, verificationUriComplete: undefined })).toThrow(
      'Unexpected answer from api.example.com:8443: it has no usable verificationUri.',
    );
    expect(read({ verificationUri })).toMatchObject({
      verificationUri: undefined,
      verificationUriComplete: 'https://example.com/device?code=WDJB-MJHT',
    });
  });

  test('a link with the code that leads to another site is left out, and said', () => {
    for (const other of [
      'https://evil.example/device?code=1',
      'http://example.com/device',
      'https://example.com:444/',
    ]) {
      const login = read({ verificationUriComplete: other });
      expect([login.verificationUriComplete, login.warnings.length]).toEqual([undefined, 1]);
    }
  });
});

test('a code is kept letter by letter', () => {
  expect(read({ userCode: ' wdjb mjht ' }).userCode).toBe(' wdjb mjht ');
  expect(read({ userCode: 123456 }).userCode).toBe('123456');
});

test('without a code the link must contain it, and the user is warned', () => {
  expect(read({ userCode: '' }).warnings).toHaveLength(1);
  expect(() => read({ userCode: undefined, verificationUriComplete: undefined })).toThrow('it has no userCode');
});

test.each([undefined, null, '', {}, []])('without a device code (%j) there is no login', (deviceCode) => {
  expect(() => read({ deviceCode })).toThrow('Unexpected answer from api.example.com:8443: it has no deviceCode.');
});
