import { expect, test } from 'vitest';
import { asText, type JsonObject } from '../../src/json/values.ts';
import type { Context } from '../../src/kit/context.ts';
import { orderSummary, outlineOf } from '../../src/orders/outline.ts';
import { agree, type Question, showAtStake } from '../../src/orders/question.ts';
import { assumeFrom } from '../../src/spec/assumptions.ts';
import { createScreen, plainOf } from '../../src/terminal/screen.ts';
import { planOf } from './plan.ts';

const ASSUME = assumeFrom(new Map());
const PLAN = planOf('');
const RECORD = { profile: 'work', baseUrl: PLAN.address, token: 'svc_x', email: 'marie@example.com', createdAt: '' };
const CREDENTIAL = { kind: 'bearer', token: 'svc_x', source: 'profile work', record: RECORD } as const;
/** Nothing is known of the order. */
const CALM = {
  plan: PLAN,
  networks: ['mtn', 'orange'],
  credential: CREDENTIAL,
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

/** The labels and values that a person is shown, and the items. */
function shown(body: JsonObject, more: Partial<Question> = {}) {
  const blocks = blocksOf(body, more);
  const rows = blocks.flatMap((block) => (block.kind === 'fields' ? block.rows : []));
  const items = blocks.flatMap((block) => (block.kind === 'list' ? block.items.map(plainOf) : []));
  return { items, ...Object.fromEntries(rows.map(([label, value]) => [label, plainOf(value)])) };
}

test('the confirmation shows the account, number, items and organization', () => {
  const body = {
    items: [
      { planId: 'p1', quantity: 3, label: 'blog' },
      { domain: 'xn--exmple-cua.com', renew: true },
      { domain: 'example.com' },
      { label: 'odd' },
      7,
    ],
    mobileMoneyNetwork: 'mtn',
    mobileMoneyPhone: '+237670000042',
    enableAutopay: true,
    appliedPromoCodeId: 'promo-1',
    currency: 'USD',
    billing: { city: 'Douala' },
  };
  const domain = 'renewal of domain exämple.com (xn--exmple-cua.com)';
  expect(shown(body, { plan: { ...PLAN, org: 'acme' } })).toEqual({
    items: ['3 × plan p1 "blog"', domain, 'domain example.com', 'item "odd"', 'item'],
    Account: 'marie@example.com (profile work)',
    Organization: 'acme',
    Payment: 'mobile money, network mtn, from +237 670 000 042',
    Currency: 'USD',
    'Promo code': 'promo-1',
    Renewal: 'automatic, charged to this number',
    'More fields': 'billing',
  });
});

test('the confirmation shows the defaults of the platform', () => {
  expect(shown({ items: [{ planId: 'p1' }] })).toEqual({
    items: ['plan p1'],
    Account: 'marie@example.com (profile work)',
    Organization: 'the default one of the account',
    Payment: 'mobile money',
    Currency: 'the local currency',
    Renewal: 'by hand',
  });
});

test('a price that is known is the one of the last order', () => {
  const lastPrices = 'When last ordered from this machine, p1 cost 5,400 XAF.';
  const texts = blocksOf({ items: [] }, { lastPrices }).map((block) => block.kind === 'line' && plainOf(block.text));
  expect(texts).toContain(`${lastPrices} The price of this order may be another one.`);
});

test('a number that came as a field of its own, even as a JSON number, is masked as well', () => {
  const body: JsonObject = { items: [], mobileMoneyPhone: 237670000042, paymentMethod: 'credit_card' };
  expect(orderSummary(outlineOf(body, ASSUME))).toBe('; credit card, from **********42');
});

test.each([
  ['foo', ['mtn', 'orange'], ['svc does not know the network foo, only mtn, orange.']],
  ['MTN', ['mtn', 'orange'], []],
  ['foo', [], []],
])('a network that svc does not know is said before the question: %s of %j', (network, networks, said) => {
  const blocks = blocksOf({ items: [{ planId: 'p1' }], mobileMoneyNetwork: network }, { networks });
  expect(blocks.flatMap((block) => (block.kind === 'warning' ? plainOf(block.text) : []))).toEqual(said);
});

/** Whether the whole word yes is asked for, of an order that was sent so long ago. */
async function asksForWord(isFree: boolean, hoursAgo?: number): Promise<unknown> {
  const now = Date.parse('2026-03-02T12:00:00Z');
  const asked: unknown[] = [];
  const context = {
    clock: { now: () => now },
    signal: new AbortController().signal,
    settings: { globals: { yes: false } },
    io: {
      interactive: true,
      during: (_what: string, work: () => unknown) => work(),
      confirmOrStop: async (_question: string, _show: unknown, how: { word: boolean }) => void asked.push(how.word),
    },
  } as unknown as Context;
  const outline = outlineOf({ items: [{ planId: 'p1' }] }, ASSUME);
  const stake = { ...CALM, outline, phone: undefined, buyer: Promise.resolve(undefined), isFree };
  const createdAt = new Date(now - (hoursAgo ?? 0) * 3_600_000).toISOString();
  const entry = { ...PLAN, key: 'k', ownKey: false, state: 'open', createdAt } as const;
  await agree(context, stake, hoursAgo === undefined ? undefined : { kind: 'same', entry }, false);
  return asked[0];
}

test('a letter is enough for an order that is known to be free, unless it may exist already', async () => {
  expect(await asksForWord(false)).toBe(true);
  expect(await asksForWord(true)).toBe(false);
  expect(await asksForWord(true, 1)).toBe(true);
  expect(await asksForWord(true, 25)).toBe(true);
});
