import { writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type Buyer,
  buyer,
  editJournal,
  flowing,
  loser,
  ORDER,
  SENDER_ELSEWHERE,
  toldBy,
} from '../../support/buyer.ts';
import { holdLock } from '../../support/held-lock.ts';
import type { WireHeaders } from '../../support/wire-plan.ts';

const ELSEWHERE = { location: 'https://elsewhere.example.com/' };

type Step =
  | 'reset'
  | 'cut'
  | readonly [status: number, body?: object | undefined, headers?: WireHeaders];

function answer({ checkout }: Buyer, ...steps: readonly Step[]): void {
  for (const step of steps) {
    if (step === 'reset') checkout().reset();
    else if (step === 'cut') checkout().cut(201, { orderId: 'ord_1' }, 5);
    else checkout().reply(...step);
  }
}

const once = ({ keys, bodies }: Buyer) => [new Set(keys()).size, new Set(bodies()).size];

// Which faults leave an order in doubt is in trust/faulted.test.ts.
test.each<[what: string, steps: readonly Step[]]>([
  ['an answer that is cut', ['cut', 'reset', 'reset']],
  ['a first request that still runs', [[409, { error: 'busy' }], [409], [409]]],
  ['a lost answer, and then a no', ['reset', [200, { error: 'this key was used' }]]],
])('after %s the order may exist, and the printed command resumes it', async (_what, steps) => {
  const one = await buyer();
  answer(one, ...steps);
  const lost = await one.buy(...ORDER);
  expect(lost.exitCode).toBe(8);
  expect(lost.stderr).toContain(`twice:\n  ${one.keys()[0]}\n`);
  expect(lost.stdout + lost.stderr).not.toMatch(/670000042|✓/);
  const told = ['buy', '--resume', one.keys()[0] ?? '', '--yes'];
  expect(toldBy(lost.stderr)).toEqual(told);
  answer(one, [200, { orderId: 'ord_1' }]);
  const resumed = await one.run(told);
  expect(resumed).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/Order +ord_1 · /),
  });
  expect([...once(one), await one.pending()]).toEqual([1, 1, []]);
});

test.each<[what: string, step: Step, exitCode: number]>([
  ['a refusal', [400, { error: 'no' }], 3],
  ['a redirect, which means a wrong address', [307, { error: 'moved' }, ELSEWHERE], 1],
])('after %s of the only request, nothing is unfinished', async (_what, step, exitCode) => {
  const one = await buyer();
  answer(one, step);
  const run = await one.buy(...ORDER, '--json');
  expect(run.exitCode).toBe(exitCode);
  expect(run.error).not.toHaveProperty('outcome');
  expect(await one.pending()).toEqual([]);
});

test.each<[what: string, step: Step, next?: string]>([
  ['401', [401, { error: 'expired' }], 'svc login'],
  ['failure without an order', [200, { status: 'declined' }]],
])('a later %s does not undo what the first request may have done', async (_what, step, next) => {
  const one = await loser();
  answer(one, step);
  const refused = await one.buy(...ORDER, '--json');
  expect(refused.exitCode).toBe(8);
  expect(refused.error).toMatchObject({
    code: 'unavailable',
    outcome: 'unknown',
    idempotencyKey: one.key,
  });
  expect(refused.stderr, 'first things first').toContain(
    next ?? `"hint":"svc buy --resume ${one.key} --yes"`,
  );
  expect(await one.pending()).toHaveLength(1);
});

test('the same order in other words resumes with the same key and bytes for a day, and says so', async () => {
  const one = await loser('--plan', 'p1', '--label', 'x', '--field', 'a=1', '--field', 'b=2');
  one.clock.advance(23 * 3_600_000);
  answer(one, [200, { orderId: 'ord_1' }]);
  const again = await one.buy('--field', 'b=2', '--label', 'x', '--field', 'a=1', '--plan', 'p1');
  expect(again).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('  First sent  2026-03-01T12:00:00.000Z'),
  });
  expect(again.stderr).toContain('its result is unknown');
  expect([...once(one), await one.pending()]).toEqual([1, 1, []]);
});

test.each(["it's $(rm -rf /) `id`", '-x'])(
  'the command for the key %s can be pasted',
  async (key) => {
    const one = await buyer();
    const lost = await one.lose(...ORDER, `--idempotency-key=${key}`);
    answer(one, [200, { orderId: 'ord_1' }]);
    expect((await one.run(toldBy(lost.stderr))).exitCode).toBe(0);
    expect(new Set(one.keys())).toEqual(new Set([key]));
  },
);

describe('going on', () => {
  test('needs no key for one order, and asks for a choice between two', async () => {
    const one = await loser('--plan', 'p1');
    await one.lose('--plan', 'p2', `--new-order=${one.key}`);
    const choice = await one.buy('--resume');
    expect(choice.exitCode).toBe(2);
    expect(choice.stderr).toContain(`  ${one.keys()[3]}  SVC_TOKEN …cdef: plan p2; mobile money\n`);
    answer(one, [200, { orderId: 'ord_2' }], [200, { orderId: 'ord_1' }]);
    expect((await one.buy('--resume', one.keys()[3] ?? '')).stdout).toContain('ord_2');
    expect((await one.buy('--resume')).stdout).toContain('ord_1');
  });

  test('tells the flags of the address and the organization, and keeps to both', async () => {
    const one = await buyer();
    const { url } = one.wire;
    const env = { SVC_API_URL: 'http://127.0.0.1:1' };
    answer(one, 'reset');
    const line = ['buy', '--plan', 'p1', '--yes', '--no-retry', '--api-url', url, '--org', 'a b'];
    const lost = await one.run(line, { env });
    const told = [
      'buy',
      '--resume',
      one.keys()[0] ?? '',
      '--api-url',
      url,
      '--org',
      'a b',
      '--yes',
    ];
    expect(toldBy(lost.stderr)).toEqual(told);
    const place = `This order was sent to ${url} with SVC_TOKEN …cdef, for the organization a b. Nothing was sent.`;
    for (const more of [[], ['--api-url', url, '--org', 'c']]) {
      const refused = await one.run(['buy', '--resume', '--yes', ...more], { env });
      expect(refused.exitCode).toBe(2);
      expect(flowing(refused.stderr)).toContain(place);
      expect(toldBy(refused.stderr)).toEqual(told);
    }
    answer(one, [200, { orderId: 'ord_1' }]);
    expect((await one.run(told, { env })).exitCode).toBe(0);
    expect(one.wire.requests.map(({ headers }) => headers['x-service-org'])).toEqual([
      'a b',
      'a b',
    ]);
  });

  test('without an organization, it goes out without one, whatever the environment says by now', async () => {
    const one = await loser('--plan', 'p1');
    const asked = await one.run(['buy', '--resume', '--yes', '--org', 'acme']);
    expect(asked.exitCode).toBe(2);
    expect(flowing(asked.stderr)).toContain('without an organization. Nothing was sent.');
    expect(toldBy(asked.stderr)).toEqual(['buy', '--resume', one.key, '--yes']);
    answer(one, [200, { orderId: 'ord_1' }]);
    expect(await one.run(['buy', '--resume', '--yes'], { env: { SVC_ORG: 'acme' } })).toMatchObject(
      { exitCode: 0 },
    );
    expect(one.wire.requests.at(-1)?.headers).not.toHaveProperty('x-service-org');
  });
});

test('a journal that cannot be used stops the order before it is sent, unless the user keeps the key', async () => {
  const { checkout, buy, lose, journal, keys } = await buyer();
  writeFileSync(journal, '{"version":2');
  const stopped = await buy(...ORDER);
  expect(stopped).toMatchObject({ exitCode: 2, stdout: '' });
  expect(stopped.stderr).toContain(
    `The list of orders is damaged: ${journal}. An order could then be placed twice`,
  );
  checkout().reply(201, { orderId: 'ord_1' });
  const run = await buy(...ORDER, '--idempotency-key', 'mine', '--json');
  expect(run).toMatchObject({ exitCode: 0, error: { code: 'not_remembered' } });
  expect(keys()).toEqual(['mine']);
  const lost = await lose(...ORDER, '--idempotency-key', 'mine');
  expect(lost.stderr).toContain('  Repeat the command: it carries the key.\n');
});

test('an order that is resumed needs the journal, whoever chose its key', async () => {
  const one = await loser(...ORDER, '--idempotency-key', 'mine');
  onTestFinished(holdLock(one.configDir, 'orders.json'));

  const resumed = await one.buy('--resume', 'mine');

  expect(resumed.exitCode).toBe(2);
  expect(resumed.stderr).toContain('nothing was sent');
  expect(one.wire.requests).toHaveLength(3);
});

test('an order that is being sent belongs to its process for the time limit and half a minute', async () => {
  const { checkout, buy, journal } = await buyer();
  let until: string | undefined;
  checkout().act(({ response }) => {
    until = editJournal(journal, () => undefined)[0]?.sender?.until;
    writeFileSync(journal, 'gone');
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"orderId":"ord_1"}');
  });
  const placed = await buy(...ORDER, '--timeout', '60s', '--json');
  expect(until).toBe('2026-03-01T12:01:30.000Z');
  expect(placed, 'of a journal that is gone by now').toMatchObject({
    exitCode: 0,
    stdout: '{"orderId":"ord_1"}\n',
  });
  expect(placed.stderr).toContain('"code":"not_remembered"');
});

test('an order that a process elsewhere is sending is not sent beside it', async () => {
  const { wire, checkout, buy, journal, clock } = await loser();
  editJournal(journal, ([one]) => {
    expect(one?.sender, 'nobody sends it now').toBeUndefined();
    Object.assign(one ?? {}, { sender: SENDER_ELSEWHERE });
  });
  const refused = await buy(...ORDER);
  expect(refused).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Another svc is sending this order'),
  });
  expect(wire.requests).toHaveLength(3);
  clock.advance(120_000);
  checkout().reply(200, { orderId: 'ord_1' });
  expect((await buy(...ORDER)).exitCode).toBe(0);
});
