import { expect, test } from 'vitest';
import { loser, ORDER } from '../../support/buyer.ts';
import type { RunOptions } from '../../support/svc.ts';

const OTHER_TOKEN = 'svc_OTHER_0123456789abc1234';
const PAYER = ORDER.slice(2);

// Which orders are alike is in orders/match.test.ts, and any way to type one in trust/doubt.test.ts.
test.each<[string, string[], RunOptions]>([
  ['another number', [...ORDER.slice(0, -1), '+237671111142'], {}],
  ['the organization of the environment', ORDER, { env: { SVC_ORG: 'alpha' } }],
  ['a key of its own', [...ORDER, '--idempotency-key', 'mine'], {}],
  ['another token', ORDER, { token: OTHER_TOKEN }],
  ['one item more', ['--item', 'plan=plan_wp_pro', '--item', 'plan=plan_b', ...PAYER], {}],
  ['a promo code', [...ORDER, '--promo', '0b9d1c6e-2f4a-4c8e-9b1d-7a6f5e4d3c2b'], {}],
])('%s does not make another order of it: exit 2, and nothing is sent', async (_what, argv, options) => {
  const { run, keys, wire } = await loser();
  const stopped = await run(['buy', '--yes', '--json', ...argv], options);
  expect(stopped).toMatchObject({ exitCode: 2, stdout: '' });
  expect(stopped.error).toMatchObject({ code: 'usage', idempotencyKey: keys()[0] });
  for (const way of [`--resume ${keys()[0]}`, '--new-order', `svc orders settle ${keys()[0]}`]) {
    expect(stopped.stderr).toContain(way);
  }
  expect(wire.requests).toHaveLength(3);
});

test('people read that a part of it may be ordered already', async () => {
  const { buy } = await loser();
  const stopped = await buy(...ORDER, '--quantity', '2');
  expect(stopped.stderr).toMatch(
    /^Error: A part of this was ordered on 2026-03-01T\S+ with SVC_TOKEN …cdef, and the result is unknown: plan plan_wp_pro;/,
  );
});

test('the domain tells two equal plans apart: the next sites of a list go on', async () => {
  const { buy, checkout } = await loser('--item', 'plan=plan_wp_pro,domain=a.example', ...PAYER);
  checkout().reply(200, { orderId: 'ord_2' });
  const next = await buy('--item', 'plan=plan_wp_pro,domain=b.example', ...PAYER, '--json');
  expect(next).toMatchObject({ exitCode: 0, error: { code: 'order_in_doubt' } });
  expect((await buy('--plan', 'plan_wp_pro', ...PAYER)).exitCode, 'for no domain').toBe(2);
});

test.each<[string, string[], string[]]>([
  ['other items', ORDER, ['--plan', 'plan_b', ...PAYER]],
  ['keys of the user that differ', [...ORDER, '--idempotency-key', 'row-1'], [...ORDER, '--idempotency-key', 'row-2']],
  ['two organizations by name', [...ORDER, '--org', 'alpha'], [...ORDER, '--org', 'beta']],
])('%s: another order, and scripts are warned of the one in doubt', async (_what, first, second) => {
  const { checkout, buy, keys, pending } = await loser(...first);
  checkout().reply(200, { orderId: 'ord_2' });
  const other = await buy(...second, '--json');
  expect(other.exitCode).toBe(0);
  expect(JSON.parse(other.stderr)).toEqual({
    warning: expect.stringMatching(/^The result of another order is unknown, .* To see it: svc orders$/),
    code: 'order_in_doubt',
  });
  expect(new Set(keys()).size).toBe(2);
  expect(await pending()).toHaveLength(1);
});
