import { expect, test } from 'vitest';
import { createAssume } from '../../src/contract/assumptions.ts';
import { asText, type JsonObject } from '../../src/json/values.ts';
import { confirmOrder, showOrderToConfirm } from '../../src/orders/confirm.ts';
import type { Decision } from '../../src/orders/decide.ts';
import { describeOrder, type PreparedOrder } from '../../src/orders/description.ts';
import { createScreen, type Screen, toPlainText } from '../../src/terminal/screen.ts';
import { draftOf, wantedOf } from './orders.ts';

const ASSUME = createAssume(new Map());
const NOW = Date.parse('2026-03-02T12:00:00Z');

function prepared(body: JsonObject, more: Partial<PreparedOrder> = {}): PreparedOrder {
  return {
    ...wantedOf(draftOf('blog', { org: 'acme' })),
    fields: body,
    description: describeOrder(body, ASSUME),
    phone: asText(body['mobileMoneyPhone']),
    credential: { kind: 'bearer', token: 'svc_x', source: 'SVC_TOKEN', record: undefined },
    lookUpBuyer: () => Promise.resolve(undefined),
    networks: ['mtn', 'orange'],
    lastPrices: undefined,
    isFree: false,
    getCommands: () => ({ resume: 'svc resume', placed: 'svc placed', notPlaced: 'svc none' }),
    ...more,
  };
}

/** A person who sees a question, and answers it with yes. */
function person(signal = new AbortController().signal) {
  const asked: { question: string; word: boolean; blocks: Screen['blocks'] }[] = [];
  const io = {
    interactive: true,
    async confirmOrStop(question: string, show: (screen: Screen) => void, how: { word: boolean }) {
      const screen = createScreen();
      show(screen);
      asked.push({ question, word: how.word, blocks: screen.blocks });
    },
  };
  const time = { clock: { now: () => NOW }, signal };
  const globals = { yes: false };
  const context = { io, time, globals } as unknown as Parameters<typeof confirmOrder>[3];
  return { asked, context };
}

test.each<[what: string, body: JsonObject, items: string[], rows: object]>([
  [
    'whatever is ordered, and how it is paid',
    {
      items: [
        { planId: 'p1', quantity: 3, label: 'blog' },
        { domain: 'xn--exmple-cua.com', renew: true },
        { label: 'odd' },
      ],
      mobileMoneyNetwork: 'mtn',
      mobileMoneyPhone: '+237670000042',
      enableAutopay: true,
      appliedPromoCodeId: 'promo-1',
      currency: 'USD',
      billing: { city: 'Douala' },
    },
    ['3 × plan p1 "blog"', 'renewal of domain exämple.com (xn--exmple-cua.com)', 'item "odd"'],
    {
      Payment: 'mobile money, network mtn, from +237 670 000 042',
      Currency: 'USD',
      'Promo code': 'promo-1',
      Price: 'not known in advance',
      Renewal: 'automatic, charged to this number',
      'More fields': 'billing',
    },
  ],
  [
    'the defaults of the platform',
    { items: [{ planId: 'p1' }] },
    ['plan p1'],
    { Payment: 'mobile money', Price: 'not known in advance', Renewal: 'by hand' },
  ],
])('the confirmation shows %s', (_what, body, items, rows) => {
  const screen = createScreen();
  showOrderToConfirm(screen, prepared(body), undefined);

  expect(
    screen.blocks.flatMap((block) => (block.kind === 'list' ? block.content.map(toPlainText) : [])),
  ).toEqual(items);
  const shown = screen.blocks.flatMap((block) => (block.kind === 'fields' ? block.content : []));
  expect(Object.fromEntries(shown.map(([label, value]) => [label, toPlainText(value)]))).toEqual({
    Account: 'token from SVC_TOKEN',
    Organization: 'acme',
    ...rows,
  });
});

const NEW: Decision = { kind: 'new', entry: undefined };
const FREE_PLAN = { items: [{ planId: 'p1' }] };

/** What a person is warned of above the question. */
async function warningsFor(order: PreparedOrder, decision: Decision): Promise<string[]> {
  const { asked, context } = person();
  await confirmOrder(order, decision, false, context);
  const blocks = asked[0]?.blocks ?? [];
  return blocks.flatMap((block) => (block.kind === 'warning' ? toPlainText(block.content) : []));
}

test.each([
  ['foo', ['svc does not know the network foo, only mtn, orange.']],
  ['MTN', []],
])('a network that svc does not know is said before the question: %s', async (network, said) => {
  const order = prepared({ ...FREE_PLAN, mobileMoneyNetwork: network });

  expect(await warningsFor(order, NEW)).toEqual(said);
});

test('every order beside which a second one would stand is said before the question', async () => {
  const placed = { state: 'placed', orderId: 'ord_1', org: 'acme' } as const;
  const createdAt = '2026-03-02T10:00:00.000Z';
  const decision: Decision = {
    kind: 'second',
    entries: [
      draftOf('blog', { ...placed, createdAt }),
      ...['a', 'b', 'c'].map((label) => draftOf(label, { state: 'unknown', createdAt })),
    ],
  };

  const warnings = await warningsFor(prepared(FREE_PLAN), decision);

  expect(warnings).toEqual([
    expect.stringMatching(/^You placed the same order .* \(ord_1\)\.$/),
    expect.stringContaining('with profile work, and its result is unknown: a.'),
    expect.stringContaining('with profile work, and its result is unknown: b.'),
    '1 more in doubt: svc orders',
  ]);
});

const ENTRY = draftOf('blog', { state: 'unknown', createdAt: '2026-03-02T10:00:00.000Z' });

test.each<[what: string, isFree: boolean, decision: Decision, word: boolean]>([
  ['a new order', false, NEW, true],
  ['a new order that is known to be free', true, NEW, false],
  ['a free order that was sent before', true, { kind: 'again', entry: ENTRY }, true],
  ['a second order that is free', true, { kind: 'second', entries: [ENTRY] }, true],
])('the word yes is asked for, or not: %s', async (_what, isFree, decision, word) => {
  const { asked, context } = person();

  await confirmOrder(prepared(FREE_PLAN, { isFree }), decision, false, context);

  expect(asked[0]?.word).toBe(word);
});

test('a Ctrl-C that comes with the answer counts', async () => {
  const { context } = person(AbortSignal.abort('Ctrl-C'));

  await expect(confirmOrder(prepared(FREE_PLAN), NEW, false, context)).rejects.toBe('Ctrl-C');
});
