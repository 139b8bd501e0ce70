import { asObject, asText, fieldOf, isObject, otherFields } from '../json/values.ts';
import { type Judgement, judge, statusWords } from '../service/verdict.ts';
import type { Assume } from '../spec/assumptions.ts';
import type { Order } from '../spec/types.ts';

/**
 * What became of an order, by its answer.
 * - `placed`, `pending`, `failed`: by its status or flags; `created` without a status, as in the API document
 * - `unknown`: the order exists, and svc does not know its status
 * - `unclear`: the order exists, and its `success` is neither true nor false
 * - `refused`: no order exists
 * - `unnamed`: the answer names no order, and does not refuse it as a whole; one may exist
 */
type OrderVerdict = 'placed' | 'created' | 'pending' | 'failed' | 'unknown' | 'unclear' | 'refused' | 'unnamed';

/** An order as the API answered it. */
export interface JudgedOrder {
  readonly verdict: OrderVerdict;
  /** Set for an order that exists. */
  readonly orderId: string | undefined;
  readonly judgement: Judgement;
}

const WRAPPERS = ['order', 'data', 'result'] as const;

/** Returns the fields of an order, those of a wrapper such as `{"order": {…}}` among them. */
export function unwrapped(answer: Order): Order {
  if (idOf(answer) !== undefined) return answer;
  const wrapped = WRAPPERS.map((name) => ({ name, inner: fieldOf(answer, name) })).find(
    ({ inner }) => isObject(inner) && idOf(inner) !== undefined,
  );
  return wrapped === undefined ? answer : { ...otherFields(answer, [wrapped.name]), ...asObject(wrapped.inner) };
}

/** Judges the answer to operation 3. */
export function judgeOrder(answer: Order, assume: Assume): JudgedOrder {
  const words = statusWords(assume, 'checkout');
  const judgement = judge(answer, { words, wrappers: ['order'], collections: ['items'] });
  const order = unwrapped(answer);
  const orderId = idOf(order);
  return { verdict: verdictOf(judgement, order, orderId), orderId, judgement };
}

function verdictOf(judgement: Judgement, order: Order, orderId: string | undefined): OrderVerdict {
  const { verdict, status, isUnknownWord, element } = judgement;
  if (orderId === undefined) return verdict === 'failed' && element === undefined ? 'refused' : 'unnamed';
  if (verdict === 'failed' || verdict === 'pending') return verdict;
  // An item that is done says nothing of the whole order.
  if (verdict === 'done') return status === undefined || element !== undefined ? 'created' : 'placed';
  if (isUnknownWord) return 'unknown';
  return status === undefined && isBlank(order.success) ? 'created' : 'unclear';
}

function idOf({ orderId }: Order): string | undefined {
  return asText(orderId)?.trim() || undefined;
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** The platform names an order, and its `success` is neither yes nor no. */
export function unclearOrder(orderId: string | undefined): string {
  return `The API answered with order ${orderId}, but does not clearly say that it was placed.`;
}
