import type { Answer } from '../api/call.ts';
import { findOrderId, unwrap } from '../api/read-answer.ts';
import { type Judgement, judge, toVerdictError } from '../api/verdict.ts';
import { asWritten } from '../cli/define/define.ts';
import { asCliError } from '../cli/define/report.ts';
import type { Assume } from '../contract/assumptions.ts';
import { OPERATIONS, type Order } from '../contract/operations.ts';
import { CliError, inDoubt, type Settling, toNextStep } from '../errors.ts';
import { findMoney } from '../terminal/format.ts';
import type { OrderEntry } from './entry.ts';
import { type GetResolveCommands, howToResolve } from './resolve.ts';

/** An order that may be sent now. */
export interface ReadyOrder {
  readonly entry: OrderEntry;
  /** Whether the journal waits for its end; otherwise the user keeps the key. */
  readonly isRecorded: boolean;
  /** ISO 8601; undefined unless it was sent before. */
  readonly firstSentAt?: string | undefined;
}

/**
 * The verdict on an order that was answered:
 * - `placed`, `pending`, `failed`: by its status, `error` or `success`; `created` without any, as
 * in the API document
 * - `unknown`: the order exists, and svc does not know its status
 * - `doubtful`: the order exists, and its answer contradicts itself
 * - `unnamed`: without an order id; an order may exist, whatever else the answer says
 */
type OrderVerdict =
  | 'placed'
  | 'created'
  | 'pending'
  | 'failed'
  | 'unknown'
  | 'doubtful'
  | 'unnamed';

/** An answer, judged. */
export interface JudgedOrder {
  readonly answer: Answer<Order>;
  /** The answer without a wrapper, and with its numbers as the API wrote them. */
  readonly order: Order;
  readonly verdict: OrderVerdict;
  /** Defined for an order that exists. */
  readonly orderId: string | undefined;
  readonly judgement: Judgement;
}

/** How sending an order ended. */
export interface SendResult {
  /** `not_placed`: this request made none, and no earlier one may have. */
  readonly outcome: 'placed' | 'unknown' | 'not_placed';
  /** Present if a whole 2xx answer came. */
  readonly reply?: JudgedOrder;
  /** The order that an answer names which is not 2xx. */
  readonly orderId?: string;
  /** Defined unless the order exists and has not failed. */
  readonly failure?: CliError | undefined;
}

/** Sends an order, and judges what comes back. Never throws. */
export async function sendOrder(
  send: () => Promise<Answer<Order>>,
  ready: ReadyOrder,
  assume: Assume,
  getCommands: GetResolveCommands,
): Promise<SendResult> {
  const { entry, isRecorded } = ready;
  const resolve = (known: OrderEntry) =>
    howToResolve(known, isRecorded ? getCommands(known) : undefined);
  try {
    const answer = await send();
    const judgement = judge(answer, 'order', assume);
    const orderId = findOrderId(answer.value);
    const verdict = orderId === undefined ? 'unnamed' : toOrderVerdict(judgement);
    const order = asWritten(answer);
    return judgeAnswer({ answer, order, verdict, orderId, judgement }, entry, resolve);
  } catch (error) {
    const failure = asCliError(error).with({ idempotencyKey: entry.key });
    const { value } = unwrap(failure.details.service, OPERATIONS.createOrder);
    const orderId = findOrderId(value);
    if (orderId === undefined) return judgeFailure(failure, ready, resolve(entry));

    // The order exists, although the answer is an error: a person has to look it up.
    const named = failure.with({ orderId }).withLines(`The answer names order ${orderId}.`);
    return { outcome: 'unknown', orderId, failure: inDoubt(named, resolve({ ...entry, orderId })) };
  }
}

function toOrderVerdict({ verdict, status }: Judgement): OrderVerdict {
  if (verdict !== 'done' && verdict !== 'silent') return verdict;
  // `success: true` alone is about the request.
  return status === undefined ? 'created' : 'placed';
}

/** Says how an order ended that was answered. */
function judgeAnswer(
  reply: JudgedOrder,
  entry: OrderEntry,
  resolve: (known: OrderEntry) => Settling,
): SendResult {
  const { answer, verdict, orderId, judgement } = reply;
  const { status, requestId, attempts } = answer;
  const facts = { idempotencyKey: entry.key, orderId };
  const factsInDoubt = { ...facts, status, requestId, attempts };
  const settling = resolve({ ...entry, orderId });

  if (verdict === 'unnamed') {
    const failed = 'The API answered without an order id';
    const error = toVerdictError({ ...judgement, verdict: 'failed' }, { failed });
    return {
      outcome: 'unknown',
      reply,
      failure: error && inDoubt(error.with(factsInDoubt), settling),
    };
  }

  const money = findMoney(answer.value);
  const name = money ? `Order ${orderId} of ${money}` : `Order ${orderId}`;
  const sentences = {
    failed: `${name} failed`,
    doubtful: `${name} exists, but its answer contradicts itself`,
  };
  const error = toVerdictError(judgement, sentences, settling);
  if (verdict === 'doubtful') {
    return { outcome: 'unknown', reply, failure: error?.with(factsInDoubt) };
  }
  // A platform that honours keys answers a used one with the same order, even if that has failed.
  const again = entry.ownKey ? 'choose another idempotency key' : 'repeat the command';
  return {
    outcome: 'placed',
    reply,
    failure: error?.with({ ...facts, hint: `To order again, ${again}.` }),
  };
}

/** Judges a request without a whole answer, or with one that is not 2xx. */
function judgeFailure(error: CliError, ready: ReadyOrder, resolve: Settling): SendResult {
  const { entry, isRecorded, firstSentAt } = ready;
  if (error.details.outcome === 'unknown' || isUnexplained(error)) {
    const isStopped = error.code === 'interrupted';
    const message = isStopped ? 'Interrupted while the order was on its way.' : error.message;
    const open = new CliError(error.code, message, error.details);
    return { outcome: 'unknown', failure: inDoubt(open, resolve) };
  }
  const isOnlyRequest = !isRecorded || firstSentAt === undefined;
  if (isOnlyRequest) return { outcome: 'not_placed', failure: error };

  // The refusal of this request says nothing of the one before. Its own next step comes first.
  const { hint } = error.details;
  const { run, by } = toNextStep(resolve.hint);
  // Once the key is too old, a person looks the order up and settles it.
  const canSendAgain = hint !== undefined && by !== 'person';
  const lines = [
    `The order sent before may exist all the same. Check before you place another one (--new-order=${entry.key}).`,
    ...(resolve.lines ?? []).slice(-1),
    ...(canSendAgain ? ['Then send it again:', ...run] : []),
  ];
  return { outcome: 'unknown', failure: inDoubt(error, { lines, hint: hint ?? resolve.hint }) };
}

/**
 * Whether an error leaves open what happened. A redirect does not: the base URL is wrong, and no
 * order was placed.
 */
function isUnexplained({ code, details: { status } }: CliError): boolean {
  return code === 'unexpected' && (status === undefined || status >= 400);
}
