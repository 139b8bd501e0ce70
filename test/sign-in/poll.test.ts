import { expect, test } from 'vitest';
import type { LoginAnswer } from '../../src/sign-in/exchange.ts';
import { fakeClock } from '../support/clock.ts';
import { answer, approved, cut, endOf, error, fault, pending, play, slowDown } from './score.ts';

const LOST =
  'exit 9: The login may have been approved, but its answer was lost or could not be read. A token named "marie-laptop" ' +
  'may exist: revoke it in Settings > API tokens, then run svc login again.';
const EXPIRED = 'exit 9: The code expired before it was approved.';
const ENDED = 'exit 9: The server no longer accepts this login attempt.';
const REFUSED = 'exit 9: Login was refused in the browser.';
const DONE = 'token svc_CANARY_1';

const refused = fault('not_sent', 'ECONNREFUSED');
const reset = fault('reset', 'ECONNRESET');
const busy = error('temporarily_unavailable');
const odd = answer(200, { approved: true });
const page = answer(200, '<!doctype html>', { 'content-type': 'text/html' });
const later = (seconds: number | string, status = 503) => answer(status, '', { 'retry-after': `${seconds}` });
const slower = (interval: unknown) => error('slow_down', 400, { interval });
const AT_DATE = { date: 'Sun, 01 Mar 2026 11:00:00 GMT', 'retry-after': 'Sun, 01 Mar 2026 11:00:50 GMT' };
const away = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'CONNECT_TIMEOUT'].map((code) =>
  fault('not_sent', code),
);
const same = [200, 400, 401, 403, 428, 500, 503].map((status) => error('authorization_pending', status));

test.each<[what: string, answers: readonly LoginAnswer[], waits: readonly number[], interval?: number, life?: number]>([
  ['every slow_down adds 5 seconds for good', [pending, slowDown, pending, slowDown, pending], [1, 1, 6, 6, 11, 11]],
  ['the interval of slow_down counts where it is longer', [slower(20), slower(2), slower('40')], [1, 20, 25, 40]],
  ['known errors mean the same under any status', [...same, slowDown], [1, 1, 1, 1, 1, 1, 1, 1, 6]],
  ['a busy service is asked less often for a while', [busy, busy, busy, pending], [5, 10, 20, 30, 5], 5],
  ['an interval above the longest back-off stands', [busy], [45, 45], 45],
  ['Retry-After is waited for, in seconds and as a date', [later(40), answer(503, '', AT_DATE)], [1, 40, 50]],
  ['429 slows down for good', [later(30, 429), later('soon', 429), pending], [1, 30, 11, 11]],
  ['a network that is away for minutes', [...away, refused, refused], [1, 2, 4, 8, 16, 30, 30, 30]],
  ['any HTTP ends a row of network problems', [refused, refused, later(0), refused, pending], [1, 2, 4, 2, 2, 1]],
  ['lost answers while the network is to blame', [cut(200, '{}'), cut(200, '{}'), cut(200, '{}')], [1, 2, 4, 8]],
  ['answers that svc cannot read', [odd, odd, pending, odd], [5, 10, 20, 5, 10], 5],
  ['an approval in the last second', Array(12).fill(pending), Array(13).fill(5), 5, 60],
  ['an attempt that is shorter than its interval', [], [2], 5, 4],
  ['an interval beyond every timer', [], [898], 1e9, 900],
])('%s: waits, then a token', async (_what, answers, waits, intervalSeconds = 1, lifeSeconds = 900) => {
  const played = await play([...answers, approved], { intervalSeconds, lifeSeconds });
  expect([played.waits, endOf(played), played.kept]).toEqual([waits, DONE, ['svc_CANARY_1']]);
  expect(Math.max(...played.clock.waits)).toBeLessThanOrEqual(1000);
});

test.each<[what: string, answers: readonly LoginAnswer[], end: string, waits: readonly number[], ...life: number[]]>([
  ['pending for ever', [pending], EXPIRED, [20, 20, 20, 20], 20, 60],
  ['an interval of ten minutes: two seconds before the end', [pending], EXPIRED, [600, 298], 600, 900],
  ['an interval longer than the life', [pending], EXPIRED, [18], 30, 20],
  ['busy to the end', [busy], EXPIRED, [5, 10, 20, 5, 5], 5, 40],
  ['no network to the end', [refused], EXPIRED, [5, 10, 20, 5, 5], 5, 40],
  ['a Retry-After when it is over anyway', [pending, later(60)], EXPIRED, [8, 8], 8, 10],
  ['nothing readable', [odd], LOST, [3, 5, 5], 5, 5],
])('%s ends after its life', async (_what, answers, end, waits, intervalSeconds = 1, lifeSeconds = 900) => {
  const played = await play(answers, { intervalSeconds, lifeSeconds });
  expect([endOf(played), played.waits]).toEqual([end, waits]);
  expect(played.clock.monotonic()).toBeGreaterThanOrEqual(lifeSeconds * 1000);
  // A network that stays away until the end is named.
  const last = 'Last: network problem (ECONNREFUSED), retrying';
  if (answers[0] === refused) expect(played.end).toMatchObject({ details: { lines: [last] } });
});

test('a Retry-After beyond the life of the attempt is said, not slept', async () => {
  const played = await play([later(900, 429)]);
  const said = 'exit 7: api.example.com asks to wait 15 minutes, which is longer than this login lives.';
  expect([endOf(played), played.clock.monotonic()]).toEqual([said, 1000]);
  expect(played.end).toMatchObject({ details: { retryAfterSeconds: 900, status: 429 } });
});

test('up to 0.3 seconds of chance come on top of every wait, and a slow answer shortens none', async () => {
  expect((await play([pending, approved], { options: { random: () => 0.999 } })).waits).toEqual([1.3, 1.3]);
  const clock = fakeClock();
  const slow = () => {
    clock.advance(20_000);
    return pending;
  };
  expect((await play([slow, approved], { clock, intervalSeconds: 5 })).waits).toEqual([5, 25]);
});

test('a problem is shown from the second in a row on, and goes away', async () => {
  const { events } = await play([refused, refused, busy, busy, pending, odd, odd, approved]);
  const shown = events.flatMap((event) => (event.kind === 'waiting' ? [event.problem] : []));
  expect(shown.filter((text, index) => index === 0 || text !== shown[index - 1])).toEqual([
    undefined,
    'network problem (ECONNREFUSED), retrying',
    undefined,
    'platform busy, still waiting',
    undefined,
    'the API sent an answer that svc cannot read',
  ]);
});

const WEB_PAGE = 'exit 1: api.example.com answered with a web page instead of the API (200).';
test.each([
  ['a certificate', fault('tls', 'CERT_HAS_EXPIRED'), 'exit 8: broken: CERT_HAS_EXPIRED'],
  ['a proxy', fault('proxy', 'PROXY_407'), 'exit 8: broken: PROXY_407'],
  ['no HTTP, as svc reads it,', fault('reset', 'NOT_HTTP'), LOST],
  ['no HTTP, as undici reads it,', fault('reset', 'HPE_INVALID_CONSTANT'), LOST],
  ['a web page', page, WEB_PAGE],
])('%s in the way may change twice, and ends the login the third time', async (_what, foreign, end) => {
  expect(endOf(await play([foreign, foreign, pending, foreign, foreign, approved]))).toBe(DONE);
  const played = await play([foreign]);
  expect([endOf(played), played.waits]).toEqual([end, [1, 2, 4]]);
});

test.each([
  ['access_denied', REFUSED],
  ['expired_token', EXPIRED],
  ['invalid_grant', ENDED],
])('%s stops at once under any status', async (value, end) => {
  for (const status of [200, 400, 500]) expect(endOf(await play([error(value, status)]))).toBe(end);
});

const evil = { location: 'https://evil.example/x?\u001b]' };
const LONG = error(`\u001b[31mbad\u0007 ${'x'.repeat(500)}`);
test.each<[answer: LoginAnswer, end: RegExp]>([
  [LONG, /^exit 9: api.example.com refused the login: \[31mbad x{190,200}… \(/],
  [answer(404, { error: 'no' }), /^exit 6: There is no device login at https:\/\/api.example.com\.$/],
  [answer(302, '', evil), /^exit 1: .* redirects to https:\/\/evil.example \(30/],
  [answer(401, 'svc_CANARY_2'), /^exit 1: Unexpected answer from api.example/],
  [answer(422, 'svc_CANARY_2'), /^exit 1: Unexpected answer from api.example/],
])('%j is the end, and its body is not shown', async (one, end) => {
  const played = await play([one]);
  expect([endOf(played), played.waits]).toEqual([expect.stringMatching(end), [1]]);
  expect(JSON.stringify([played.end, String(played.end)])).not.toContain('CANARY');
});

test.each([
  ['a reset after the request was sent', reset],
  ['no answer in time', fault('timeout', 'ETIMEDOUT')],
  ['a success that was cut short', answer(200, '{"tok')],
  ['a success that was reset within', cut(200, '{"tok')],
  ['a gateway that does not know', answer(504)],
  ['another gateway', answer(502)],
  ['a success with nothing in it', answer(200, {})],
  ['a success that svc cannot read', odd],
])('%s is followed by another poll, and named when the attempt ends', async (_what, lost) => {
  expect(endOf(await play([lost, approved]))).toBe(DONE);
  expect(endOf(await play([lost, refused, pending, answer(503), error('invalid_grant')]))).toBe(LOST);
  expect(endOf(await play([lost, error('access_denied')])), 'a refusal stays one').toBe(REFUSED);
});

test.each([
  ['a refused connection', refused],
  ['a busy service', answer(503)],
  ['a page of a captive portal', page],
])('%s cannot have held a token', async (_what, harmless) => {
  expect(endOf(await play([harmless, pending, error('invalid_grant')]))).toBe(ENDED);
});
