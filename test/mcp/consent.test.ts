import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connect, ERAS, type Question, sandboxWith, startBare, stateless, wireEnv } from '../support/mcp.ts';
import { testWire } from '../support/wire.ts';

const ALLOWED = ['--allow', 'buy,domains'];
const BUY = { plan: 'plan_wp_pro', network: 'mtn', phone: '+237670000042' };
const MOVE = { domain: 'kola-studio.example' };
const YES = { action: 'accept', content: { confirm: true } };
const NOES = [{ action: 'accept', content: { confirm: false } }, { action: 'decline' }, { action: 'cancel' }];

/** A wire on which orders can be planned; looks at the account may come at any time. */
async function orderWire() {
  const wire = await testWire();
  wire.on('GET', '/v1/user').maybe(200, { user: { email: 'marie@example.com' } });
  const orders = () => wire.requests.filter(({ method }) => method === 'POST');
  return { checkout: wire.on('POST', '/v1/checkout'), env: await wireEnv(wire.url), orders };
}

const CALLS = [
  ['buy', BUY],
  ['domains_add', MOVE],
] as const;

describe.each(ERAS)('with the protocol of %s', (era) => {
  test('only a yes of the person does something, also under an agent', async () => {
    const { sandbox, env } = await sandboxWith({ CLAUDECODE: '1' });
    const answers: object[] = NOES.flatMap((no) => [no, no]).concat(YES, YES);
    const mcp = await connect({ era, env, args: ALLOWED, answer: () => answers.shift() ?? {} });
    const before = JSON.stringify(sandbox.snapshot());
    const data = { code: 'usage', error: expect.stringMatching(/^Cancelled\./) };
    for (const [name, args] of NOES.flatMap(() => CALLS)) {
      expect(await mcp.call(name, args)).toMatchObject({ isError: true, data });
    }
    expect(JSON.stringify(sandbox.snapshot())).toBe(before);
    for (const [name, args] of CALLS) expect(await mcp.call(name, args)).toMatchObject({ isError: false });
    const [order, move] = mcp.questions.slice(-2);
    expect(order?.message).toContain('+237 670 000 042');
    expect(move?.message).toContain('Stage 12 records of kola-studio.example');
    expect(mcp.questions).toHaveLength(8);
    expect(order).toMatchObject({ requestedSchema: { required: ['confirm'] } });
  });

  test.each(CALLS)('%s is refused where nobody can be asked, even if agents may spend', async (name, args) => {
    const { env } = await sandboxWith();
    const mcp = await connect({ era, env, args: ALLOWED });
    const { isError, data } = await mcp.call(name, args);
    expect(isError).toBe(true);
    const line = name === 'buy' ? /^svc buy --plan=plan_wp_pro / : /^svc domains add --import kola-studio\.example$/;
    const next = [{ askPersonToRun: expect.stringMatching(line) }];
    expect(data).toMatchObject({ code: 'usage', nextBy: 'person', next });
    const preview = await mcp.call(name, { ...args, dryRun: true });
    expect(preview).toMatchObject({ isError: false, data: { method: 'POST' } });
  });
});

test.each(CALLS)('--yes of the server decides nothing for the person: %s', async (name, args) => {
  const { sandbox, env } = await sandboxWith();
  const before = JSON.stringify(sandbox.snapshot());
  const asked = await connect({ env, args: [...ALLOWED, '--yes'], answer: () => ({ action: 'decline' }) });
  expect(await asked.call(name, args)).toMatchObject({ isError: true, data: { code: 'usage' } });
  expect(asked.questions).toHaveLength(1);
  const silent = await connect({ env, args: [...ALLOWED, '--yes'] });
  expect(await silent.call(name, args)).toMatchObject({ isError: true, data: { nextBy: 'person' } });
  expect(JSON.stringify(sandbox.snapshot())).toBe(before);
});

test('one answer is for one order, and the order is in the journal', async () => {
  const { checkout, env, orders } = await orderWire();
  checkout.reply(200, { orderId: 'ord_1' });
  const server = startBare(ALLOWED, env);
  const asks = async (id: number, more: object = {}) => {
    const params = stateless({ name: 'buy', arguments: BUY, ...more });
    return (await server.ask({ id, method: 'tools/call', params }))['result'] as { requestState: string };
  };
  const asked = await asks(1);
  expect(asked).toMatchObject({ resultType: 'input_required', inputRequests: { confirm: {} } });
  expect(orders()).toEqual([]);
  const answer = { requestState: asked.requestState, inputResponses: { confirm: YES } };
  expect(await asks(2, answer)).toMatchObject({ structuredContent: { orderId: 'ord_1' } });
  const message = expect.stringContaining('order ord_1');
  const again = { resultType: 'input_required', inputRequests: { confirm: { params: { message } } } };
  expect(await asks(3, answer)).toMatchObject(again);
  expect(orders()).toHaveLength(1);
});

test('an order whose answer was lost goes on under its key, as on the command line', async () => {
  const { checkout, env, orders } = await orderWire();
  checkout.reply(500, { error: 'broken' });
  const mcp = await connect({ env, args: [...ALLOWED, '--no-retry'], answer: () => YES });
  expect(await mcp.call('buy', BUY)).toMatchObject({ isError: true, data: { outcome: 'unknown' } });
  checkout.reply(200, { orderId: 'ord_1' });
  expect(await mcp.call('buy', BUY)).toMatchObject({ isError: false, data: { orderId: 'ord_1' } });
  expect(mcp.questions[1]?.message).toContain('Continue with that order?');
  const [first, second, ...more] = orders().map(({ headers }) => headers['idempotency-key']);
  expect([first, more]).toEqual([second, []]);
});

test('the same order from two calls at once is one order', async () => {
  const { sandbox, env } = await sandboxWith();
  // A call that comes too late to share the order asks whether to place a second one.
  const answer = ({ message }: Question) => (message.includes('order ord_') ? { action: 'decline' } : YES);
  const mcp = await connect({ env, args: ALLOWED, answer });
  const calls = await Promise.all([mcp.call('buy', BUY), mcp.call('buy', BUY)]);
  const done = calls.filter(({ isError }) => !isError).map(({ data }) => data['orderId']);
  const cancelled = calls.filter(({ isError }) => isError).map(({ data }) => data['error']);
  const orders = sandbox.snapshot().orders.map(({ answer }) => answer.orderId);
  expect(orders).toHaveLength(1);
  expect([...new Set(done)]).toEqual(orders);
  expect(cancelled).toEqual(cancelled.map(() => expect.stringMatching(/^Cancelled\./)));
});

test('nothing is ordered if the purchase cannot be written down', async () => {
  const { env, orders } = await orderWire();
  // A folder in the place of the journal: not even root can write it.
  await mkdir(join(env.SVC_CONFIG_DIR, 'orders.json'));
  const mcp = await connect({ env, args: ALLOWED, answer: () => YES });
  const error = expect.stringContaining('An order could then be placed twice, so nothing was sent.');
  expect(await mcp.call('buy', BUY)).toMatchObject({ isError: true, data: { code: 'usage', error } });
  expect(orders()).toEqual([]);
});

test.each<[what: string, change: (state: string) => { requestState?: string; arguments?: object }]>([
  [
    'a state that was changed',
    // The last letter of Base64 has bits that say nothing.
    (state) => ({ requestState: state.replace(/.(?=...$)/, (letter) => (letter === 'A' ? 'B' : 'A')) }),
  ],
  ['no state', () => ({})],
  ['the state of another order', (requestState) => ({ requestState, arguments: { ...BUY, quantity: '9' } })],
])('an answer with %s orders nothing', async (_what, change) => {
  const { env, orders } = await orderWire();
  const server = startBare(ALLOWED, env);
  const call = { name: 'buy', arguments: BUY };
  const asked = await server.ask({ id: 1, method: 'tools/call', params: stateless(call) });
  const { requestState } = asked['result'] as { requestState: string };
  const answered = { ...call, inputResponses: { confirm: YES }, ...change(requestState) };
  const second = await server.ask({ id: 2, method: 'tools/call', params: stateless(answered) });
  const { error, result } = second;
  expect(error ?? result).toMatchObject(error === undefined ? { resultType: 'input_required' } : { code: -32602 });
  expect(orders()).toEqual([]);
});
