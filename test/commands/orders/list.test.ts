import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type Buyer,
  buyer,
  editJournal,
  loser,
  ORDER,
  SENDER_ELSEWHERE,
} from '../../support/buyer.ts';

const ordersOf = async ({ run }: Buyer, ...argv: string[]) => {
  const { json } = await run(['orders', '--json', ...argv]);
  return (json as { orders: ReadonlyArray<Record<string, unknown>> }).orders;
};

/** Places an order that the API answers. */
async function placed(one: Buyer, orderId: string, ...argv: string[]) {
  one
    .checkout()
    .reply(201, { orderId, status: 'paid', total: { amount: '5400', currency: 'XAF' } });
  expect(await one.buy(...ORDER, ...argv)).toMatchObject({ exitCode: 0 });
}

test('svc orders lists what this machine ordered, with what is in doubt, and never the number', async () => {
  const one = await buyer();
  await placed(one, 'ord_1', '--idempotency-key', 'row-1', '--label', 'Kola', '--org', 'kola');
  expect(readFileSync(one.journal, 'utf8')).not.toMatch(/670000042|"body"|"sender"/);
  one.clock.advance(1_000);
  await one.lose('--plan', 'plan_b', ...ORDER.slice(2));
  const key = one.keys().at(-1);
  const common = { apiUrl: one.wire.url, account: 'SVC_TOKEN …cdef' };
  const all = await ordersOf(one);
  expect(all).toEqual([
    {
      ...common,
      ...{
        createdAt: '2026-03-01T12:00:01.000Z',
        state: 'unknown',
        items: 'plan plan_b',
        idempotencyKey: key,
      },
      ...{
        orderId: null,
        amount: null,
        currency: null,
        status: null,
        label: null,
        organization: null,
      },
      resume: `svc buy --resume ${key} --yes`,
      placed: `svc orders settle ${key} --placed <orderId>`,
      notPlaced: `svc orders settle ${key} --not-placed`,
    },
    {
      ...common,
      ...{
        createdAt: '2026-03-01T12:00:00.000Z',
        state: 'placed',
        items: 'plan plan_wp_pro "Kola"',
      },
      ...{
        orderId: 'ord_1',
        amount: '5400',
        currency: 'XAF',
        status: 'paid',
        label: 'Kola',
        organization: 'kola',
      },
      ...{ idempotencyKey: 'row-1', resume: null, placed: null, notPlaced: null },
    },
  ]);
  const { stdout } = await one.run(['orders']);
  expect(stdout).toContain(`\nsvc buy --resume ${key} --yes\n`);
  expect(stdout).toContain(`svc orders settle ${key} --not-placed (or --placed <orderId>)\n`);
  const csv = await one.run(['orders', '--csv']);
  const row = 'ord_1,"plan plan_wp_pro ""Kola""",5400,XAF,paid,placed,Kola,kola,row-1';
  expect(csv.stdout.split('\n')[2]).toContain(row);
  for (const text of [stdout, csv.stdout, JSON.stringify(all)])
    expect(text).not.toMatch(/670000042|\*42/);
});

test('the list can be limited to a time and an organization', async () => {
  const one = await buyer();
  await placed(one, 'ord_1', '--org', 'kola');
  one.clock.advance(3_600_000);
  await placed(one, 'ord_2');
  expect(await ordersOf(one, '--org', 'kola')).toMatchObject([{ orderId: 'ord_1' }]);
  expect(await ordersOf(one, '--since', '30m')).toMatchObject([{ orderId: 'ord_2' }]);
});

test('an order that another process is sending has no command', async () => {
  const one = await loser();
  editJournal(one.journal, ([entry]) =>
    Object.assign(entry ?? {}, { state: 'sending', sender: SENDER_ELSEWHERE }),
  );

  expect(await ordersOf(one)).toMatchObject([{ state: 'sending', resume: null, placed: null }]);
  expect((await one.run(['orders'])).stdout).toMatch(/plan plan_wp_pro .* being sent /);
  one.clock.advance(120_000);
  expect(await ordersOf(one), 'its time is over').toMatchObject([{ state: 'unknown' }]);
});

test('an order whose key the platform may have forgotten is looked up, and not sent again', async () => {
  const one = await loser();
  one.clock.advance(24 * 3_600_000);
  const placed = `svc orders settle ${one.key} --placed <orderId>`;

  expect(await ordersOf(one)).toMatchObject([{ state: 'unknown', resume: null, placed }]);
  const { stdout } = await one.run(['orders']);
  expect(stdout).toContain(`Look the order up, and settle it: ${placed} (or --not-placed)`);
  expect(stdout).not.toContain('--resume');
});
