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

test('a status without Retry-After has none, and its error can be chosen', async () => {
  const visitor = await withFaults('pollDeviceLogin:503*1,error=temporarily_unavailable');
  const { status, json, headers } = await visitor.open('POST', '/v1/auth/device/token', { deviceCode: 'x' });
  expect([status, json]).toEqual([503, { error: 'temporarily_unavailable' }]);
  expect(headers).not.toHaveProperty('retry-after');
});

test('a status after the work lies: the order was made, and its key finds it', async () => {
  const visitor = await withFaults('createOrder:502-after*1');
  expect((await order(visitor)).status).toBe(502);
  expect(visitor.sandbox.snapshot().orders).toHaveLength(1);
  expect((await order(visitor)).headers['idempotent-replayed']).toBe('true');
  expect(visitor.sandbox.snapshot().orders).toHaveLength(1);
});

test('a dropped connection before the work leaves nothing done', async () => {
  const visitor = await withFaults('createOrder:drop*1');
  expect(await breakOf(order(visitor))).toBe('ECONNRESET');
  expect(visitor.sandbox.snapshot().orders).toEqual([]);
  expect((await order(visitor)).status).toBe(201);
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

test('a cut answer has its head and half of its body', async () => {
  const visitor = await withFaults('getUser:cut*1');
  expect(await breakOf(visitor.signedIn('GET', '/v1/user'))).toBe('ECONNRESET');
  const response = await fetchHead(await withFaults('getUser:cut*1'));
  expect(response).toEqual({ status: 200, isShort: true });
});

test('a garbage answer has the status and type of the real one, and is no JSON', async () => {
  const visitor = await withFaults('createOrder:garbage*1');
  const { status, headers, json } = await order(visitor);
  expect([status, headers['content-type'], json]).toEqual([201, 'application/json', undefined]);
  expect(visitor.sandbox.snapshot().orders).toHaveLength(1);
});

test('a delay waits on the clock before the request is worked on', async () => {
  const visitor = await withFaults('restart:delay=42s*1');
  await visitor.signedIn('POST', '/v1/services/svc_wp_7k2m9qx4/restart');
  expect(visitor.clock.waits).toEqual([42_000]);
  expect(visitor.sandbox.snapshot().restarts[0]?.restartedAt).toBe(Date.parse('2026-03-01T12:00:42Z'));
});

test('a fault for one operation leaves the others alone', async () => {
  const visitor = await withFaults('restart:503', 'getJob:404*1');
  expect((await visitor.signedIn('GET', '/v1/user')).status).toBe(200);
  const actions = '/v1/services/svc_wp_7k2m9qx4/actions';
  const { jobId } = (await visitor.signedIn('POST', actions, { action: 'backup.create' })).json;
  expect((await visitor.signedIn('GET', `${actions}/${jobId}`)).status).toBe(404);
  expect((await visitor.signedIn('GET', `${actions}/${jobId}`)).status).toBe(200);
});

test('the guard goes before faults: a forged request does not use one up', async () => {
  const visitor = await withFaults('getUser:503*1');
  expect((await visitor.signedIn('GET', '/v1/user', undefined, { Host: 'evil.example' })).status).toBe(421);
  expect((await visitor.signedIn('GET', '/v1/user')).status).toBe(503);
});

async function fetchHead({ sandbox }: Visitor): Promise<{ status: number; isShort: boolean }> {
  const response = await fetch(`${sandbox.url}/v1/user`, { headers: { Authorization: `Bearer ${sandbox.token}` } });
  const promised = Number(response.headers.get('content-length'));
  let received = 0;
  try {
    for await (const chunk of response.body ?? []) received += chunk.length;
  } catch {
    // The break is what this is about.
  }
  return { status: response.status, isShort: received === Math.floor(promised / 2) };
}
