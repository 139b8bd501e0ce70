import { describe, expect, test } from 'vitest';
import { ERAS, inSandbox, type Question, startBare, stateless, wireEnv } from '../support/mcp.ts';
import { testWire } from '../support/wire.ts';

const ALLOWED = ['--allow', 'buy,domains'];
const BUY = { plan: 'plan_wp_pro', network: 'mtn', phone: '+237670000042' };
const MOVE = { domain: 'kola-studio.example' };
const YES = { action: 'accept', content: { confirm: true } };
const NOES = [
  { action: 'accept', content: { confirm: false } },
  { action: 'decline' },
  { action: 'cancel' },
];

const CALLS = [
  ['buy', BUY],
  ['domains_add', MOVE],
] as const;

describe.each(ERAS)('with the protocol of %s', (era) => {
  test('only a yes of the person does something, also under an agent', async () => {
    const answers: object[] = NOES.flatMap((no) => [no, no]).concat(YES, YES);
    const answer = () => answers.shift() ?? {};
    const { sandbox, ...mcp } = await inSandbox(ALLOWED, { CLAUDECODE: '1' }, { era, answer });
    const before = JSON.stringify(sandbox.snapshot());
    const data = { code: 'usage', error: expect.stringMatching(/^Cancelled\./) };
    for (const [name, args] of NOES.flatMap(() => CALLS)) {
      expect(await mcp.call(name, args)).toMatchObject({ isError: true, data });
    }
    expect(JSON.stringify(sandbox.snapshot())).toBe(before);
    for (const [name, args] of CALLS)
      expect(await mcp.call(name, args)).toMatchObject({ isError: false });
    const [order, move] = mcp.questions.slice(-2);
    expect(order?.message).toContain('+237 670 000 042');
    expect(move?.message).toContain('Stage 12 records of kola-studio.example');
    expect(mcp.questions).toHaveLength(8);
  });

  test.each(CALLS)(
    '%s is refused where nobody can be asked, even if agents may spend',
    async (name, args) => {
      const mcp = await inSandbox(ALLOWED, {}, { era });
      const { isError, data } = await mcp.call(name, args);
      expect(isError).toBe(true);
      const line =
        name === 'buy'
          ? /^svc buy --plan=plan_wp_pro /
          : /^svc domains add --import kola-studio\.example --service svc_wp_\w+$/;
      const next = [{ askPersonToRun: expect.stringMatching(line) }];
      expect(data).toMatchObject({ code: 'usage', nextBy: 'person', next });
      const preview = await mcp.call(name, { ...args, dryRun: true });
      expect(preview).toMatchObject({ isError: false, data: { method: 'POST' } });
    },
  );
});

test.each(CALLS)('--yes of the server decides nothing for the person: %s', async (name, args) => {
  const { sandbox, ...asked } = await inSandbox(
    [...ALLOWED, '--yes'],
    {},
    { answer: () => ({ action: 'decline' }) },
  );
  const before = JSON.stringify(sandbox.snapshot());
  expect(await asked.call(name, args)).toMatchObject({ isError: true, data: { code: 'usage' } });
  expect([asked.questions.length, JSON.stringify(sandbox.snapshot())]).toEqual([1, before]);
});

/** Asks a bare server for the order, perhaps with an answer to its question. */
async function bareServer() {
  const wire = await testWire();
  wire.on('GET', '/v1/user').maybe(200, { user: { email: 'marie@example.com' } });
  const orders = () => wire.requests.filter(({ method }) => method === 'POST');
  const server = startBare(ALLOWED, await wireEnv(wire.url));
  let id = 0;
  const ask = async (more: object = {}, ...capabilities: object[]) => {
    id += 1;
    const params = stateless({ name: 'buy', arguments: BUY, ...more }, ...capabilities);
    const { result, error } = await server.ask({ id, method: 'tools/call', params });
    return (error ?? result) as { requestState: string };
  };
  return { ask, checkout: wire.on('POST', '/v1/checkout'), orders };
}

test('a client that can only show a page is not asked', async () => {
  const { ask, orders } = await bareServer();
  const refusal = { isError: true, structuredContent: { code: 'usage', nextBy: 'person' } };
  expect(await ask({}, { elicitation: { url: {} } })).toMatchObject(refusal);
  expect(orders()).toEqual([]);
});

test('one answer is for one order, and the order is in the journal', async () => {
  const { ask, checkout, orders } = await bareServer();
  checkout.reply(200, { orderId: 'ord_1' });
  const asked = await ask();
  expect(asked).toMatchObject({ resultType: 'input_required', inputRequests: { confirm: {} } });
  expect(orders()).toEqual([]);
  const answer = { requestState: asked.requestState, inputResponses: { confirm: YES } };
  expect(await ask(answer)).toMatchObject({ structuredContent: { orderId: 'ord_1' } });
  const message = expect.stringMatching(/You placed the same order .* \(ord_1\)\./);
  expect(await ask(answer)).toMatchObject({ inputRequests: { confirm: { params: { message } } } });
  expect(orders()).toHaveLength(1);
});

// The last letter of Base64 has bits that say nothing.
const changed = (state: string) =>
  state.replace(/.(?=...$)/, (letter) => (letter === 'A' ? 'B' : 'A'));

const AGAIN = { resultType: 'input_required' };

test.each<[what: string, change: (state: string) => object, ends: object]>([
  ['a state that was changed', (state) => ({ requestState: changed(state) }), { code: -32602 }],
  ['no state', () => ({}), AGAIN],
  [
    'the state of another order',
    (requestState) => ({ requestState, arguments: { ...BUY, quantity: '9' } }),
    AGAIN,
  ],
])('an answer with %s orders nothing', async (_what, change, ends) => {
  const { ask, orders } = await bareServer();
  const { requestState } = await ask();
  expect(await ask({ inputResponses: { confirm: YES }, ...change(requestState) })).toMatchObject(
    ends,
  );
  expect(orders()).toEqual([]);
});

test('the same order from two calls at once is one order', async () => {
  // A call that comes too late to share the order asks whether to place a second one.
  const answer = ({ message }: Question) =>
    message.includes('You placed the same order') ? { action: 'decline' } : YES;
  const { sandbox, ...mcp } = await inSandbox(ALLOWED, {}, { answer });
  const calls = await Promise.all([mcp.call('buy', BUY), mcp.call('buy', BUY)]);
  const [order, ...more] = sandbox.snapshot().orders.map(({ answer: { orderId } }) => orderId);
  expect([order, more]).toEqual([expect.any(String), []]);
  const ends = calls.map(({ isError, data }) => (isError ? data['error'] : data['orderId']));
  for (const end of ends)
    expect([order, expect.stringMatching(/^Cancelled\./)]).toContainEqual(end);
  expect(ends).toContain(order);
});
