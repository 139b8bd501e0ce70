import { expect, test } from 'vitest';
import { visitSandbox } from './visit.ts';

const PAID = {
  items: [{ planId: 'plan_wp_pro' }],
  mobileMoneyNetwork: 'mtn',
  mobileMoneyPhone: '+237600000042',
};
const FREE = { items: [{ planId: 'plan_wp_free' }] };
const KEY = { 'Idempotency-Key': 'a-key-of-mine' };

async function buyer() {
  const { sandbox, lines, signedIn } = await visitSandbox();
  const order = (body: unknown, headers = {}) => signedIn('POST', '/v1/checkout', body, headers);
  return { sandbox, lines, order };
}

test.each([
  // The API document shows no status.
  [undefined, {}],
  ['awaiting_payment', { mobileMoneyNetwork: 'orange' }],
  ['failed', { mobileMoneyPhone: '+237670000400' }],
  ['declined', { mobileMoneyNetwork: 'decline' }],
])('an order may have the status %s', async (wanted, fields) => {
  const { sandbox, lines, order } = await buyer();
  const { status, json } = await order({ ...PAID, enableAutopay: true, ...fields });
  expect([status, json.status]).toEqual([201, wanted]);
  const { orders, autopay } = sandbox.snapshot();
  expect([orders[0]?.answer, autopay.length]).toEqual([
    json,
    wanted === 'failed' || wanted === 'declined' ? 0 : 1,
  ]);
  expect(JSON.stringify([orders, autopay, lines])).not.toContain('237600000042');
});

test.each([
  [{}, 'items'],
  [{ items: [FREE.items[0], { planId: 'plan_x' }] }, 'items[1].planId'],
  [{ ...FREE, mobileMoneyPhone: '12' }, 'mobileMoneyPhone'],
])('a body like %j is refused by its field', async (body, field) => {
  const { sandbox, order } = await buyer();
  const { status, json } = await order(body);
  expect([status, Object.keys(json.error)]).toEqual([400, [field]]);
  expect(sandbox.snapshot().orders).toEqual([]);
});

test('one key is one order, however often, at once and in whatever order of fields', async () => {
  const { sandbox, order } = await buyer();
  const first = await order(PAID, KEY);
  const { items, ...others } = PAID;
  const repeats = [
    order({ ...others, items }, KEY),
    order({ ...PAID, idempotencyKey: 'a-key-of-mine' }),
  ];
  for (const { status, json, headers } of await Promise.all([order(PAID, KEY), ...repeats])) {
    expect([status, json, headers['idempotent-replayed']]).toEqual([200, first.json, 'true']);
  }
  expect((await order(FREE, KEY)).status).toBe(422);
  expect((await order({ ...PAID, idempotencyKey: 'another' }, KEY)).status).toBe(400);
  const other = await order(FREE, { ...KEY, 'X-Service-Org': 'baobab-travel' });
  expect([other.status, sandbox.snapshot().orders.length]).toEqual([201, 2]);
});
