import { expect, test } from 'vitest';
import type { Context } from '../../src/cli/define/context.ts';
import { assumeFrom } from '../../src/contract/assumptions.ts';
import { asText, type JsonObject } from '../../src/json/values.ts';
import { outlineOf } from '../../src/orders/outline.ts';
import { agree, type Question, showAtStake } from '../../src/orders/question.ts';
import { createScreen, plainOf } from '../../src/terminal/screen.ts';
import { planOf } from './plan.ts';

const ASSUME = assumeFrom(new Map());
const PLAN = planOf('');
/** Nothing is known of the order. */
const CALM = {
  plan: PLAN,
  networks: ['mtn', 'orange'],
  credential: { kind: 'bearer', token: 'svc_x', source: 'SVC_TOKEN', record: undefined } as const,
  isFree: false,
  isChosen: false,
  isChanged: false,
  isOld: false,
};

/** What a person is shown of an order. */
function blocksOf(body: JsonObject, more: Partial<Question> = {}) {
  const screen = createScreen();
  const stake = { outline: outlineOf(body, ASSUME), phone: asText(body['mobileMoneyPhone']) };
  showAtStake(screen, { ...stake, buyer: undefined, ...CALM, ...more });
  return screen.blocks;
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
      Renewal: 'automatic, charged to this number',
      'More fields': 'billing',
    },
  ],
  [
    'the defaults of the platform',
    { items: [{ planId: 'p1' }] },
    ['plan p1'],
    { Payment: 'mobile money', Currency: 'the local currency', Renewal: 'by hand' },
  ],
])('the confirmation shows %s', (_what, body, items, rows) => {
  const blocks = blocksOf(body, { plan: { ...PLAN, org: 'acme' } });
  expect(
    blocks.flatMap((block) => (block.kind === 'list' ? block.items.map(plainOf) : [])),
  ).toEqual(items);
  const shown = blocks.flatMap((block) => (block.kind === 'fields' ? block.rows : []));
  expect(Object.fromEntries(shown.map(([label, value]) => [label, plainOf(value)]))).toEqual({
    Account: 'token from SVC_TOKEN',
    Organization: 'acme',
    ...rows,
  });
});

test.each([
  ['foo', ['mtn', 'orange'], ['svc does not know the network foo, only mtn, orange.']],
  ['MTN', ['mtn', 'orange'], []],
])(
  'a network that svc does not know is said before the question: %s of %j',
  (network, networks, said) => {
    const blocks = blocksOf(
      { items: [{ planId: 'p1' }], mobileMoneyNetwork: network },
      { networks },
    );
    expect(
      blocks.flatMap((block) => (block.kind === 'warning' ? plainOf(block.text) : [])),
    ).toEqual(said);
  },
);

test.each([
  [false, undefined, true],
  [true, undefined, false],
  [true, 1, true],
  [true, 25, true],
])(
  'the word yes is asked for, unless it is known to be free (%j) and new (hours: %j): %j',
  async (isFree, hours, word) => {
    const now = Date.parse('2026-03-02T12:00:00Z');
    const asked: unknown[] = [];
    const context = {
      time: { clock: { now: () => now }, signal: new AbortController().signal },
      globals: { yes: false },
      io: {
        interactive: true,
        during: (_what: string, work: () => unknown) => work(),
        confirmOrStop: async (_question: string, _show: unknown, how: { word: boolean }) =>
          void asked.push(how.word),
      },
    } as unknown as Context;
    const outline = outlineOf({ items: [{ planId: 'p1' }] }, ASSUME);
    const stake = { ...CALM, outline, phone: undefined, buyer: Promise.resolve(undefined), isFree };
    const createdAt = new Date(now - (hours ?? 0) * 3_600_000).toISOString();
    const entry = { ...PLAN, key: 'k', ownKey: false, state: 'open', createdAt } as const;
    await agree(context, stake, hours === undefined ? undefined : { kind: 'same', entry }, false);
    expect(asked).toEqual([word]);
    // A Ctrl-C that comes with the answer counts, too.
    const stopped = { ...context, time: { ...context.time, signal: AbortSignal.abort('Ctrl-C') } };
    await expect(agree(stopped, stake, undefined, false)).rejects.toBe('Ctrl-C');
  },
);
