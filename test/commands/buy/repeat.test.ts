import { expect, test } from 'vitest';
import { buyer, flowing, ORDER } from '../../support/buyer.ts';

const HOUR_MS = 3_600_000;

/** A buyer whose order was placed, with this answer. */
async function customer(answer: object = { orderId: 'ord_1', status: 'paid' }) {
  const one = await buyer();
  one.checkout().reply(201, answer);
  const first = await one.buy(...ORDER, '--json');
  return { ...one, first, key: one.keys()[0] ?? '' };
}

test('the same order within a day is refused before anything is sent, with its id and its key', async () => {
  const { buy, key, wire, clock } = await customer();
  clock.advance(23 * HOUR_MS);

  const again = await buy(...ORDER, '--json');

  expect(again).toMatchObject({ exitCode: 2, stdout: '' });
  expect(again.error).toMatchObject({
    code: 'already_placed',
    exitCode: 2,
    orderId: 'ord_1',
    idempotencyKey: key,
    next: ['svc orders'],
  });
  expect(wire.requests).toHaveLength(1);
});

test('people read when it was placed, which order it is, and how to place it again', async () => {
  const { buy } = await customer();

  const { stderr } = await buy(...ORDER);

  expect(flowing(stderr)).toContain(
    'You placed the same order just now (ord_1, paid). Nothing was sent. To place it again: --new-order',
  );
});

test.each<[what: string, argv: string[]]>([
  ['blanks around an id', ['--plan', ' plan_wp_pro ', ...ORDER.slice(2)]],
  ['fields in another order', [...ORDER.slice(2), ...ORDER.slice(0, 2)]],
  ['an item', ['--item', 'plan=plan_wp_pro', ...ORDER.slice(2)]],
])('it is the same order with %s', async (_what, argv) => {
  const { buy } = await customer();

  expect((await buy(...argv, '--json')).error).toMatchObject({ code: 'already_placed' });
});

test('an id goes out without the blanks around it', async () => {
  const { checkout, buy, wire } = await buyer();
  checkout().reply(201, { orderId: 'ord_1' });

  expect(await buy('--plan', ' p1 ')).toMatchObject({ exitCode: 0 });

  expect(wire.requests[0]?.json).toEqual({ items: [{ planId: 'p1' }] });
});

test.each<[what: string, argv: string[], hours: number]>([
  ['--new-order', ['--new-order'], 0],
  ['a key of the user', ['--idempotency-key', 'row-1'], 0],
  ['another organization', ['--org', 'acme'], 0],
  ['the same line a day later', [], 24],
])('%s makes another order of it', async (_what, argv, hours) => {
  const { buy, checkout, keys, clock } = await customer();
  clock.advance(hours * HOUR_MS);
  checkout().reply(201, { orderId: 'ord_2' });

  const again = await buy(...ORDER, ...argv, '--json');

  expect(again).toMatchObject({ exitCode: 0, stdout: '{"orderId":"ord_2"}\n', stderr: '' });
  expect(new Set(keys()).size).toBe(2);
});

test('the day begins with the answer, not with the first request', async () => {
  const { buy, lose, checkout, clock, wire } = await buyer();
  await lose(...ORDER);
  clock.advance(23 * HOUR_MS);
  checkout().reply(201, { orderId: 'ord_1' });
  expect(await buy('--resume')).toMatchObject({ exitCode: 0 });
  clock.advance(23 * HOUR_MS);

  expect((await buy(...ORDER, '--json')).error).toMatchObject({ code: 'already_placed' });
  expect(wire.requests).toHaveLength(4);
});

test('a clock that is set back does not hide the order', async () => {
  const { buy, clock } = await customer();
  clock.shiftWall(-72 * HOUR_MS);

  expect((await buy(...ORDER, '--json')).error).toMatchObject({ code: 'already_placed' });
});

test('an order whose status said that it failed is placed anew with a new key, and a warning names it', async () => {
  const { buy, first, checkout, keys } = await customer({ orderId: 'ord_1', status: 'declined' });
  expect(first).toMatchObject({ exitCode: 9, error: { orderId: 'ord_1' } });
  expect(first.error['hint']).toBe('To order again, repeat the command.');
  checkout().reply(201, { orderId: 'ord_2' });

  const again = await buy(...ORDER, '--json');

  expect(again).toMatchObject({ exitCode: 0, stdout: '{"orderId":"ord_2"}\n' });
  expect(again.error).toEqual({
    warning: 'Your order failed just now (ord_1, declined).',
    code: 'order_failed_before',
  });
  expect(new Set(keys()).size).toBe(2);
  expect((await buy(...ORDER, '--json')).error).toMatchObject({
    code: 'already_placed',
    orderId: 'ord_2',
  });
});

test('an order whose answer could not be printed is refused as well, with its id', async () => {
  const { checkout, buy, wire } = await buyer();
  checkout().reply(201, { orderId: 'ord_1' });
  const unread = await buy(...ORDER, '--jq', '.orderId | error');
  expect(unread).toMatchObject({ exitCode: 1, stdout: '', error: { orderId: 'ord_1' } });

  expect((await buy(...ORDER, '--json')).error).toMatchObject({
    code: 'already_placed',
    orderId: 'ord_1',
  });
  expect(wire.requests).toHaveLength(1);
});

test('an order in doubt beside it is named, and settled first', async () => {
  const { run, buy, key, checkout, keys, wire } = await customer();
  checkout().reset().reply(200, { orderId: 'ord_3' });
  await buy('--plan', 'plan_b', '--no-retry');
  const doubt = keys().at(-1) ?? '';

  for (const flag of ['--yes', `--new-order=${doubt}`]) {
    const both = await buy(...ORDER, flag, '--json');
    expect(both.error).toMatchObject({ code: 'already_placed', idempotencyKey: key });
    expect(both.stderr).toContain(`The order in doubt with the key ${doubt} stops it as well`);
  }
  expect((await buy(...ORDER, '--new-order', '--json')).error).toMatchObject({
    code: 'usage',
    idempotencyKey: doubt,
  });
  expect(wire.requests).toHaveLength(2);
  await run(['orders', 'settle', doubt, '--not-placed', '--yes']);
  expect(await buy(...ORDER, '--new-order')).toMatchObject({ exitCode: 0 });
});
