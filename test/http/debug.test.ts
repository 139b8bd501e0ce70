import { expect, test } from 'vitest';
import type { Call } from '../../src/service/call.ts';
import { OPERATIONS } from '../../src/spec/operations.ts';
import { CANARY, cliErrorOf, clientFor } from '../support/client.ts';
import { testWire } from '../support/wire.ts';

const whoami: Call = { operation: OPERATIONS.getUser };
const restart: Call = { operation: OPERATIONS.restartService, path: { id: 's1' } };
const buy: Call = { operation: OPERATIONS.createOrder, body: { items: [{ planId: 'p' }] } };

test('one line for each request, answer and wait, and never a secret', async () => {
  const wire = await testWire();
  wire
    .on('POST', '/v1/checkout')
    .reply(503, { error: 'busy' })
    .reply(200, { orderId: 'o1', token: 'svc_other', password: 'hunter2' }, { 'x-request-id': 'r1\u00ff' });
  const { client, debug } = clientFor(wire.url);
  await client.call({ ...buy, body: { mobileMoneyPhone: '+237600000000' }, query: [['phone', '+237600000000']] });
  expect(debug.map((line) => line.replace(/\d+ ms/, 'N ms'))).toEqual([
    `> POST ${wire.url}/v1/checkout?phone=… (attempt 1, 36 bytes)`,
    '< 503 application/json, N ms',
    '  waiting 0.50 s',
    `> POST ${wire.url}/v1/checkout?phone=… (attempt 2, 36 bytes)`,
    '< 200 application/json, N ms, request r1ÿ',
  ]);
});

test('the beginning of a strange page is shown, without what looks like a token or drives a terminal', async () => {
  const wire = await testWire();
  const page = `<h1>\u001b[31mLog in</h1> svc_CANARY_98765432109876543210 ${CANARY} ${'x'.repeat(500)}`;
  wire.on('GET', '/v1/user').reply(200, page, { 'content-type': 'text/html' });
  const { client, debug } = clientFor(wire.url);
  await cliErrorOf(client.call(whoami));
  expect(debug[2]).toMatch(/^< <h1> \[31mLog in<\/h1> \[redacted\] \[redacted\] x+$/);
  expect(debug.join('\n')).not.toMatch(/CANARY|\u001b/);
});

test('a cut answer is not shown: it may hold a secret', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(200, '{"password":"hunter2"', { 'content-type': 'text/html' });
  const { client, debug } = clientFor(wire.url);
  await cliErrorOf(client.call(whoami));
  expect(debug.join('\n')).not.toContain('hunter2');
});

test('a break is one line', async () => {
  const wire = await testWire();
  wire.on('POST', '/v1/services/s1/restart').reset();
  const { client, debug } = clientFor(wire.url);
  await cliErrorOf(client.call(restart));
  expect(debug[1]).toMatch(/^! reset: No complete answer from 127\.0\.0\.1:\d+: .* \(ECONNRESET\), \d+ ms$/);
});
