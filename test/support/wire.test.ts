import { expect, test } from 'vitest';
import { fakeClock } from './clock.ts';
import { startWire } from './wire.ts';

test('a wire answers as planned, in order, and keeps what came', async () => {
  const wire = await startWire();
  try {
    wire.on('POST', '/v1/checkout').reply(503).reply(200, { orderId: 'o1' });
    const send = () => fetch(`${wire.url}/v1/checkout?x=1`, { method: 'POST', body: '{"a":1}' });
    expect((await send()).status).toBe(503);
    expect(await (await send()).json()).toEqual({ orderId: 'o1' });
    expect(wire.requests.map((request) => request.json)).toEqual([{ a: 1 }, { a: 1 }]);
    expect(wire.requests[0]?.target).toBe('/v1/checkout?x=1');
    wire.verify();
  } finally {
    await wire.close();
  }
});

test('a wire complains about what was not planned and what was not used', async () => {
  const wire = await startWire();
  try {
    wire.on('GET', '/v1/user').reply(200, {});
    expect((await fetch(`${wire.url}/v1/other`)).status).toBe(501);
    expect(() => wire.verify()).toThrow('not planned: GET /v1/other\na planned answer was not used: GET /v1/user');
  } finally {
    await wire.close();
  }
});

test('a fake clock moves when someone sleeps', async () => {
  const clock = fakeClock();
  const start = clock.now();
  await clock.sleep(500);
  clock.advance(100);
  expect([clock.now() - start, clock.monotonic(), clock.waits]).toEqual([600, 600, [500]]);
  await expect(clock.sleep(1, AbortSignal.abort('stop'))).rejects.toBe('stop');
});
