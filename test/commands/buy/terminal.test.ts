import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Buyer, buyer, flowing } from '../../support/buyer.ts';
import { builtProgram } from '../../support/program.ts';
import { readNamesSeen } from '../../support/stored.ts';
import { CANARY_TOKEN, temporaryFolder } from '../../support/svc.ts';
import { untilWritten } from '../../support/until.ts';
import { onTerminal, TERMINAL_ENV } from '../../terminal/script.ts';

const PAYER = ['--network', 'mtn', '--phone', '670000042'];
const ORDER = ['--plan', 'p1', ...PAYER];
const PLACE = 'Place this order? Type yes to confirm: ';
const CONTINUE = 'Continue with that order? Type yes to confirm: ';

const KOLA = { id: 'org_1', slug: 'kola', name: 'Kola Studio' };
const ACME = { id: 'org_2', slug: 'acme', name: 'Acme Ltd' };
const USER = {
  user: { email: 'amina@kola.example' },
  organization: KOLA,
  organizations: [KOLA, ACME],
};

const TERMINAL = {
  terminal: { columns: 120, rows: 40 },
  env: { TERM: 'dumb', SVC_NO_BROWSER: '1' },
};

/**
 * A person at a terminal, who types these lines, each once it is asked for. Who is to confirm is
 * looked up first.
 */
async function person() {
  const one = await buyer(TERMINAL);
  one.wire.on('GET', '/v1/user').maybe(200, USER);
  const types = (argv: readonly string[], stdin = '', env: Record<string, string> = {}) =>
    one.run(argv, { stdin, env: { ...TERMINAL.env, ...env } });
  return { ...one, types };
}

/** What reached the checkout. */
const orders = ({ wire }: Buyer) => wire.requests.filter(({ method }) => method === 'POST');
const keysOf = (one: Buyer) =>
  new Set(orders(one).map(({ headers }) => headers['idempotency-key']));

test('svc buy asks for missing parts, shows the order, and places it', async () => {
  const one = await person();
  one.checkout().reply(201, { orderId: 'ord_1', paymentMethod: 'mobile_money', provider: 'mtn' });
  const lines = '\nplan_wp_pro\n1\nnone of yours\n+237 670 00 00 42\nyes\n';
  const run = await one.types(['buy', '--quantity', '2', '--debug'], lines, { SVC_ORG: 'acme' });
  expect(run.exitCode).toBe(0);
  for (const text of [
    'Account       amina@kola.example (SVC_TOKEN)',
    'Organization  Acme Ltd (acme)',
    'Payment       mobile money, network mtn, from +237 670 000 042',
    PLACE,
  ])
    expect(run.shown).toContain(text);
  expect(orders(one)[0]?.json).toEqual({
    items: [{ planId: 'plan_wp_pro', quantity: 2 }],
    mobileMoneyNetwork: 'mtn',
    mobileMoneyPhone: '+237670000042',
  });
  const after = run.shown.slice(run.shown.indexOf(PLACE));
  expect(after).toContain('To pay: approve the prompt on +237*******42');
  expect(after + readFileSync(one.journal, 'utf8').replace(/"body":.*/, '')).not.toMatch(
    /670 ?000 ?042/,
  );
});

test('a plan that was ordered before is offered, and one that was free is not paid for', async () => {
  const one = await person();
  for (const [plan, amount] of [['plan_wp_pro', '5400'] as const, ['plan_wp_free', '0'] as const]) {
    one.checkout().reply(201, { orderId: 'ord_1', total: { amount, currency: 'XAF' } });
    expect(await one.buy('--plan', plan)).toMatchObject({ exitCode: 0 });
  }
  const plans = [
    { name: 'plan_wp_free', about: 'free' },
    { name: 'plan_wp_pro', about: '5,400 XAF' },
  ];
  expect(readNamesSeen(one.configDir)).toMatchObject({ [one.wire.url]: { plans } });
  one.checkout().reply(201, { orderId: 'ord_3' });
  one.clock.advance(24 * 3_600_000);
  const run = await one.types(['buy'], '1\ny\n');
  expect(run).toMatchObject({
    exitCode: 0,
    shown: expect.stringContaining('Place this order? [y/N]: '),
  });
  expect(run.shown).not.toContain('Mobile money network');
  expect(orders(one).at(-1)?.json).toEqual({ items: [{ planId: 'plan_wp_free' }] });
  // A price with a promo code is not that of the plan, and several of a free plan may cost.
  one.checkout().reply(201, { orderId: 'ord_4', total: { amount: '0', currency: 'XAF' } });
  const promo = ['--promo', '3f2a8c1e-9d47-4c60-8b5a-7e1f0d2c6b94'];
  expect(await one.buy('--plan', 'plan_wp_max', ...promo)).toMatchObject({ exitCode: 0 });
  for (const more of [['plan_wp_max'], ['plan_wp_free', '--quantity', '2']]) {
    const paid = await one.types(['buy', '--plan', ...more], '\u0003');
    expect(paid).toMatchObject({
      exitCode: 130,
      shown: expect.stringContaining('Mobile money network'),
    });
  }
});

test.each<[what: string, argv: string[], typed: string, exitCode: number]>([
  ['Enter alone', ['--domain', 'example.com', ...PAYER], '\n', 2],
  ['Ctrl-C at the first question', [], '\u0003', 130],
  ['Ctrl-C at the last one', [], 'p1\n1\n+237670000042\n\u0003', 130],
])('%s does not buy', async (_what, argv, typed, exitCode) => {
  const one = await person();
  const run = await one.types(['buy', ...argv], typed);
  expect(run).toMatchObject({
    exitCode,
    shown: expect.stringContaining('Cancelled. Nothing was ordered.\n'),
  });
  expect(run.shown).not.toContain('Error:');
  expect([orders(one), existsSync(one.journal)]).toEqual([[], false]);
});

test('a free order needs neither network nor number', async () => {
  const one = await person();
  one.checkout().reply(201, { orderId: 'ord_1' });
  expect(await one.types(['buy', '--plan', 'plan_wp_free'], '4\nyes\n')).toMatchObject({
    exitCode: 0,
  });
  expect(orders(one)[0]?.json).toEqual({ items: [{ planId: 'plan_wp_free' }] });
});

test.each([
  [401, 4, 'The platform did not accept the token in SVC_TOKEN.'],
  [500, 2, PLACE],
])(
  'an account that is answered with %i is told before the order is confirmed: exit %i',
  async (status, exitCode, says) => {
    const one = await buyer(TERMINAL);
    one.wire.on('GET', '/v1/user').reply(status, { error: 'no' });
    const run = await one.run(['buy', ...ORDER, '--no-retry'], { stdin: 'n\n' });
    expect(run).toMatchObject({ exitCode, shown: expect.stringContaining(says) });
    expect(run.shown.includes(PLACE)).toBe(exitCode === 2);
  },
);

test('by card, nobody is asked for a phone; --no-input and --yes ask nothing at all', async () => {
  const one = await person();
  const byCard = await one.types(['buy', '--plan', 'p1', '--payment', 'credit_card'], 'n\n');
  expect(byCard).toMatchObject({
    exitCode: 2,
    shown: expect.stringContaining('Place this order?'),
  });
  expect(byCard.shown).not.toContain('Mobile money');
  expect((await one.types(['buy', '--plan', 'p1', '--no-input'])).exitCode).toBe(2);
  expect(orders(one)).toEqual([]);
  one.checkout().reply(201, { orderId: 'ord_1' });
  expect(await one.buy('--plan', 'p1')).toMatchObject({ exitCode: 0 });
});

test('a day after a lost answer, a person is asked whether to place a second order, and Enter does not', async () => {
  const one = await person();
  await one.lose(...ORDER);
  const [key] = keysOf(one);
  one.clock.advance(25 * 3_600_000);
  const careful = await one.types(['buy', ...ORDER], '\n', { SVC_ORG: 'nobodys' });
  expect(careful.exitCode).toBe(2);
  for (const text of [
    'You don\'t belong to an organization called "nobodys".',
    'A second order may be charged as well.',
    `settle it: svc orders settle ${key} --placed <orderId> (or --not-placed)`,
    'Place a second order? Type yes to confirm: ',
    'Cancelled. Nothing was sent.',
  ])
    expect(flowing(careful.shown)).toContain(text);
  const resumed = await one.types(['buy', '--resume'], '\n');
  expect(resumed.exitCode).toBe(2);
  expect(flowing(resumed.shown)).toContain('The platform may have forgotten it');
  expect(orders(one)).toHaveLength(3);

  one.checkout().reply(201, { orderId: 'ord_2' });
  expect(await one.types(['buy', ...ORDER], 'yes\n')).toMatchObject({ exitCode: 0 });
  expect(keysOf(one).size).toBe(2);
  expect(JSON.parse(readFileSync(one.journal, 'utf8')).orders).toMatchObject([
    { state: 'unknown' },
    { state: 'placed' },
  ]);
});

test('a person is asked before the same order is placed again, and before one beside a doubt', async () => {
  const one = await person();
  one.checkout().reply(201, { orderId: 'ord_1' });
  await one.buy(...ORDER);
  const careful = await one.types(['buy', ...ORDER], '\n');
  expect(careful.exitCode).toBe(2);
  expect(flowing(careful.shown)).toMatch(/You placed the same order .* \(ord_1\)\./);

  one.checkout().reply(201, { orderId: 'ord_2' }).reset().reply(201, { orderId: 'ord_3' });
  expect(await one.types(['buy', ...ORDER], 'yes\n')).toMatchObject({
    exitCode: 0,
    shown: expect.stringContaining('Place a second order? Type yes to confirm: '),
  });
  await one.buy('--plan', 'p2', '--no-retry');
  const beside = await one.types(['buy', '--plan', 'p3', ...PAYER], 'yes\n');
  expect(beside.exitCode).toBe(0);
  expect(flowing(beside.shown)).toContain('and its result is unknown: plan p2');
  expect(beside.shown).toContain('To continue with the first one instead:');
  expect(keysOf(one).size).toBe(4);
});

test('of several unfinished orders, a person chooses one, and settles another', async () => {
  const one = await person();
  await one.lose('--plan', 'p1');
  await one.lose('--plan', 'p2', `--new-order=${[...keysOf(one)][0]}`);
  one.checkout().reply(200, { orderId: 'ord_2' });
  const run = await one.types(['buy', '--resume'], '2\nyes\n');
  expect(run).toMatchObject({ exitCode: 0, shown: expect.stringContaining(CONTINUE) });
  expect(orders(one).at(-1)?.json).toEqual({ items: [{ planId: 'p2' }] });
  const settle = ['orders', 'settle', `${[...keysOf(one)][0]}`, '--not-placed'];
  const kept = await one.types(settle, '\n');
  expect(kept.exitCode).toBe(2);
  for (const text of [
    '  Order    plan p1; mobile money',
    'Close it as not placed? [y/N]: ',
    'Nothing was changed.',
  ])
    expect(kept.shown).toContain(text);
  expect(await one.types(settle, 'y\n')).toMatchObject({ exitCode: 0 });
  expect(await one.pending()).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'only a payment page on https is opened, once, and not with --no-browser',
  async () => {
    const { command } = await builtProgram();
    const folder = await temporaryFolder();
    const browser = join(folder, 'browser');
    writeFileSync(browser, `#!/bin/sh\necho "$@" >> ${folder}/opened\n`);
    chmodSync(browser, 0o755);
    const { wire, configDir, checkout } = await buyer();
    const signedIn = { SVC_API_URL: wire.url, SVC_TOKEN: CANARY_TOKEN, SVC_CONFIG_DIR: configDir };
    const env = { ...TERMINAL_ENV, TERM: 'dumb', ...signedIn, BROWSER: browser };
    const buy = async (payment_url: string, ...flags: string[]) => {
      checkout().reply(201, { orderId: 'ord_1', paymentMethod: 'credit_card', payment_url });
      const args = [
        'buy',
        '--plan',
        'p1',
        '--payment',
        'credit_card',
        '--yes',
        '--new-order',
        ...flags,
      ];
      const run = onTerminal(command, { args, env });
      expect(await run.ended()).toBe(0);
      expect(run.output()).toContain(payment_url);
    };
    await buy('http://pay.example.com/plain');
    await buy('https://pay.example.com/quiet', '--no-browser');
    await buy('https://pay.example.com/o?a=1&b=$(id)');
    expect(await untilWritten(join(folder, 'opened'))).toBe(
      'https://pay.example.com/o?a=1&b=$(id)\n',
    );
  },
);
