import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type Buyer,
  buyer,
  doubtful,
  editJournal,
  flowing,
  ORDER,
  SENDER_ELSEWHERE,
  toldBy,
} from '../../support/buyer.ts';
import type { WirePlan } from '../../support/wire.ts';

const HOUR_MS = 3_600_000;
const UUID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';

const AMBIGUOUS: ReadonlyArray<readonly [string, (plan: WirePlan) => unknown]> = [
  ['connections that are reset', (plan) => plan.reset().reset().reset()],
  ['connections that are closed', (plan) => plan.hangUp().hangUp().hangUp()],
  ['an answer that is cut', (plan) => plan.cut(201, { orderId: 'ord_1' }, 5).reset().reset()],
  ['an answer that is no JSON', (plan) => plan.reply(201, '<html>', { 'content-type': 'text/html' })],
  ['an answer that is no object', (plan) => plan.reply(201, '[]')],
  ['a gateway that gives up', (plan) => plan.reply(504).reply(502).reply(503)],
  ['a failing service', (plan) => plan.reply(500, { error: 'oops' }).reply(500).reply(500)],
  [
    'a first request that still runs',
    (plan) => plan.reply(409, { error: 'busy' }).reply(409).reply(409, { error: 'busy' }),
  ],
  ['a late time-out', (plan) => plan.reply(408).reply(408).reply(408)],
  ['a lost answer, and then a refusal', (plan) => plan.reset().reply(401, { error: 'expired' })],
  ['a lost answer, and then too many requests', (plan) => plan.reset().reply(429).reply(429)],
];

describe.each(AMBIGUOUS)('after %s', (_name, plan) => {
  test('the order may exist, and the printed command resumes it', async () => {
    const { wire, checkout, buy, run, keys, bodies, pending } = await buyer();
    plan(checkout());
    const lost = await buy(...ORDER);
    expect(lost).toMatchObject({ exitCode: 8, stdout: '' });
    expect(lost.stderr).toMatch(
      new RegExp(
        `  The order may exist\\. If the platform honours this key, it will not place the order twice:\n  ${UUID}\n`,
      ),
    );
    expect(lost.stderr).not.toContain('670000042');
    expect(await pending()).toMatchObject([{ idempotencyKey: keys()[0], items: 'plan plan_wp_pro' }]);

    checkout().reply(200, { orderId: 'ord_1', paymentMethod: 'mobile_money' });
    const told = toldBy(lost.stderr);
    expect(told).toEqual(['buy', '--resume', keys()[0], '--yes']);
    const resumed = await run(told);
    expect(resumed.exitCode).toBe(0);
    expect(resumed.stdout).toContain('✓ Order ord_1 created.');
    expect(flowing(resumed.stderr)).toMatch(
      /^You sent this same order on .* and its result is unknown\. If the platform honours its key, it will not place the order twice\./,
    );
    expect(new Set(keys()).size).toBe(1);
    expect(new Set(bodies()).size).toBe(1);
    expect(await pending()).toEqual([]);
    expect(wire.requests.at(-1)?.json).toMatchObject({ mobileMoneyPhone: '+237670000042' });
  });
});

test('with --json, the error says all that a script needs', async () => {
  const { checkout, buy, keys } = await buyer();
  checkout().reset().reset().reset();
  const lost = await buy(...ORDER, '--json');
  expect(lost).toMatchObject({ exitCode: 8, stdout: '' });
  expect(lost.error).toMatchObject({
    code: 'unavailable',
    exitCode: 8,
    attempts: 3,
    outcome: 'unknown',
    idempotencyKey: keys()[0],
    hint: `svc buy --resume ${keys()[0]} --yes`,
  });
});

test('the same command again resumes with the same key, and says so', async () => {
  const { checkout, buy, keys, clock, pending } = await buyer();
  checkout().reset().reset().reset();
  await buy(...ORDER);
  clock.advance(23 * HOUR_MS);
  checkout().reply(200, { orderId: 'ord_1' });
  const again = await buy(...ORDER);
  expect(again.exitCode).toBe(0);
  expect(flowing(again.stderr)).toMatch(
    /^You sent this same order on 2026-03-01T12:00:00.000Z and its result is unknown\. If the platform honours its key, it will not place the order twice\./,
  );
  expect(again.stdout).toContain('  First sent  2026-03-01T12:00:00.000Z\n');
  expect(new Set(keys()).size).toBe(1);
  expect(await pending()).toEqual([]);
});

test('flags and fields in another order are the same purchase', async () => {
  const { checkout, buy, keys } = await buyer();
  checkout().reset().reset().reset();
  await buy('--plan', 'p1', '--label', 'x', '--field', 'a=1', '--field', 'b=2');
  checkout().reply(200, { orderId: 'ord_1' });
  await buy('--field', 'b=2', '--label', 'x', '--field', 'a=1', '--plan', 'p1');
  expect(new Set(keys()).size).toBe(1);
});

test.each<[string, string[]]>([
  ['another plan', ['--plan', 'plan_wp_free', '--network', 'mtn', '--phone', '+237670000042']],
  ['another label', [...ORDER, '--label', 'blog']],
  ['what is meant as another one', [...ORDER, '--new-order']],
])('%s is another purchase', async (_title, argv) => {
  const { checkout, buy, keys, pending } = await buyer();
  checkout().reset().reset().reset().reply(200, { orderId: 'ord_2' });
  await buy(...ORDER);
  const other = await buy(...argv, '--json');
  expect(other.exitCode).toBe(0);
  expect(JSON.parse(other.stderr), 'scripts are warned as well').toMatchObject({
    warning: expect.stringContaining('result'),
    code: 'order_in_doubt',
  });
  expect(new Set(keys()).size).toBe(2);
  expect(await pending()).toHaveLength(1);
});

test('a purchase whose answer was shown is over: the same command buys again, and warns', async () => {
  const { checkout, buy, keys } = await buyer();
  for (let order = 1; order <= 4; order += 1) checkout().reply(200, { orderId: `ord_${order}` });
  expect((await buy(...ORDER)).stderr).toBe('');
  const second = await buy(...ORDER);
  expect(second.exitCode).toBe(0);
  expect(flowing(second.stderr)).toMatch(/^Warning: You sent this same order on 2026-03-01T\S+: order ord_1\. $/);
  expect(await buy(...ORDER, '--new-order'), 'meant').toMatchObject({ exitCode: 0, stderr: '' });
  expect(await buy(...ORDER, '--idempotency-key', 'mine'), 'meant').toMatchObject({ exitCode: 0, stderr: '' });
  expect(new Set(keys()).size).toBe(4);
});

test.each<[string, (plan: WirePlan) => unknown, number]>([
  ['a refusal', (plan) => plan.reply(400, { error: 'no' }), 3],
  ['a refused sign-in', (plan) => plan.reply(401, { error: 'no' }), 4],
  ['a missing right', (plan) => plan.reply(403, { error: 'no' }), 5],
  ['too many requests', (plan) => plan.reply(429, {}, { 'retry-after': '9999' }), 7],
])('after %s of the only request, nothing is unfinished', async (_title, plan, exitCode) => {
  const { checkout, buy, pending } = await buyer();
  plan(checkout());
  const run = await buy(...ORDER);
  expect(run.exitCode).toBe(exitCode);
  expect(run.stderr).not.toContain('may exist');
  expect(await pending()).toEqual([]);
});

test('when nobody answers at all, nothing is unfinished', async () => {
  const { wire, buy, pending } = await buyer();
  await wire.close();
  const run = await buy(...ORDER);
  expect(run.exitCode).toBe(8);
  expect(run.stderr).not.toContain('may exist');
  expect(await pending()).toEqual([]);
});

test('a refused sign-in says nothing about the request before it: the purchase stays unfinished', async () => {
  const { checkout, buy, keys, pending } = await buyer();
  checkout().reset().reset().reset();
  await buy(...ORDER);
  checkout().reply(401, { error: 'expired' });
  const refused = await buy(...ORDER, '--json');
  expect(refused.exitCode).toBe(8);
  expect(refused.error).toMatchObject({ code: 'unavailable', outcome: 'unknown', idempotencyKey: keys()[0] });
  expect(refused.error['next'], 'first things first').toEqual([expect.stringContaining('svc login')]);
  expect(await pending()).toHaveLength(1);
  checkout().reply(403, { error: 'expired' });
  expect(flowing((await buy(...ORDER)).stderr)).toContain('Then send it again: svc buy --resume');
});

test.each<[string, (plan: WirePlan) => unknown]>([
  ['400', (plan) => plan.reply(400, { error: 'this domain is registered already' })],
  ['404', (plan) => plan.reply(404, { error: 'no such plan' })],
  ['410', (plan) => plan.reply(410, { error: 'the key has expired' })],
  ['422', (plan) => plan.reply(422, { error: 'the key belongs to another body' })],
  ['a redirect', (plan) => plan.reply(307, { error: 'moved' }, { location: 'https://elsewhere.example.com/' })],
  ['a no with 200', (plan) => plan.reply(200, { error: 'no such plan' })],
  ['a failure without an order', (plan) => plan.reply(200, { status: 'declined' })],
])('a later %s does not undo what the first request may have done: exit 8, and still pending', async (_what, plan) => {
  for (const isResumed of [false, true]) {
    const { checkout, buy, keys, pending } = await buyer();
    checkout().reset().reset().reset();
    await buy(...ORDER);
    plan(checkout());
    const refused = await (isResumed ? buy('--resume', '--json') : buy(...ORDER, '--json'));
    expect(refused.exitCode).toBe(8);
    expect(refused.error).toMatchObject({
      code: 'unavailable',
      outcome: 'unknown',
      idempotencyKey: keys()[0],
      hint: `svc buy --resume ${keys()[0]} --yes`,
    });
    expect(await pending()).toHaveLength(1);
    checkout().reply(200, { orderId: 'ord_1' });
    expect((await buy(...ORDER)).exitCode).toBe(0);
    expect(new Set(keys()).size).toBe(1);
  }
});

describe('an answer that says no', () => {
  test.each([
    { success: false, message: 'no such plan' },
    { error: 'no such plan' },
    { status: 'declined', reason: 'no such plan' },
  ])('such as %j without an order id is in doubt: the order may exist all the same', async (answer) => {
    const { checkout, buy, keys, pending } = await buyer();
    checkout().reply(200, answer).reply(200, answer);
    const run = await buy(...ORDER, '--json');
    expect(run).toMatchObject({ exitCode: 8, stdout: `${JSON.stringify(answer)}\n` });
    expect(run.error).toMatchObject({ code: 'unavailable', outcome: 'unknown', idempotencyKey: keys()[0] });
    expect(run.error['error']).toContain('no such plan');
    expect(await pending()).toHaveLength(1);
    const people = await buy(...ORDER);
    expect(people.stdout).not.toContain('✓');
    expect(people.stderr).toContain('The API answered without an order id: no such plan');
    expect(new Set(keys()).size, 'the same order is sent with the same key').toBe(1);
  });

  test('but names an order is an order that failed: the user has the answer', async () => {
    const { checkout, buy, pending } = await buyer();
    checkout().reply(200, { success: false, orderId: 'ord_1', message: 'declined' });
    const run = await buy(...ORDER, '--json');
    expect(run.error).toMatchObject({ code: 'failed', exitCode: 9, error: 'Order ord_1 failed: declined' });
    expect(await pending()).toEqual([]);
  });

  test('after a request whose answer was lost leaves the order in doubt', async () => {
    const { checkout, buy, keys, pending } = await buyer();
    checkout().reset().reply(200, { error: 'this key was used' });
    const run = await buy(...ORDER, '--json');
    expect(run).toMatchObject({ exitCode: 8, stdout: '{"error":"this key was used"}\n' });
    expect(run.error).toMatchObject({ code: 'unavailable', outcome: 'unknown', idempotencyKey: keys()[0] });
    expect(await pending()).toHaveLength(1);
  });
});

test('a redirect means a wrong address: nothing was ordered there, and the purchase is forgotten', async () => {
  const { checkout, buy, pending } = await buyer();
  checkout().reply(307, { error: 'moved' }, { location: 'https://elsewhere.example.com/' });
  const run = await buy(...ORDER, '--json');
  expect(run.error).toMatchObject({ error: 'moved', code: 'unexpected', exitCode: 1 });
  expect(run.error['hint']).toContain('https://elsewhere.example.com');
  expect(run.error).not.toHaveProperty('outcome');
  expect(await pending()).toEqual([]);
});

test('a redirect after an answer that was lost leaves the purchase open', async () => {
  const { checkout, buy, pending } = await buyer();
  checkout().reset().reply(307, undefined, { location: 'https://elsewhere.example.com/' });
  const run = await buy(...ORDER, '--json');
  expect(run.error).toMatchObject({ code: 'unavailable', exitCode: 8, outcome: 'unknown' });
  expect(await pending()).toHaveLength(1);
});

describe('an interrupt', () => {
  test('after the request was sent prints the key and the resume command', async () => {
    const { wire, checkout, run, keys, pending } = await buyer();
    checkout().hang();
    const arrived = wire.nextRequest();
    const stopped = await run(['buy', '--yes', ...ORDER], {
      onStart: (send) => void arrived.then(() => send('SIGINT')),
    });
    expect(stopped).toMatchObject({ exitCode: 130, stdout: '' });
    expect(stopped.stderr).toBe(doubtful('Interrupted while the order was on its way.', keys()[0]));
    expect(await pending()).toHaveLength(1);
  });

  test('is the same for a script, and for the other signals', async () => {
    const { wire, checkout, run, keys } = await buyer();
    checkout().hang();
    const arrived = wire.nextRequest();
    const stopped = await run(['buy', '--yes', '--json', ...ORDER], {
      onStart: (send) => void arrived.then(() => send('SIGTERM')),
    });
    expect(stopped).toMatchObject({ exitCode: 143, stdout: '' });
    expect(stopped.error).toMatchObject({
      code: 'interrupted',
      exitCode: 143,
      outcome: 'unknown',
      idempotencyKey: keys()[0],
      hint: `svc buy --resume ${keys()[0]} --yes`,
    });
  });
});

describe('a key that the user chose', () => {
  test('is refused for another body, before anything is sent, finished or not', async () => {
    const { wire, checkout, buy } = await buyer();
    checkout().reset().reset().reset();
    await buy(...ORDER, '--idempotency-key', 'mine');
    const refused = await buy('--plan', 'other', '--idempotency-key', 'mine');
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toBe(
      'Error: The key mine belongs to another order (plan plan_wp_pro; mobile money, network mtn, from +237*******42). ' +
        'Nothing was sent. Choose another idempotency key, or none.\n',
    );
    checkout().reply(200, { orderId: 'ord_1' });
    expect((await buy(...ORDER, '--idempotency-key', 'mine')).exitCode).toBe(0);
    expect((await buy('--plan', 'other', '--idempotency-key', 'mine')).exitCode).toBe(2);
    expect(wire.requests).toHaveLength(4);
  });

  test('shows its order again after it was shown', async () => {
    const { checkout, buy, keys } = await buyer();
    checkout().reply(201, { orderId: 'ord_1' }).reply(200, { orderId: 'ord_1' });
    await buy(...ORDER, '--idempotency-key', 'mine');
    const again = await buy(...ORDER, '--idempotency-key', 'mine');
    expect(flowing(again.stderr)).toMatch(/^You used this key on .* for order ord_1\. /);
    expect(again.stdout).toContain('Order ord_1 created.');
    expect(keys()).toEqual(['mine', 'mine']);
  });

  test('still belongs to its order after a refusal', async () => {
    const { checkout, buy, pending } = await buyer();
    checkout().reply(201, { orderId: 'ord_1' }).reply(400, { error: 'no' }).reply(200, { orderId: 'ord_1' });
    await buy(...ORDER, '--idempotency-key', 'mine');
    expect(await buy(...ORDER, '--idempotency-key', 'mine')).toMatchObject({ exitCode: 3 });
    expect(await pending()).toEqual([]);
    expect((await buy('--plan', 'other', '--idempotency-key', 'mine')).exitCode).toBe(2);
    const again = await buy(...ORDER, '--idempotency-key', 'mine');
    expect(flowing(again.stderr)).toContain('for order ord_1.');
  });

  test.each(['it is $(rm -rf /) mine', "it's", '-x', '`id`'])('%s can be pasted', async (key) => {
    const { checkout, buy, run, keys } = await buyer();
    checkout().reset().reset().reset();
    const lost = await buy(...ORDER, `--idempotency-key=${key}`);
    checkout().reply(200, { orderId: 'ord_1' });
    expect((await run(toldBy(lost.stderr))).exitCode).toBe(0);
    expect(new Set(keys())).toEqual(new Set([key]));
  });
});

describe('going on', () => {
  const losing = async (b: Buyer, ...argv: string[]) => {
    b.checkout().reset().reset().reset();
    return b.buy(...argv);
  };

  test('needs no key for one purchase, and asks for a choice between two', async () => {
    const b = await buyer();
    await losing(b, '--plan', 'p1');
    await losing(b, '--plan', 'p2');
    const choice = await b.buy('--resume');
    expect(choice.exitCode).toBe(2);
    expect(choice.stderr).toContain(
      `  ${b.keys()[0]}  SVC_TOKEN …cdef: plan p1; mobile money\n  ${b.keys()[3]}  SVC_TOKEN …cdef: plan p2; mobile money\n`,
    );
    b.checkout().reply(200, { orderId: 'ord_2' }).reply(200, { orderId: 'ord_1' });
    expect((await b.buy('--resume', b.keys()[3] ?? '')).stdout).toContain('ord_2');
    expect((await b.buy('--resume')).stdout).toContain('ord_1');
  });

  test('is confirmed as any purchase', async () => {
    const b = await buyer();
    await losing(b, '--plan', 'p1');
    const run = await b.run(['buy', '--resume']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('svc cannot ask for one here. Nothing was sent.');
  });

  test('tells the flags of the address and the organization, and keeps to both', async () => {
    const b = await buyer();
    const url = b.wire.url;
    b.checkout().reset().reset().reset();
    const env = { SVC_API_URL: 'http://127.0.0.1:1' };
    const lost = await b.run(['buy', '--plan', 'p1', '--yes', '--api-url', url, '--org', 'a b'], { env });
    const told = ['buy', '--resume', b.keys()[0] ?? '', '--api-url', url, '--org', 'a b', '--yes'];
    expect(toldBy(lost.stderr)).toEqual(told);

    const elsewhere = await b.run(['buy', '--resume', '--yes'], { env });
    expect(elsewhere.exitCode).toBe(2);
    expect(elsewhere.stderr).toContain(`Error: This order was sent to ${url}.`);
    expect(toldBy(elsewhere.stderr)).toEqual(told);
    const ofAnother = await b.run(['buy', '--resume', '--yes', '--api-url', url, '--org', 'c'], { env });
    expect(ofAnother.stderr).toContain('Error: This order is for the organization a b.');
    expect(toldBy(ofAnother.stderr)).toEqual(told);
    b.checkout().reply(200, { orderId: 'ord_1' });
    expect((await b.run(told, { env })).exitCode).toBe(0);
    expect(b.wire.requests.map(({ headers }) => headers['x-service-org'])).toEqual(Array(4).fill('a b'));
  });

  test('without an organization, it goes out without one, whatever the environment says by now', async () => {
    const b = await buyer();
    await losing(b, '--plan', 'p1');
    const asked = await b.run(['buy', '--resume', '--yes', '--org', 'acme']);
    expect(asked).toMatchObject({ exitCode: 2, stdout: '' });
    expect(asked.stderr).toBe('Error: This order has no organization.\n  Repeat the command without --org.\n');
    b.checkout().reply(200, { orderId: 'ord_1' });
    const run = await b.run(['buy', '--resume', '--yes'], { env: { SVC_ORG: 'acme' } });
    expect(run.exitCode).toBe(0);
    expect(b.wire.requests.at(-1)?.headers).not.toHaveProperty('x-service-org');
    expect(new Set(b.keys()).size).toBe(1);
  });

  test('sends the bytes that were sent first, whatever the flags would make of them', async () => {
    const b = await buyer();
    await losing(b, '--plan', 'p1', '--field', 'a=1', '--field', 'b=2');
    b.checkout().reset().reset().reset().reply(200, { orderId: 'ord_1' });
    await b.buy('--field', 'b=2', '--plan', 'p1', '--field', 'a=1');
    expect((await b.buy('--resume')).exitCode).toBe(0);
    expect(new Set(b.bodies()).size).toBe(1);
  });
});

describe('a journal that cannot be used', () => {
  test('stops the purchase before it is sent', async () => {
    const { wire, buy, journal } = await buyer();
    writeFileSync(journal, '{"version":1');
    const run = await buy(...ORDER);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(`The list of orders is damaged: ${journal}. An order could then be placed twice`);
    expect(wire.requests).toEqual([]);
    expect(readFileSync(journal, 'utf8')).toBe('{"version":1');
  });

  test('does not stop an order if the user keeps the key, and is warned about once', async () => {
    const { checkout, buy, journal, keys } = await buyer();
    writeFileSync(journal, '{"version":1');
    checkout().reply(201, { orderId: 'ord_1' });
    const run = await buy(...ORDER, '--idempotency-key', 'mine');
    expect(run.exitCode).toBe(0);
    expect(flowing(run.stderr)).toBe(
      `Warning: The list of orders is damaged: ${journal}. svc cannot remember this order: keep its key. `,
    );
    expect(keys()).toEqual(['mine']);
    checkout().reset().reset().reset();
    const lost = await buy(...ORDER, '--idempotency-key', 'mine');
    expect(lost.exitCode).toBe(8);
    expect(lost.stderr).toContain('  Repeat the command: it carries the key.\n');
  });

  test('is reported with its reason if the folder takes no file', async () => {
    const { wire, run } = await buyer();
    const stopped = await run(['buy', '--yes', '--plan', 'p1'], { env: { SVC_CONFIG_DIR: '/dev/null/svc' } });
    expect(stopped.exitCode).toBe(2);
    expect(stopped.stderr).toMatch(
      /^Error: Cannot read \/dev\/null\/svc\/orders\.json: .*\(ENOTDIR\)\. An order could then/,
    );
    expect(wire.requests).toEqual([]);
  });

  test('after the answer costs nothing but a warning', async () => {
    const { checkout, run, configDir, journal } = await buyer();
    checkout().act(({ response }) => {
      writeFileSync(journal, 'gone');
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"orderId":"ord_1"}');
    });
    const placed = await run(['buy', '--yes', '--plan', 'p1']);
    expect(placed.exitCode).toBe(0);
    expect(placed.stdout).toContain('Order ord_1 created.');
    expect(placed.stderr).toContain('Warning: The list of orders is damaged');
    expect(configDir).toBeTruthy();
  });
});

test.each<[string, (key: string) => string[]]>([
  ['the same command', () => ORDER],
  ['--resume', (key) => ['--resume', key]],
  ['--idempotency-key', (key) => [...ORDER, '--idempotency-key', key]],
])('a purchase that a process elsewhere is sending is not sent beside it by %s', async (_title, argv) => {
  const { wire, checkout, buy, journal, clock, pending } = await buyer();
  checkout().reset().reset().reset();
  await buy(...ORDER);
  const [{ key } = { key: '' }] = editJournal(journal, ([one]) => {
    expect(one?.sender, 'nobody sends it now').toBeUndefined();
    Object.assign(one ?? {}, { sender: SENDER_ELSEWHERE });
  });
  const refused = await buy(...argv(key));
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr.replace(/in 1[01]\d s/, 'in <seconds> s')).toBe(
    `Error: Another svc is sending this order right now, with the key ${key}. Nothing was sent.\n` +
      '  Repeat the command when it has ended, in <seconds> s at the latest.\n' +
      '  For a second order, add --new-order.\n',
  );
  expect(wire.requests).toHaveLength(3);
  expect(await pending()).toHaveLength(1);
  clock.advance(120_000);
  checkout().reply(200, { orderId: 'ord_1' });
  expect((await buy(...argv(key))).exitCode).toBe(0);
});
