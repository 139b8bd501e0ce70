import { expect, test } from 'vitest';
import { sendOrder } from '../../src/orders/send.ts';
import type { Client } from '../../src/service/call.ts';
import { orderCall } from '../../src/service/operations.ts';
import { assumeFrom } from '../../src/spec/assumptions.ts';

test('a mistake of svc while an order is on its way leaves the order in doubt', async () => {
  const client = { call: () => Promise.reject(new TypeError('x is not a function')) } as unknown as Client;
  const settling = { lines: ['It may exist.'] };
  const going = { key: 'k1', body: '{"items":[]}', begun: undefined, settling, troubled: () => settling };
  const ending = await sendOrder(client, orderCall({ items: [] }, 'k1'), going, assumeFrom(new Map()));
  expect(ending).toMatchObject({
    outcome: 'in_doubt',
    failure: { code: 'unavailable', details: { outcome: 'unknown', idempotencyKey: 'k1' } },
  });
});
