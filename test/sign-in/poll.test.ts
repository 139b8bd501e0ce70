import { expect, test } from 'vitest';
import type { PollResult } from '../../src/sign-in/exchange.ts';
import { fakeClock } from '../support/clock.ts';
import { answer, approved, endOf, error, fault, pending, play, slowDown } from './score.ts';

const LOST = expect.stringMatching(
  /^exit 9: .* its answer was lost .*A token named "marie-laptop" may exist: revoke it/,
);
const EXPIRED = 'exit 9: The code expired before it was approved.';
const ENDED = 'exit 9: The server no longer accepts this login attempt.';
const REFUSED = 'exit 9: Login was refused in the browser.';
const DONE = 'token svc_CANARY_1';

const refused = fault('not_sent', 'ECONNREFUSED');
const busy = error('temporarily_unavailable');
const odd = answer(200, { approved: true });
const page = answer(200, '<!doctype html>', { 'content-type': 'text/html' });
const later = (seconds: number, status = 503) =>
  answer(status, '', { 'retry-after': `${seconds}` });
const slower = (interval: unknown) => error('slow_down', 400, { interval });
const same = [200, 401, 403, 500].map((status) => error('authorization_pending', status));

test.each<
  [
    what: string,
    answers: readonly PollResult[],
    waits: readonly number[],
    interval?: number,
    life?: number,
  ]
>([
  [
    'the interval of slow_down counts where it is longer',
    [slower(20), slower(2), slower('40')],
    [1, 20, 25, 40],
  ],
  ['known errors mean the same under any status', [...same, slowDown], [1, 1, 1, 1, 1, 6]],
  [
    'a busy service is asked less often for a while',
    [busy, busy, busy, pending],
    [5, 10, 20, 30, 5],
    5,
  ],
  ['Retry-After is waited for', [later(40), pending], [1, 40, 1]],
  ['429 slows down for good', [later(30, 429), pending], [1, 30, 6]],
  [
    'any HTTP ends a row of network problems',
    [refused, refused, later(0), refused, pending],
    [1, 2, 4, 2, 2, 1],
  ],
  ['an approval in the last second', Array(12).fill(pending), Array(13).fill(5), 5, 60],
])(
  '%s: waits, then a token',
  async (_what, answers, waits, intervalSeconds = 1, lifeSeconds = 900) => {
    const played = await play([...answers, approved], { intervalSeconds, lifeSeconds });
    expect([played.waits, endOf(played), played.kept]).toEqual([waits, DONE, ['svc_CANARY_1']]);
  },
);

test.each<
  [
    what: string,
    answers: readonly PollResult[],
    end: unknown,
    waits: readonly number[],
    ...life: number[],
  ]
>([
  ['pending for ever', [pending], EXPIRED, [20, 20, 20, 20], 20, 60],
  [
    'an interval of ten minutes: two seconds before the end',
    [pending],
    EXPIRED,
    [600, 298],
    600,
    900,
  ],
  ['no network to the end', [refused], EXPIRED, [5, 10, 20, 5, 5], 5, 40],
  ['nothing readable', [odd], LOST, [3, 5, 5], 5, 5],
])(
  '%s ends after its life',
  async (_what, answers, end, waits, intervalSeconds = 1, lifeSeconds = 900) => {
    const played = await play(answers, { intervalSeconds, lifeSeconds });
    expect([endOf(played), played.waits]).toEqual([end, waits]);
  },
);

test('a slow answer shortens no wait', async () => {
  const clock = fakeClock();
  const slow = () => {
    clock.advance(20_000);
    return pending;
  };
  expect((await play([slow, approved], { clock, intervalSeconds: 5 })).waits).toEqual([5, 25]);
});

test.each([
  ['a certificate', fault('tls', 'CERT_HAS_EXPIRED'), 'exit 8: broken: CERT_HAS_EXPIRED'],
  ['no HTTP', fault('reset', 'NOT_HTTP'), LOST],
  [
    'a web page',
    page,
    'exit 1: api.example.com answered with a web page instead of the API (200).',
  ],
])(
  '%s in the way may change twice, and ends the login the third time',
  async (_what, foreign, end) => {
    expect(endOf(await play([foreign, foreign, pending, foreign, foreign, approved]))).toBe(DONE);
    const played = await play([foreign]);
    expect([endOf(played), played.waits]).toEqual([end, [1, 2, 4]]);
  },
);

test.each([
  ['access_denied', REFUSED],
  ['expired_token', EXPIRED],
  ['invalid_grant', ENDED],
])('%s stops at once under any status', async (value, end) => {
  for (const status of [200, 500]) expect(endOf(await play([error(value, status)]))).toBe(end);
});

test.each<[answer: PollResult, end: RegExp]>([
  [
    answer(302, 'svc_CANARY_2', { location: 'https://evil.example/x?\u001b]' }),
    /^exit 1: .* to https:\/\/evil.example \(/,
  ],
  [answer(401, 'svc_CANARY_2'), /^exit 1: Unexpected answer from api.example/],
  [
    answer(404, 'default backend - 404', { 'content-type': 'text/plain' }),
    /^exit 6: There is no device login/,
  ],
  [answer(400, '{}'), /^exit 1: Unexpected answer from api.example/],
])('%j may pass: it ends the login the third time, and is not shown', async (one, end) => {
  expect(endOf(await play([one, one, pending, one, approved]))).toBe(DONE);

  const played = await play([one]);
  expect([endOf(played), played.waits]).toEqual([expect.stringMatching(end), [1, 2, 4]]);
  expect(JSON.stringify([played.end, String(played.end)])).not.toContain('CANARY');
});

test.each([
  ['a reset after the request was sent', fault('reset', 'ECONNRESET')],
  ['no answer in time', fault('timeout', 'ETIMEDOUT')],
  ['a success that was cut short', answer(200, '{"tok')],
  ['a gateway that does not know', answer(504)],
  ['a success with nothing in it', answer(200, {})],
])('%s is followed by another poll, and named when the attempt ends', async (_what, lost) => {
  expect(endOf(await play([lost, approved]))).toBe(DONE);
  expect(endOf(await play([lost, refused, pending, answer(503), error('invalid_grant')]))).toEqual(
    LOST,
  );
  expect(endOf(await play([lost, error('access_denied')])), 'a refusal stays one').toBe(REFUSED);
});

test('a refused connection, a busy service and a captive portal cannot have held a token', async () => {
  for (const one of [refused, answer(503), page]) {
    expect(endOf(await play([one, pending, error('invalid_grant')]))).toBe(ENDED);
  }
});
