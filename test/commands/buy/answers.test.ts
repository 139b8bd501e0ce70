import { expect, test } from 'vitest';
import { buyer, flowing, ORDER } from '../../support/buyer.ts';

const ASKED = 'approve the prompt on +237*******42';
const UNNAMED = 'The API answered without an order id';
const PAYER = { paymentMethod: 'mobile_money', provider: 'mtn' };
const XAF = { total: { amount: 5400, currency: 'XAF' } };

/** With exit 0 the start of stdout, else a part of the error. */
type Row = [answer: object, exitCode: 0 | 8 | 9, says: string, isPrompted?: 'prompt'];

// Which words mean what is in test/api/verdict.test.ts and test/trust/.
test.each<Row>([
  [{ orderId: ' ' }, 8, UNNAMED],
  [{ success: false, message: 'no such plan' }, 8, `${UNNAMED}: no such plan`],
  [
    {
      items: [
        { planId: 'a', status: 'active' },
        { planId: 'b', status: 'failed' },
      ],
    },
    8,
    UNNAMED,
  ],
  [
    { orderId: 'o1', status: 'declined', ...XAF, ...PAYER },
    9,
    'Order o1 of 5,400 XAF failed: status is declined',
  ],
  [
    { orderId: 'o1', success: false, message: 'no money' },
    8,
    'contradicts itself: success is false, but orderId is o1.',
  ],
  [
    {
      orderId: 'o1',
      items: [
        { planId: 'a', status: 'active' },
        { planId: 'b', error: 'sold out' },
      ],
    },
    0,
    '! To pay: approve the prompt on +237*******42\n',
    'prompt',
  ],
  [
    { orderId: 'o1', status: 'Awaiting payment', ...XAF, ...PAYER },
    0,
    '! 5,400 XAF to pay: approve the prompt on +237*******42 (mtn)\n',
    'prompt',
  ],
  [
    { orderId: 'o1', status: 'pending', ...PAYER },
    0,
    '! To pay (pending): approve the prompt on',
    'prompt',
  ],
  [{ orderId: 'o1', status: 'paid', ...XAF, ...PAYER }, 0, '✓ Order placed (paid, 5,400 XAF)\n'],
  [{ orderId: 'o1', ...XAF, ...PAYER }, 0, '! 5,400 XAF to pay: approve', 'prompt'],
  [{ orderId: 'o1', amount: 0, currency: 'XAF', ...PAYER }, 0, 'Order created: 0 XAF\n'],
  [
    { orderId: 'o1', items: [{ planId: 'a', status: 'active' }], ...PAYER },
    0,
    '! To pay: approve',
    'prompt',
  ],
  [
    { order: { orderId: 'o1', status: 'paid', ...PAYER }, note: 'hello' },
    0,
    '✓ Order placed (paid)\n',
  ],
])(
  '%j ends with exit %i, for people and for scripts: %s',
  async (answer, exitCode, says, isPrompted) => {
    const { checkout, buy, keys, pending } = await buyer();
    checkout().reply(201, answer).reply(201, answer);
    const people = await buy(...ORDER);
    expect(people.exitCode).toBe(exitCode);
    expect(exitCode === 0 ? people.stdout : flowing(people.stderr)).toContain(says);
    expect(people.stdout.includes('✓')).toBe(says.startsWith('✓'));
    expect(flowing(people.stdout).includes(ASKED)).toBe(isPrompted === 'prompt');
    expect(await pending()).toHaveLength(exitCode === 8 ? 1 : 0);
    // An order in doubt is passed by its key alone.
    const second = exitCode === 8 ? `--new-order=${keys()[0]}` : '--new-order';
    const script = await buy(...ORDER, second, '--json');
    expect(script).toMatchObject({ exitCode, stdout: `${JSON.stringify(answer)}\n` });
    const of = { idempotencyKey: keys()[1] };
    if (exitCode === 9)
      expect(script.error).toMatchObject({ ...of, code: 'failed', orderId: 'o1' });
    if (exitCode === 8)
      expect(script.error).toMatchObject({
        ...of,
        code: 'unavailable',
        status: 201,
        outcome: 'unknown',
      });
    else expect(script.stderr).not.toContain('"outcome"');
  },
);

test('a status that svc does not know is shown, with the assumption to set, in scripts as well', async () => {
  const { checkout, buy, run } = await buyer();
  const answer = { orderId: 'o1', status: 'On-Hold', ...PAYER };
  checkout().reply(200, answer).reply(200, answer);
  const script = await buy(...ORDER, '--json');
  expect(script.exitCode).toBe(0);
  expect(JSON.parse(script.stderr)).toEqual({
    warning: expect.stringContaining('If it means success: SVC_ASSUME=checkout.done=+on_hold.'),
    code: 'unknown_status',
  });
  const env = { SVC_ASSUME: 'checkout.done=+on_hold' };
  const told = await run(['buy', '--yes', ...ORDER, '--new-order'], { env });
  expect(told).toMatchObject({
    exitCode: 0,
    stderr: '',
    stdout: expect.stringMatching(/^✓ Order placed \(on-hold\)/),
  });
});

test('a number that a refusal repeats is concealed', async () => {
  const { checkout, buy } = await buyer();
  checkout().reply(422, { error: 'no wallet has the number 237670000042' });
  const run = await buy(...ORDER);
  expect(run).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('no wallet has the number'),
  });
  expect(run.stderr).not.toContain('670000042');
});

test.each([
  ['303 with the order', 303, '/v1/orders/ord_1'],
  ['302 to another path of the API', 302, '/v1/orders/ord_1'],
])('a %s leaves the order in doubt, and is not sent again', async (_what, status, location) => {
  const { checkout, buy, keys, pending } = await buyer();
  checkout().reply(status, {}, { location });

  const run = await buy(...ORDER, '--json');

  expect(run.exitCode).toBe(8);
  expect(run.error).toMatchObject({ outcome: 'unknown', idempotencyKey: keys()[0] });
  expect(await pending()).toHaveLength(1);
});
