import { expect, test } from 'vitest';
import { buyer, flowing, loser, ORDER } from '../../support/buyer.ts';

const HOUR_MS = 3_600_000;

/** A purchase whose answer was lost a while ago. */
async function lost(hoursAgo: number) {
  const one = await loser();
  one.clock.advance(hoursAgo * HOUR_MS);
  return one;
}

test.each([24, 24 * 365])(
  'after %i hours, the same command does not place the order again by itself',
  async (hours) => {
    const { buy, run, key, wire } = await lost(hours);
    const again = await buy(...ORDER);
    expect(again).toMatchObject({ exitCode: 2, stdout: '' });
    expect(again.stderr).toBe(
      [
        'Error: You sent this same order on 2026-03-01T12:00:00.000Z and its result is unknown. Nothing was sent.',
        '  The platform may have forgotten its key by now. Check first whether the order exists.',
        `  Or look the order up, and settle it: svc orders settle ${key} --not-placed (or --placed <orderId>)`,
        '  For a second order, add --new-order.',
        `Try: svc buy --resume ${key} --yes`,
        '',
      ].join('\n'),
    );
    const script = await buy(...ORDER, '--json');
    expect(script).toMatchObject({ exitCode: 2, stdout: '' });
    expect(script.error).toMatchObject({ code: 'usage', idempotencyKey: key });
    expect((await run(['buy', ...ORDER])).exitCode, 'without --yes').toBe(2);
    expect(wire.requests).toHaveLength(3);
  },
);

test('--resume and its key send it again, --new-order places a second one', async () => {
  for (const argv of [['--resume'], [...ORDER, '--idempotency-key']]) {
    const { buy, keys, checkout, pending } = await lost(48);
    checkout().reply(200, { orderId: 'ord_1' });
    const again = await buy(...argv, keys()[0] ?? '', '--json');
    expect(again.exitCode).toBe(0);
    expect(JSON.parse(again.stderr)).toEqual({
      warning: expect.stringMatching(/^The platform may have forgotten the key of this order by now\./),
      code: 'key_may_be_forgotten',
    });
    expect(new Set(keys()).size).toBe(1);
    expect(await pending()).toEqual([]);
  }
  const { buy, keys, checkout, pending } = await lost(48);
  checkout().reply(200, { orderId: 'ord_2' });
  const second = await buy(...ORDER, '--new-order');
  expect(second.exitCode).toBe(0);
  expect(flowing(second.stderr)).toBe(
    'Warning: You sent this same order on 2026-03-01T12:00:00.000Z and its result is unknown. ',
  );
  expect(new Set(keys()).size).toBe(2);
  expect(await pending()).toHaveLength(1);
});

test('a key of a past order is never sent again: the platform may place the order anew', async () => {
  const { checkout, buy, keys, clock } = await buyer();
  checkout().reply(201, { orderId: 'ord_1' });
  const keyed = ['--idempotency-key', 'row-1', '--json'];
  expect(await buy(...ORDER, ...keyed)).toMatchObject({ exitCode: 0 });
  clock.advance(48 * HOUR_MS);
  const again = await buy(...ORDER, ...keyed);
  expect(again).toMatchObject({ exitCode: 2, stdout: '', error: { code: 'usage', idempotencyKey: 'row-1' } });
  expect(again.error['error']).toContain('was used on 2026-03-01T12:00:00.000Z for order ord_1');
  expect((await buy('--plan', 'plan_b', ...keyed)).stderr).toContain('belongs to another order');
  expect(keys()).toEqual(['row-1']);
});
