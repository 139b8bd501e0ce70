import type { Context } from '../../command/context.ts';
import { namesSeen } from '../../command/known.ts';
import type { KnownName, KnownNames } from '../../command/result.ts';
import { asArray, asObject, asText, isObject, type JsonObject, readNumber } from '../../json/values.ts';
import { formatCount } from '../../terminal/numbers.ts';

/** What is noted of a plan that cost nothing. */
const FREE = 'free';

/** Returns the plans that this machine has seen at the service, with what they cost then; none if that is not known. */
export function seenPlans(context: Context): readonly KnownName[] {
  return namesSeen(context, 'plans');
}

/** Whether the order has nothing but plans that cost nothing the last time. */
export function isKnownFree(context: Context, items: readonly unknown[]): boolean {
  const seen = seenPlans(context);
  return items.map(asObject).every(({ planId, domain }) => {
    return domain === undefined && seen.some(({ name, about }) => name === planId && about === FREE);
  });
}

/** Returns the plans of an order for pickers, and what a plan cost if it was ordered alone. */
export function plansIn(body: JsonObject, order: JsonObject): KnownNames {
  const items = asArray(body['items']).map(asObject);
  const isAlone = items.length === 1 && items[0]?.['domain'] === undefined && body['appliedPromoCodeId'] === undefined;
  const isOne = (items[0]?.['quantity'] ?? 1) === 1;
  const about = isAlone && isOne ? priceIn(order) : undefined;
  const names = items.flatMap(({ planId }) => asText(planId) ?? []);
  return { plans: names.map((name) => ({ name, about })) };
}

/** Returns the amount of an answer, whatever its field is called. */
function priceIn(order: JsonObject): string | undefined {
  const [only, ...others] = Object.values(order).filter((value) => isObject(value) && 'amount' in value);
  if (only === undefined || others.length > 0) return undefined;
  const { amount, currency } = asObject(only);
  const price = readNumber(amount);
  if (Number.isNaN(price)) return undefined;
  return price === 0 ? FREE : `${formatCount(price)} ${asText(currency) ?? ''}`.trim();
}
