import { describe, expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { fakeClock } from '../support/clock.ts';
import { answer, approved, cut, endOf, error, fault, pending, play, slowDown } from './score.ts';

const LOST =
  'exit 9: The login may have been approved, but its answer was lost or could not be read. A token named "marie-laptop" ' +
  'may exist: revoke it in Settings > API tokens, then run svc login again.';
const EXPIRED = 'exit 9: The code expired before it was approved.';

const refused = fault('not_sent', 'ECONNREFUSED');
const reset = fault('reset', 'ECONNRESET');

describe('the beat', () => {
  test('the first poll comes after one whole interval, and every slow_down adds 5 seconds for good', async () => {
    const played = await play([pending, slowDown, pending, slowDown, pending, approved]);
    expect(played.waits).toEqual([1, 1, 6, 6, 11, 11]);
    expect(endOf(played)).toBe('token svc_CANARY_1');
  });

  test('slow_down is never fatal, however often it comes', async () => {
    const played = await play([...Array(8).fill(slowDown), approved]);
    expect(played.waits).toEqual([1, 6, 11, 16, 21, 26, 31, 36, 41]);
  });

  test('an interval in the answer to slow_down counts where it is the longer one', async () => {
    const played = await play([
      error('slow_down', 400, { interval: 20 }),
      error('slow_down', 400, { interval: 2 }),
      error('slow_down', 400, { interval: '40' }),
      approved,
    ]);
    expect(played.waits).toEqual([1, 20, 25, 40]);
  });

  test('known errors mean the same under any status', async () => {
    const statuses = [200, 400, 401, 403, 428, 500, 503];
    const played = await play([
      ...statuses.map((status) => error('authorization_pending', status)),
      slowDown,
      approved,
    ]);
    expect(played.waits).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 6]);
  });

  test('up to 0.3 seconds of chance come on top of every wait', async () => {
    const played = await play([pending, approved], { options: { random: () => 0.999 } });
    expect(played.waits).toEqual([1.3, 1.3]);
  });

  test('a poll that takes long does not shorten the wait after it', async () => {
    const clock = fakeClock();
    const slow = () => {
      clock.advance(20_000);
      return pending;
    };
    const played = await play([slow, approved], { clock, intervalSeconds: 5 });
    expect(played.waits).toEqual([5, 25]);
  });
});

describe('problems that may pass', () => {
  test('a busy service is asked less often for a while', async () => {
    const busy = error('temporarily_unavailable');
    const played = await play([busy, busy, busy, pending, approved], { intervalSeconds: 5 });
    expect(played.waits).toEqual([5, 10, 20, 30, 5]);
  });

  test('an interval above the longest back-off stands', async () => {
    const played = await play([error('temporarily_unavailable', 503), approved], { intervalSeconds: 45 });
    expect(played.waits).toEqual([45, 45]);
  });

  test.each([500, 502, 503, 504, 520, 408, 425])('HTTP %i is no end, with any body', async (status) => {
    for (const body of ['', '<html>', { error: 'odd_value' }, { error: { deviceCode: 'x' } }]) {
      expect(endOf(await play([answer(status, body), approved]))).toBe('token svc_CANARY_1');
    }
  });

  test('a Retry-After is waited for in full, in seconds and as a date', async () => {
    const headers = { date: 'Sun, 01 Mar 2026 11:00:00 GMT', 'retry-after': 'Sun, 01 Mar 2026 11:00:50 GMT' };
    const played = await play([answer(503, '', { 'retry-after': '40' }), answer(503, '', headers), pending, approved]);
    expect(played.waits).toEqual([1, 40, 50, 1]);
  });

  test('429 slows down for good and honours Retry-After', async () => {
    const played = await play([
      answer(429, '', { 'retry-after': '30' }),
      answer(429, '', { 'retry-after': 'soon' }),
      pending,
      approved,
    ]);
    expect(played.waits).toEqual([1, 30, 11, 11]);
  });

  test('a Retry-After beyond the life of the attempt is said, not slept', async () => {
    const played = await play([answer(429, '', { 'retry-after': '900' })]);
    expect(endOf(played)).toBe(
      'exit 7: api.example.com asks to wait 15 minutes, which is longer than this login lives.',
    );
    expect(played.clock.monotonic()).toBe(1000);
    expect(played.end).toMatchObject({ details: { retryAfterSeconds: 900, status: 429 } });
  });

  test('a Retry-After that comes when the attempt is over does not matter any more', async () => {
    const late = answer(503, '', { 'retry-after': '60' });
    expect(endOf(await play([pending, late], { intervalSeconds: 8, lifeSeconds: 10 }))).toBe(EXPIRED);
  });

  test('a network that is away for minutes does not end the login', async () => {
    const codes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'CONNECT_TIMEOUT'];
    const played = await play([...codes.map((code) => fault('not_sent', code)), refused, refused, approved]);
    expect(endOf(played)).toBe('token svc_CANARY_1');
    expect(played.waits).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
  });

  test('any answer of HTTP ends a row of network problems', async () => {
    const played = await play([refused, refused, answer(503), refused, pending, approved]);
    expect(played.waits).toEqual([1, 2, 4, 2, 2, 1]);
  });

  test('a problem is shown from the second in a row on, and goes away', async () => {
    const { events } = await play([
      refused,
      refused,
      error('temporarily_unavailable'),
      error('temporarily_unavailable'),
      pending,
      approved,
    ]);
    const shown = events.flatMap((event) => (event.kind === 'waiting' ? [event.problem] : []));
    const changes = shown.filter((text, index) => index === 0 || text !== shown[index - 1]);
    expect(changes).toEqual([
      undefined,
      'network problem (ECONNREFUSED), retrying',
      undefined,
      'platform busy, still waiting',
      undefined,
    ]);
  });

  test.each([
    ['a certificate', fault('tls', 'CERT_HAS_EXPIRED'), 'exit 8: broken: CERT_HAS_EXPIRED'],
    ['a proxy', fault('proxy', 'PROXY_407'), 'exit 8: broken: PROXY_407'],
    ['something that speaks no HTTP, as svc reads it,', fault('reset', 'NOT_HTTP'), LOST],
    ['something that speaks no HTTP, as undici reads it,', fault('reset', 'HPE_INVALID_CONSTANT'), LOST],
    [
      'a web page',
      answer(200, '<!doctype html>', { 'content-type': 'text/html' }),
      'exit 1: api.example.com answered with a web page instead of the API (200).',
    ],
  ])('%s in the way may change twice, and ends the login the third time', async (_what, foreign, end) => {
    expect(endOf(await play([foreign, foreign, approved]))).toBe('token svc_CANARY_1');
    expect(endOf(await play([foreign, foreign, pending, foreign, foreign, approved]))).toBe('token svc_CANARY_1');
    const played = await play([foreign]);
    expect([endOf(played), played.waits]).toEqual([end, [1, 2, 4]]);
  });
});

describe('the end', () => {
  test.each([
    ['access_denied', 'exit 9: Login was refused in the browser.'],
    ['expired_token', EXPIRED],
    ['invalid_grant', 'exit 9: The server no longer accepts this login attempt.'],
  ])('%s stops at once under any status', async (value, end) => {
    for (const status of [200, 400, 403, 410, 500]) expect(endOf(await play([error(value, status)]))).toBe(end);
  });

  test('an unknown error is shown without what drives a terminal, and not in full length', async () => {
    const played = await play([error(`\u001b[31mbad\u0007 ${'x'.repeat(500)}`, 400)]);
    const message = endOf(played);
    expect(message).toMatch(/^exit 9: api\.example\.com refused the login: \[31mbad xxx+… \(HTTP 400\)\.$/);
    expect(message.length).toBeLessThan(270);
  });

  test('an error object is one line for each field', async () => {
    const { end } = await play([error({ deviceCode: ['is unknown', 'is old'], clientName: { min: 1 } })]);
    expect(end).toMatchObject({
      message: 'api.example.com refused the login (HTTP 400).',
      details: { lines: ['deviceCode: is unknown', 'deviceCode: is old', 'clientName.min: 1'] },
    });
  });

  test.each([401, 403, 410, 418, 422])(
    'HTTP %i that says nothing known is the end, and its body is not shown',
    async (status) => {
      const { end } = await play([answer(status, 'svc_CANARY_2 in a body')]);
      expect(end).toMatchObject({ code: 'unexpected', details: { status } });
      expect(JSON.stringify([end instanceof CliError && end.details, String(end)])).not.toContain('CANARY');
    },
  );

  test('404 means that this address has no device login', async () => {
    expect(endOf(await play([answer(404, { error: 'Not found' })]))).toBe(
      'exit 6: There is no device login at https://api.example.com.',
    );
  });

  test.each([301, 302, 303, 307, 308])('a redirect (%i) is not followed', async (status) => {
    const played = await play([answer(status, '', { location: 'https://evil.example/x?\u001b]' })]);
    expect(endOf(played)).toMatch(/^exit 1: api\.example\.com redirects to https:\/\/evil\.example \(30\d\)\./);
    expect(played.waits).toHaveLength(1);
  });
});

describe('an answer that was lost', () => {
  test('again and again is polled for as long as the network is to blame', async () => {
    const whole = cut(200, '{}');
    expect(endOf(await play([whole, whole, whole, approved]))).toBe('token svc_CANARY_1');
  });

  test.each([
    ['a reset after the request was sent', reset],
    ['no answer in time', fault('timeout', 'ETIMEDOUT')],
    ['an empty success', answer(200)],
    ['a success that was cut short', answer(200, '{"tok')],
    ['a success that was reset within', cut(200, '{"tok')],
    ['a gateway that does not know', answer(504)],
    ['a success with nothing in it', answer(200, {})],
  ])('%s is followed by another poll, and named when the attempt ends', async (_what, lost) => {
    expect(endOf(await play([lost, approved]))).toBe('token svc_CANARY_1');
    for (const end of ['invalid_grant', 'expired_token', 'something_else']) {
      expect(endOf(await play([lost, refused, pending, answer(503), error(end)]))).toBe(LOST);
    }
  });

  test.each([
    ['a refused connection', refused],
    ['a busy service', answer(503)],
    ['a page of a captive portal', answer(200, '<html>', { 'content-type': 'text/html' })],
  ])('%s cannot have held a token', async (_what, harmless) => {
    expect(endOf(await play([harmless, pending, error('invalid_grant')]))).toBe(
      'exit 9: The server no longer accepts this login attempt.',
    );
  });

  test('a refusal in the browser stays a refusal', async () => {
    expect(endOf(await play([reset, error('access_denied')]))).toBe('exit 9: Login was refused in the browser.');
  });

  test('a token that arrived before the break is used', async () => {
    const whole = JSON.stringify({ token: 'svc_CANARY_3', tokenId: 'tok_3' });
    expect((await play([cut(200, whole)])).end).toMatchObject({ issued: { token: 'svc_CANARY_3', tokenId: 'tok_3' } });
    for (const text of [whole.slice(0, -1), whole.slice(0, -4), `${whole.slice(0, -1)},"user":{"email":"m`]) {
      expect(endOf(await play([cut(200, text)]))).toBe('token svc_CANARY_3');
    }
    expect(endOf(await play([cut(200, '{"token":"svc_CANARY_'), error('invalid_grant')]))).toBe(LOST);
    const halfANumber = await play([cut(200, '{"token":"svc_CANARY_3","expiresAt":17801424000')]);
    expect(halfANumber.end).toMatchObject({ issued: { token: 'svc_CANARY_3', expiresAtEstimated: true } });
  });
});

describe('the token', () => {
  test('missing or odd fields beside the token never cost the token', async () => {
    const played = await play([answer(201, { token: ' tok_odd ', expiresAt: 'soon', user: null, tokenId: 7 })]);
    expect(played.end).toEqual({
      kept: 1,
      interruptedBy: undefined,
      issued: {
        token: 'tok_odd',
        tokenId: '7',
        expiresAt: '2026-05-30T12:00:01.000Z',
        expiresAtEstimated: true,
        organizationId: undefined,
        email: undefined,
        warnings: ['The token does not start with svc_; is it an API token?'],
      },
    });
  });

  test('a token wins over an error beside it, but not in an answer that fails', async () => {
    expect(endOf(await play([answer(200, { token: 'svc_CANARY_4', error: 'authorization_pending' })]))).toBe(
      'token svc_CANARY_4',
    );
    expect(endOf(await play([answer(400, { token: 'svc_CANARY_4', error: 'access_denied' })]))).toMatch(/refused/);
  });
});
