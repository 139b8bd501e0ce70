import type { Assume } from '../../spec/assumptions.ts';
import { asText } from '../../spec/read.ts';
import type { Order } from '../../spec/types.ts';
import { verdictOf } from '../shared/verdict.ts';

/**
 * What the answer to an order says has become of it.
 * - `placed`, `pending`, `failed`: what its `status` says; `created` where it has none, as the API document shows it
 * - `refused`: there is no order
 * - `unclear`: there is one, and its `success` is neither true nor false
 * - `unnamed`: the answer names no order and says no no; there may be one
 */
export type OrderVerdict = 'placed' | 'created' | 'pending' | 'failed' | 'refused' | 'unclear' | 'unnamed';

/** Judges the answer to an order. */
export function judgeOrder(order: Order, assume: Assume): OrderVerdict {
  const id = orderIdOf(order);
  const said = verdictOf(order, ['orderId']);
  const status = asText(order['status'])
    ?.trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  const isAmong = (words: string) => status !== undefined && words.toLowerCase().split(/\s+/).includes(status);
  if (said === 'refused' || isAmong(assume('checkout.failed'))) return id === undefined ? 'refused' : 'failed';
  if (id === undefined) return 'unnamed';
  if (said === 'unclear') return 'unclear';
  if (!status) return 'created';
  return isAmong(assume('checkout.pending')) ? 'pending' : 'placed';
}

/** The id of the order that an answer names. */
export function orderIdOf({ orderId }: Order): string | undefined {
  return asText(orderId)?.trim() || undefined;
}
