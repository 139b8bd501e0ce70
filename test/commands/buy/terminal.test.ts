import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { builtProgram, type Program } from '../../support/program.ts';
import { CANARY_TOKEN, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';
import { onTerminal, TERMINAL_ENV } from '../../terminal/script.ts';

const CTRL_C = '\u0003';
const ENTER = '\r';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

/** A person at a terminal, and the service as a wire. */
async function person(env: Readonly<Record<string, string>> = {}) {
  const wire = await testWire();
  const configDir = await temporaryFolder();
  const surroundings = {
    SVC_API_URL: wire.url,
    SVC_TOKEN: CANARY_TOKEN,
    SVC_CONFIG_DIR: configDir,
    SVC_NO_BROWSER: '1',
  };
  return {
    wire,
    journal: join(configDir, 'purchases.json'),
    types: (...args: string[]) =>
      onTerminal(program.command[1], { args, env: { ...TERMINAL_ENV, TERM: 'dumb', ...surroundings, ...env } }),
  };
}

/** The text on a terminal, without escape sequences. */
function wordsOf(output: string): string {
  return output.replaceAll('\r', '').replace(/\u001b\[[\d;?]*[A-Za-z]/g, '');
}

test('svc buy asks for missing parts, shows the order, and places it', async () => {
  const { wire, types } = await person({ SVC_ORG: 'acme' });
  wire.on('POST', '/v1/checkout').reply(201, { orderId: 'ord_1', paymentMethod: 'mobile_money', provider: 'mtn' });
  const run = types('buy');
  await run.shows('Which plan? (its id; --plan)');
  run.type(`${ENTER}`);
  await run.shows('The plan is empty.');
  run.type(`plan_wp_pro${ENTER}`);
  await run.shows('Mobile money network?');
  run.type(`mtn${ENTER}`);
  await run.shows('Phone number that pays?');
  run.type(`none of yours${ENTER}`);
  await run.shows('The answer is not a phone number');
  run.type(`+237 670 00 00 42${ENTER}`);
  await run.shows('Place this order? [y/N]');
  expect(wire.requests).toEqual([]);
  const shown = wordsOf(run.output());
  for (const line of [
    'plan plan_wp_pro',
    'Account       the token of SVC_TOKEN',
    'Organization  acme',
    'Payment       mobile money, network mtn, from +**********42',
    'Currency      local',
    'Renewals      this order saves no number for them',
    'the amount appears on the phone',
  ]) {
    expect(shown).toContain(line);
  }
  run.type(`y${ENTER}`);
  expect(await run.ended()).toBe(0);
  expect(wire.requests[0]?.json).toEqual({
    items: [{ planId: 'plan_wp_pro' }],
    mobileMoneyNetwork: 'mtn',
    mobileMoneyPhone: '+237670000042',
  });
  expect(wordsOf(run.output())).toContain('Order ord_1 created.');
});

test('Enter alone does not buy', async () => {
  const { wire, types, journal } = await person();
  const run = types('buy', '--domain', 'exämple.com', '--autopay', '--network', 'mtn', '--phone', '670000042');
  await run.shows('Place this order? [y/N]');
  expect(run.output()).toContain('domain exämple.com (xn--exmple-cua.com)');
  expect(run.output()).toContain('Renewals      paid by themselves: the number is saved for them');
  run.type(ENTER);
  expect(await run.ended()).toBe(2);
  expect(run.output()).toContain('Cancelled. Nothing was changed.');
  expect([wire.requests, existsSync(journal)]).toEqual([[], false]);
});

test.each(['Which plan?', 'Mobile money network?', 'Phone number', 'Place this order?'])(
  'Ctrl-C at "%s" leaves with nothing done',
  async (question) => {
    const { wire, types, journal } = await person();
    const run = types('buy');
    for (const asked of ['Which plan?', 'Mobile money network?', 'Phone number']) {
      if (asked === question) break;
      await run.shows(asked);
      run.type(asked === 'Which plan?' ? `p1${ENTER}` : ENTER);
    }
    await run.shows(question);
    run.type(CTRL_C);
    expect(await run.ended()).toBe(130);
    expect([wire.requests, existsSync(journal)]).toEqual([[], false]);
  },
);

test('an empty network and number are left out, as for a free order', async () => {
  const { wire, types } = await person({ TERM: 'xterm-256color' });
  wire.on('POST', '/v1/checkout').reply(201, { orderId: 'ord_1' });
  const run = types('buy', '--plan', 'plan_wp_free');
  await run.shows('Mobile money network?');
  run.type(ENTER);
  await run.shows('Phone number that pays?');
  run.type(ENTER);
  await run.shows('Place this order?');
  run.type('y');
  expect(await run.ended()).toBe(0);
  expect(wire.requests[0]?.json).toEqual({ items: [{ planId: 'plan_wp_free' }] });
});

test('by card, nobody is asked for a phone; --no-input asks nothing at all', async () => {
  const { wire, types } = await person();
  const byCard = types('buy', '--plan', 'p1', '--payment', 'credit_card');
  await byCard.shows('Place this order?');
  expect(byCard.output()).not.toContain('Mobile money');
  byCard.type(`n${ENTER}`);
  expect(await byCard.ended()).toBe(2);
  const silent = types('buy', '--plan', 'p1', '--no-input');
  expect(await silent.ended()).toBe(2);
  expect(wordsOf(silent.output()).replaceAll('\n', ' ')).toContain('svc cannot ask for one here. Nothing was sent.');
  expect(wire.requests).toEqual([]);
});

test('after a lost answer, the same command asks whether to go on with it', async () => {
  const { wire, types } = await person({ SVC_NO_RETRY: '1' });
  const checkout = wire.on('POST', '/v1/checkout').reset();
  const lost = types('buy', '--plan', 'p1', '--network', 'mtn', '--phone', '670000042', '--yes');
  expect(await lost.ended()).toBe(8);
  checkout.reply(200, { orderId: 'ord_1' });
  const again = types('buy', '--plan', 'p1', '--network', 'mtn', '--phone', '670000042');
  await again.shows('Resume this order? [y/N]');
  expect(wordsOf(again.output()).replace(/\s+/g, ' ')).toMatch(
    /The same was sent .* and its outcome is unknown\. It is sent again with its key: a service that honours the key/,
  );
  again.type(`y${ENTER}`);
  expect(await again.ended()).toBe(0);
  const keys = wire.requests.map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(1);

  checkout.reply(200, { orderId: 'ord_2' });
  const once = types('buy', '--plan', 'p1', '--network', 'mtn', '--phone', '670000042');
  await once.shows('Place this order? [y/N]');
  expect(wordsOf(once.output()).replace(/\s+/g, ' ')).toMatch(/The same was ordered .*: order ord_1\./);
  once.type(`y${ENTER}`);
  expect(await once.ended()).toBe(0);
});

test.each([[[]], [['--resume']]])(
  'an order that another svc finishes while a person is asked is not sent again (%j)',
  async (resume) => {
    const { wire, journal, types } = await person({ SVC_NO_RETRY: '1' });
    wire.on('POST', '/v1/checkout').reset();
    const order = ['--plan', 'p1', '--network', 'mtn', '--phone', '670000042'];
    expect(await types('buy', ...order, '--yes').ended()).toBe(8);
    const slow = types('buy', ...(resume.length === 0 ? order : resume));
    await slow.shows('Resume this order? [y/N]');
    const content = JSON.parse(readFileSync(journal, 'utf8'));
    Object.assign(content.purchases[0], { state: 'closed', orderId: 'ord_1', body: undefined });
    writeFileSync(journal, JSON.stringify(content));
    slow.type(`y${ENTER}`);
    expect(await slow.ended()).toBe(2);
    expect(wordsOf(slow.output()).replace(/\s+/g, ' ')).toContain(
      'Another svc has the answer to this order by now: order ord_1. Nothing was sent.',
    );
    expect(wire.requests).toHaveLength(1);
  },
);

test('a day after a lost answer, a person is asked whether to place a second order, and Enter does not', async () => {
  const { wire, journal, types } = await person({ SVC_NO_RETRY: '1' });
  const checkout = wire.on('POST', '/v1/checkout').reset();
  const order = ['buy', '--plan', 'p1', '--network', 'mtn', '--phone', '670000042'];
  expect(await types(...order, '--yes').ended()).toBe(8);
  const content = JSON.parse(readFileSync(journal, 'utf8'));
  const [lost] = content.purchases;
  lost.createdAt = new Date(Date.now() - 25 * 3_600_000).toISOString();
  writeFileSync(journal, JSON.stringify(content));

  const careful = types(...order);
  await careful.shows('Place a second order? [y/N]');
  const shown = wordsOf(careful.output()).replace(/\s+/g, ' ');
  expect(shown).toMatch(/The same was sent .* and its outcome is unknown: a second order may be charged as well\./);
  expect(shown).toContain(`svc buy --resume ${lost.key}`);
  careful.type(ENTER);
  expect(await careful.ended()).toBe(2);
  const hasty = types(...order, '--yes');
  expect(await hasty.ended(), '--yes does not choose').toBe(2);
  expect(wire.requests).toHaveLength(1);

  checkout.reply(201, { orderId: 'ord_2' });
  const second = types(...order);
  await second.shows('Place a second order? [y/N]');
  second.type(`y${ENTER}`);
  expect(await second.ended()).toBe(0);
  expect(new Set(wire.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
  expect(JSON.parse(readFileSync(journal, 'utf8')).purchases).toMatchObject([{ state: 'open' }, { state: 'closed' }]);
});

test('of several unfinished purchases, a person chooses one', async () => {
  const { wire, types } = await person({ SVC_NO_RETRY: '1' });
  const checkout = wire.on('POST', '/v1/checkout').reset().reset();
  for (const plan of ['p1', 'p2']) expect(await types('buy', '--plan', plan, '--yes', '--no-input').ended()).toBe(8);
  checkout.reply(200, { orderId: 'ord_2' });
  const run = types('buy', '--resume');
  await run.shows('Number from 1 to 2');
  run.type(`2${ENTER}`);
  await run.shows('Resume this order? [y/N]');
  run.type(`y${ENTER}`);
  expect(await run.ended()).toBe(0);
  expect(wire.requests.at(-1)?.json).toEqual({ items: [{ planId: 'p2' }] });
});

test('Ctrl-C after the request was sent says that the order may exist, and how to resume it', async () => {
  const { wire, types } = await person();
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
    const { wire, types } = await person(screen);
    const buy = async (payment_url: string, ...flags: string[]) => {
      wire.on('POST', '/v1/checkout').reply(201, { orderId: 'ord_1', paymentMethod: 'credit_card', payment_url });
      const run = types('buy', '--plan', 'p1', '--payment', 'credit_card', '--yes', ...flags);
      expect(await run.ended()).toBe(0);
      expect(run.output()).toContain(payment_url);
    };
    await buy('http://pay.example.com/plain');
    await buy('https://pay.example.com/quiet', '--no-browser');
    await buy('https://pay.example.com/o?a=1&b=$(id)');
    await vi.waitUntil(() => existsSync(join(folder, 'opened')), { timeout: 20_000 });
    expect(readFileSync(join(folder, 'opened'), 'utf8')).toBe('https://pay.example.com/o?a=1&b=$(id)\n');
  },
);
