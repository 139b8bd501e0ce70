import { expect, test } from 'vitest';
import { buyer, ORDER } from '../../support/buyer.ts';

const DAY_MS = 24 * 3_600_000;
const OTHER_PLAN = ['--plan', 'plan_b', ...ORDER.slice(2)];

test('a key of a past order is sent never again, however long ago: the platform may place the order anew', async () => {
  const { checkout, buy, keys, clock } = await buyer();
  checkout().reply(201, { orderId: 'ord_1' });
  expect(await buy(...ORDER, '--idempotency-key', 'row-1')).toMatchObject({ exitCode: 0 });
  // The second order of each round is what moves those before it to where past orders are kept.
  for (const days of [2, 30, 300]) {
    clock.advance(days * DAY_MS);
    const again = await buy(...ORDER, '--idempotency-key', 'row-1', '--json');
    expect(again).toMatchObject({ exitCode: 2, stdout: '', error: { code: 'usage', idempotencyKey: 'row-1' } });
    expect(again.error['error']).toContain('was used on 2026-03-01T12:00:00.000Z for order ord_1');
    const other = await buy(...OTHER_PLAN, '--idempotency-key', 'row-1');
    expect(other.exitCode).toBe(2);
    expect(other.stderr).toContain('belongs to another order');
    expect(keys().filter((key) => key === 'row-1')).toHaveLength(1);
    checkout().reply(201, { orderId: `ord_${days}` });
    expect(await buy(...ORDER, '--idempotency-key', `row-${days}`), 'another key is').toMatchObject({ exitCode: 0 });
  }
});
