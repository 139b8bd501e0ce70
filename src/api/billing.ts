import type { Answer, AnswerStream, Call, Client } from '../http/call.ts';
import { IDEMPOTENCY_HEADER, OPERATIONS } from '../spec/operations.ts';
import type { Autopay, Order } from '../spec/types.ts';

/** Operation 3, as a call: the same key and the same body make one order, however often it is sent. */
export function orderCall(body: Readonly<Record<string, unknown>> | Uint8Array, idempotencyKey: string): Call {
  return { operation: OPERATIONS.createOrder, body, headers: { [IDEMPOTENCY_HEADER]: idempotencyKey } };
}

/** Operation 3: creates an order and starts its payment. */
export function createOrder(client: Client, call: Call): Promise<Answer<Order>> {
  return client.call(call);
}

/** Operation 12: whether renewals are paid automatically, and from which number. */
export function getAutopay(client: Client, stream?: AnswerStream): Promise<Answer<Autopay>> {
  return client.call({ operation: OPERATIONS.getAutopay, stream });
}
