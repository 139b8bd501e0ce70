import { expect, test } from 'vitest';
import { type Buyer, buyer, ORDER } from '../../support/buyer.ts';

const TROUBLE = { orderId: 'ord_1', error: 'The provider does not answer' };

/** An order that exists, and whose answer contradicts itself. */
async function troubled(): Promise<Buyer & { readonly key: string }> {
  const one = await buyer();
  one.checkout().reply(201, TROUBLE);
  const run = await one.buy(...ORDER, '--json');
  const key = one.keys()[0] ?? '';
  expect(run).toMatchObject({ exitCode: 8, stdout: `${JSON.stringify(TROUBLE)}\n` });
  expect(run.error).toMatchObject({
    error: expect.stringContaining('its answer contradicts itself: error is'),
    outcome: 'unknown',
    orderId: 'ord_1',
    idempotencyKey: key,
    next: [`svc orders settle ${key} --placed ord_1`],
    nextBy: 'person',
  });
  return { ...one, key };
}

test('every order of its buyer is stopped until a person settles it, however it is asked for', async () => {
  const { run, buy, key, wire, clock, checkout } = await troubled();
  for (const days of [0, 400]) {
    clock.advance(days * 24 * 3_600_000);
    const lines = [
      ORDER,
      [...ORDER, '--idempotency-key', key],
      ['--resume', key],
      [...ORDER, '--quantity', '2'],
      [...ORDER, '--new-order'],
      ['--plan', 'plan_b'],
    ];
    for (const argv of lines) {
      const stopped = await buy(...argv, '--json');
      expect(stopped, argv.join(' ')).toMatchObject({ exitCode: 2, stdout: '' });
      const next = [`svc orders settle ${key} --placed ord_1`];
      expect(stopped.error).toMatchObject({ orderId: 'ord_1', idempotencyKey: key, next });
    }
  }
  expect(wire.requests).toHaveLength(1);
  expect(await run(['orders', 'settle', key, '--placed', 'ord_1', '--yes'])).toMatchObject({
    exitCode: 0,
  });
  checkout().reply(201, { orderId: 'ord_2' });
  expect((await buy(...ORDER)).exitCode).toBe(0);
});

test('it is listed as in doubt with its id, and cannot be resumed', async () => {
  const { run, key, pending } = await troubled();
  const placed = `svc orders settle ${key} --placed ord_1`;
  const notPlaced = `svc orders settle ${key} --not-placed`;
  expect(await pending()).toMatchObject([{ orderId: 'ord_1', resume: null, placed, notPlaced }]);
  expect((await run(['orders'])).stdout).toContain(`${placed} (or --not-placed)`);
});

test.each([
  ['a refusal', 402, { error: 'Card declined', orderId: 'ord_1' }],
  ['a refusal that wraps it', 400, { error: 'Declined', data: { orderId: 'ord_1' } }],
  ['a conflict', 409, { error: 'Being placed', order: { id: 'ord_1' } }],
  ['a problem of the platform', 500, { error: 'Sorry', orderId: 'ord_1' }],
])('an order that %s names exists until a person settles it', async (_what, status, body) => {
  const { buy, keys, pending, checkout } = await buyer();
  checkout().reply(status, body);

  const run = await buy(...ORDER, '--no-retry', '--json');

  const next = [`svc orders settle ${keys()[0]} --placed ord_1`];
  expect(run).toMatchObject({ exitCode: 8, stdout: '' });
  expect(run.error).toMatchObject({ ...body, outcome: 'unknown', orderId: 'ord_1', next });
  expect(await pending()).toMatchObject([{ orderId: 'ord_1', resume: null }]);
});
