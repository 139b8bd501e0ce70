import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type Buyer,
  buyer,
  doubtful,
  editJournal,
  flowing,
  loser,
  ORDER,
  SENDER_ELSEWHERE,
  toldBy,
} from '../../support/buyer.ts';
import type { WireHeaders } from '../../support/wire-plan.ts';

const HOUR_MS = 3_600_000;
const ELSEWHERE = { location: 'https://elsewhere.example.com/' };

type Step = 'reset' | 'cut' | readonly [status: number, body?: object | string | undefined, headers?: WireHeaders];

function answer({ checkout }: Buyer, steps: readonly Step[]): void {
  for (const step of steps) {
    if (step === 'reset') checkout().reset();
    else if (step === 'cut') checkout().cut(201, { orderId: 'ord_1' }, 5);
    else checkout().reply(...step);
  }
}

// Which faults leave an order in doubt is in trust/faulted.test.ts.
// biome-ignore format: a table
test.each<[what: string, steps: readonly Step[]]>([
  ['an answer that is cut', ['cut', 'reset', 'reset']],
  ['a first request that still runs', [[409, { error: 'busy' }], [409], [409]]],
  ['a lost answer, and then a refusal', ['reset', [401, { error: 'expired' }]]],
  ['a lost answer, and then a no', ['reset', [200, { error: 'this key was used' }]]],
  ['a lost answer, and then a redirect', ['reset', [307, undefined, ELSEWHERE]]],
])('after %s the order may exist, and the printed command resumes it', async (_what, steps) => {
  const one = await buyer();
  const { wire, checkout, buy, run, keys, bodies, pending } = one;
  answer(one, steps);
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

test.each<[what: string, step: Step, exitCode: number]>([
  ['a refusal', [400, { error: 'no' }], 3],
  ['a redirect, which means a wrong address', [307, { error: 'moved' }, ELSEWHERE], 1],
])('after %s of the only request, nothing is unfinished', async (_what, step, exitCode) => {
  const one = await buyer();
  answer(one, [step]);
  const run = await one.buy(...ORDER, '--json');
  expect(run.exitCode).toBe(exitCode);
  expect(run.error).not.toHaveProperty('outcome');
  expect(await one.pending()).toEqual([]);
});

test('when nobody answers at all, nothing is unfinished', async () => {
  const { wire, buy, pending } = await buyer();
  await wire.close();
  const run = await buy(...ORDER);
  expect(run.exitCode).toBe(8);
  expect(run.stderr).not.toContain('may exist');
  expect(await pending()).toEqual([]);
});

test.each<[what: string, step: Step, next?: string]>([
  ['401', [401, { error: 'expired' }], 'svc login'],
  ['410', [410, { error: 'the key has expired' }]],
  ['redirect', [307, { error: 'moved' }, ELSEWHERE]],
  ['no with 200', [200, { error: 'no such plan' }]],
  ['failure without an order', [200, { status: 'declined' }]],
])('a later %s does not undo what the first request may have done', async (_what, step, next) => {
  const one = await loser();
  const { checkout, buy, key, keys, pending } = one;
  answer(one, [step]);
  const refused = await buy(...ORDER, '--json');
  expect(refused.exitCode).toBe(8);
  expect(refused.error).toMatchObject({ code: 'unavailable', outcome: 'unknown', idempotencyKey: key });
  expect(refused.stderr, 'first things first').toContain(next ?? `"hint":"svc buy --resume ${key} --yes"`);
  expect(await pending()).toHaveLength(1);
  checkout().reply(200, { orderId: 'ord_1' });
  expect((await buy(...ORDER)).exitCode).toBe(0);
  expect(new Set(keys()).size).toBe(1);
});

test('people who are refused by their sign-in read that the order is sent again afterwards', async () => {
  const one = await loser();
  answer(one, [[403, { error: 'expired' }]]);
  const told = flowing((await one.buy(...ORDER)).stderr);
  expect(told).toContain('The order sent on 2026-03-01T12:00:00.000Z may exist all the same. Check before you place');
  expect(told).toContain('Then send it again: svc buy --resume');
});

test('the same command again resumes with the same key for a day, and says so', async () => {
  const one = await buyer();
  const lost = await one.lose(...ORDER, '--json');
  const [key] = one.keys();
  const error = { code: 'unavailable', exitCode: 8, attempts: 3, outcome: 'unknown', idempotencyKey: key };
  expect(lost.error).toMatchObject({ ...error, hint: `svc buy --resume ${key} --yes` });
  one.clock.advance(23 * HOUR_MS);
  answer(one, [[200, { orderId: 'ord_1' }]]);
  const again = await one.buy(...ORDER);
  expect(again.exitCode).toBe(0);
  const says = 'You sent this same order on 2026-03-01T12:00:00.000Z and its result is unknown';
  expect(flowing(again.stderr)).toContain(says);
  expect(again.stdout).toContain('  First sent  2026-03-01T12:00:00.000Z\n');
  expect([new Set(one.keys()).size, await one.pending()]).toEqual([1, []]);
});

test('flags and fields in another order are the same purchase, and go out as they were sent first', async () => {
  const one = await loser('--plan', 'p1', '--label', 'x', '--field', 'a=1', '--field', 'b=2');
  await one.lose('--field', 'b=2', '--label', 'x', '--field', 'a=1', '--plan', 'p1');
  answer(one, [[200, { orderId: 'ord_1' }]]);
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
  for (const meant of [['--new-order'], ['--idempotency-key', 'mine']])
    expect(await buy(...ORDER, ...meant)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(new Set(keys()).size).toBe(4);
});

test.each([
  ['SIGINT', 130, []],
  ['SIGTERM', 143, ['--json']],
] as const)(
  '%s after the request was sent prints the key and the command that resumes it',
  async (signal, exitCode, json) => {
    const { wire, checkout, run, keys, pending } = await buyer();
    checkout().hang();
    const arrived = wire.nextRequest();
    const onStart = (send: (name: typeof signal) => void) => void arrived.then(() => send(signal));
    const stopped = await run(['buy', '--yes', ...ORDER, ...json], { onStart });
    const [key] = keys();
    expect(stopped).toMatchObject({ exitCode, stdout: '' });
    if (json.length === 0) expect(stopped.stderr).toBe(doubtful('Interrupted while the order was on its way.', key));
    else
      expect(stopped.error).toMatchObject({ code: 'interrupted', exitCode, outcome: 'unknown', idempotencyKey: key });
    expect(await pending()).toHaveLength(1);
  },
);

describe('a key that the user chose', () => {
  const KEYED = [...ORDER, '--idempotency-key', 'mine'];

  test('is refused for another body, before anything is sent', async () => {
    const { wire, buy } = await loser(...KEYED);
    const refused = await buy('--plan', 'other', '--idempotency-key', 'mine');
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toBe(
      'Error: The key mine belongs to another order (plan plan_wp_pro; mobile money, network mtn, from +237*******42). ' +
        'Nothing was sent. Choose another idempotency key, or none.\n',
    );
    expect(wire.requests).toHaveLength(3);
  });

  test('shows its order again after it was shown, and still belongs to it after a refusal', async () => {
    const { checkout, buy, keys, pending } = await buyer();
    checkout().reply(201, { orderId: 'ord_1' }).reply(400, { error: 'no' }).reply(200, { orderId: 'ord_1' });
    await buy(...KEYED);
    expect(await buy(...KEYED)).toMatchObject({ exitCode: 3 });
    expect(await pending()).toEqual([]);
    const again = await buy(...KEYED);
    expect(flowing(again.stderr)).toMatch(/^You used this key on .* for order ord_1\. /);
    expect(again.stdout).toContain('Order ord_1 created.');
    expect(new Set(keys())).toEqual(new Set(['mine']));
  });

  test.each(["it's $(rm -rf /) `id`", '-x'])('%s can be pasted', async (key) => {
    const { checkout, run, lose, keys } = await buyer();
    const lost = await lose(...ORDER, `--idempotency-key=${key}`);
    checkout().reply(200, { orderId: 'ord_1' });
    expect((await run(toldBy(lost.stderr))).exitCode).toBe(0);
    expect(new Set(keys())).toEqual(new Set([key]));
  });
});

describe('going on', () => {
  test('needs no key for one purchase, and asks for a choice between two', async () => {
    const b = await loser('--plan', 'p1');
    await b.lose('--plan', 'p2');
    const choice = await b.buy('--resume');
    expect(choice.exitCode).toBe(2);
    expect(choice.stderr).toContain(
      `  ${b.keys()[0]}  SVC_TOKEN …cdef: plan p1; mobile money\n  ${b.keys()[3]}  SVC_TOKEN …cdef: plan p2; mobile money\n`,
    );
    b.checkout().reply(200, { orderId: 'ord_2' }).reply(200, { orderId: 'ord_1' });
    expect((await b.buy('--resume', b.keys()[3] ?? '')).stdout).toContain('ord_2');
    expect((await b.buy('--resume')).stdout).toContain('ord_1');
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
    const b = await loser('--plan', 'p1');
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
  test('stops the purchase before it is sent, unless the user keeps the key', async () => {
    const { checkout, buy, lose, journal, keys } = await buyer();
    writeFileSync(journal, '{"version":1');
    const stopped = await buy(...ORDER);
    expect(stopped).toMatchObject({ exitCode: 2, stdout: '' });
    expect(stopped.stderr).toContain(`The list of orders is damaged: ${journal}. An order could then be placed twice`);
    checkout().reply(201, { orderId: 'ord_1' });
    const run = await buy(...ORDER, '--idempotency-key', 'mine');
    expect(run.exitCode).toBe(0);
    expect(flowing(run.stderr)).toBe(
      `Warning: The list of orders is damaged: ${journal}. svc cannot remember this order: keep its key. `,
    );
    expect(keys()).toEqual(['mine']);
    const lost = await lose(...ORDER, '--idempotency-key', 'mine');
    expect(lost.stderr).toContain('  Repeat the command: it carries the key.\n');
  });

  test('after the answer costs nothing but a warning', async () => {
    const { checkout, run, journal } = await buyer();
    checkout().act(({ response }) => {
      writeFileSync(journal, 'gone');
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"orderId":"ord_1"}');
    });
    const placed = await run(['buy', '--yes', '--plan', 'p1']);
    expect(placed.exitCode).toBe(0);
    expect(placed.stdout).toContain('Order ord_1 created.');
    expect(placed.stderr).toContain('Warning: The list of orders is damaged');
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

// By its key, too: orders/match.test.ts.
test('a purchase that a process elsewhere is sending is not sent beside it', async () => {
  const { wire, checkout, buy, journal, clock, key } = await loser();
  editJournal(journal, ([one]) => {
    expect(one?.sender, 'nobody sends it now').toBeUndefined();
    Object.assign(one ?? {}, { sender: SENDER_ELSEWHERE });
  });
  const refused = await buy(...ORDER);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr.replace(/in 1[01]\d s/, 'in <seconds> s')).toBe(
    `Error: Another svc is sending this order right now, with the key ${key}. Nothing was sent.\n` +
      '  Repeat the command when it has ended, in <seconds> s at the latest.\n' +
      '  For a second order, add --new-order.\n',
  );
  expect(wire.requests).toHaveLength(3);
  clock.advance(120_000);
  checkout().reply(200, { orderId: 'ord_1' });
  expect((await buy(...ORDER)).exitCode).toBe(0);
});
