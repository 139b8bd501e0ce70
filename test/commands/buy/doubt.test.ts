import { expect, test } from 'vitest';
import { buyer, loser, ORDER } from '../../support/buyer.ts';
import type { RunOptions } from '../../support/svc.ts';

const HOUR_MS = 3_600_000;
const PAYER = ORDER.slice(2);

// Which orders are in the way is in orders/decide.test.ts, and any way to type one in
// trust/doubt.test.ts.
test.each<[string, string[], RunOptions]>([
  ['another number', [...ORDER.slice(0, -1), '+237671111142'], {}],
  ['another token', ORDER, { token: 'svc_OTHER_0123456789abc1234' }],
  ['one item more', ['--item', 'plan=plan_wp_pro', '--item', 'plan=plan_b', ...PAYER], {}],
  ['other items', ['--plan', 'plan_b', ...PAYER], {}],
  ['--new-order alone', ['--plan', 'plan_b', ...PAYER, '--new-order'], {}],
  ['a key of its own alone', [...ORDER, '--idempotency-key', 'row-1'], {}],
])(
  '%s does not go on beside an order in doubt: exit 2, and nothing is sent',
  async (_what, argv, options) => {
    const { run, key, wire } = await loser();

    const stopped = await run(['buy', '--yes', '--json', ...argv], options);

    expect(stopped).toMatchObject({ exitCode: 2, stdout: '' });
    expect(stopped.error).toMatchObject({ code: 'usage', idempotencyKey: key });
    for (const way of [
      `--resume ${key}`,
      `--new-order=${key}`,
      `svc orders settle ${key}`,
      'A loop needs an --idempotency-key of its own for each order.',
    ]) {
      expect(stopped.stderr).toContain(way);
    }
    expect(wire.requests).toHaveLength(3);
  },
);

test('keys of the user for both orders make another order of it, and scripts are warned', async () => {
  const { checkout, buy, keys, pending } = await loser(...ORDER, '--idempotency-key', 'row-1');
  checkout().reply(200, { orderId: 'ord_2' });

  const next = await buy(...ORDER, '--idempotency-key', 'row-2', '--json');

  expect(next).toMatchObject({ exitCode: 0, error: { code: 'order_in_doubt' } });
  expect(new Set(keys()).size).toBe(2);
  expect(await pending()).toHaveLength(1);
});

test('a loop with keys goes on after a lost answer, and can be run again', async () => {
  const { checkout, buy, wire, pending } = await buyer();
  const run = async () => {
    const codes: number[] = [];
    for (const row of ['1', '2', '3']) {
      const keyed = ['--label', row, '--idempotency-key', `row-${row}`, '--no-retry'];
      codes.push((await buy(...ORDER, ...keyed)).exitCode);
    }
    return codes;
  };
  checkout().reply(200, { orderId: 'ord_1' }).reset().reply(200, { orderId: 'ord_3' });
  expect(await run()).toEqual([0, 8, 0]);

  for (const orderId of ['ord_1', 'ord_2', 'ord_3']) checkout().reply(200, { orderId });
  expect(await run()).toEqual([0, 0, 0]);

  expect(new Set(wire.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(3);
  expect(await pending()).toEqual([]);
});

test('--new-order with the key in doubt goes on beside that one, and warns', async () => {
  const { checkout, buy, keys, key, pending } = await loser();
  checkout().reply(200, { orderId: 'ord_2' });

  const second = await buy('--plan', 'plan_b', ...PAYER, `--new-order=${key}`, '--json');

  expect(second).toMatchObject({ exitCode: 0, error: { code: 'order_in_doubt' } });
  expect(new Set(keys()).size).toBe(2);
  expect(await pending()).toHaveLength(1);
});

test('of two orders in doubt, --new-order passes only the one that it names', async () => {
  const { checkout, buy, keys, key, wire } = await loser();
  checkout().reset().reset().reset();
  await buy('--plan', 'plan_b', ...PAYER, `--new-order=${key}`);
  const [, , , second] = keys();

  const stopped = await buy('--plan', 'plan_c', ...PAYER, `--new-order=${key}`, '--json');

  expect(stopped).toMatchObject({ exitCode: 2, error: { idempotencyKey: second } });
  expect(wire.requests).toHaveLength(6);
});

test('--new-order with a key that is not in doubt sends nothing', async () => {
  const { buy, wire } = await buyer();

  const refused = await buy(...ORDER, '--new-order=k9', '--json');

  expect(refused).toMatchObject({ exitCode: 2, stdout: '', error: { next: ['svc orders'] } });
  expect(wire.requests).toEqual([]);
});

test('after a lost answer, a platform that wants to be asked later is asked for the same order', async () => {
  const { checkout, buy, keys } = await buyer();
  checkout().reset().reply(429, {}).reply(429, {});
  const { exitCode, error } = await buy(...ORDER, '--json');
  const next = [`svc buy --resume ${keys()[0]} --yes`];
  expect({ exitCode, error }).toMatchObject({ exitCode: 8, error: { outcome: 'unknown', next } });
});

test('after a day, neither the same command nor its key sends the order again', async () => {
  const { buy, clock, key, wire } = await loser();
  clock.advance(24 * HOUR_MS);
  const placed = `svc orders settle ${key} --placed <orderId>`;

  const script = await buy(...ORDER, '--json');
  expect(script).toMatchObject({ exitCode: 2, stdout: '' });
  expect(script.error).toMatchObject({
    code: 'usage',
    error: expect.stringContaining('The platform may have forgotten its key by now. Check first'),
    idempotencyKey: key,
    next: [placed],
    nextBy: 'person',
  });

  for (const argv of [['--resume'], [...ORDER, '--idempotency-key']]) {
    const old = await buy(...argv, key, '--json');
    expect(old, argv[0]).toMatchObject({ exitCode: 2, stdout: '' });
    expect(old.error).toMatchObject({ idempotencyKey: key, next: [placed] });
    expect(old.error['error']).toMatch(/was used \d+ hours ago\./);
  }
  expect(wire.requests).toHaveLength(3);
});

test('a day later the order is placed anew with its key in --new-order, or once it is settled', async () => {
  const { run, buy, keys, key, checkout, clock, pending } = await loser();
  clock.advance(48 * HOUR_MS);
  checkout().reply(200, { orderId: 'ord_2' }).reply(200, { orderId: 'ord_3' });

  const second = await buy(...ORDER, `--new-order=${key}`, '--json');
  expect(second).toMatchObject({ exitCode: 0, error: { code: 'order_in_doubt' } });
  expect(new Set(keys()).size).toBe(2);
  expect(await pending()).toMatchObject([{ idempotencyKey: key, resume: null }]);

  expect(await run(['orders', 'settle', key, '--not-placed', '--yes'])).toMatchObject({
    exitCode: 0,
  });
  expect(await buy(...ORDER, '--new-order')).toMatchObject({ exitCode: 0 });
});

test('how long a key is sent again is an assumption', async () => {
  const { run, clock, key, checkout } = await loser();
  clock.advance(2 * HOUR_MS);
  const resume = ['buy', '--resume', key, '--yes'];
  const lasting = (text: string) => ({ env: { SVC_ASSUME: `checkout.keyLifetime=${text}` } });

  expect(await run(resume, lasting('1h'))).toMatchObject({ exitCode: 2 });
  expect((await run(resume, lasting('soon'))).stderr).toContain('checkout.keyLifetime "soon"');
  clock.advance(46 * HOUR_MS);
  checkout().reply(200, { orderId: 'ord_1' });
  expect(await run(resume, lasting('7d'))).toMatchObject({ exitCode: 0 });
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
  expect(again.error['error']).toContain('for order ord_1');
  expect((await buy('--plan', 'plan_b', ...keyed)).stderr).toContain('belongs to another order');
  expect(keys()).toEqual(['row-1']);
});
