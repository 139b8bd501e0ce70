import { describe, expect, test } from 'vitest';
import { buyer, doubtful, flowing, ORDER, toldBy } from '../../support/buyer.ts';

const FREE = ['--plan', 'plan_wp_free'];

describe.each([{}, { orderId: null }, { orderId: '' }, { orderId: ' ' }, { orderId: {} }, { message: 'Queued' }])(
  'the answer %j',
  (answer) => {
    test('names no order: it may exist, and the same command resumes it with its key', async () => {
      const { checkout, buy, keys, pending } = await buyer();
      checkout().reply(200, answer);
      const unnamed = await buy(...ORDER, '--json');
      expect(unnamed).toMatchObject({ exitCode: 8, stdout: `${JSON.stringify(answer)}\n` });
      expect(unnamed.error).toMatchObject({
        code: 'unavailable',
        status: 200,
        outcome: 'unknown',
        idempotencyKey: keys()[0],
        hint: `svc buy --resume ${keys()[0]} --yes`,
      });
      expect(unnamed.error['error']).toMatch(/^The API answered without an order id/);
      expect(await pending()).toHaveLength(1);
      checkout().reply(200, { orderId: 'ord_1' });
      expect((await buy(...ORDER)).exitCode).toBe(0);
      expect(new Set(keys()).size).toBe(1);
      expect(await pending()).toEqual([]);
    });
  },
);

test('an answer without an order id tells people that the order may exist, and how to resume it', async () => {
  const { checkout, buy, keys } = await buyer();
  checkout().reply(200, { message: 'Queued' });
  const unnamed = await buy(...ORDER);
  expect(unnamed.stderr).toBe(doubtful('Error: The API answered without an order id: Queued', keys()[0]));
  expect(toldBy(unnamed.stderr)).toContain('--resume');
});

describe.each(['failed', 'Declined', 'rejected', 'cancelled', 'canceled', 'expired'])('the status %s', (status) => {
  test('is an order that failed: exit 9, with the answer, and the purchase is over', async () => {
    const { checkout, buy, keys, pending } = await buyer();
    const answer = { orderId: 'ord_1', status, message: 'no money' };
    checkout().reply(201, answer).reply(201, answer);
    const run = await buy(...ORDER, '--json');
    expect(run).toMatchObject({ exitCode: 9, stdout: `${JSON.stringify(answer)}\n` });
    expect(run.error).toMatchObject({ code: 'failed', idempotencyKey: keys()[0] });
    expect(run.error).not.toHaveProperty('outcome');
    expect(await pending()).toEqual([]);
    const people = await buy(...ORDER, '--new-order');
    expect(people.stdout).not.toMatch(/✓|prompt/);
    expect(people.stderr).toBe('Error: Order ord_1 failed: no money\n');
    expect(new Set(keys()).size, 'the second is another order').toBe(2);
  });
});

test.each([
  ['awaiting_payment', '! Order ord_1 is waiting for your payment.'],
  ['pending', '! Order ord_1 is pending.'],
  ['Awaiting payment', '! Order ord_1 is waiting for your payment.'],
  ['processing', '! Order ord_1 is processing.'],
])('an order that is %s is no success yet, and no failure', async (status, says) => {
  const { checkout, buy, pending } = await buyer();
  checkout().reply(201, { orderId: 'ord_1', status, paymentMethod: 'mobile_money' });
  const run = await buy(...ORDER);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout.split('\n')[0]).toBe(says);
  expect(run.stdout).not.toContain('✓');
  expect(flowing(run.stdout)).toContain('Approve the payment prompt on +237*******42.');
  expect(await pending()).toEqual([]);
});

test('an order with any other status is placed, and one without a status is created', async () => {
  const { checkout, buy } = await buyer();
  checkout().reply(201, { orderId: 'ord_1', status: 'provisioned', paymentMethod: 'mobile_money' });
  checkout().reply(201, { orderId: 'ord_2', paymentMethod: 'mobile_money', provider: 'mtn' });
  const placed = await buy(...ORDER);
  expect(placed.stdout).toContain('✓ Order ord_1 is placed (provisioned).\n');
  expect(placed.stdout, 'nothing is left to pay').not.toContain('prompt');
  const created = await buy(...ORDER, '--new-order');
  expect(created.stdout).toContain('✓ Order ord_2 created.\n');
  expect(flowing(created.stdout)).toContain('Approve the payment prompt on');
});

test('a free order without a number ends without a word of a phone', async () => {
  const { checkout, buy } = await buyer();
  checkout().reply(201, { orderId: 'ord_1', paymentMethod: 'mobile_money', message: 'Nothing to pay.' });
  const run = await buy(...FREE);
  expect(run.exitCode).toBe(0);
  expect(run.stdout).not.toContain('phone');
});

test('the amount stands beside what became of the order', async () => {
  const { checkout, buy } = await buyer();
  const total = { amount: 5400, currency: 'XAF' };
  for (const status of ['awaiting_payment', 'paid', 'declined', undefined])
    checkout().reply(201, { orderId: 'ord_1', status, total });
  const waiting = await buy(...ORDER);
  expect(waiting.stdout).toMatch(/^! Order ord_1 is waiting for your payment: 5,400 XAF\n/);
  expect(waiting.stdout, 'the headline has shown it').not.toMatch(/Total|Status/);
  expect((await buy(...ORDER, '--new-order')).stdout).toMatch(/^✓ Order ord_1 is placed \(paid, 5,400 XAF\)\.\n/);
  const declined = await buy(...ORDER, '--new-order');
  expect(declined).toMatchObject({ exitCode: 9, stderr: 'Error: Order ord_1 of 5,400 XAF failed: status declined\n' });
  expect((await buy(...ORDER, '--new-order')).stdout).toMatch(/^✓ Order ord_1 created: 5,400 XAF\n/);
});

test('on a terminal an order that failed is red, and one that waits is yellow', async () => {
  const { checkout, run } = await buyer({ terminal: { columns: 100, rows: 30 }, env: { TERM: 'xterm' } });
  checkout().reply(201, { orderId: 'ord_1', status: 'failed', message: 'Insufficient balance' });
  checkout().reply(201, { orderId: 'ord_2', status: 'awaiting_payment' });
  const argv = ['buy', '--yes', '--no-input', ...ORDER];
  const failed = await run(argv);
  expect(failed.exitCode).toBe(9);
  expect(failed.stderr).toContain('\u001b[31mError:\u001b[39m Order ord_1 failed: Insufficient balance\n');
  expect(failed.stdout).not.toMatch(/✓|Insufficient|prompt/);
  expect((await run(argv)).stdout).toMatch(/^\u001b\[33m!\u001b\[39m Order ord_2 is waiting for your payment\.\n/);
});

test('other words for the status of an order', async () => {
  const { checkout, run } = await buyer();
  checkout().reply(201, { orderId: 'ord_1', status: 'bounced' }).reply(201, { orderId: 'ord_2', status: 'failed' });
  const env = { SVC_ASSUME: 'checkout.failed=bounced,checkout.pending=failed' };
  expect((await run(['buy', '--yes', ...FREE], { env })).exitCode).toBe(9);
  const pending = await run(['buy', '--yes', ...FREE], { env });
  expect(pending.exitCode).toBe(0);
  expect(pending.stdout).toContain('! Order ord_2 is failed.');
});

test.each(['payment_failed', 'refused', 'REFUSED', 'Denied', 'error', 'void', 'insufficient_funds', 'timed out'])(
  'the status %s is no order that is placed',
  async (status) => {
    const { checkout, buy, pending } = await buyer();
    const answer = { orderId: 'o1', status, paymentMethod: 'mobile_money', provider: 'mtn' };
    checkout().reply(200, answer);
    const run = await buy(...ORDER, '--json');
    expect(run).toMatchObject({ exitCode: 9, stdout: `${JSON.stringify(answer)}\n` });
    expect(run.error).toMatchObject({ code: 'failed', error: `Order o1 failed: status ${status}` });
    expect(await pending()).toEqual([]);
  },
);

test.each([
  [{ paymentStatus: 'failed' }, 'status failed'],
  [{ order: { status: 'declined' } }, 'status declined'],
  [
    {
      items: [
        { planId: 'a', status: 'active' },
        { planId: 'b', error: 'sold out' },
      ],
    },
    'items[1]: sold out',
  ],
  [{ errors: [{ message: 'no money' }] }, 'no money'],
])('%j anywhere in the answer is an order that failed', async (more, says) => {
  const { checkout, buy } = await buyer();
  checkout().reply(200, { orderId: 'o1', ...more });
  const run = await buy(...ORDER);
  expect(run.exitCode).toBe(9);
  expect(flowing(run.stderr)).toContain(says);
  expect(run.stdout).not.toContain('✓');
});

test('an item that failed in an answer without an order leaves the rest of the order in doubt', async () => {
  const { checkout, buy, pending } = await buyer();
  const answer = {
    items: [
      { planId: 'a', status: 'active' },
      { planId: 'b', status: 'failed' },
    ],
  };
  checkout().reply(200, answer);
  const run = await buy(...ORDER, '--json');
  expect(run).toMatchObject({ exitCode: 8, stdout: `${JSON.stringify(answer)}\n` });
  expect(run.error).toMatchObject({ outcome: 'unknown' });
  expect(await pending()).toHaveLength(1);
});

test.each(['unpaid', 'pending_payment', 'initiated', 'requires_action', 'created'])(
  'the status %s has no tick, and keeps the line about the prompt',
  async (status) => {
    const { checkout, buy } = await buyer();
    checkout().reply(200, { orderId: 'o1', status, paymentMethod: 'mobile_money' });
    const run = await buy(...ORDER);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toMatch(/^! Order o1 is /);
    expect(flowing(run.stdout)).toContain('Approve the payment prompt on +237*******42.');
  },
);

test('a status that svc does not know is shown, with the assumption to set, in scripts as well', async () => {
  const { checkout, buy, run } = await buyer();
  const answer = { orderId: 'o1', status: 'On-Hold', paymentMethod: 'mobile_money' };
  checkout().reply(200, answer).reply(200, answer).reply(200, answer);
  const people = await buy(...ORDER);
  expect(people.exitCode).toBe(0);
  expect(people.stdout).toMatch(/^! Order o1 has the status On-Hold\.\n/);
  expect(flowing(people.stdout)).toContain('Approve the payment prompt on +237*******42.');
  expect(flowing(people.stderr)).toContain('SVC_ASSUME=checkout.done=+on_hold');
  const script = await buy(...ORDER, '--new-order', '--json');
  expect(JSON.parse(script.stderr)).toEqual({
    warning:
      'svc does not know the status "On-Hold". If it means success: SVC_ASSUME=checkout.done=+on_hold. ' +
      'If it means failure: SVC_ASSUME=checkout.failed=+on_hold',
    code: 'unknown_status',
  });
  const env = { SVC_ASSUME: 'checkout.done=+on_hold' };
  const told = await run(['buy', '--yes', ...ORDER, '--new-order'], { env });
  expect(told).toMatchObject({ exitCode: 0, stderr: '' });
  expect(told.stdout).toMatch(/^✓ Order o1 is placed \(on-hold\)\.\n/);
});

test('a number that a refusal repeats is concealed', async () => {
  const { checkout, buy } = await buyer();
  checkout().reply(422, { error: 'no wallet has the number 237670000042' });
  const run = await buy(...ORDER);
  expect(run.exitCode).toBe(3);
  expect(run.stderr).toContain('no wallet has the number');
  expect(run.stderr).not.toContain('670000042');
});

test('an item that is done says nothing of the order', async () => {
  const { checkout, buy } = await buyer();
  checkout().reply(200, { orderId: 'o1', paymentMethod: 'mobile_money', items: [{ planId: 'a', status: 'active' }] });
  const run = await buy(...ORDER);
  expect(run.stdout).toMatch(/^✓ Order o1 created\.\n/);
  expect(flowing(run.stdout)).toContain('Approve the payment prompt on +237*******42.');
});

test('an order that costs nothing has no prompt to approve', async () => {
  const { checkout, buy } = await buyer();
  checkout().reply(201, { orderId: 'o1', paymentMethod: 'mobile_money', amount: 0, currency: 'XAF' });
  const run = await buy(...ORDER);
  expect(run.stdout).toMatch(/^✓ Order o1 created: 0 XAF\n/);
  expect(run.stdout).not.toContain('prompt');
});

test('an order within another object is an order', async () => {
  const { checkout, buy, pending } = await buyer();
  checkout().reply(201, { order: { orderId: 'o1', status: 'paid', paymentMethod: 'mobile_money' }, note: 'hello' });
  const run = await buy(...ORDER);
  expect(run.exitCode).toBe(0);
  expect(run.stdout).toMatch(/^✓ Order o1 is placed \(paid\)\.\n/);
  expect(run.stdout).toContain('hello');
  expect(await pending()).toEqual([]);
});
