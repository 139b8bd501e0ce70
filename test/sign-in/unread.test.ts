import { describe, expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { fakeClock } from '../support/clock.ts';
import { answer, approved, cut, endOf, error, pending, play } from './score.ts';

const TOKEN = 'svc_CANARY_0123456789abcdef';
const LOST =
  'exit 9: The login may have been approved, but its answer was lost or could not be read. A token named "marie-laptop" ' +
  'may exist: revoke it in Settings > API tokens, then run svc login again.';

describe('a token in another place than the documented one', () => {
  test.each([
    ['wrapped', { data: { token: TOKEN } }],
    ['twice wrapped', { ok: true, result: { login: { token: TOKEN } } }],
    ['in an array', [{ token: TOKEN }]],
    ['under another name', { apiToken: TOKEN }],
    ['in snake case', { access_token: TOKEN }],
    ['as a key', { API_KEY: TOKEN }],
    ['twice, and the same', { apiKey: TOKEN, data: { accessToken: TOKEN } }],
    ['beside an id with the same prefix', { tokenId: 'svc_0123456789abcdef0123456789', data: { key: TOKEN } }],
    ['beside an empty error', { error: null, errors: [], data: { token: TOKEN } }],
    ['as a JSON text', JSON.stringify(TOKEN)],
    ['as plain text', ` ${TOKEN}\r\n`],
  ])('is used: %s', async (_how, body) => {
    const played = await play([answer(200, body), error('invalid_grant')]);
    expect([endOf(played), played.kept]).toEqual([`token ${TOKEN}`, [TOKEN]]);
  });

  test('has 24 characters at least', async () => {
    const shortest = 'svc_CANARY_0123456789abc';
    expect(endOf(await play([answer(200, { data: { token: shortest } })]))).toBe(`token ${shortest}`);
  });

  test('brings the fields of the object that holds it', async () => {
    const data = {
      token: TOKEN,
      tokenId: 'tok_1',
      expiresAt: 1795362483,
      organizationId: 'org_b',
      user: { email: 'a@b.c' },
    };
    const { end } = await play([answer(200, { tokenId: 'tok_outer', organizationId: 'org_a', data })]);
    expect(end).toMatchObject({
      issued: {
        token: TOKEN,
        tokenId: 'tok_1',
        expiresAt: '2026-11-22T15:48:03.000Z',
        expiresAtEstimated: false,
        organizationId: 'org_b',
        email: 'a@b.c',
      },
    });
  });

  test('gives way to a documented one', async () => {
    const played = await play([answer(200, { token: 'svc_CANARY_short', data: { token: TOKEN } })]);
    expect(endOf(played)).toBe('token svc_CANARY_short');
  });

  test('is used even if the connection broke behind the whole answer', async () => {
    expect(endOf(await play([cut(200, JSON.stringify({ data: { token: TOKEN } }))]))).toBe(`token ${TOKEN}`);
  });

  test('is not taken from a text that was cut: it may be half of one', async () => {
    const played = await play([cut(200, TOKEN), error('invalid_grant')]);
    expect([endOf(played), played.kept]).toEqual([LOST, []]);
  });

  test.each([
    ['two different ones', { token: { a: TOKEN }, accessToken: TOKEN, refreshToken: `${TOKEN}2` }],
    ['an id', { data: { tokenId: 'svc_0123456789abcdef0123456789' } }],
    ['the name of something else', { data: { service: 'svc_0123456789abcdef0123456789' } }],
    ['a text that is too short', { data: { token: 'svc_CANARY_0123456789ab' } }],
    ['another prefix', { data: { token: 'tok_CANARY_0123456789abcdef' } }],
    ['a token that no header can hold', { token: `${TOKEN} b` }],
    ['a list', { token: [TOKEN] }],
    ['a sentence', `Your token is ${TOKEN}`],
    ['two lines', `${TOKEN}\n${TOKEN}2`],
    ['a short text', 'svc_CANARY_0123456789ab'],
    ['a JSON text of something else', JSON.stringify(`${TOKEN} b`)],
  ])('is not guessed from %s, and the end says that a token may exist', async (_what, body) => {
    const played = await play([answer(200, body), error('invalid_grant')]);
    expect([endOf(played), played.kept]).toEqual([LOST, []]);
  });

  test('is not looked for in an answer that fails', async () => {
    const played = await play([answer(400, { error: 'access_denied', data: { token: TOKEN } })]);
    expect(endOf(played)).toMatch(/refused in the browser/);
  });
});

describe('a whole success that svc cannot read', () => {
  const odd = answer(200, { approved: true });

  test('is said from the second on, and polling goes on until the token comes', async () => {
    const played = await play([odd, odd, pending, odd, approved], { intervalSeconds: 5 });
    expect([endOf(played), played.kept]).toEqual(['token svc_CANARY_1', ['svc_CANARY_1']]);
    expect(played.waits).toEqual([5, 10, 20, 5, 10]);
    expect(played.events).toContainEqual({
      kind: 'waiting',
      remainingSeconds: expect.any(Number),
      problem: 'the API sent an answer that svc cannot read',
    });
  });

  test.each(['invalid_grant', 'expired_token', 'something_else'])('may have had the token: %s', async (end) => {
    expect(endOf(await play([odd, pending, error(end)]))).toBe(LOST);
  });

  test('may have had the token if nothing else comes before the code expires', async () => {
    expect(endOf(await play([odd], { lifeSeconds: 5 }))).toBe(LOST);
  });

  test('does not matter beside a refusal', async () => {
    expect(endOf(await play([odd, error('access_denied')]))).toBe('exit 9: Login was refused in the browser.');
  });

  test('may have had the token if the login is interrupted later', async () => {
    const controller = new AbortController();
    const clock = fakeClock();
    const stop = () => controller.abort(new CliError('interrupted', 'Interrupted.'));
    clock.onSleep(() => clock.monotonic() > 7_000 && stop());
    const played = await play([odd, pending], { clock, options: { signal: controller.signal } });
    expect(played.end).toMatchObject({
      code: 'interrupted',
      details: { lines: [expect.stringContaining('may exist: revoke it')] },
    });
  });

  test.each([
    ['a status', { status: 'pending' }],
    ['a status in capitals', { status: 'AUTHORIZATION_PENDING' }],
    ['a wrapped status', { data: { state: 'waiting_for_approval' } }],
    ['a wrapped error', { data: { error: 'authorization_pending' } }],
  ])('waits for approval if it says so with %s', async (_how, body) => {
    const played = await play([answer(200, body), answer(200, body), approved]);
    expect([endOf(played), played.kept]).toEqual(['token svc_CANARY_1', ['svc_CANARY_1']]);
  });

  test('that is endlessly deep breaks nothing', async () => {
    const deep = answer(200, `${'[{"data":'.repeat(5000)}1${'}]'.repeat(5000)}`);
    expect(endOf(await play([deep, approved]))).toBe('token svc_CANARY_1');
  });
});

describe('the last polls of a code', () => {
  const busy = error('temporarily_unavailable');

  test('a back-off gives way to a poll just before the end, where the approval is found', async () => {
    const clock = fakeClock();
    const atTheEnd = () => (clock.monotonic() >= 16_000 ? approved : busy);
    const played = await play([atTheEnd], { clock, intervalSeconds: 1, lifeSeconds: 20 });
    expect([endOf(played), played.waits]).toEqual(['token svc_CANARY_1', [1, 2, 4, 8, 3]]);
  });

  test('a platform that is busy to the end is asked at its interval then, and not for long', async () => {
    const played = await play([busy], { intervalSeconds: 5, lifeSeconds: 40 });
    expect(played.waits).toEqual([5, 10, 20, 5, 5]);
    expect(endOf(played)).toBe('exit 9: The code expired before it was approved.');
  });

  test.each([
    [1e9, 10, 8],
    [30, 20, 18],
    [600, 300, 298],
  ])('an interval of %i s and a life of %i s give one poll after %i s, and "expired" at the end', async (...given) => {
    const [intervalSeconds, lifeSeconds, polledAt] = given;
    const played = await play([pending], { intervalSeconds, lifeSeconds });
    expect([played.waits, endOf(played)]).toEqual([[polledAt], 'exit 9: The code expired before it was approved.']);
    expect(played.clock.monotonic()).toBe(lifeSeconds * 1000);
  });

  test('a poll is told how long the code still lives', async () => {
    const lives: number[] = [];
    const poll = async (_code: string, _signal: AbortSignal, remainingMs: number) => {
      lives.push(remainingMs);
      return lives.length < 3 ? pending : approved;
    };
    await play([], { intervalSeconds: 5, lifeSeconds: 100, options: { poll } });
    expect(lives).toEqual([95_000, 90_000, 85_000]);
  });
});
