import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Buyer, buyer, editJournal, ORDER, SENDER_ELSEWHERE } from '../../support/buyer.ts';
import { storedSignIn, writeSignIns } from '../../support/stored.ts';
import type { RunOptions } from '../../support/svc.ts';

const OTHER_TOKEN = 'svc_OTHER_0123456789abc1234';
const PAYER = ORDER.slice(2);

/** An order whose answer was lost, by a bare token. */
async function lost(...argv: readonly string[]): Promise<Buyer> {
  const one = await buyer();
  one.checkout().reset().reset().reset();
  expect(await one.buy(...(argv.length === 0 ? ORDER : argv))).toMatchObject({ exitCode: 8 });
  return one;
}

test.each<[string, string[], RunOptions]>([
  ['another spelling of the network', ['--plan', 'plan_wp_pro', '--network', 'MTN', ...PAYER.slice(2)], {}],
  ['another number', [...ORDER.slice(0, -1), '+237671111142'], {}],
  ['the quantity that is meant without one', [...ORDER, '--quantity', '1'], {}],
  ['a language', [...ORDER, '--lang', 'fr'], {}],
  ['an organization by name', [...ORDER, '--org', 'alpha'], {}],
  ['the organization of the environment', ORDER, { env: { SVC_ORG: 'alpha' } }],
  ['a key of its own', [...ORDER, '--idempotency-key', 'mine'], {}],
  ['another token', ORDER, { token: OTHER_TOKEN }],
  ['another quantity', [...ORDER, '--quantity', '2'], {}],
  ['one item more', ['--item', 'plan=plan_wp_pro', '--item', 'plan=plan_b', ...PAYER], {}],
  ['a promo code', [...ORDER, '--promo', '0b9d1c6e-2f4a-4c8e-9b1d-7a6f5e4d3c2b'], {}],
])('%s does not make another order of it: exit 2, and nothing is sent', async (_what, argv, options) => {
  const { run, keys, wire } = await lost();
  const stopped = await run(['buy', '--yes', '--json', ...argv], options);
  expect(stopped).toMatchObject({ exitCode: 2, stdout: '' });
  expect(stopped.error).toMatchObject({ code: 'usage', idempotencyKey: keys()[0] });
  for (const way of [`--resume ${keys()[0]}`, '--new-order', `svc orders settle ${keys()[0]}`]) {
    expect(stopped.stderr).toContain(way);
  }
  expect(wire.requests).toHaveLength(3);
});

test('people and scripts read that a part of it may be ordered already', async () => {
  const { buy } = await lost();
  const stopped = await buy(...ORDER, '--quantity', '2');
  expect(stopped.stderr).toMatch(
    /^Error: A part of this was ordered on 2026-03-01T\S+ with SVC_TOKEN …cdef, and the result is unknown: plan plan_wp_pro;/,
  );
});

test('the domain tells two equal plans apart: the next sites of a list go on', async () => {
  const { buy, checkout } = await lost('--item', 'plan=plan_wp_pro,domain=a.example', ...PAYER);
  checkout().reply(200, { orderId: 'ord_2' });
  const next = await buy('--item', 'plan=plan_wp_pro,domain=b.example', ...PAYER, '--json');
  expect(next).toMatchObject({ exitCode: 0, error: { code: 'order_in_doubt' } });
  expect((await buy('--plan', 'plan_wp_pro', ...PAYER)).exitCode, 'for no domain').toBe(2);
});

test.each<[string, string[], string[]]>([
  ['another label', ORDER, [...ORDER, '--label', 'blog']],
  ['other items', ORDER, ['--plan', 'plan_b', ...PAYER]],
  ['keys of the user that differ', [...ORDER, '--idempotency-key', 'row-1'], [...ORDER, '--idempotency-key', 'row-2']],
  ['two organizations by name', [...ORDER, '--org', 'alpha'], [...ORDER, '--org', 'beta']],
])('%s: another order, and scripts are warned of the one in doubt', async (_what, first, second) => {
  const { checkout, buy, keys, pending } = await lost(...first);
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

test('two people who are known by e-mail order the same, each their own', async () => {
  const { checkout, run, wire, configDir } = await buyer({ env: { SVC_TOKEN: undefined } });
  writeSignIns(configDir, storedSignIn('a', wire.url), storedSignIn('b', wire.url));
  checkout().reset().reset().reset().reply(200, { orderId: 'ord_b' });
  expect(await run(['buy', '--yes', ...ORDER, '--profile', 'a'])).toMatchObject({ exitCode: 8 });
  expect(await run(['buy', '--yes', ...ORDER, '--profile', 'b'])).toMatchObject({ exitCode: 0, stderr: '' });
  const email = 'b@example.com';
  writeSignIns(configDir, storedSignIn('b', wire.url), storedSignIn('c', wire.url, { email }));
  checkout().reset().reset().reset();
  expect(await run(['buy', '--yes', ...ORDER, '--new-order', '--profile', 'b'])).toMatchObject({ exitCode: 8 });
  expect((await run(['buy', '--yes', ...ORDER, '--profile', 'c'])).exitCode, 'one person, two profiles').toBe(2);
});

test('an order that was sent while the clock was wrong is neither forgotten nor resumed as if it were fresh', async () => {
  for (const offsetMs of [-40, -366, 40, 366].map((days) => days * 24 * 3_600_000)) {
    const one = await buyer();
    one.clock.shiftWall(offsetMs);
    one.checkout().reset().reset().reset();
    expect(await one.buy(...ORDER)).toMatchObject({ exitCode: 8 });
    one.clock.shiftWall(-offsetMs);
    expect((await one.buy(...ORDER)).exitCode).toBe(2);
    expect(await one.pending()).toHaveLength(1);
    expect(one.wire.requests).toHaveLength(3);
  }
});

test('the same order under another token is not sent beside the first one', async () => {
  const { run, journal, wire } = await lost();
  editJournal(journal, ([one]) => {
    Object.assign(one ?? {}, { sender: SENDER_ELSEWHERE });
  });
  const stopped = await run(['buy', '--yes', ...ORDER], { token: OTHER_TOKEN });
  expect(stopped.exitCode).toBe(2);
  expect(stopped.stderr).toContain('Another svc is sending this order right now');
  expect(wire.requests).toHaveLength(3);
});

test('a settled order of the same things within a day is a warning, for scripts as well', async () => {
  const { checkout, buy, run } = await buyer();
  for (const orderId of ['ord_1', 'ord_2', 'ord_3', 'ord_4']) checkout().reply(200, { orderId });
  expect(await buy('--plan', 'p1', '--json')).toMatchObject({ exitCode: 0, stderr: '' });
  const again = await buy('--plan', 'p1', '--quantity', '1', '--json');
  expect(again.exitCode).toBe(0);
  expect(JSON.parse(again.stderr)).toEqual({
    warning: 'You sent this same order on 2026-03-01T12:00:00.000Z: order ord_1.',
    code: 'order_alike',
  });
  const other = await run(['buy', '--yes', '--plan', 'p1', '--json'], { token: OTHER_TOKEN });
  expect(other.stderr, 'whoever it was').toContain('order ord_2');
  expect(await buy('--plan', 'p1', '--label', 'blog', '--json')).toMatchObject({ exitCode: 0, stderr: '' });
});

test('a damaged entry stops an order, names the file, and stays as it is', async () => {
  const { buy, run, journal, wire } = await lost();
  const damaged = readFileSync(journal, 'utf8').replace('"open"', '"opem"');
  writeFileSync(journal, damaged);
  for (const argv of [['orders'], ['buy', '--resume', '--yes']]) {
    const stopped = await run(argv);
    expect(stopped.exitCode).toBe(2);
    expect(stopped.stderr).toMatch(new RegExp(`^Error: The list of orders is damaged: ${journal}\\.\n.*move the file`));
  }
  expect((await buy(...ORDER)).exitCode).toBe(2);
  expect(wire.requests).toHaveLength(3);
  expect(readFileSync(journal, 'utf8')).toBe(damaged);
});
