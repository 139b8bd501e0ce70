import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { editJournal } from '../../support/buyer.ts';
import { builtProgram, type Program } from '../../support/program.ts';
import { readNamesSeen } from '../../support/stored.ts';
import { CANARY_TOKEN, svc, temporaryFolder } from '../../support/svc.ts';
import { until, untilWritten } from '../../support/until.ts';
import { testWire } from '../../support/wire.ts';
import { onTerminal, TERMINAL_ENV } from '../../terminal/script.ts';

const CTRL_C = '\u0003';
const ENTER = '\r';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

const USER = {
  user: { email: 'amina@kola.example' },
  organization: { id: 'org_1', slug: 'kola', name: 'Kola Studio' },
  organizations: [
    { id: 'org_1', slug: 'kola', name: 'Kola Studio' },
    { id: 'org_2', slug: 'acme', name: 'Acme Ltd' },
  ],
};

/** A person at a terminal, and the platform as a wire. Who is asked to confirm is looked up first. */
async function person(env: Readonly<Record<string, string>> = {}, isAsked = true) {
  const wire = await testWire();
  if (isAsked) wire.on('GET', '/v1/user').always(200, USER);
  const configDir = await temporaryFolder();
  const surroundings = {
    SVC_API_URL: wire.url,
    SVC_TOKEN: CANARY_TOKEN,
    SVC_CONFIG_DIR: configDir,
    SVC_NO_BROWSER: '1',
  };
  return {
    wire,
    orders: () => wire.requests.filter(({ method }) => method === 'POST'),
    configDir,
    journal: join(configDir, 'orders.json'),
    /** A purchase without questions, in this process. */
    sends: (...args: string[]) =>
      svc(['buy', ...args], { env: { ...surroundings, ...env }, configDir, hostname: hostname() }),
    types: (...args: string[]) =>
      onTerminal(program.command, { args, env: { ...TERMINAL_ENV, TERM: 'dumb', ...surroundings, ...env } }),
  };
}

/** The text on a terminal, without escape sequences. */
function wordsOf(output: string): string {
  return output.replaceAll('\r', '').replace(/\u001b\[[\d;?]*[A-Za-z]/g, '');
}

test('svc buy asks for missing parts, shows the order, and places it', async () => {
  const { wire, orders, types, journal } = await person({ SVC_ORG: 'acme' });
  wire.on('POST', '/v1/checkout').reply(201, { orderId: 'ord_1', paymentMethod: 'mobile_money', provider: 'mtn' });
  const run = types('buy', '--debug');
  await run.shows('Plan id, such as plan_wp_pro');
  run.type(`${ENTER}`);
  await run.shows('Enter a plan id, or press Ctrl-C to cancel.');
  await run.shows('Plan id, such as plan_wp_pro: ', run.output().indexOf('to cancel.'));
  run.type(`plan_wp_pro${ENTER}`);
  await run.shows('Number from 1 to 4: ');
  run.type(`1${ENTER}`);
  await run.shows('such as +237670000042 (Esc: back): ');
  run.type(`none of yours${ENTER}`);
  await run.shows('The answer is not a phone number');
  await run.shows('such as +237670000042 (Esc: back): ', run.output().lastIndexOf('The answer is'));
  run.type(`+237 670 00 00 42${ENTER}`);
  await run.shows('Place this order? Type yes to confirm: ');
  expect(orders()).toEqual([]);
  const shown = wordsOf(run.output());
  for (const line of [
    '\n\nYour order\n',
    'plan plan_wp_pro',
    'Account       amina@kola.example (token from SVC_TOKEN)',
    'Organization  Acme Ltd (acme)',
    'Payment       mobile money, network mtn, from +237 670 000 042',
    'Currency      the local currency',
    'Renewal       by hand',
    'svc cannot show the price in advance.',
  ]) {
    expect(shown).toContain(line);
  }
  await run.answer('yes');
  expect(await run.ended()).toBe(0);
  expect(orders()[0]?.json).toEqual({
    items: [{ planId: 'plan_wp_pro' }],
    mobileMoneyNetwork: 'mtn',
    mobileMoneyPhone: '+237670000042',
  });
  const after = wordsOf(run.output()).slice(shown.length);
  expect(after).toContain('Order ord_1 created.');
  expect(after).toContain('Approve the payment prompt on +237*******42.');
  expect(after + readFileSync(journal, 'utf8').replace(/"body":.*/, '')).not.toMatch(/670 ?000 ?042/);
});

test('a plan that was ordered before is offered, and one that was free is not paid for', async () => {
  const { wire, orders, types, sends, configDir } = await person();
  const checkout = wire.on('POST', '/v1/checkout');
  checkout.reply(201, { orderId: 'ord_1', total: { amount: '5400', currency: 'XAF' } });
  checkout.reply(201, { orderId: 'ord_2', total: { amount: '0', currency: 'XAF' } });
  for (const plan of ['plan_wp_pro', 'plan_wp_free']) {
    expect(await sends('--plan', plan, '--yes')).toMatchObject({ exitCode: 0 });
  }
  expect(readNamesSeen(configDir)).toMatchObject({
    [wire.url]: {
      plans: [
        { name: 'plan_wp_free', about: 'free' },
        { name: 'plan_wp_pro', about: '5,400 XAF' },
      ],
    },
  });
  const run = types('buy');
  await run.shows('Number from 1 to 3: ');
  expect(wordsOf(run.output())).toContain('1. plan_wp_free (free)\n  2. plan_wp_pro (5,400 XAF)\n');
  run.type(`1${ENTER}`);
  await run.shows('Place this order? [y/N]: ');
  expect(run.output()).not.toContain('Mobile money network');
  checkout.reply(201, { orderId: 'ord_3' });
  await run.answer('y');
  expect(await run.ended()).toBe(0);
  expect(orders().at(-1)?.json).toEqual({ items: [{ planId: 'plan_wp_free' }] });
  expect(wordsOf(run.output()).replace(/\s+/g, ' ')).toContain('ordered from this machine, plan_wp_free was free.');
});

test('Enter alone does not buy', async () => {
  const { orders, types, journal } = await person({ SVC_ORG: 'nobodys' });
  const run = types('buy', '--domain', 'exämple.com', '--autopay', '--network', 'mtn', '--phone', '670000042');
  await run.shows('Place this order? Type yes to confirm: ');
  expect(run.output()).toContain('domain exämple.com (xn--exmple-cua.com)');
  expect(run.output()).toContain('Renewal       automatic, charged to this number');
  expect(run.output()).toContain('You don\'t belong to an organization called "nobodys".');
  run.type(ENTER);
  expect(await run.ended()).toBe(2);
  expect(wordsOf(run.output())).toContain('confirm: \nCancelled. Nothing was ordered.\n');
  expect(run.output()).not.toContain('Error:');
  expect([orders(), existsSync(journal)]).toEqual([[], false]);
});

const QUESTIONS = [
  'such as plan_wp_pro: ',
  'Number from 1 to 4: ',
  'such as +237670000042 (Esc: back): ',
  'Type yes to confirm: ',
];
const ANSWERS = ['p1', '1', '+237670000042'];

test.each(QUESTIONS)('Ctrl-C at "%s" leaves with nothing done', async (question) => {
  const { wire, orders, types, journal } = await person();
  const run = types('buy');
  for (const [index, asked] of QUESTIONS.entries()) {
    await run.shows(asked);
    if (asked === question) break;
    run.type(`${ANSWERS[index]}${ENTER}`);
  }
  await until(() => wire.requests.length > 0);
  run.type(CTRL_C);
  expect(await run.ended()).toBe(130);
  expect(wordsOf(run.output())).toContain('Cancelled. Nothing was ordered.');
  expect(run.output()).not.toContain('Error:');
  expect([orders(), existsSync(journal)]).toEqual([[], false]);
});

test('a free order needs neither network nor number; the lists move with the arrow keys', async () => {
  const { wire, orders, types } = await person({ TERM: 'xterm-256color' });
  wire.on('POST', '/v1/checkout').reply(201, { orderId: 'ord_1' });
  const run = types('buy', '--plan', 'plan_wp_free');
  await run.shows('No payment (free plan)');
  run.type('\u001b[A');
  run.type(ENTER);
  await run.shows('Type yes to confirm');
  await run.shows('└', run.output().lastIndexOf('Type yes'));
  expect(wordsOf(run.output())).toContain('Organization  Kola Studio (default)');
  await run.answer('yes');
  expect(await run.ended()).toBe(0);
  expect(orders()[0]?.json).toEqual({ items: [{ planId: 'plan_wp_free' }] });
});

test('a token that the platform refuses is found before the order is confirmed', async () => {
  const { wire, orders, types } = await person({}, false);
  wire.on('GET', '/v1/user').reply(401, { error: 'expired' });
  const run = types('buy', '--plan', 'p1', '--network', 'mtn', '--phone', '+237670000042');
  expect(await run.ended()).toBe(4);
  expect(run.output()).not.toContain('Place this order?');
  expect(orders()).toEqual([]);
});

test('without an answer about the account, the order can be confirmed all the same', async () => {
  const { wire, types } = await person({ SVC_NO_RETRY: '1' }, false);
  wire.on('GET', '/v1/user').reply(500, {});
  const run = types('buy', '--plan', 'p1', '--network', 'mtn', '--phone', '+237670000042');
  await run.shows('Place this order? Type yes to confirm: ');
  const shown = wordsOf(run.output());
  expect(shown).toContain('Account       token from SVC_TOKEN');
  expect(shown).toContain('Organization  the default one of the account');
  await run.answer('n');
  expect(await run.ended()).toBe(2);
});

test('by card, nobody is asked for a phone; --no-input and --yes ask nothing at all', async () => {
  const { wire, orders, types } = await person();
  const byCard = types('buy', '--plan', 'p1', '--payment', 'credit_card');
  await byCard.shows('Place this order?');
  expect(byCard.output()).not.toContain('Mobile money');
  await byCard.answer('n');
  expect(await byCard.ended()).toBe(2);
  const silent = types('buy', '--plan', 'p1', '--no-input');
  expect(await silent.ended()).toBe(2);
  expect(wordsOf(silent.output()).replaceAll('\n', ' ')).toContain('svc cannot ask for one here. Nothing was sent.');
  expect(orders()).toEqual([]);
  wire.on('POST', '/v1/checkout').reply(201, { orderId: 'ord_1' });
  expect(await types('buy', '--plan', 'p1', '--yes').ended()).toBe(0);
  expect(orders()).toHaveLength(1);
});

test('after a lost answer, the same command asks whether to go on with it', async () => {
  const { wire, orders, types, sends } = await person({ SVC_NO_RETRY: '1' });
  const checkout = wire.on('POST', '/v1/checkout').reset();
  const lost = await sends('--plan', 'p1', '--network', 'mtn', '--phone', '670000042', '--yes');
  expect(lost.exitCode).toBe(8);
  checkout.reply(200, { orderId: 'ord_1' });
  const again = types('buy', '--plan', 'p1', '--network', 'mtn', '--phone', '670000042');
  await again.shows('Continue with that order? Type yes to confirm: ');
  expect(wordsOf(again.output()).replace(/\s+/g, ' ')).toMatch(
    /You sent this same order on .* and its result is unknown\. If the platform honours its key, it will not place the order twice\./,
  );
  await again.answer('yes');
  expect(await again.ended()).toBe(0);
  const keys = orders().map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(1);

  checkout.reply(200, { orderId: 'ord_2' });
  const once = types('buy', '--plan', 'p1', '--network', 'mtn', '--phone', '670000042');
  await once.shows('Place this order? Type yes to confirm: ');
  expect(wordsOf(once.output()).replace(/\s+/g, ' ')).toMatch(/You sent this same order on .*: order ord_1\./);
  await once.answer('yes');
  expect(await once.ended()).toBe(0);
});

test('an order that was settled while a person was asked about it is not sent', async () => {
  const { wire, orders, types, sends, configDir } = await person({ SVC_NO_RETRY: '1' });
  wire.on('POST', '/v1/checkout').reset();
  const order = ['--plan', 'p1', '--network', 'mtn', '--phone', '670000042'];
  expect((await sends(...order, '--yes')).exitCode).toBe(8);
  const again = types('buy', ...order);
  await again.shows('Continue with that order? Type yes to confirm: ');
  const key = orders()[0]?.headers['idempotency-key'] ?? '';
  expect((await svc(['orders', 'settle', key, '--not-placed', '--yes'], { configDir })).exitCode).toBe(0);
  await again.answer('yes');
  expect(await again.ended()).toBe(2);
  expect(wordsOf(again.output())).toContain('This order is no longer in doubt. Nothing was sent.');
  expect(orders()).toHaveLength(1);
});

test.each([[[]], [['--resume']]])(
  'an order that another svc finishes while a person is asked is not sent again (%j)',
  async (resume) => {
    const { wire, orders, journal, types, sends } = await person({ SVC_NO_RETRY: '1' });
    wire.on('POST', '/v1/checkout').reset();
    const order = ['--plan', 'p1', '--network', 'mtn', '--phone', '670000042'];
    expect(await sends(...order, '--yes')).toMatchObject({ exitCode: 8 });
    const slow = types('buy', ...(resume.length === 0 ? order : resume));
    await slow.shows('Continue with that order? Type yes to confirm: ');
    editJournal(journal, ([one]) => Object.assign(one ?? {}, { state: 'closed', orderId: 'ord_1', body: undefined }));
    await slow.answer('yes');
    expect(await slow.ended()).toBe(2);
    expect(wordsOf(slow.output()).replace(/\s+/g, ' ')).toContain(
      'Another svc has the answer to this order by now: order ord_1. Nothing was sent.',
    );
    expect(orders()).toHaveLength(1);
  },
);

test('a day after a lost answer, a person is asked whether to place a second order, and Enter does not', async () => {
  const { wire, orders, journal, types, sends } = await person({ SVC_NO_RETRY: '1' });
  const checkout = wire.on('POST', '/v1/checkout').reset();
  const order = ['--plan', 'p1', '--network', 'mtn', '--phone', '670000042'];
  expect(await sends(...order, '--yes')).toMatchObject({ exitCode: 8 });
  const [lost] = editJournal(journal, ([one]) => {
    Object.assign(one ?? {}, { createdAt: new Date(Date.now() - 25 * 3_600_000).toISOString() });
  });

  const careful = types('buy', ...order);
  await careful.shows('Place a second order? Type yes to confirm: ');
  const shown = wordsOf(careful.output()).replace(/\s+/g, ' ');
  expect(shown).toMatch(
    /You sent this same order on .* and its result is unknown\. A second order may be charged as well\./,
  );
  expect(shown).toContain(`svc orders settle ${lost?.key} --not-placed`);
  expect(shown).toContain(`svc buy --resume ${lost?.key}`);
  careful.type(ENTER);
  expect(await careful.ended()).toBe(2);
  expect(careful.output()).toContain('Cancelled. Nothing was sent.');
  const hasty = types('buy', ...order, '--yes');
  expect(await hasty.ended(), '--yes does not choose').toBe(2);
  expect(orders()).toHaveLength(1);

  checkout.reply(201, { orderId: 'ord_2' });
  const second = types('buy', ...order);
  await second.shows('Place a second order? Type yes to confirm: ');
  await second.answer('yes');
  expect(await second.ended()).toBe(0);
  expect(new Set(orders().map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
  expect(JSON.parse(readFileSync(journal, 'utf8')).orders).toMatchObject([{ state: 'open' }, { state: 'closed' }]);
});

test('an order that another svc places while a person is asked is named, and the question is asked again', async () => {
  const { wire, orders, types, sends } = await person();
  const checkout = wire.on('POST', '/v1/checkout').reply(201, { orderId: 'ord_1' });
  const order = ['--plan', 'p1', '--network', 'mtn', '--phone', '670000042'];
  const slow = types('buy', ...order);
  await slow.shows('Place this order? Type yes to confirm: ');
  expect(slow.output()).not.toContain('You sent this same order');
  expect(await sends(...order, '--yes')).toMatchObject({ exitCode: 0 });
  const asked = slow.output().length;
  await slow.answer('yes');
  await slow.shows('Place this order? Type yes to confirm: ', asked);
  expect(wordsOf(slow.output().slice(asked)).replace(/\s+/g, ' ')).toMatch(
    /This has changed while you were asked: .*You sent this same order on .*: order ord_1\./,
  );
  expect(orders()).toHaveLength(1);
  slow.type(ENTER);
  expect(await slow.ended()).toBe(2);
  expect(orders()).toHaveLength(1);

  const again = types('buy', ...order);
  await again.shows('Place this order? Type yes to confirm: ');
  checkout.reset();
  expect(await sends(...order, '--yes', '--no-retry')).toMatchObject({ exitCode: 8 });
  await again.answer('yes');
  await again.shows('Continue with that order? Type yes to confirm: ');
  checkout.reply(201, { orderId: 'ord_2' });
  await again.answer('yes');
  expect(await again.ended()).toBe(0);
  expect(new Set(orders().map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
});

test('the same things under another number stand in the question, with the commands that end them', async () => {
  const { wire, orders, types, sends } = await person({ SVC_NO_RETRY: '1' });
  wire.on('POST', '/v1/checkout').reset();
  expect(await sends('--plan', 'p1', '--network', 'mtn', '--phone', '670000042', '--yes')).toMatchObject({
    exitCode: 8,
  });
  const key = orders()[0]?.headers['idempotency-key'];
  const other = types('buy', '--plan', 'p1', '--network', 'MTN', '--phone', '670000043');
  await other.shows('Place a second order? Type yes to confirm: ');
  const shown = wordsOf(other.output());
  expect(shown.replace(/\s+/g, ' ')).toContain(
    'and the result is unknown: plan p1; mobile money, network mtn, from *******42.',
  );
  for (const command of [`buy --resume ${key}`, `orders settle ${key} --not-placed (or --placed <orderId>)`]) {
    expect(shown).toContain(`svc ${command}`);
  }
  other.type(ENTER);
  expect(await other.ended()).toBe(2);
  const settling = types('orders', 'settle', `${key}`, '--not-placed');
  await settling.shows('Close it as not placed? [y/N]: ');
  expect(wordsOf(settling.output())).toContain('  Order    plan p1; mobile money');
  settling.type(ENTER);
  expect(await settling.ended()).toBe(2);
  expect(settling.output()).toContain('Cancelled. Nothing was changed.');
  const settled = types('orders', 'settle', `${key}`, '--not-placed');
  await settled.shows('Close it as not placed? [y/N]: ');
  await settled.answer('y');
  expect(await settled.ended()).toBe(0);
  const free = types('buy', '--plan', 'p1', '--network', 'MTN', '--phone', '670000043');
  await free.shows('Place this order? Type yes to confirm: ');
  free.type(ENTER);
  expect(await free.ended()).toBe(2);
  expect(orders()).toHaveLength(1);
});

test('a day after, going on with an order says that its key may be forgotten', async () => {
  const { wire, orders, journal, types, sends } = await person({ SVC_NO_RETRY: '1' });
  wire.on('POST', '/v1/checkout').reset();
  expect(await sends('--plan', 'p1', '--yes')).toMatchObject({ exitCode: 8 });
  editJournal(journal, ([one]) => {
    Object.assign(one ?? {}, { createdAt: new Date(Date.now() - 25 * 3_600_000).toISOString() });
  });
  const run = types('buy', '--resume');
  await run.shows('Continue with that order?');
  expect(wordsOf(run.output()).replace(/\s+/g, ' ')).toContain(
    'The platform may have forgotten the key of this order by now. Sending it again then places a second order.',
  );
  run.type(ENTER);
  expect(await run.ended()).toBe(2);
  expect(orders()).toHaveLength(1);
});

test('of several unfinished purchases, a person chooses one', async () => {
  const { wire, orders, types, sends } = await person({ SVC_NO_RETRY: '1' });
  const checkout = wire.on('POST', '/v1/checkout').reset().reset();
  for (const plan of ['p1', 'p2']) expect(await sends('--plan', plan, '--yes')).toMatchObject({ exitCode: 8 });
  checkout.reply(200, { orderId: 'ord_2' });
  const run = types('buy', '--resume');
  await run.shows('Number from 1 to 2');
  run.type(`2${ENTER}`);
  await run.shows('Continue with that order? Type yes to confirm: ');
  await run.answer('yes');
  expect(await run.ended()).toBe(0);
  expect(orders().at(-1)?.json).toEqual({ items: [{ planId: 'p2' }] });
});

test('Ctrl-C after the request was sent says that the order may exist, and how to resume it', async () => {
  const { wire, types } = await person({}, false);
  wire.on('POST', '/v1/checkout').hang();
  const arrived = wire.nextRequest();
  const run = types('buy', '--plan', 'p1', '--yes', '--no-input');
  const request = await Promise.race([arrived, run.ended()]);
  expect(request, run.output()).toBeTypeOf('object');
  run.type(CTRL_C);
  expect(await run.ended()).toBe(130);
  expect(run.output()).toContain(`Try: svc buy --resume ${wire.requests[0]?.headers['idempotency-key']}`);
});

test.runIf(process.platform === 'linux')(
  'only a payment page on https is opened, once, and not with --no-browser',
  async () => {
    const folder = await temporaryFolder();
    const browser = join(folder, 'browser');
    writeFileSync(browser, `#!/bin/sh\necho "$@" >> ${folder}/opened\n`);
    chmodSync(browser, 0o755);
    const screen = { BROWSER: browser, SVC_NO_BROWSER: '' };
    const { wire, types } = await person(screen, false);
    const buy = async (payment_url: string, ...flags: string[]) => {
      wire.on('POST', '/v1/checkout').reply(201, { orderId: 'ord_1', paymentMethod: 'credit_card', payment_url });
      const run = types('buy', '--plan', 'p1', '--payment', 'credit_card', '--yes', ...flags);
      expect(await run.ended()).toBe(0);
      expect(run.output()).toContain(payment_url);
    };
    await buy('http://pay.example.com/plain');
    await buy('https://pay.example.com/quiet', '--no-browser');
    await buy('https://pay.example.com/o?a=1&b=$(id)');
    expect(await untilWritten(join(folder, 'opened'))).toBe('https://pay.example.com/o?a=1&b=$(id)\n');
  },
);
