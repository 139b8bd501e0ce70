import { expect, test } from 'vitest';
import { type Buyer, buyer, ORDER } from '../../support/buyer.ts';
import type { RunOptions } from '../../support/svc.ts';

const FAILING = ['--jq', '.orderId | error'];
const HOUR_MS = 3_600_000;

/** An order that the platform has answered, and whose answer could not be printed. */
async function unread(answer: object, ...argv: readonly string[]): Promise<Buyer> {
  const one = await buyer();
  one.checkout().reply(201, answer);
  const failed = await one.buy(...ORDER, ...argv, ...FAILING);
  expect(failed.stdout).toBe('');
  return one;
}

test('the same order is answered from the book once, with the same bytes, and without a question', async () => {
  const { run, buy, checkout, wire } = await unread({ orderId: 'ord_1', total: { amount: 5400, currency: 'XAF' } });
  const again = await run(['buy', ...ORDER, '--json']);
  expect(again).toMatchObject({
    exitCode: 0,
    stdout: '{"orderId":"ord_1","total":{"amount":5400,"currency":"XAF"}}\n',
  });
  expect(JSON.parse(again.stderr)).toEqual({
    warning: 'This is the order of 2026-03-01T12:00:00.000Z; nothing was sent. For another one: --new-order',
    code: 'order_printed_again',
  });
  expect(wire.requests).toHaveLength(1);
  checkout().reply(201, { orderId: 'ord_2' });
  expect((await buy(...ORDER)).stdout).toContain('Order ord_2 created.');
});

test('people read when it was sent, and what it costs', async () => {
  const { buy } = await unread({ orderId: 'ord_1', status: 'paid', total: { amount: '5400', currency: 'XAF' } });
  const again = await buy(...ORDER);
  expect(again.stdout).toContain('✓ Order ord_1 is placed (paid, 5,400 XAF).');
  expect(again.stdout).toContain('First sent  2026-03-01T12:00:00.000Z');
  expect(again.stderr).toMatch(/^Warning: This is the order of 2026-03-01T12:00:00\.000Z; nothing was sent\./);
});

test.each<[string, string[], RunOptions]>([
  ['--new-order', [...ORDER, '--new-order'], {}],
  ['a key of its own', [...ORDER, '--idempotency-key', 'mine'], {}],
  ['another label', [...ORDER, '--label', 'blog'], {}],
  ['another organization', [...ORDER, '--org', 'acme'], {}],
  ['another token', ORDER, { token: 'svc_OTHER_0123456789abc1234' }],
])('%s is another order', async (_what, argv, options) => {
  const { run, checkout, wire } = await unread({ orderId: 'ord_1' });
  checkout().reply(201, { orderId: 'ord_2' });
  const other = await run(['buy', '--yes', '--json', ...argv], options);
  expect(other).toMatchObject({ exitCode: 0, stdout: '{"orderId":"ord_2"}\n' });
  expect(wire.requests).toHaveLength(2);
});

test('after a day it is another order', async () => {
  const { buy, checkout, clock } = await unread({ orderId: 'ord_1' });
  clock.advance(24 * HOUR_MS);
  checkout().reply(201, { orderId: 'ord_2' });
  expect((await buy(...ORDER, '--json')).stdout).toContain('ord_2');
});

test('its key and --resume print it, too', async () => {
  for (const argv of [[...ORDER, '--idempotency-key'], ['--resume']]) {
    const { buy, keys, wire } = await unread({ orderId: 'ord_1' });
    const again = await buy(...argv, keys()[0] ?? '', '--json');
    expect(again).toMatchObject({ exitCode: 0, stdout: '{"orderId":"ord_1"}\n' });
    expect(wire.requests).toHaveLength(1);
  }
});

test('an order that failed says so again', async () => {
  const { buy, wire } = await unread({ orderId: 'ord_1', status: 'failed' });
  const again = await buy(...ORDER, '--json');
  expect(again).toMatchObject({ exitCode: 9, stdout: '{"orderId":"ord_1","status":"failed"}\n' });
  expect(again.error).toMatchObject({ code: 'failed', orderId: 'ord_1' });
  expect(wire.requests).toHaveLength(1);
});

test('of a very long answer the id of the order is kept', async () => {
  const { buy, wire } = await unread({ orderId: 'ord_1', note: 'x'.repeat(100_000) });
  expect(await buy(...ORDER, '--json')).toMatchObject({ exitCode: 0, stdout: '{"orderId":"ord_1"}\n' });
  expect(wire.requests).toHaveLength(1);
});
