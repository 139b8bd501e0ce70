import { expect, test } from 'vitest';
import type { Call } from '../../src/api/call.ts';
import type { ErrorDetails } from '../../src/errors.ts';
import { createSingleSend } from '../../src/http/engines.ts';
import type { Send } from '../../src/http/send.ts';
import {
  BUY,
  cliErrorOf,
  clientFor,
  RESTART,
  type Reply,
  sendTo,
  WHOAMI,
} from '../support/client.ts';
import { fakeClock } from '../support/clock.ts';
import { testWire } from '../support/wire.ts';

const wait = (status: number, seconds: number): Reply => [
  status,
  {},
  { 'retry-after': String(seconds) },
];
const FINE: Reply = [200, {}];

test.each<[what: string, replies: Reply[], random: number, waits: number[]]>([
  ['a 500 doubles, spread', [[500], [500], FINE], 1, [500, 1000]],
  ['a busy platform is twice as long', [[429], [429], FINE], 1, [1000, 2000]],
  ['20 s is spread, and never shorter', [wait(429, 20), FINE], 1, [22_000]],
  ['59 s that just fit is cut to the time that is left', [wait(429, 59), FINE], 1, [60_000]],
])('the wait after %s', async (_what, replies, random, waits) => {
  const { answer, clock } = await sendTo(replies, WHOAMI, { random: () => random });
  expect([answer.attempts, clock.waits]).toEqual([replies.length, waits]);
});

test.each<
  [what: string, call: Call, replies: Reply[], code: string, details: ErrorDetails, waits: number[]]
>([
  [
    'a write is repeated after a 503 with Retry-After, twice at most',
    RESTART,
    [wait(503, 3), wait(503, 3), wait(503, 3)],
    'unavailable',
    { attempts: 3, outcome: 'unknown', retryAfterSeconds: 3 },
    [3000, 3000],
  ],
  [
    'a write that was refused as busy and then as wrong was not carried out',
    RESTART,
    [wait(503, 1), [404, { error: 'gone' }]],
    'not_found',
    { attempts: 2 },
    [1000],
  ],
  [
    'a purchase whose first answer was lost stays unknown after any later answer',
    BUY,
    ['reset', [422, { error: 'no' }]],
    'unavailable',
    { status: 422, attempts: 2, outcome: 'unknown' },
    [250],
  ],
  [
    'a wait beyond the patience of 60 s is reported at once, not slept',
    WHOAMI,
    [wait(429, 61)],
    'rate_limited',
    { retryAfterSeconds: 61, attempts: 1, hint: 'Repeat the command in 61 s.' },
    [],
  ],
  [
    'the patience of 60 s is one for all waits of a command',
    WHOAMI,
    [wait(429, 40), wait(429, 30)],
    'rate_limited',
    { attempts: 2, retryAfterSeconds: 30 },
    [40_000],
  ],
])('%s', async (_what, call, replies, code, details, waits) => {
  const { error, clock, wire } = await sendTo(replies, {
    ...call,
    headers: { 'Idempotency-Key': 'k1' },
  });
  expect(error).toMatchObject({ code, details });
  expect([error.details.outcome, clock.waits]).toEqual([details.outcome, waits]);
  expect(
    new Set(wire.requests.map(({ body, headers }) => `${headers['idempotency-key']} ${body}`)).size,
  ).toBe(1);
});

test('the attempts of one command share its time, and no attempt gets more than is left', async () => {
  const { wire, client, sent, clock } = await sendTo([wait(429, 20), FINE], WHOAMI, {
    deadlineMs: 45_000,
  });
  clock.advance(3_600_000);
  wire.on('GET', '/v1/user').reply(200, {});
  await client.call(WHOAMI);
  expect(sent.map((request) => request.timeoutMs)).toEqual([30_000, 25_000, 25_000]);
  expect(sent.map((request) => request.connectTimeoutMs)).toEqual([10_000, 10_000, 10_000]);
});

test('calls at the same time use the time of the command once', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').always(200, {});
  const clock = fakeClock();
  const direct = createSingleSend();
  const send: Send = (request) => {
    clock.advance(10_000);
    return direct(request);
  };
  const { client, sent } = clientFor(wire.url, { clock, send, deadlineMs: 45_000 });

  await Promise.all([client.call(WHOAMI), client.call(WHOAMI)]);
  await client.call(WHOAMI);

  expect(sent.map(({ timeoutMs }) => timeoutMs)).toEqual([30_000, 30_000, 25_000]);
});

test('while watching, each call has the whole time for itself', async () => {
  const { wire, client, clock } = await sendTo([wait(503, 50), FINE], WHOAMI, {
    deadlinePerCall: true,
  });
  wire.on('GET', '/v1/user').reply(503, {}, { 'retry-after': '50' }).reply(200, {});
  await client.call(WHOAMI);
  expect(clock.waits).toEqual([50_000, 50_000]);
});

test('nothing is sent when the time of the command is up', async () => {
  const { client, clock, wire } = await sendTo([FINE], WHOAMI, { deadlineMs: 6_000 });
  wire.on('GET', '/v1/user').reply(503, {}, { 'retry-after': '5' });
  clock.onSleep(() => clock.advance(2_000));
  expect(await cliErrorOf(client.call(WHOAMI))).toMatchObject({
    code: 'unavailable',
    details: { status: 503, attempts: 1 },
  });
  expect((await cliErrorOf(client.call(WHOAMI))).message).toContain(
    'The time of this command is up',
  );
  expect(wire.requests).toHaveLength(2);
});

test('an order whose time is up before its next attempt stays in doubt', async () => {
  const { client, clock, wire } = await sendTo([FINE], WHOAMI, { deadlineMs: 6_000 });
  wire.on('POST', '/v1/checkout').reset();
  clock.onSleep(() => clock.advance(20_000));

  const error = await cliErrorOf(client.call(BUY));

  expect(error.details).toMatchObject({ outcome: 'unknown', attempts: 1 });
});

test('an interrupt while waiting ends the command with its reason', async () => {
  const controller = new AbortController();
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(503);
  const { client, clock } = clientFor(wire.url, { signal: controller.signal });
  clock.onSleep(() => controller.abort('stop'));
  await expect(client.call(WHOAMI)).rejects.toBe('stop');
});
