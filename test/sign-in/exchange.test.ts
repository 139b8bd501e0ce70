import { expect, test } from 'vitest';
import { createSingleSend } from '../../src/http/engines.ts';
import { type Send, TransportError } from '../../src/http/send.ts';
import { createPoll } from '../../src/sign-in/exchange.ts';
import { judgePoll } from '../../src/sign-in/judge.ts';
import { testWire, type Wire } from '../support/wire.ts';

const POLL = '/v1/auth/device/token';
const TOKEN = JSON.stringify({ token: 'svc_CANARY_1', tokenId: 'tok_1' });

const forever = new AbortController().signal;
const pollOnce = (url: string) =>
  createPoll(createSingleSend(), url, 'svc/test')('dev_1', forever, 900_000);
type Plan = ReturnType<Wire['on']>;

test.each([
  [900_000, 90_000],
  [-4_000, 30_000],
])('with %i ms of life left, an answer is waited for %i ms', async (remainingMs, timeoutMs) => {
  let asked = 0;
  const late: Send = async (request) => {
    asked = request.timeoutMs;
    throw new TransportError('timeout', 'ETIMEDOUT', 'late');
  };
  await createPoll(late, 'https://api.example.com', 'svc/test')('dev_1', forever, remainingMs);
  expect(asked).toBe(timeoutMs);
});

test('a poll carries the device code in its body alone, no credentials, and has a connection of its own', async () => {
  const wire = await testWire();
  wire.on('POST', POLL).always(400, { error: 'authorization_pending' });
  for (let poll = 0; poll < 2; poll += 1) {
    expect(await pollOnce(wire.url)).toMatchObject({ status: 400, fault: undefined });
  }
  const [{ json, headers, target } = {}] = wire.requests;
  expect([json, headers?.['authorization'], target]).toEqual([
    { deviceCode: 'dev_1' },
    undefined,
    POLL,
  ]);
  // An answer that is cut can be read as far as it came only if nothing compressed it.
  expect(headers?.['accept-encoding']).toBe('identity');
  expect(wire.connections()).toBe(2);
});

const READ = { kind: 'token', issued: { token: 'svc_CANARY_1' } };
const LOST = { kind: 'transient', isLost: true };
test.each<[what: string, plan: (poll: Plan) => unknown, verdict: object]>([
  [
    'a token before a reset',
    (poll) => poll.cut(200, `${TOKEN}   `, TOKEN.length, { chunked: true }),
    READ,
  ],
  ['a cut within the token', (poll) => poll.cut(200, TOKEN, 20), LOST],
  ['a cut where more was to come', (poll) => poll.cut(200, '{"user":{}}   ', 11), LOST],
  ['too large', (poll) => poll.reply(200, `${' '.repeat(2 ** 20)}{}`), LOST],
])('an answer that is %s', async (_what, plan, verdict) => {
  const wire = await testWire();
  plan(wire.on('POST', POLL));
  const given = await pollOnce(wire.url);
  expect(judgePoll(given, wire.url, 0)).toMatchObject(verdict);
  expect('text' in given && given.text.length).toBeLessThan(256 * 1024);
});
