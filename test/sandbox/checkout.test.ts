import { expect, test } from 'vitest';
import { type Visitor, visitSandbox } from './visit.ts';

const PAID = { items: [{ planId: 'plan_wp_pro' }], mobileMoneyNetwork: 'mtn', mobileMoneyPhone: '+237600000042' };
const FREE = { items: [{ planId: 'plan_wp_free' }] };
const KEY = { 'Idempotency-Key': 'a-key-of-mine' };

function order({ signedIn }: Visitor, body: unknown, headers?: Record<string, string>) {
  return signedIn('POST', '/v1/checkout', body, headers);
}

test.each([
  ['awaiting_payment', 'A payment prompt was sent to +237*******42. Confirm it on the phone.', {}],
  ['failed', 'Insufficient balance.', { mobileMoneyPhone: '+237670000400' }],
  ['declined', 'The network declined the payment.', { mobileMoneyNetwork: 'decline' }],
])('an order may be %s: %s', async (wanted, message, fields) => {
  const visitor = await visitSandbox();
  const { status, json } = await order(visitor, { ...PAID, enableAutopay: true, ...fields });
  expect([status, json.status, json.message]).toEqual([201, wanted, message]);
  const { orders, autopay } = visitor.sandbox.snapshot();
  expect([orders[0]?.answer, autopay.length]).toEqual([json, wanted === 'awaiting_payment' ? 1 : 0]);
  expect(JSON.stringify([visitor.sandbox.snapshot(), visitor.lines])).not.toContain('237600000042');
});

test('a free order by card has a page, a paid one is refused', async () => {
  const visitor = await visitSandbox();
  const { status, json } = await order(visitor, { ...FREE, paymentMethod: 'credit_card' });
  expect([status, json.status]).toEqual([201, 'provisioned']);
  const page = await visitor.open('GET', new URL(json.payment_url).pathname);
  expect([page.status, page.text.includes(json.orderId)]).toEqual([200, true]);
  expect((await order(visitor, { ...PAID, paymentMethod: 'credit_card' })).status).toBe(400);
  expect(visitor.sandbox.snapshot().orders).toHaveLength(1);
});

test('the total follows from items, quantities and the currency', async () => {
  const visitor = await visitSandbox();
  const items = [
    { planId: 'plan_wp_pro', quantity: 2, label: 'blog' },
    { domain: 'kola-studio.example', renew: true },
  ];
  const totalIn = async (currency: string) => (await order(visitor, { ...PAID, items, currency })).json.total;
  expect(await totalIn('USD')).toEqual({ amount: '32.00', currency: 'USD' });
  expect(await totalIn('local')).toEqual({ amount: '19200', currency: 'XAF' });
});

test.each([
  [{}, { items: 'is required' }],
  [{ items: [{}] }, { 'items[0].planId': 'is required, unless a domain is given' }],
  [{ items: [FREE.items[0], { planId: 'plan_x' }] }, { 'items[1].planId': expect.stringContaining('plan_wp_free') }],
  [{ items: [{ planId: 'plan_wp_free', quantity: 0 }] }, { 'items[0].quantity': 'must be a whole number from 1' }],
  [{ ...FREE, currency: 'EUR' }, { currency: 'must be one of USD, local' }],
  [{ ...FREE, appliedPromoCodeId: '123' }, { appliedPromoCodeId: 'must be a UUID' }],
  [{ ...FREE, mobileMoneyPhone: '12' }, { mobileMoneyPhone: expect.stringContaining('6 to 15 digits') }],
  [{ ...FREE, idempotencyKey: '' }, { idempotencyKey: expect.any(String) }],
])('a body like %j is refused, field by field', async (body, faults) => {
  const visitor = await visitSandbox();
  const { status, json } = await order(visitor, body);
  expect([status, json.error]).toEqual([400, faults]);
  expect(visitor.sandbox.snapshot().orders).toEqual([]);
});

test('one key is one order, however often, at once and in whatever order of fields', async () => {
  const visitor = await visitSandbox();
  const first = await order(visitor, PAID, KEY);
  const { items, ...others } = PAID;
  const repeats = await Promise.all([
    ...Array.from({ length: 20 }, () => order(visitor, PAID, KEY)),
    order(visitor, { ...others, items }, KEY),
    order(visitor, { ...PAID, idempotencyKey: 'a-key-of-mine' }),
  ]);
  for (const { status, json, headers } of repeats) {
    expect([status, json, headers['idempotent-replayed']]).toEqual([200, first.json, 'true']);
  }
  expect(visitor.sandbox.snapshot().orders).toHaveLength(1);
  expect((await order(visitor, FREE, KEY)).status).toBe(422);
  expect((await order(visitor, { ...PAID, idempotencyKey: 'another' }, KEY)).status).toBe(400);
  const other = await order(visitor, FREE, { ...KEY, 'X-Service-Org': 'baobab-travel' });
  expect([other.status, visitor.sandbox.snapshot().orders.length]).toEqual([201, 2]);
});
