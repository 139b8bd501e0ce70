import { expect, test } from 'vitest';
import type { Client } from '../../src/api/call.ts';
import { orderCall } from '../../src/api/operations.ts';
import { assumeFrom } from '../../src/contract/assumptions.ts';
import { CliError } from '../../src/errors.ts';
import { sendOrder } from '../../src/orders/send.ts';

test.each([
  ['a mistake of svc', new TypeError('x is not a function')],
  ['an answer of no known kind', new CliError('unexpected', 'What?', { status: 600 })],
])('%s while an order is on its way leaves the order in doubt', async (_what, error) => {
  const client = { call: () => Promise.reject(error) } as unknown as Client;
  const settling = { lines: ['It may exist.'] };
  const going = {
    key: 'k1',
    body: '{"items":[]}',
    begun: undefined,
    settling,
    troubled: () => settling,
  };
  const ending = await sendOrder(
    client,
    orderCall({ items: [] }, 'k1'),
    going,
    assumeFrom(new Map()),
  );
  expect(ending).toMatchObject({
    outcome: 'in_doubt',
    failure: { code: 'unavailable', details: { outcome: 'unknown', idempotencyKey: 'k1' } },
  });
});
