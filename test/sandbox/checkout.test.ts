import { expect, test } from 'vitest';
import { type Visitor, visitSandbox } from './visit.ts';

const PAID = { items: [{ planId: 'plan_wp_pro' }], mobileMoneyNetwork: 'mtn', mobileMoneyPhone: '+237600000042' };
const FREE = { items: [{ planId: 'plan_wp_free' }] };

function order({ signedIn }: Visitor, body: unknown, headers?: Record<string, string>) {
  return signedIn('POST', '/v1/checkout', body, headers);
}

test('a paid order by mobile money sends a prompt to the phone', async () => {
  const visitor = await visitSandbox();
  const { status, json } = await order(visitor, PAID);
  expect(status).toBe(201);
  expect(json).toEqual({
    orderId: expect.stringMatching(/^ord_/),
    paymentMethod: 'mobile_money',
    provider: 'mtn',
    status: 'awaiting_payment',
    total: { amount: '5400', currency: 'XAF' },
    message: 'A payment prompt was sent to +237*******42. Confirm it on the phone.',
  });
});

test.each([
  ['failed', 'Insufficient balance.', { mobileMoneyPhone: '+237670000400' }],
  ['failed', 'Insufficient balance.', { mobileMoneyPhone: '237670000400' }],
  ['declined', 'The network declined the payment.', { mobileMoneyNetwork: 'decline' }],
])('an order may be %s: %s', async (wanted, message, fields) => {
  const visitor = await visitSandbox();
  const { status, json } = await order(visitor, { ...PAID, enableAutopay: true, ...fields });
  expect([status, json.status, json.message]).toEqual([201, wanted, message]);
  expect(visitor.sandbox.snapshot()).toMatchObject({ orders: [{ answer: json }], autopay: [] });
  const free = await order(visitor, { ...FREE, ...fields });
  expect(free.json.status).toBe('provisioned');
  expect((await visitor.open('GET', `/orders/${json.orderId}`)).text).toContain('This order was not paid');
});

test('a free order by card answers an address that a browser can open', async () => {
  const visitor = await visitSandbox();
  const { status, json } = await order(visitor, { ...FREE, paymentMethod: 'credit_card' });
  expect([status, json.status]).toEqual([201, 'provisioned']);
  expect(json.payment_url).toBe(`${visitor.sandbox.url}/orders/${json.orderId}`);
  const page = await visitor.open('GET', new URL(json.payment_url).pathname);
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.text).toContain(json.orderId);
  expect((await visitor.open('GET', '/orders/ord_none')).status).toBe(404);
});

test('a paid order by card is refused, and says how to pay', async () => {
  const visitor = await visitSandbox();
  const { status, json } = await order(visitor, { ...PAID, paymentMethod: 'credit_card' });
  expect(status).toBe(400);
  expect(json.error).toContain('mobile_money');
  expect(visitor.sandbox.snapshot().orders).toEqual([]);
});

test('the total follows from items, quantities and the currency', async () => {
  const visitor = await visitSandbox();
  const items = [
    { planId: 'plan_wp_pro', quantity: 2, label: 'blog' },
    { domain: 'kola-studio.example', renew: true },
  ];
  const inDollars = await order(visitor, { ...PAID, items, currency: 'USD', language: 'fr' });
  expect(inDollars.json.total).toEqual({ amount: '32.00', currency: 'USD' });
  const local = await order(visitor, { ...PAID, items, currency: 'local' });
  expect(local.json.total).toEqual({ amount: '19200', currency: 'XAF' });
});

/* biome-ignore format: a row a line */
test.each([
  [{}, { items: 'is required' }],
  [{ items: [] }, { items: 'must be an array of 1 to 50 objects' }],
  [{ items: ['plan_wp_free'] }, { items: 'must be an array of 1 to 50 objects' }],
  [{ items: [{}] }, { 'items[0].planId': 'is required, unless a domain is given' }],
  [{ items: [FREE.items[0], { planId: 'plan_x' }] }, { 'items[1].planId': expect.stringContaining('plan_wp_free') }],
  [{ items: [{ domain: 'no dot' }] }, { 'items[0].domain': expect.any(String) }],
  [{ items: [{ planId: 'plan_wp_free', quantity: 0 }] }, { 'items[0].quantity': 'must be a whole number from 1' }],
  [{ items: [{ planId: 'plan_wp_free', quantity: '2' }] }, { 'items[0].quantity': expect.any(String) }],
  [{ items: [{ planId: 'plan_wp_free', renew: 'yes' }] }, { 'items[0].renew': 'must be true or false' }],
  [{ ...FREE, paymentMethod: 'cash' }, { paymentMethod: 'must be one of mobile_money, credit_card' }],
  [{ ...FREE, currency: 'EUR' }, { currency: 'must be one of USD, local' }],
  [{ ...FREE, language: 'de' }, { language: 'must be one of fr, en' }],
  [{ ...FREE, appliedPromoCodeId: '123' }, { appliedPromoCodeId: 'must be a UUID' }],
  [{ ...FREE, enableAutopay: 1 }, { enableAutopay: 'must be true or false' }],
  [{ ...FREE, mobileMoneyPhone: '12' }, { mobileMoneyPhone: expect.stringContaining('6 to 15 digits') }],
  [{ items: PAID.items }, { mobileMoneyNetwork: 'is required to pay with mobile money', mobileMoneyPhone: 'is required to pay with mobile money' }],
])('a body like %j is refused, field by field', async (body, faults) => {
  const visitor = await visitSandbox();
  const { status, json } = await order(visitor, body);
  expect(status).toBe(400);
  expect(json.error).toEqual(faults);
  expect(visitor.sandbox.snapshot().orders).toEqual([]);
});

test('the same key and the same body are the same order, however often and in whatever order of fields', async () => {
  const visitor = await visitSandbox();
  const key = { 'Idempotency-Key': 'a-key-of-mine' };
  const first = await order(visitor, PAID, key);
  const [network, phone] = [PAID.mobileMoneyNetwork, PAID.mobileMoneyPhone];
  const turned = { mobileMoneyPhone: phone, mobileMoneyNetwork: network, items: PAID.items };
  const repeats = await Promise.all([
    order(visitor, PAID, key),
    order(visitor, turned, key),
    order(visitor, { ...PAID, idempotencyKey: 'a-key-of-mine' }),
    order(visitor, { ...PAID, idempotencyKey: 'a-key-of-mine' }, key),
  ]);
  for (const { status, json, headers } of repeats) {
    expect([status, json, headers['idempotent-replayed']]).toEqual([200, first.json, 'true']);
  }
  expect(visitor.sandbox.snapshot().orders).toHaveLength(1);
});

test('the same key of another organization is another order', async () => {
  const visitor = await visitSandbox();
  const key = { 'Idempotency-Key': 'a-key-of-mine' };
  const first = await order(visitor, FREE, key);
  const other = await order(visitor, FREE, { ...key, 'X-Service-Org': 'baobab-travel' });
  expect(other.json.orderId).not.toBe(first.json.orderId);
});

test('many requests with one key at the same moment make one order', async () => {
  const visitor = await visitSandbox();
  await Promise.all(Array.from({ length: 20 }, () => order(visitor, PAID, { 'Idempotency-Key': 'at-once' })));
  expect(visitor.sandbox.snapshot().orders).toHaveLength(1);
});

test('the same key with another body is refused, and makes no order', async () => {
  const visitor = await visitSandbox();
  const key = { 'Idempotency-Key': 'a-key-of-mine' };
  await order(visitor, PAID, key);
  for (const body of [FREE, { ...PAID, enableAutopay: true }, {}]) {
    const { status, json } = await order(visitor, body, key);
    expect([status, json]).toEqual([422, { error: expect.stringContaining('belongs to another order') }]);
  }
  expect(visitor.sandbox.snapshot().orders).toHaveLength(1);
});

test.each([
  [{ 'Idempotency-Key': '' }, {}],
  [{ 'Idempotency-Key': 'two words' }, {}],
  [{ 'Idempotency-Key': 'x'.repeat(256) }, {}],
  [{}, { idempotencyKey: 7 }],
  [{}, { idempotencyKey: '' }],
  [{ 'Idempotency-Key': 'one' }, { idempotencyKey: 'another' }],
])('a key that is none is refused: header %j, body %j', async (headers, more) => {
  const visitor = await visitSandbox();
  const { status, json } = await order(visitor, { ...FREE, ...more }, headers);
  expect([status, json]).toEqual([400, { error: { idempotencyKey: expect.any(String) } }]);
  expect(visitor.sandbox.snapshot().orders).toEqual([]);
});
