import { expect, test } from 'vitest';
import { buyer, ORDER } from '../../support/buyer.ts';

/** An order that the platform has answered, and whose answer could not be printed. */
async function unread(answer: object) {
  const one = await buyer();
  one.checkout().reply(201, answer);
  expect((await one.buy(...ORDER, '--jq', '.orderId | error')).stdout).toBe('');
  return one;
}

test('the same order is answered from the book once, with the same bytes, and without a question', async () => {
  const { run, buy, checkout, wire } = await unread({
    orderId: 'ord_1',
    total: { amount: 5400, currency: 'XAF' },
  });
  const again = await run(['buy', ...ORDER, '--json']);
  const stdout = '{"orderId":"ord_1","total":{"amount":5400,"currency":"XAF"}}\n';
  expect(again).toMatchObject({ exitCode: 0, stdout });
  expect(JSON.parse(again.stderr)).toEqual({
    warning: expect.stringContaining('the order of 2026-03-01T12:00:00.000Z; nothing was sent.'),
    code: 'order_printed_again',
  });
  expect(wire.requests).toHaveLength(1);
  checkout().reply(201, { orderId: 'ord_2' });
  expect((await buy(...ORDER)).stdout).toContain('Order ord_2 was created.');
});

// Which lines are the same order is in orders/match.test.ts.
test('--new-order is another order, and so is the same line after a day', async () => {
  const { buy, checkout, clock } = await unread({ orderId: 'ord_1' });
  checkout().reply(201, { orderId: 'ord_2' }).reply(201, { orderId: 'ord_3' });
  expect(await buy(...ORDER, '--new-order', '--json')).toMatchObject({
    exitCode: 0,
    stdout: '{"orderId":"ord_2"}\n',
  });
  clock.advance(24 * 3_600_000);
  expect(await buy(...ORDER, '--json')).toMatchObject({
    exitCode: 0,
    stdout: '{"orderId":"ord_3"}\n',
  });
});

test('--resume prints it, too; an order that failed says so again', async () => {
  const { buy, wire } = await unread({ orderId: 'ord_1', status: 'failed' });
  const again = await buy('--resume', '--json');
  expect(again).toMatchObject({ exitCode: 9, stdout: '{"orderId":"ord_1","status":"failed"}\n' });
  expect(again.error).toMatchObject({ code: 'failed', orderId: 'ord_1' });
  expect(wire.requests).toHaveLength(1);
});

test('of a very long answer the id of the order is kept', async () => {
  const { buy } = await unread({ orderId: 'ord_1', note: 'x'.repeat(100_000) });
  expect(await buy(...ORDER, '--json')).toMatchObject({
    exitCode: 0,
    stdout: '{"orderId":"ord_1"}\n',
  });
});
