import { expect, test } from 'vitest';
import { parseFault } from '../../../sandbox/server.ts';
import { type Visitor, visitSandbox } from '../visit.ts';

const ORDER = { items: [{ planId: 'plan_wp_free' }] };

function withFaults(...faults: string[]): Promise<Visitor> {
  return visitSandbox({ faults: faults.map(parseFault) });
}

function order({ signedIn }: Visitor, key = 'a-key') {
  return signedIn('POST', '/v1/checkout', ORDER, { 'Idempotency-Key': key });
}

/** What the client sees of an answer that does not come whole. */
async function breakOf(answer: Promise<unknown>): Promise<string> {
  return await answer.then(
    () => 'no break',
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );
}

test('a status is answered as often as asked for, without the work', async () => {
  const visitor = await withFaults('createOrder:503*2,retry-after=7');
  for (const _ of [1, 2]) {
    const { status, json, headers } = await order(visitor);
    expect([status, json, headers['retry-after']]).toEqual([503, { error: 'Injected fault.' }, '7']);
    expect(visitor.sandbox.snapshot().orders).toEqual([]);
  }
  expect((await order(visitor)).status).toBe(201);
  expect(visitor.lines).toEqual([
    'POST /v1/checkout 503 (fault createOrder:503*2,retry-after=7)',
    'POST /v1/checkout 503 (fault createOrder:503*2,retry-after=7)',
    expect.stringMatching(/^order ord_\w+: provisioned$/),
    'POST /v1/checkout 201',
  ]);
});

test('a status after the work lies: the order was made, and its key finds it', async () => {
  const visitor = await withFaults('createOrder:502-after*1');
  expect((await order(visitor)).status).toBe(502);
  expect(visitor.sandbox.snapshot().orders).toHaveLength(1);
  expect((await order(visitor)).headers['idempotent-replayed']).toBe('true');
  expect(visitor.sandbox.snapshot().orders).toHaveLength(1);
});

test('a dropped connection after the work leaves it done', async () => {
  const visitor = await withFaults('createOrder:drop-after*1');
  expect(await breakOf(order(visitor))).toBe('ECONNRESET');
  expect(visitor.sandbox.snapshot().orders).toHaveLength(1);
  expect(visitor.lines).toContain('POST /v1/checkout dropped (fault createOrder:drop-after*1)');
  expect((await order(visitor)).headers['idempotent-replayed']).toBe('true');
});

test('a token whose answer is dropped is gone', async () => {
  const visitor = await withFaults('pollDeviceLogin:drop-after*1');
  const { deviceCode, userCode } = (await visitor.open('POST', '/v1/auth/device', { clientName: 'lost' })).json;
  visitor.sandbox.approve(userCode);
  const poll = () => visitor.open('POST', '/v1/auth/device/token', { deviceCode });
  expect(await breakOf(poll())).toBe('ECONNRESET');
  expect((await poll()).json).toEqual({ error: 'invalid_grant' });
});

test('a delay waits on the clock before the request is worked on', async () => {
  const visitor = await withFaults('restart:delay=42s*1');
  await visitor.signedIn('POST', '/v1/services/svc_wp_7k2m9qx4/restart');
  expect(visitor.clock.waits).toEqual([42_000]);
  expect(visitor.sandbox.snapshot().restarts[0]?.restartedAt).toBe(Date.parse('2026-03-01T12:00:42Z'));
});

test('the guard goes before faults: a forged request does not use one up', async () => {
  const visitor = await withFaults('getUser:503*1');
  expect((await visitor.signedIn('GET', '/v1/user', undefined, { Host: 'evil.example' })).status).toBe(421);
  expect((await visitor.signedIn('GET', '/v1/user')).status).toBe(503);
});
