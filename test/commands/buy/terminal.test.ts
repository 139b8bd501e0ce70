import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { type Buyer, buyer, editJournal, flowing } from '../../support/buyer.ts';
import { builtProgram } from '../../support/program.ts';
import { readNamesSeen } from '../../support/stored.ts';
import { CANARY_TOKEN, type Run, temporaryFolder } from '../../support/svc.ts';
import { until, untilWritten } from '../../support/until.ts';
import { onTerminal, TERMINAL_ENV } from '../../terminal/script.ts';

const HOUR_MS = 3_600_000;
const PAYER = ['--network', 'mtn', '--phone', '670000042'];
const ORDER = ['--plan', 'p1', ...PAYER];
const PLACE = 'Place this order? Type yes to confirm: ';
const CONTINUE = 'Continue with that order? Type yes to confirm: ';
const SECOND = 'Place a second order? Type yes to confirm: ';

const KOLA = { id: 'org_1', slug: 'kola', name: 'Kola Studio' };
const ACME = { id: 'org_2', slug: 'acme', name: 'Acme Ltd' };
const USER = { user: { email: 'amina@kola.example' }, organization: KOLA, organizations: [KOLA, ACME] };

interface Person extends Buyer {
  /** Types these lines, each once it is asked for. */
  types(argv: readonly string[], lines?: string, env?: Record<string, string>): Promise<Run>;
}

/** A person at a terminal. Who is asked to confirm is looked up first. */
async function person(): Promise<Person> {
  const env = { TERM: 'dumb', SVC_NO_BROWSER: '1' };
  const one = await buyer({ terminal: { columns: 120, rows: 40 }, env });
  one.wire.on('GET', '/v1/user').maybe(200, USER);
  const types: Person['types'] = (argv, lines = '', more = {}) =>
    one.run(argv, { stdin: lines, env: { ...env, ...more } });
  return { ...one, types };
}

/** What reached the checkout. */
const orders = ({ wire }: Buyer) => wire.requests.filter(({ method }) => method === 'POST');
const keysOf = (one: Buyer) => new Set(orders(one).map(({ headers }) => headers['idempotency-key']));

type Step = readonly [question: string, answer: string, meanwhile?: () => unknown];

/** Waits for each question, does what happens meanwhile, and types the answer: key by key, because pasted text confirms nothing. */
async function talk({ run }: Buyer, argv: readonly string[], ...steps: readonly Step[]): Promise<Run> {
  const stdin = new PassThrough();
  Object.assign(stdin, { setRawMode: () => stdin });
  let shown = () => '';
  let isOver = false;
  const onStart = (_send: unknown, now: () => string) => {
    shown = now;
  };
  const ended = run(argv, { stdin, onStart }).finally(() => {
    isOver = true;
  });
  const grows = (from: number) => until(() => isOver || shown().length > from);
  let from = 0;
  for (const [question, answer, meanwhile] of steps) {
    await until(() => isOver || shown().includes(question, from));
    await meanwhile?.();
    for (const key of answer) {
      from = shown().length;
      stdin.write(key);
      await grows(from);
    }
  }
  return ended;
}

test('svc buy asks for missing parts, shows the order, and places it', async () => {
  const one = await person();
  one.checkout().reply(201, { orderId: 'ord_1', paymentMethod: 'mobile_money', provider: 'mtn' });
  const lines = '\nplan_wp_pro\n1\nnone of yours\n+237 670 00 00 42\nyes\n';
  const run = await one.types(['buy', '--debug'], lines, { SVC_ORG: 'acme' });
  expect(run.exitCode).toBe(0);
  for (const text of [
    'Plan id, such as plan_wp_pro',
    'Enter a plan id, or press Ctrl-C to cancel.',
    'Number from 1 to 4: ',
    'such as +237670000042 (Esc: back): ',
    'The answer is not a phone number',
    '\n\nYour order\n',
    'plan plan_wp_pro',
    'Account       amina@kola.example (token from SVC_TOKEN)',
    'Organization  Acme Ltd (acme)',
    'Payment       mobile money, network mtn, from +237 670 000 042',
    'svc cannot show the price in advance.',
    PLACE,
  ])
    expect(run.shown).toContain(text);
  expect(orders(one)[0]?.json).toEqual({
    items: [{ planId: 'plan_wp_pro' }],
    mobileMoneyNetwork: 'mtn',
    mobileMoneyPhone: '+237670000042',
  });
  const after = run.shown.slice(run.shown.indexOf(PLACE));
  expect(after).toContain('Order ord_1 created.');
  expect(after).toContain('Approve the payment prompt on +237*******42.');
  expect(after + readFileSync(one.journal, 'utf8').replace(/"body":.*/, '')).not.toMatch(/670 ?000 ?042/);
});

test('a plan that was ordered before is offered, and one that was free is not paid for', async () => {
  const one = await person();
  const plans = ['plan_wp_pro', 'plan_wp_free'];
  for (const [index, plan] of plans.entries()) {
    one.checkout().reply(201, { orderId: `ord_${index}`, total: { amount: ['5400', '0'][index], currency: 'XAF' } });
    expect(await one.buy('--plan', plan)).toMatchObject({ exitCode: 0 });
  }
  const seen = [
    { name: 'plan_wp_free', about: 'free' },
    { name: 'plan_wp_pro', about: '5,400 XAF' },
  ];
  expect(readNamesSeen(one.configDir)).toMatchObject({ [one.wire.url]: { plans: seen } });
  one.checkout().reply(201, { orderId: 'ord_3' });
  const run = await one.types(['buy'], '1\ny\n');
  expect(run.exitCode).toBe(0);
  expect(run.shown).toContain('1. plan_wp_free (free)\n  2. plan_wp_pro (5,400 XAF)\n');
  expect(run.shown).toContain('Place this order? [y/N]: ');
  expect(run.shown).not.toMatch(/Mobile money network|You sent this same order/);
  expect(orders(one).at(-1)?.json).toEqual({ items: [{ planId: 'plan_wp_free' }] });
  expect(flowing(run.shown)).toContain('ordered from this machine, plan_wp_free was free.');
});

test('Enter alone does not buy', async () => {
  const one = await person();
  const argv = ['buy', '--domain', 'exämple.com', '--autopay', ...PAYER];
  const run = await one.types(argv, '\n', { SVC_ORG: 'nobodys' });
  expect(run.exitCode).toBe(2);
  expect(run.shown).toContain('domain exämple.com (xn--exmple-cua.com)');
  expect(run.shown).toContain('Renewal       automatic, charged to this number');
  expect(run.shown).toContain('You don\'t belong to an organization called "nobodys".');
  expect(run.shown).toContain('confirm: \nCancelled. Nothing was ordered.\n');
  expect(run.shown).not.toContain('Error:');
  expect([orders(one), existsSync(one.journal)]).toEqual([[], false]);
});

test.each(['', 'p1\n', 'p1\n1\n', 'p1\n1\n+237670000042\n'])(
  'Ctrl-C after %j leaves with nothing done',
  async (typed) => {
    const one = await person();
    const run = await one.types(['buy'], `${typed}\u0003`);
    expect(run.exitCode).toBe(130);
    expect(run.shown).toContain('Cancelled. Nothing was ordered.');
    expect(run.shown).not.toContain('Error:');
    expect([orders(one), existsSync(one.journal)]).toEqual([[], false]);
  },
);

test('a free order needs neither network nor number', async () => {
  const one = await person();
  one.checkout().reply(201, { orderId: 'ord_1' });
  const run = await one.types(['buy', '--plan', 'plan_wp_free'], '4\nyes\n');
  expect(run.exitCode).toBe(0);
  expect(run.shown).toContain('4. No payment (free plan)');
  expect(run.shown).toContain('Organization  Kola Studio (default)');
  expect(orders(one)[0]?.json).toEqual({ items: [{ planId: 'plan_wp_free' }] });
});

test.each<[what: string, status: number, exitCode: number, says: string[]]>([
  [
    'a token that the platform refuses is found before the order is confirmed',
    401,
    4,
    ['The platform did not accept the token in SVC_TOKEN.'],
  ],
  [
    'without an answer about the account, the order can be confirmed all the same',
    ...([500, 2] as const),
    ['Account       token from SVC_TOKEN', 'Organization  the default one of the account', PLACE],
  ],
])('%s', async (_what, status, exitCode, says) => {
  const one = await buyer({ terminal: { columns: 120, rows: 40 }, env: { TERM: 'dumb' } });
  one.wire.on('GET', '/v1/user').reply(status, { error: 'no' });
  const run = await one.run(['buy', ...ORDER, '--no-retry'], { stdin: 'n\n' });
  expect(run.exitCode).toBe(exitCode);
  for (const text of says) expect(run.shown).toContain(text);
  expect(run.shown.includes(PLACE)).toBe(exitCode === 2);
});

test('by card, nobody is asked for a phone; --no-input and --yes ask nothing at all', async () => {
  const one = await person();
  const byCard = await one.types(['buy', '--plan', 'p1', '--payment', 'credit_card'], 'n\n');
  expect(byCard).toMatchObject({ exitCode: 2, shown: expect.stringContaining('Place this order?') });
  expect(byCard.shown).not.toContain('Mobile money');
  const silent = await one.types(['buy', '--plan', 'p1', '--no-input']);
  expect(silent.exitCode).toBe(2);
  expect(flowing(silent.shown)).toContain('svc cannot ask for one here. Nothing was sent.');
  expect(orders(one)).toEqual([]);
  one.checkout().reply(201, { orderId: 'ord_1' });
  expect(await one.buy('--plan', 'p1')).toMatchObject({ exitCode: 0 });
});

test('after a lost answer, the same command asks whether to go on with it', async () => {
  const one = await person();
  await one.lose(...ORDER);
  one.checkout().reply(200, { orderId: 'ord_1' });
  const again = await one.types(['buy', ...ORDER], 'yes\n');
  expect(again.exitCode).toBe(0);
  expect(again.shown).toContain(CONTINUE);
  expect(flowing(again.shown)).toMatch(
    /You sent this same order on .* and its result is unknown\. If the platform honours its key, it will not place the order twice\./,
  );
  expect(keysOf(one).size).toBe(1);

  one.checkout().reply(200, { orderId: 'ord_2' });
  const once = await one.types(['buy', ...ORDER], 'yes\n');
  expect(once.exitCode).toBe(0);
  expect(flowing(once.shown)).toMatch(/You sent this same order on .*: order ord_1\..*Place this order\?/);
});

const finish = ({ journal }: Buyer) =>
  editJournal(journal, ([open]) => Object.assign(open ?? {}, { state: 'closed', orderId: 'ord_1', body: undefined }));
const settle = ({ run, keys }: Buyer) => run(['orders', 'settle', keys().find(Boolean) ?? '', '--not-placed', '--yes']);

test.each<[string, readonly string[], (one: Buyer) => unknown, string]>([
  ['settles', ORDER, settle, 'This order is no longer in doubt. Nothing was sent.'],
  ['finishes', ORDER, finish, 'Another svc has the answer to this order by now: order ord_1. Nothing was sent.'],
  ['finishes', ['--resume'], finish, 'Another svc has the answer to this order by now: order ord_1. Nothing was sent.'],
])(
  'an order that another svc %s while a person is asked is not sent again: %j',
  async (_what, argv, meanwhile, says) => {
    const one = await person();
    await one.lose(...ORDER);
    const slow = await talk(one, ['buy', ...argv], [CONTINUE, 'yes\r', () => meanwhile(one)]);
    expect(slow.exitCode).toBe(2);
    expect(flowing(slow.shown)).toContain(says);
    expect(orders(one)).toHaveLength(3);
  },
);

test('an order that another svc places while a person is asked is named, and the question is asked again', async () => {
  const one = await person();
  const place = () => {
    one.checkout().reply(201, { orderId: 'ord_1' });
    return one.buy(...ORDER);
  };
  const slow = await talk(one, ['buy', ...ORDER], [PLACE, 'yes\r', place], [PLACE, '\r']);
  expect(slow.exitCode).toBe(2);
  expect(flowing(slow.shown)).toMatch(
    /This has changed while you were asked: .*You sent this same order on .*: order ord_1\./,
  );
  expect(orders(one)).toHaveLength(1);
});

test('a day after a lost answer, a person is asked whether to place a second order, and Enter does not', async () => {
  const one = await person();
  await one.lose(...ORDER);
  const [key] = keysOf(one);
  one.clock.advance(25 * HOUR_MS);
  const careful = await one.types(['buy', ...ORDER], '\n');
  expect(careful.exitCode).toBe(2);
  for (const text of [
    'and its result is unknown. A second order may be charged as well.',
    `svc orders settle ${key} --not-placed`,
    `svc buy --resume ${key}`,
    SECOND,
    'Cancelled. Nothing was sent.',
  ])
    expect(flowing(careful.shown)).toContain(text);
  expect((await one.buy(...ORDER)).exitCode, '--yes does not choose').toBe(2);
  const resumed = await one.types(['buy', '--resume'], '\n');
  expect(resumed.exitCode).toBe(2);
  expect(flowing(resumed.shown)).toContain('Sending it again then places a second order.');
  expect(orders(one)).toHaveLength(3);

  one.checkout().reply(201, { orderId: 'ord_2' });
  expect(await one.types(['buy', ...ORDER], 'yes\n')).toMatchObject({ exitCode: 0 });
  expect(keysOf(one).size).toBe(2);
  expect(JSON.parse(readFileSync(one.journal, 'utf8')).orders).toMatchObject([{ state: 'open' }, { state: 'closed' }]);
});

test('the same things under another number stand in the question, until a person settles them', async () => {
  const one = await person();
  await one.lose(...ORDER);
  const [key] = keysOf(one);
  const other = ['buy', '--plan', 'p1', '--network', 'MTN', '--phone', '670000043'];
  const asked = await one.types(other, '\n');
  expect(asked.exitCode).toBe(2);
  expect(flowing(asked.shown)).toContain(
    'and the result is unknown: plan p1; mobile money, network mtn, from *******42.',
  );
  for (const text of [SECOND, `buy --resume ${key}`, `orders settle ${key} --not-placed (or --placed <orderId>)`])
    expect(asked.shown).toContain(text);
  const settle = ['orders', 'settle', `${key}`, '--not-placed'];
  const kept = await one.types(settle, '\n');
  expect(kept.exitCode).toBe(2);
  for (const text of ['  Order    plan p1; mobile money', 'Close it as not placed? [y/N]: ', 'Nothing was changed.'])
    expect(kept.shown).toContain(text);
  expect(await one.types(settle, 'y\n')).toMatchObject({ exitCode: 0 });
  expect((await one.types(other, '\n')).shown).toContain(PLACE);
  expect(orders(one)).toHaveLength(3);
});

test('of several unfinished purchases, a person chooses one', async () => {
  const one = await person();
  for (const plan of ['p1', 'p2']) await one.lose('--plan', plan);
  one.checkout().reply(200, { orderId: 'ord_2' });
  const run = await one.types(['buy', '--resume'], '2\nyes\n');
  expect(run).toMatchObject({ exitCode: 0, shown: expect.stringContaining(CONTINUE) });
  expect(orders(one).at(-1)?.json).toEqual({ items: [{ planId: 'p2' }] });
});

/** Runs the built program on a real terminal. */
async function onRealTerminal({ wire, configDir }: Buyer, args: string[], more = {}) {
  const { command } = await builtProgram();
  const signedIn = { SVC_API_URL: wire.url, SVC_TOKEN: CANARY_TOKEN, SVC_CONFIG_DIR: configDir };
  return onTerminal(command, { args, env: { ...TERMINAL_ENV, TERM: 'dumb', ...signedIn, ...more } });
}

test('Ctrl-C after the request was sent says how to resume the order', async () => {
  const one = await buyer();
  one.checkout().hang();
  const arrived = one.wire.nextRequest();
  const run = await onRealTerminal(one, ['buy', '--plan', 'p1', '--yes', '--no-input']);
  const request = await Promise.race([arrived, run.ended()]);
  expect(request, run.output()).toBeTypeOf('object');
  run.type('\u0003');
  expect(await run.ended()).toBe(130);
  expect(run.output()).toContain(`Try: svc buy --resume ${one.keys()[0]}`);
});

test.runIf(process.platform === 'linux')(
  'only a payment page on https is opened, once, and not with --no-browser',
  async () => {
    const folder = await temporaryFolder();
    const browser = join(folder, 'browser');
    writeFileSync(browser, `#!/bin/sh\necho "$@" >> ${folder}/opened\n`);
    chmodSync(browser, 0o755);
    const one = await buyer();
    const buy = async (payment_url: string, ...flags: string[]) => {
      one.checkout().reply(201, { orderId: 'ord_1', paymentMethod: 'credit_card', payment_url });
      const argv = ['buy', '--plan', 'p1', '--payment', 'credit_card', '--yes', ...flags];
      const run = await onRealTerminal(one, argv, { BROWSER: browser });
      expect(await run.ended()).toBe(0);
      expect(run.output()).toContain(payment_url);
    };
    await buy('http://pay.example.com/plain');
    await buy('https://pay.example.com/quiet', '--no-browser');
    await buy('https://pay.example.com/o?a=1&b=$(id)');
    expect(await untilWritten(join(folder, 'opened'))).toBe('https://pay.example.com/o?a=1&b=$(id)\n');
  },
);
