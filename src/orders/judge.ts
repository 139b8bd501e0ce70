import { asObject, asText, fieldOf, isObject, otherFields } from '../json/values.ts';
import { type Judgement, judge } from '../service/verdict.ts';
import type { Assume } from '../spec/assumptions.ts';
import type { Order } from '../spec/types.ts';

/**
 * What became of an order, by its answer.
 * - `placed`, `pending`, `failed`: by its status or flags; `created` without a status, as in the API document
 * - `unknown`: the order exists, and svc does not know its status
 * - `doubtful`: the order exists, and something in its answer shows trouble, in a place that svc does not know
 * - `unnamed`: the answer has no order id; an order may exist, whatever else the answer says
 */
type OrderVerdict = 'placed' | 'created' | 'pending' | 'failed' | 'unknown' | 'doubtful' | 'unnamed';

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
  const judgement = judge(answer, 'order', assume);
  const orderId = idOf(unwrapped(answer));
  return { verdict: orderId === undefined ? 'unnamed' : verdictOf(judgement), orderId, judgement };
}

function verdictOf({ verdict, status, path, doubt }: Judgement): OrderVerdict {
  if (verdict === 'failed') return verdict;
  if (doubt !== undefined) return 'doubtful';
  if (verdict === 'pending' || verdict === 'unknown') return verdict;
  // An item that is done says nothing of the whole order.
  return status === undefined || path.endsWith(']') ? 'created' : 'placed';
}

function idOf({ orderId }: Order): string | undefined {
  return asText(orderId)?.trim() || undefined;
}
