import { createOrder, orderCall } from '../../api/operations.ts';
import type { Context } from '../../command/context.ts';
import { CliError } from '../../errors.ts';
import type { Answer, Client } from '../../http/call.ts';
import { asText } from '../../spec/read.ts';
import type { Order } from '../../spec/types.ts';
import { refusedBy } from '../shared/verdict.ts';
import { withProgress } from '../shared/with-progress.ts';
import { endOf } from './failure.ts';
import { judgeOrder, type OrderVerdict, orderIdOf } from './judge.ts';
import type { Going, Ledger } from './ledger.ts';

/** The service's answer to an order. */
export interface Sent {
  readonly answer: Answer<Order>;
  readonly verdict: OrderVerdict;
  /** What ends the command where the answer says no. */
  readonly refusal: CliError | undefined;
}

/**
 * Sends an order that is written down.
 * @throws CliError for every end without an answer, for an answer that names no order, and for a no that leaves open
 * whether an earlier attempt was a yes; the journal has what is known then.
 */
export async function sendOrder(context: Context, client: Client, going: Going, ledger: Ledger): Promise<Sent> {
  const sending = async () => createOrder(client, orderCall(Buffer.from(going.body), going.key));
  const answer = await withProgress(context.io, 'Placing the order', sending).catch(async (error) => {
    throw await endOf(context, error, going, ledger);
  });
  const verdict = judgeOrder(answer.value, context.api.assume);
  if (verdict === 'failed') {
    return { answer, verdict, refusal: failureOf(answer).with({ idempotencyKey: going.key }) };
  }
  if (verdict === 'unnamed') {
    const silence = refusedBy(answer.value, 'The service answered without an order id');
    throw await endOf(context, inDoubt(silence, answer), going, ledger);
  }
  if (verdict !== 'refused') return { answer, verdict, refusal: undefined };
  const refusal = refusedBy(answer.value, `The service did not place the order${statusOf(answer)}`);
  if (answer.outcomeUnknown || going.begun?.earlier?.state === 'open') {
    throw await endOf(context, inDoubt(refusal, answer), going, ledger);
  }
  return { answer, verdict, refusal: await endOf(context, refusal, going, ledger) };
}

function failureOf(answer: Answer<Order>): CliError {
  return refusedBy(answer.value, `Order ${orderIdOf(answer.value)} failed${statusOf(answer)}`);
}

/** The word for a failure that says more than that it is one. */
function statusOf({ value }: Answer<Order>): string {
  const status = asText(value['status']);
  return status === undefined || status.toLowerCase() === 'failed' ? '' : ` (${status})`;
}

function inDoubt({ message, details }: CliError, { status, requestId, attempts }: Answer<Order>): CliError {
  return new CliError('unavailable', message, { ...details, status, requestId, attempts, outcome: 'unknown' });
}
