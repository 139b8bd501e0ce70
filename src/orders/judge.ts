import { orderIdOf } from '../service/identity.ts';
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

/** Judges the answer to operation 3. */
export function judgeOrder(answer: Order, assume: Assume): JudgedOrder {
  const judgement = judge(answer, 'order', assume);
  const orderId = orderIdOf(answer);
  return { verdict: orderId === undefined ? 'unnamed' : verdictOf(judgement), orderId, judgement };
}

function verdictOf({ verdict, status, path, doubt }: Judgement): OrderVerdict {
  if (verdict === 'failed') return verdict;
  if (doubt !== undefined) return 'doubtful';
  if (verdict === 'pending' || verdict === 'unknown') return verdict;
  // An item that is done says nothing of the whole order.
  return status === undefined || path.endsWith(']') ? 'created' : 'placed';
}
