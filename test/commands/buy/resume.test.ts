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
import type { WireHeaders } from '../../support/wire-plan.ts';

const HOUR_MS = 3_600_000;
const ELSEWHERE = { location: 'https://elsewhere.example.com/' };

type Step =
  | 'reset'
  | 'hangUp'
  | 'cut'
  | readonly [status: number, body?: object | string | undefined, headers?: WireHeaders];

function answer(plan: WirePlan, steps: readonly Step[]): void {
  for (const step of steps) {
    if (step === 'reset') plan.reset();
    else if (step === 'hangUp') plan.hangUp();
    else if (step === 'cut') plan.cut(201, { orderId: 'ord_1' }, 5);
    else plan.reply(...step);
  }
}

const LOST: readonly Step[] = ['reset', 'reset', 'reset'];

/** An order whose answer was lost. */
async function losing(one: Buyer, ...argv: readonly string[]) {
  answer(one.checkout(), LOST);
  return one.buy(...(argv.length === 0 ? ORDER : argv));
}

// biome-ignore format: a table
test.each<[what: string, steps: readonly Step[]]>([
  ['connections that are reset', LOST],
  ['connections that are closed', ['hangUp', 'hangUp', 'hangUp']],
  ['an answer that is cut', ['cut', 'reset', 'reset']],
  ['an answer that is no JSON', [[201, '<html>', { 'content-type': 'text/html' }]]],
  ['an answer that is no object', [[201, '[]']]],
  ['a gateway that gives up', [[504], [502], [503]]],
  ['a failing service', [[500, { error: 'oops' }], [500], [500]]],
  ['a first request that still runs', [[409, { error: 'busy' }], [409], [409]]],
  ['a late time-out', [[408], [408], [408]]],
  ['a lost answer, and then a refusal', ['reset', [401, { error: 'expired' }]]],
  ['a lost answer, and then too many requests', ['reset', [429], [429]]],
  ['a lost answer, and then a no', ['reset', [200, { error: 'this key was used' }]]],
  ['a lost answer, and then a redirect', ['reset', [307, undefined, ELSEWHERE]]],
])('after %s the order may exist, and the printed command resumes it', async (_what, steps) => {
  const { wire, checkout, buy, run, keys, bodies, pending } = await buyer();
  answer(checkout(), steps);
  const lost = await buy(...ORDER);
  expect(lost.exitCode).toBe(8);
  const mayExist = 'may exist. If the platform honours this key, it will not place the order twice:';
  expect(flowing(lost.stderr)).toContain(`${mayExist} ${keys()[0]} `);
  expect(lost.stdout + lost.stderr).not.toMatch(/670000042|✓/);
  expect(await pending()).toMatchObject([{ idempotencyKey: keys()[0], items: 'plan plan_wp_pro' }]);
  checkout().reply(200, { orderId: 'ord_1', paymentMethod: 'mobile_money' });
  const told = ['buy', '--resume', keys()[0] ?? '', '--yes'];
  expect(lost.stderr).toContain(`svc ${told.join(' ')}`);
  const resumed = await run(told);
  expect(resumed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('✓ Order ord_1 created.') });
  expect(flowing(resumed.stderr)).toMatch(/^You sent this same order on .* and its result is unknown\. If the platform/);
  expect([new Set(keys()).size, new Set(bodies()).size, await pending()]).toEqual([1, 1, []]);
  expect(wire.requests.at(-1)?.json).toMatchObject({ mobileMoneyPhone: '+237670000042' });
});

// biome-ignore format: a table
test.each<[what: string, step: Step, exitCode: number]>([
  ['a refusal', [400, { error: 'no' }], 3],
  ['a refused sign-in', [401, { error: 'no' }], 4],
  ['a missing right', [403, { error: 'no' }], 5],
  ['too many requests', [429, {}, { 'retry-after': '9999' }], 7],
  ['a redirect, which means a wrong address', [307, { error: 'moved' }, ELSEWHERE], 1],
])('after %s of the only request, nothing is unfinished', async (_what, step, exitCode) => {
  const { checkout, buy, pending } = await buyer();
  answer(checkout(), [step]);
  const run = await buy(...ORDER, '--json');
  expect(run.exitCode).toBe(exitCode);
  expect(run.error).not.toHaveProperty('outcome');
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

// biome-ignore format: a table
test.each<[what: string, step: Step, next?: string]>([
  ['400', [400, { error: 'this domain is registered already' }]],
  ['401', [401, { error: 'expired' }], 'svc login'],
  ['403', [403, { error: 'expired' }], 'svc '],
  ['404', [404, { error: 'no such plan' }]],
  ['410', [410, { error: 'the key has expired' }]],
  ['422', [422, { error: 'the key belongs to another body' }]],
  ['redirect', [307, { error: 'moved' }, ELSEWHERE]],
  ['no with 200', [200, { error: 'no such plan' }]],
  ['failure without an order', [200, { status: 'declined' }]],
])('a later %s does not undo what the first request may have done', async (_what, step, next) => {
  for (const argv of [['--resume'], ORDER]) {
    const one = await buyer();
    const { checkout, buy, keys, pending } = one;
    await losing(one);
    answer(checkout(), [step]);
    const refused = await buy(...argv, '--json');
    const [key = ''] = keys();
    expect(refused.exitCode).toBe(8);
    expect(refused.error).toMatchObject({ code: 'unavailable', outcome: 'unknown', idempotencyKey: key });
    expect(refused.stderr, 'first things first').toContain(next ?? `"hint":"svc buy --resume ${key} --yes"`);
    expect(await pending()).toHaveLength(1);
    checkout().reply(200, { orderId: 'ord_1' });
    expect((await buy(...ORDER)).exitCode).toBe(0);
    expect(new Set(keys()).size).toBe(1);
  }
});

test('people who are refused by their sign-in read that the order is sent again afterwards', async () => {
  const one = await buyer();
  await losing(one);
  one.checkout().reply(403, { error: 'expired' });
  expect(flowing((await one.buy(...ORDER)).stderr)).toContain('Then send it again: svc buy --resume');
});

test('the same command again resumes with the same key, and says so', async () => {
  const one = await buyer();
  const { checkout, buy, keys, clock, pending } = one;
  const lost = await losing(one, ...ORDER, '--json');
  const [key] = keys();
  expect(lost).toMatchObject({ exitCode: 8, stdout: '' });
  const error = { code: 'unavailable', exitCode: 8, attempts: 3, outcome: 'unknown', idempotencyKey: key };
  expect(lost.error).toMatchObject({ ...error, hint: `svc buy --resume ${key} --yes` });
  clock.advance(23 * HOUR_MS);
  checkout().reply(200, { orderId: 'ord_1' });
  const again = await buy(...ORDER);
  expect(again.exitCode).toBe(0);
  expect(flowing(again.stderr)).toMatch(
    /^You sent this same order on 2026-03-01T12:00:00.000Z and its result is unknown/,
  );
  expect(again.stdout).toContain('  First sent  2026-03-01T12:00:00.000Z\n');
  expect([new Set(keys()).size, await pending()]).toEqual([1, []]);
});

test('flags and fields in another order are the same purchase, and go out as they were sent first', async () => {
  const one = await buyer();
  await losing(one, '--plan', 'p1', '--label', 'x', '--field', 'a=1', '--field', 'b=2');
  answer(one.checkout(), [...LOST, [200, { orderId: 'ord_1' }]]);
  await one.buy('--field', 'b=2', '--label', 'x', '--field', 'a=1', '--plan', 'p1');
  expect((await one.buy('--resume')).exitCode).toBe(0);
  expect([new Set(one.keys()).size, new Set(one.bodies()).size]).toEqual([1, 1]);
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

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s after the request was sent prints the key and the command that resumes it',
  async (signal, exitCode) => {
    for (const json of [[], ['--json']]) {
      const { wire, checkout, run, keys, pending } = await buyer();
      checkout().hang();
      const arrived = wire.nextRequest();
      const stopped = await run(['buy', '--yes', ...ORDER, ...json], {
        onStart: (send) => void arrived.then(() => send(signal)),
      });
      const [key] = keys();
      expect(stopped).toMatchObject({ exitCode, stdout: '' });
      if (json.length === 0) expect(stopped.stderr).toBe(doubtful('Interrupted while the order was on its way.', key));
      else
        expect(stopped.error).toMatchObject({ code: 'interrupted', exitCode, outcome: 'unknown', idempotencyKey: key });
      expect(await pending()).toHaveLength(1);
    }
  },
);

describe('a key that the user chose', () => {
  test('is refused for another body, before anything is sent, finished or not', async () => {
    const one = await buyer();
    const { wire, checkout, buy } = one;
    await losing(one, ...ORDER, '--idempotency-key', 'mine');
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

test('an order that is being sent belongs to its process for the time limit and half a minute', async () => {
  const { checkout, buy, journal } = await buyer();
  let until: string | undefined;
  checkout().act(({ response }) => {
    until = editJournal(journal, () => undefined)[0]?.sender?.until;
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"orderId":"ord_1"}');
  });
  await buy(...ORDER, '--timeout', '60s');
  expect(until).toBe('2026-03-01T12:01:30.000Z');
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
