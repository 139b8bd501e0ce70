import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/spec/operations.ts';
import { cliErrorOf, clientFor } from '../support/client.ts';
import { testWire } from '../support/wire.ts';

const read = { operation: OPERATIONS.getUser };
const restart = { operation: OPERATIONS.restartService, path: { id: 's1' } };

test.each([
  [500, 0, [250, 500]],
  [500, 1, [500, 1000]],
  [502, 0.5, [375, 750]],
  [503, 0, [500, 1000]],
  [503, 1, [1000, 2000]],
  [429, 0, [500, 1000]],
  [429, 1, [1000, 2000]],
])('the wait after a %i doubles (random %f)', async (status, random, waits) => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(status).reply(status).reply(200, { user: {} });
  const { client, clock } = clientFor(wire.url, { random: () => random });
  const answer = await client.call(read);
  expect([answer.attempts, clock.waits]).toEqual([3, waits]);
});

test('a write is repeated after a 503 with Retry-After, twice at most', async () => {
  const wire = await testWire();
  const busy = { 'retry-after': '3' };
  wire.on('POST', '/v1/services/s1/restart').reply(503, {}, busy).reply(503, {}, busy).reply(503, {}, busy);
  const { client, clock } = clientFor(wire.url);
  const error = await cliErrorOf(client.call(restart));
  expect(error).toMatchObject({
    code: 'unavailable',
    details: { attempts: 3, outcome: 'unknown', retryAfterSeconds: 3 },
  });
  expect(clock.waits).toEqual([3000, 3000]);
});

test('a write that was refused as busy and then as wrong was not carried out', async () => {
  const wire = await testWire();
  wire.on('POST', '/v1/services/s1/restart').reply(503, {}, { 'retry-after': '1' }).reply(404, { error: 'gone' });
  const error = await cliErrorOf(clientFor(wire.url).client.call(restart));
  expect([error.code, error.details.outcome]).toEqual(['not_found', undefined]);
});

test('a purchase whose first answer was lost stays unknown after any later answer', async () => {
  const wire = await testWire();
  wire.on('POST', '/v1/checkout').reset().reply(422, { error: 'no' });
  const buy = { operation: OPERATIONS.createOrder, body: { items: [] }, headers: { 'Idempotency-Key': 'k1' } };
  const error = await cliErrorOf(clientFor(wire.url).client.call(buy));
  expect(error).toMatchObject({ code: 'unavailable', details: { status: 422, attempts: 2, outcome: 'unknown' } });
  expect(wire.requests.map((request) => request.headers['idempotency-key'])).toEqual(['k1', 'k1']);
});

test('Retry-After: 0 gets the ordinary back-off', async () => {
  const wire = await testWire();
  const now = { 'retry-after': '0' };
  wire.on('GET', '/v1/user').reply(429, {}, now).reply(503, {}, now).reply(200, {});
  const { client, clock } = clientFor(wire.url, { random: () => 0 });
  await client.call(read);
  expect(clock.waits).toEqual([500, 1_000]);
});

test('a wait beyond the patience of 60 s is reported at once, not slept', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(429, { error: 'slowly' }, { 'retry-after': '61' });
  const { client, clock } = clientFor(wire.url);
  const error = await cliErrorOf(client.call(read));
  expect(error).toMatchObject({
    code: 'rate_limited',
    message: 'Too many requests (429): slowly',
    details: { status: 429, retryAfterSeconds: 61, attempts: 1, hint: 'Repeat the command in 61 s.' },
  });
  expect(clock.waits).toEqual([]);
});

test('the patience of 60 s is one for all waits of a command', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(429, {}, { 'retry-after': '40' }).reply(429, {}, { 'retry-after': '30' });
  const { client, clock } = clientFor(wire.url);
  const error = await cliErrorOf(client.call(read));
  expect([error.details.attempts, error.details.retryAfterSeconds, clock.waits]).toEqual([2, 30, [40_000]]);
});

test('a wait that just fits is cut to the time that is left', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(429, {}, { 'retry-after': '59' }).reply(200, {});
  const { client, clock } = clientFor(wire.url, { random: () => 1 });
  await client.call(read);
  expect(clock.waits).toEqual([60_000]);
});

test('a wait longer than the time left is reported at once', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(503, {}, { 'retry-after': '10' });
  const { client, clock } = clientFor(wire.url, { deadlineMs: 10_000 });
  const error = await cliErrorOf(client.call(read));
  expect([error.details.attempts, error.details.retryAfterSeconds, clock.waits]).toEqual([1, 10, []]);
});

test('the attempts of one command share its time, and no attempt gets more than is left', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(429, {}, { 'retry-after': '20' }).reply(200, {}).reply(200, {});
  const { client, sent, clock } = clientFor(wire.url, { deadlineMs: 45_000 });
  await client.call(read);
  clock.advance(3_600_000);
  await client.call(read);
  expect(sent.map((request) => request.timeoutMs)).toEqual([30_000, 25_000, 25_000]);
  expect(sent.map((request) => request.connectTimeoutMs)).toEqual([10_000, 10_000, 10_000]);
});

test('nothing is sent when the time of the command is up', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(503, {}, { 'retry-after': '5' });
  const { client, clock } = clientFor(wire.url, { deadlineMs: 6_000 });
  clock.onSleep(() => clock.advance(2_000));
  const error = await cliErrorOf(client.call(read));
  expect(error).toMatchObject({ code: 'unavailable', details: { status: 503, attempts: 1 } });
  expect((await cliErrorOf(client.call(read))).message).toContain('The time of this command is up');
  expect(wire.requests).toHaveLength(1);
});

test('while watching, each call has the whole time for itself', async () => {
  const wire = await testWire();
  const busy = { 'retry-after': '50' };
  wire.on('GET', '/v1/user').reply(503, {}, busy).reply(200, {}).reply(503, {}, busy).reply(200, {});
  const { client, clock } = clientFor(wire.url, { deadlinePerCall: true });
  await client.call(read);
  await client.call(read);
  expect(clock.waits).toEqual([50_000, 50_000]);
});

test('an interrupt while waiting ends the command with its reason', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(503);
  const controller = new AbortController();
  const { client, clock } = clientFor(wire.url, { signal: controller.signal });
  const stop = new Error('stop');
  clock.onSleep(() => controller.abort(stop));
  await expect(client.call(read)).rejects.toBe(stop);
});
