import type { Context } from '../../command/context.ts';
import { asCliError } from '../../command/report.ts';
import { CliError, type ErrorCode, type Hint } from '../../errors.ts';
import { asText } from '../../json/values.ts';
import type { Answer, Client } from '../../service/call.ts';
import { createOrder, orderCall } from '../../service/operations.ts';
import type { Assume } from '../../spec/assumptions.ts';
import type { Order } from '../../spec/types.ts';
import { findMoney } from '../../terminal/numbers.ts';
import type { PurchaseRecord } from '../../vault/purchases/record.ts';
import { refusedBy, verdictOf } from '../shared/verdict.ts';
import { type Going, type Ledger, resumeCommand } from './ledger.ts';

/**
 * The outcome of an order by its answer.
 * - `placed`, `pending`, `failed`: by its `status`; `created` without one, as in the API document
 * - `refused`: no order exists
 * - `unclear`: the order exists, and its `success` is neither true nor false
 * - `unnamed`: the answer neither names nor refuses an order; one may exist
 */
export type OrderVerdict = 'placed' | 'created' | 'pending' | 'failed' | 'refused' | 'unclear' | 'unnamed';

function judgeOrder(order: Order, assume: Assume): OrderVerdict {
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

export function orderIdOf({ orderId }: Order): string | undefined {
  return asText(orderId)?.trim() || undefined;
}

/** Errors with a hint of their own, which they keep while an earlier request is in doubt. */
const KEPT: readonly ErrorCode[] = ['usage', 'unauthenticated', 'forbidden', 'rate_limited', 'interrupted'];

/**
 * Returns the error of a purchase without an order. If the order may exist, the error tells how to resume it; otherwise
 * the journal forgets the purchase.
 */
async function endOf(context: Context, thrown: unknown, { key, begun }: Going, ledger: Ledger): Promise<CliError> {
  const error = asCliError(thrown).with({ idempotencyKey: key });
  const isOpen = error.details.outcome === 'unknown' || isUnexplained(error);
  if (begun === undefined) return isOpen ? outcomeUnknown(error, 'Repeat the command: it carries the key.') : error;
  const { record, earlier } = begun;
  if (isOpen || earlier?.state === 'open') {
    await ledger.tryTo((journal) => journal.release(record));
    const resume = resumeCommand(context, record);
    return isOpen ? outcomeUnknown(error, resume) : stillInDoubt(error, record, resume);
  }
  await ledger.tryTo((journal) =>
    earlier?.state === 'closed' ? journal.close(record, earlier.orderId) : journal.forget(record),
  );
  return error;
}

/** Whether an error leaves open what happened. A redirect does not: the base URL is wrong, and no order was placed. */
function isUnexplained({ code, details: { status } }: CliError): boolean {
  return code === 'unexpected' && (status === undefined || status >= 400);
}

/** For a request that may have placed the order. */
function outcomeUnknown(error: CliError, hint: Hint): CliError {
  const { lines = [], idempotencyKey, attempts = 1 } = error.details;
  const message = error.code === 'interrupted' ? 'Interrupted while the order was on its way.' : error.message;
  return new CliError(isUnexplained(error) ? 'unavailable' : error.code, message, {
    ...error.details,
    outcome: 'unknown',
    lines: [
      ...lines,
      ...(attempts > 1 ? ['With --no-retry, svc sends an order only once.'] : []),
      'The order may exist. A service that honours this key does not place it twice:',
      `${idempotencyKey}`,
    ],
    hint,
  });
}

/** For a refused request after one that may have placed the order. */
function stillInDoubt(error: CliError, { createdAt }: PurchaseRecord, resume: string): CliError {
  const { lines = [], hint } = error.details;
  const isKept = KEPT.includes(error.code);
  return new CliError(isKept ? error.code : 'unavailable', error.message, {
    ...error.details,
    outcome: 'unknown',
    lines: [
      ...lines,
      `The order sent on ${createdAt} may exist. Check before you place another one (--new-order).`,
      ...(isKept ? ['To resume it later:', resume] : []),
    ],
    hint: isKept ? hint : resume,
  });
}

interface Sent {
  readonly answer: Answer<Order>;
  readonly verdict: OrderVerdict;
  /** Set if the order was refused or has failed. */
  readonly refusal: CliError | undefined;
}

/**
 * Sends an order, and keeps the journal up to date.
 * @throws CliError without an answer, for an answer that names no order, and for a refusal after an earlier attempt that
 * may have placed it.
 */
export async function sendOrder(context: Context, client: Client, going: Going, ledger: Ledger): Promise<Sent> {
  const end = (error: unknown) => endOf(context, error, going, ledger);
  const answer = await createOrder(client, orderCall(Buffer.from(going.body), going.key)).catch(async (error) => {
    throw await end(error);
  });
  const order = answer.value;
  const verdict = judgeOrder(order, context.api.assume);
  if (verdict === 'failed') {
    const money = findMoney(order);
    const name = `Order ${orderIdOf(order)}${money === undefined ? '' : ` of ${money}`}`;
    const failure = refusedBy(order, `${name} failed${statusOf(answer)}`);
    return { answer, verdict, refusal: failure.with({ idempotencyKey: going.key }) };
  }
  if (verdict === 'unnamed') {
    throw await end(inDoubt(refusedBy(order, 'The service answered without an order id'), answer));
  }
  if (verdict !== 'refused') return { answer, verdict, refusal: undefined };
  const refusal = refusedBy(order, `The service did not place the order${statusOf(answer)}`);
  if (answer.outcomeUnknown || going.begun?.earlier?.state === 'open') throw await end(inDoubt(refusal, answer));
  return { answer, verdict, refusal: await end(refusal) };
}

/** Returns the status in parentheses, unless it just repeats that the order failed. */
function statusOf({ value }: Answer<Order>): string {
  const status = asText(value['status']);
  return status === undefined || status.toLowerCase() === 'failed' ? '' : ` (${status})`;
}

function inDoubt({ message, details }: CliError, { status, requestId, attempts }: Answer<Order>): CliError {
  return new CliError('unavailable', message, { ...details, status, requestId, attempts, outcome: 'unknown' });
}
