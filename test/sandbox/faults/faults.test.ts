import { expect, test } from 'vitest';
import { parseFault } from '../../../sandbox/server.ts';
import { visitSandbox } from '../visit.ts';

async function withFault(fault: string) {
  const visitor = await visitSandbox({ faults: [parseFault(fault)] });
  const order = () => {
    const body = { items: [{ planId: 'plan_wp_free' }] };
    return visitor.signedIn('POST', '/v1/checkout', body, { 'Idempotency-Key': 'a-key' });
  };
  return { ...visitor, order, orders: () => visitor.sandbox.snapshot().orders.length };
}

test('a status is answered as often as asked for, without the work', async () => {
  const { order, orders, lines } = await withFault('createOrder:503*2,retry-after=7');
  for (const _ of [1, 2]) {
    const { status, json, headers } = await order();
    expect([status, json, headers['retry-after']]).toEqual([
      503,
      { error: 'Injected fault.' },
      '7',
    ]);
    expect(orders()).toBe(0);
  }
  expect((await order()).status).toBe(201);
  expect(lines[0]).toBe('POST /v1/checkout 503 (fault createOrder:503*2,retry-after=7)');
});

test.each([
  ['502-after', 502],
  ['drop-after', 'ECONNRESET'],
])('%s lies: the order was made, and its key finds it', async (effect, end) => {
  const { order, orders } = await withFault(`createOrder:${effect}*1`);
  expect(
    await order().then(
      ({ status }) => status,
      ({ code }) => code,
    ),
  ).toBe(end);
  expect(orders()).toBe(1);
  expect((await order()).headers['idempotent-replayed']).toBe('true');
  expect(orders()).toBe(1);
});

test('a token whose answer is dropped is gone', async () => {
  const { open, sandbox } = await withFault('pollDeviceLogin:drop-after*1');
  const { deviceCode, userCode } = (await open('POST', '/v1/auth/device', { clientName: 'lost' }))
    .json;
  sandbox.approve(userCode);
  const poll = () => open('POST', '/v1/auth/device/token', { deviceCode });
  await expect(poll()).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect((await poll()).json).toEqual({ error: 'invalid_grant' });
});

test('a delay waits on the clock before the request is worked on', async () => {
  const { signedIn, clock, sandbox } = await withFault('restart:delay=42s*1');
  await signedIn('POST', '/v1/services/svc_wp_7k2m9qx4/restart');
  expect(clock.waits).toEqual([42_000]);
  expect(sandbox.snapshot().restarts[0]?.restartedAt).toBe(Date.parse('2026-03-01T12:00:42Z'));
});
