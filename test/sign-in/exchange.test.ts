import { describe, expect, onTestFinished, test } from 'vitest';
import type { Send } from '../../src/http/send.ts';
import { createSingleSend } from '../../src/http/single.ts';
import { TransportError } from '../../src/http/transport-error.ts';
import { createPoll } from '../../src/sign-in/exchange.ts';
import { judgePoll } from '../../src/sign-in/judge.ts';
import { testWire } from '../support/wire.ts';
import { loginOf } from './score.ts';

const POLL = '/v1/auth/device/token';
const TOKEN = { token: 'svc_CANARY_1', tokenId: 'tok_1' };

const send = createSingleSend();

const forever = new AbortController().signal;
const LIFE_MS = 900_000;

function pollAt(apiUrl: string, send: Send) {
  return createPoll(send, apiUrl, 'svc/test');
}

test.each([
  [900_000, 90_000],
  [60_000, 60_000],
  [5_000, 30_000],
  [-4_000, 30_000],
])('with %i ms of life left, an answer is waited for %i ms', async (remainingMs, timeoutMs) => {
  const asked: number[] = [];
  const send: Send = async (request) => {
    asked.push(request.timeoutMs);
    throw new TransportError('timeout', 'ETIMEDOUT', 'late');
  };
  await pollAt('https://api.example.com', send)('dev_1', forever, remainingMs);
  expect(asked).toEqual([timeoutMs]);
});

describe('a poll', () => {
  test('a poll carries the device code in its body, and no credentials', async () => {
    const wire = await testWire();
    wire.on('POST', POLL).reply(400, { error: 'authorization_pending' });
    expect(await pollAt(wire.url, send)('dev_1', forever, LIFE_MS)).toMatchObject({
      kind: 'answer',
      status: 400,
      complete: true,
    });
    expect(wire.requests[0]?.json).toEqual({ deviceCode: 'dev_1' });
    expect(wire.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(wire.requests[0]?.target).not.toContain('dev_1');
  });

  test('every poll opens a new connection', async () => {
    const wire = await testWire();
    wire.on('POST', POLL).always(400, { error: 'authorization_pending' });
    const poll = pollAt(wire.url, send);
    await poll('dev_1', forever, LIFE_MS);
    await poll('dev_1', forever, LIFE_MS);
    expect(wire.connections()).toBe(2);
  });

  test('a redirect takes the device code nowhere', async () => {
    const wire = await testWire();
    wire.on('POST', POLL).reply(307, '', { location: `${wire.url}/elsewhere` });
    const answer = await pollAt(wire.url, send)('dev_1', forever, LIFE_MS);
    expect(answer).toMatchObject({ kind: 'answer', status: 307 });
    expect(wire.requests).toHaveLength(1);
  });

  test.each([
    ['with a length', {}],
    ['in chunks', { chunked: true }],
  ])('a token that came before the reset is salvaged, %s', async (_how, options) => {
    const wire = await testWire();
    const text = JSON.stringify(TOKEN);
    wire.on('POST', POLL).cut(200, `${text}   `, text.length, options);
    const answer = await pollAt(wire.url, send)('dev_1', forever, LIFE_MS);
    expect(answer).toMatchObject({ kind: 'answer', complete: false, text, fault: { kind: 'reset' } });
    expect(judgePoll(answer, loginOf(), 0)).toMatchObject({ kind: 'token', issued: { token: 'svc_CANARY_1' } });
  });

  test('a token behind a byte order mark is read', async () => {
    const wire = await testWire();
    wire.on('POST', POLL).reply(200, `\uFEFF${JSON.stringify(TOKEN)}`);
    expect(judgePoll(await pollAt(wire.url, send)('dev_1', forever, LIFE_MS), loginOf(), 0)).toMatchObject({
      kind: 'token',
    });
  });

  test('what was cut within the token is a lost answer', async () => {
    const wire = await testWire();
    wire.on('POST', POLL).cut(200, TOKEN, 20);
    const answer = await pollAt(wire.url, send)('dev_1', forever, LIFE_MS);
    expect(judgePoll(answer, loginOf(), 0)).toMatchObject({ kind: 'transient', isLost: true });
  });

  test('an answer that was cut where it already is a whole object is a lost one: more was to come', async () => {
    const wire = await testWire();
    const text = '{"user":{"email":"marie@example.com"}}';
    wire.on('POST', POLL).cut(200, `${text}   `, text.length);
    const answer = await pollAt(wire.url, send)('dev_1', forever, LIFE_MS);
    expect(judgePoll(answer, loginOf(), 0)).toMatchObject({ kind: 'transient', isLost: true });
  });

  test('a reset instead of an answer is a lost answer, a refused connection is not', async () => {
    const wire = await testWire();
    wire.on('POST', POLL).reset();
    const poll = pollAt(wire.url, send);
    expect(judgePoll(await poll('dev_1', forever, LIFE_MS), loginOf(), 0)).toMatchObject({
      kind: 'transient',
      isLost: true,
    });
    await wire.close();
    expect(judgePoll(await poll('dev_1', forever, LIFE_MS), loginOf(), 0)).toMatchObject({
      kind: 'transient',
      isLost: false,
    });
  });

  test('no more than 64 KiB of an answer are read', async () => {
    const wire = await testWire();
    wire.on('POST', POLL).reply(200, `${' '.repeat(1024 * 1024)}{}`);
    const answer = await pollAt(wire.url, send)('dev_1', forever, LIFE_MS);
    expect(answer).toMatchObject({ kind: 'answer', complete: false, fault: { code: 'TOO_LARGE' } });
    expect(answer.kind === 'answer' && answer.text.length).toBeLessThan(256 * 1024);
  });

  test('a poll that nobody waits for any more is ended', async () => {
    const wire = await testWire();
    wire.on('POST', POLL).hang();
    const giveUp = new AbortController();
    onTestFinished(() => giveUp.abort());
    const asked = wire.nextRequest();
    const polling = pollAt(wire.url, send)('dev_1', giveUp.signal, LIFE_MS);
    await asked;
    giveUp.abort(new Error('given up'));
    await expect(polling).rejects.toThrow('given up');
  });
});
