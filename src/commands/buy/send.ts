import type { Context } from '../../command/context.ts';
import { asCliError } from '../../command/report.ts';
import { CliError, type ErrorCode } from '../../errors.ts';
import { asText } from '../../json/values.ts';
import type { Answer, Client } from '../../service/call.ts';
import { createOrder, orderCall } from '../../service/operations.ts';
import type { Assume } from '../../spec/assumptions.ts';
import type { Order } from '../../spec/types.ts';
import type { PurchaseRecord } from '../../vault/purchases/record.ts';
import { refusedBy, verdictOf } from '../shared/verdict.ts';
import { withProgress } from '../shared/with-progress.ts';
import { type Going, type Ledger, resumeCommand } from './ledger.ts';

/**
 * What the answer to an order says has become of it.
 * - `placed`, `pending`, `failed`: what its `status` says; `created` where it has none, as the API document shows it
 * - `refused`: there is no order
 * - `unclear`: there is one, and its `success` is neither true nor false
 * - `unnamed`: the answer names no order and says no no; there may be one
 */
export type OrderVerdict = 'placed' | 'created' | 'pending' | 'failed' | 'refused' | 'unclear' | 'unnamed';

/** Judges the answer to an order. */
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

/** The id of the order that an answer names. */
export function orderIdOf({ orderId }: Order): string | undefined {
  return asText(orderId)?.trim() || undefined;
}

/** Ends after which this request has ordered nothing, unless the error says otherwise. */
const DEFINITE: readonly ErrorCode[] = [
  'usage',
  'rejected',
  'unauthenticated',
  'forbidden',
  'not_found',
  'rate_limited',
  'unavailable',
  'interrupted',
  'failed',
];

/** Ends that have a way out of their own, also where an earlier request is in doubt: the code still says so. */
const KEPT: readonly ErrorCode[] = ['usage', 'unauthenticated', 'forbidden', 'rate_limited', 'interrupted'];

/**
 * What a purchase that got no order ends with. Where the order may exist all the same, the error says how to go on; where
 * nothing was ordered, the journal forgets the purchase.
 */
async function endOf(context: Context, thrown: unknown, { key, begun }: Going, ledger: Ledger): Promise<CliError> {
  const error = asCliError(thrown).with({ idempotencyKey: key });
  const isOpen = error.details.outcome === 'unknown' || !(DEFINITE.includes(error.code) || isRedirect(error));
  if (begun === undefined) return isOpen ? outcomeUnknown(error, 'the same command again: it carries the key') : error;
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

/** Whoever leads to another address has not taken the order: the address is wrong, and nothing was placed at it. */
function isRedirect({ code, details }: CliError): boolean {
  return code === 'unexpected' && details.status !== undefined && details.status < 400;
}

/** The order may exist: this request has left, and no answer says what became of it. */
function outcomeUnknown(error: CliError, hint: string): CliError {
  const { lines = [], idempotencyKey, attempts = 1 } = error.details;
  const isBug = error.code === 'unexpected' && !isRedirect(error);
  const message = error.code === 'interrupted' ? 'Interrupted while the order was on its way.' : error.message;
  return new CliError(isBug ? 'unavailable' : error.code, message, {
    ...error.details,
    outcome: 'unknown',
    lines: [
      ...lines,
      ...(attempts > 1 ? [`svc tried ${attempts} times. With --no-retry, it sends an order only once.`] : []),
      'The order may exist. A service that honours this key does not place it twice:',
      `${idempotencyKey}`,
    ],
    hint,
  });
}

/** This request was refused, which does not undo what an earlier one may have done. */
function stillInDoubt(error: CliError, { createdAt }: PurchaseRecord, resume: string): CliError {
  const { lines = [], hint } = error.details;
  const isKept = KEPT.includes(error.code);
  return new CliError(isKept ? error.code : 'unavailable', error.message, {
    ...error.details,
    outcome: 'unknown',
    lines: [
      ...lines,
      `The order sent on ${createdAt} may exist all the same. Look for it before you place another one (--new-order).`,
      ...(isKept ? ['To resume it later:', resume] : []),
    ],
    hint: isKept ? hint : resume,
  });
}

/** The service's answer to an order. */
interface Sent {
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
