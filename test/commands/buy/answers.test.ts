import { expect, test } from 'vitest';
import { buyer, flowing, ORDER } from '../../support/buyer.ts';

const ASKED = 'Approve the payment prompt on +237*******42.';
const UNNAMED = 'The API answered without an order id';
const PAYER = { paymentMethod: 'mobile_money', provider: 'mtn' };
const XAF = { total: { amount: 5400, currency: 'XAF' } };

/** With exit 0 the start of stdout, else a part of the error. */
type Row = [answer: object, exitCode: 0 | 8 | 9, says: string, isPrompted?: 'prompt'];

// biome-ignore format: a table
const ROWS: Row[] = [
  ...[{}, { orderId: null }, { orderId: '' }, { orderId: ' ' }, { orderId: {} }].map((answer): Row => [answer, 8, UNNAMED]),
  [{ message: 'Queued' }, 8, `${UNNAMED}: Queued`],
  [{ success: false, message: 'no such plan' }, 8, `${UNNAMED}: no such plan`],
  [{ error: 'no such plan' }, 8, `${UNNAMED}: no such plan`],
  [{ status: 'declined', reason: 'no such plan' }, 8, UNNAMED],
  [{ items: [{ planId: 'a', status: 'active' }, { planId: 'b', status: 'failed' }] }, 8, UNNAMED],
  ...['failed', 'Declined', 'rejected', 'cancelled', 'canceled', 'expired', 'payment_failed', 'refused', 'REFUSED', 'Denied',
    'error', 'void', 'insufficient_funds', 'timed out'].map((status): Row =>
      [{ orderId: 'o1', status, ...PAYER }, 9, `Order o1 failed: status ${status}`]),
  [{ orderId: 'o1', status: 'failed', message: 'no money' }, 9, 'Error: Order o1 failed: no money'],
  [{ orderId: 'o1', success: false, message: 'declined' }, 9, 'Order o1 failed: declined'],
  [{ orderId: 'o1', status: 'declined', ...XAF }, 9, 'Order o1 of 5,400 XAF failed: status declined'],
  [{ orderId: 'o1', paymentStatus: 'failed' }, 9, 'status failed'],
  [{ orderId: 'o1', order: { status: 'declined' } }, 9, 'status declined'],
  [{ orderId: 'o1', items: [{ planId: 'a', status: 'active' }, { planId: 'b', error: 'sold out' }] }, 9, 'items[1]: sold out'],
  [{ orderId: 'o1', errors: [{ message: 'no money' }] }, 9, 'no money'],
  [{ orderId: 'o1', status: 'awaiting_payment', ...PAYER }, 0, '! Order o1 is waiting for your payment.\n', 'prompt'],
  [{ orderId: 'o1', status: 'Awaiting payment', ...PAYER }, 0, '! Order o1 is waiting for your payment.\n', 'prompt'],
  [{ orderId: 'o1', status: 'awaiting_payment', ...XAF, ...PAYER }, 0, '! Order o1 is waiting for your payment: 5,400 XAF\n', 'prompt'],
  ...['pending', 'processing'].map((status): Row => [{ orderId: 'o1', status, ...PAYER }, 0, `! Order o1 is ${status}.\n`, 'prompt']),
  ...['unpaid', 'pending_payment', 'initiated', 'requires_action', 'created'].map((status): Row =>
    [{ orderId: 'o1', status, ...PAYER }, 0, '! Order o1 is ', 'prompt']),
  [{ orderId: 'o1', status: 'provisioned', ...PAYER }, 0, '✓ Order o1 is placed (provisioned).\n'],
  [{ orderId: 'o1', status: 'paid', ...XAF, ...PAYER }, 0, '✓ Order o1 is placed (paid, 5,400 XAF).\n'],
  [{ orderId: 'o1', ...PAYER }, 0, '✓ Order o1 created.\n', 'prompt'],
  [{ orderId: 'o1', ...XAF, ...PAYER }, 0, '✓ Order o1 created: 5,400 XAF\n', 'prompt'],
  [{ orderId: 'o1', amount: 0, currency: 'XAF', ...PAYER }, 0, '✓ Order o1 created: 0 XAF\n'],
  [{ orderId: 'o1', items: [{ planId: 'a', status: 'active' }], ...PAYER }, 0, '✓ Order o1 created.\n', 'prompt'],
  [{ order: { orderId: 'o1', status: 'paid', ...PAYER }, note: 'hello' }, 0, '✓ Order o1 is placed (paid).\n'],
];

test.each<Row>(ROWS)(
  '%j ends with exit %i, for people and for scripts: %s',
  async (answer, exitCode, says, isPrompted) => {
    const { checkout, buy, keys, pending } = await buyer();
    checkout().reply(201, answer).reply(201, answer);
    const people = await buy(...ORDER);
    expect(people.exitCode).toBe(exitCode);
    if (exitCode === 0) expect(people.stdout.slice(0, says.length)).toBe(says);
    else expect(flowing(people.stderr)).toContain(says);
    expect(people.stdout.includes('✓')).toBe(says.startsWith('✓'));
    expect(flowing(people.stdout).includes(ASKED)).toBe(isPrompted === 'prompt');
    expect(await pending()).toHaveLength(exitCode === 8 ? 1 : 0);
    const script = await buy(...ORDER, '--new-order', '--json');
    expect(script).toMatchObject({ exitCode, stdout: `${JSON.stringify(answer)}\n` });
    const key = keys()[1];
    if (exitCode === 9) expect(script.error).toMatchObject({ code: 'failed', idempotencyKey: key, orderId: 'o1' });
    if (exitCode !== 8) return expect(script.stderr).not.toContain('"outcome"');
    const hint = `svc buy --resume ${key} --yes`;
    return expect(script.error).toMatchObject({
      ...{ code: 'unavailable', status: 201, outcome: 'unknown', idempotencyKey: key, hint },
    });
  },
);

test('a status that svc does not know is shown, with the assumption to set, in scripts as well', async () => {
  const { checkout, buy, run } = await buyer();
  const answer = { orderId: 'o1', status: 'On-Hold', ...PAYER };
  checkout().reply(200, answer).reply(200, answer).reply(200, answer);
  const people = await buy(...ORDER);
  expect(people.exitCode).toBe(0);
  expect(people.stdout).toMatch(/^! Order o1 has the status On-Hold\.\n/);
  expect(flowing(people.stdout)).toContain(ASKED);
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
  checkout().reply(200, { ...answer, status: 'failed' });
  const waits = await run(['buy', '--yes', ...ORDER, '--new-order'], {
    env: { SVC_ASSUME: 'checkout.pending=failed' },
  });
  expect(waits).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('! Order o1 is failed.') });
});

test('a number that a refusal repeats is concealed', async () => {
  const { checkout, buy } = await buyer();
  checkout().reply(422, { error: 'no wallet has the number 237670000042' });
  const run = await buy(...ORDER);
  expect(run).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('no wallet has the number') });
  expect(run.stderr).not.toContain('670000042');
});
