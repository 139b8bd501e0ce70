import { createOrder, orderCall } from '../../api/billing.ts';
import type { Context } from '../../command/context.ts';
import { CliError } from '../../errors.ts';
import type { Answer, Client } from '../../http/call.ts';
import { asText, type JsonObject } from '../../spec/read.ts';
import type { Order } from '../../spec/types.ts';
import { refusedBy, type Verdict, verdictOf } from '../shared/verdict.ts';
import { withProgress } from '../shared/with-progress.ts';
import { endOf } from './failure.ts';
import type { Going, Ledger } from './ledger.ts';

/** The service's answer to an order. */
export interface Sent {
  readonly answer: Answer<Order>;
  readonly verdict: Verdict;
  /** What ends the command where the answer says no. */
  readonly refusal: CliError | undefined;
}

/**
 * Sends an order that is written down.
 * @throws CliError for every end without an answer, and for a no that leaves open whether an earlier attempt was a yes;
 * the journal has what is known then.
 */
export async function sendOrder(
  context: Context,
  client: Client,
  body: JsonObject,
  going: Going,
  ledger: Ledger,
): Promise<Sent> {
  const sending = async () => createOrder(client, orderCall(body, going.key));
  const answer = await withProgress(context.io, 'Placing the order', sending).catch(async (error) => {
    throw await endOf(context, error, going, ledger);
  });
  const verdict = verdictOf(answer.value, ['orderId']);
  if (verdict !== 'refused') return { answer, verdict, refusal: undefined };
  const refusal = refusalOf(answer);
  if (namesOrder(answer)) return { answer, verdict, refusal: refusal.with({ idempotencyKey: going.key }) };
  if (!answer.inDoubt) return { answer, verdict, refusal: await endOf(context, refusal, going, ledger) };
  const doubt = new CliError('unavailable', refusal.message, { ...refusal.details, outcome: 'unknown' });
  throw await endOf(context, doubt, going, ledger);
}

function refusalOf({ value }: Answer<Order>): CliError {
  const orderId = asText(value.orderId);
  return refusedBy(value, orderId === undefined ? 'The service did not place the order' : `Order ${orderId} failed`);
}

function namesOrder({ value }: Answer<Order>): boolean {
  return asText(value.orderId) !== undefined;
}
