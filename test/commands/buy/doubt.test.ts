import { expect, test } from 'vitest';
import { buyer, loser, ORDER } from '../../support/buyer.ts';
import type { RunOptions } from '../../support/svc.ts';

const HOUR_MS = 3_600_000;
const PAYER = ORDER.slice(2);

// Which orders are alike is in orders/match.test.ts, and any way to type one in
// trust/doubt.test.ts.
test.each<[string, string[], RunOptions]>([
  ['another number', [...ORDER.slice(0, -1), '+237671111142'], {}],
  ['another token', ORDER, { token: 'svc_OTHER_0123456789abc1234' }],
  ['one item more', ['--item', 'plan=plan_wp_pro', '--item', 'plan=plan_b', ...PAYER], {}],
])(
  '%s does not make another order of it: exit 2, and nothing is sent',
  async (_what, argv, options) => {
    const { run, key, wire } = await loser();
    const stopped = await run(['buy', '--yes', '--json', ...argv], options);
    expect(stopped).toMatchObject({ exitCode: 2, stdout: '' });
    expect(stopped.error).toMatchObject({ code: 'usage', idempotencyKey: key });
    for (const way of [`--resume ${key}`, '--new-order', `svc orders settle ${key}`]) {
      expect(stopped.stderr).toContain(way);
    }
    expect(wire.requests).toHaveLength(3);
  },
);

test.each<[string, string[], string[]]>([
  ['other items', ORDER, ['--plan', 'plan_b', ...PAYER]],
  [
    'keys of the user that differ',
    [...ORDER, '--idempotency-key', 'row-1'],
    [...ORDER, '--idempotency-key', 'row-2'],
  ],
  [
    'two equal plans for two domains',
    ['--item=plan=p,domain=a.example'],
    ['--item=plan=p,domain=b.example'],
  ],
])(
  '%s: another order, and scripts are warned of the one in doubt',
  async (_what, first, second) => {
    const { checkout, buy, keys, pending } = await loser(...first);
    checkout().reply(200, { orderId: 'ord_2' });
    const next = await buy(...second, '--json');
    expect(next).toMatchObject({ exitCode: 0, error: { code: 'order_in_doubt' } });
    expect(new Set(keys()).size).toBe(2);
    expect(await pending()).toHaveLength(1);
  },
);

test('after a lost answer, a platform that wants to be asked later is asked for the same order', async () => {
  const { checkout, buy, keys } = await buyer();
  checkout().reset().reply(429, {}).reply(429, {});
  const { exitCode, error } = await buy(...ORDER, '--json');
  const next = [`svc buy --resume ${keys()[0]} --yes`];
  expect({ exitCode, error }).toMatchObject({ exitCode: 8, error: { outcome: 'unknown', next } });
});

test('after a day, the same command does not place the order again by itself', async () => {
  const { buy, clock, key, wire } = await loser();
  clock.advance(24 * HOUR_MS);
  const script = await buy(...ORDER, '--json');
  expect(script).toMatchObject({ exitCode: 2, stdout: '' });
  expect(script.error).toMatchObject({
    code: 'usage',
    error: expect.stringContaining('The platform may have forgotten its key by now. Check first'),
    idempotencyKey: key,
    next: [`svc buy --resume ${key} --yes`],
  });
  expect(wire.requests).toHaveLength(3);
});

test('--resume and its key send it again then, --new-order places a second one', async () => {
  for (const argv of [['--resume'], [...ORDER, '--idempotency-key']]) {
    const { buy, keys, key, checkout, clock, pending } = await loser();
    clock.advance(48 * HOUR_MS);
    checkout().reply(200, { orderId: 'ord_1' });
    const again = await buy(...argv, key, '--json');
    expect(again).toMatchObject({ exitCode: 0, error: { code: 'key_may_be_forgotten' } });
    expect([new Set(keys()).size, await pending()]).toEqual([1, []]);
  }
  const { buy, keys, checkout, clock, pending } = await loser();
  clock.advance(48 * HOUR_MS);
  checkout().reply(200, { orderId: 'ord_2' });
  const second = await buy(...ORDER, '--new-order', '--json');
  expect(second).toMatchObject({ exitCode: 0, error: { code: 'order_in_doubt' } });
  expect([new Set(keys()).size, (await pending()).length]).toEqual([2, 1]);
});

test('a key of a past order is never sent again: the platform may place the order anew', async () => {
  const { checkout, buy, keys, clock } = await buyer();
  checkout().reply(201, { orderId: 'ord_1' });
  const keyed = ['--idempotency-key', 'row-1', '--json'];
  expect(await buy(...ORDER, ...keyed)).toMatchObject({ exitCode: 0 });
  clock.advance(48 * HOUR_MS);
  const again = await buy(...ORDER, ...keyed);
  expect(again).toMatchObject({
    exitCode: 2,
    stdout: '',
    error: { code: 'usage', idempotencyKey: 'row-1' },
  });
  expect(again.error['error']).toContain('was used on 2026-03-01T12:00:00.000Z for order ord_1');
  expect((await buy('--plan', 'plan_b', ...keyed)).stderr).toContain('belongs to another order');
  expect(keys()).toEqual(['row-1']);
});
