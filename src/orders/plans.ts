import type { Needs } from '../cli/define/context.ts';
import { namesSeen } from '../cli/define/known.ts';
import type { KnownNames } from '../cli/define/result.ts';
import type { Order, OrderBody, UncheckedItem } from '../contract/types.ts';
import { asArray, asObject, asText } from '../json/values.ts';
import { findMoney } from '../terminal/numbers.ts';

const asItem = (item: unknown): UncheckedItem => asObject(item);

/** What is noted of a plan that cost nothing. */
const FREE = 'free';

/** Whether all are single plans that cost nothing the last time. */
export function isKnownFree(
  context: Needs<'settings' | 'store'>,
  items: readonly unknown[],
): boolean {
  const seen = namesSeen(context, 'plans');
  return items.map(asItem).every(({ planId, domain, renew, quantity = 1 }) => {
    const isSingle = domain === undefined && renew !== true && quantity === 1;
    return isSingle && seen.some(({ name, about }) => name === planId && about === FREE);
  });
}

/** Whether the answer says that the order costs nothing. */
export function isFree(order: Order): boolean {
  const money = findMoney(order);
  return money !== undefined && Number.parseFloat(money) === 0;
}

/**
 * What the plans cost the last time, in a sentence; undefined if this machine has not seen the
 * price of any.
 */
export function lastPrices(
  context: Needs<'settings' | 'store'>,
  items: readonly unknown[],
): string | undefined {
  const seen = namesSeen(context, 'plans');
  const plans = [
    ...new Set(
      items.map(asItem).flatMap(({ planId, renew }) => (renew ? [] : (asText(planId) ?? []))),
    ),
  ];
  const prices = plans.flatMap((plan) => {
    const about = seen.find(({ name }) => name === plan)?.about;
    if (about === undefined) return [];
    return `${plan} ${about === FREE ? 'was free' : `cost ${about}`}`;
  });
  return prices.length === 0
    ? undefined
    : `When last ordered from this machine, ${prices.join(', and ')}.`;
}

/** For pickers, with what a plan cost if it was ordered alone. */
export function plansIn(body: OrderBody, order: Order): KnownNames {
  const items = asArray(body.items).map(asItem);
  const { domain, renew, quantity = 1 } = items[0] ?? {};
  const price = isFree(order) ? FREE : findMoney(order);
  const isAlone =
    items.length === 1 && domain === undefined && body.appliedPromoCodeId === undefined;
  const about = isAlone && renew !== true && quantity === 1 ? price : undefined;
  const names = items.flatMap(({ planId }) => asText(planId) ?? []);
  return { plans: names.map((name) => ({ name, about })) };
}
