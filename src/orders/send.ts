import type { Answer, Call, Client } from '../api/call.ts';
import { orderIdOf } from '../api/identity.ts';
import { conclude } from '../api/judged-errors.ts';
import { unwrap } from '../api/own-level.ts';
import { type Judgement, judge } from '../api/verdict.ts';
import { asCliError } from '../cli/define/report.ts';
import type { Assume } from '../contract/assumptions.ts';
import { OPERATIONS } from '../contract/operations.ts';
import type { Order } from '../contract/types.ts';
import { CliError, type ErrorCode, inDoubt, type Settling, stepOf } from '../errors.ts';
import { asObject, parseJson } from '../json/values.ts';
import { findMoney } from '../terminal/numbers.ts';
import type { Begun, Reprint } from './journal.ts';
import type { OrderEntry } from './order.ts';

/** An order that may be sent now. */
export interface Going {
  readonly key: string;
  /** JSON; the same bytes as before if it was sent before. */
  readonly body: string;
  /** Undefined if the journal cannot be used and the user keeps the key. */
  readonly begun: Begun | Reprint | undefined;
  readonly settling: Settling;
  readonly troubled: (orderId: string) => Settling;
}

/**
 * By the answer:
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

/** What an answer says of an order. */
export interface JudgedOrder {
  readonly verdict: OrderVerdict;
  /** Set for an order that exists. */
  readonly orderId: string | undefined;
  readonly judgement: Judgement;
}

/** How sending it ended. */
export interface Ending {
  /** The API's answer, if a whole one came. */
  readonly answered?: { readonly answer: Answer<Order>; readonly judged: JudgedOrder };
  /** Set unless the order exists and has not failed. */
  readonly failure?: CliError;
  /**
   * `known`: the order exists; `in_doubt`: it may; `nothing`: this request made none, and no
   * earlier one is in doubt.
   */
  readonly outcome: 'known' | 'in_doubt' | 'nothing';
}

/** Judges what comes back, or came back before. Never throws. */
export async function sendOrder(
  client: Client,
  call: Call,
  going: Going,
  assume: Assume,
): Promise<Ending> {
  try {
    if (going.begun?.kind === 'reprint') return answeredBefore(going.begun, going, assume);
    const answer = await client.call<Order>(call);
    return endingOf(answer, assume, going);
  } catch (error) {
    return unanswered(asCliError(error).with({ idempotencyKey: going.key }), going);
  }
}

function answeredBefore(
  { entry: { answer: text = '' } }: Reprint,
  going: Going,
  assume: Assume,
): Ending {
  const operation = OPERATIONS.createOrder;
  const { value, wrappers } = unwrap(parseJson(text), operation);
  const answer = {
    operation,
    status: 200,
    headers: {},
    value: asObject(value),
    wrappers,
    text,
    attempts: 1,
  };
  return endingOf({ ...answer, requestId: undefined, outcomeUnknown: false }, assume, going);
}

function endingOf(answer: Answer<Order>, assume: Assume, going: Going): Ending {
  const judged = judgeOrder(answer, assume);
  const answered = { answer, judged };
  const { verdict, orderId, judgement } = judged;
  const { status, requestId, attempts } = answer;
  const as = (error: CliError) => error.with({ idempotencyKey: going.key, orderId });
  const money = findMoney(answer.value);
  const name = `Order ${orderId}${money === undefined ? '' : ` of ${money}`}`;
  const isUnnamed = verdict === 'unnamed';
  const error = conclude(
    isUnnamed ? { ...judgement, verdict: 'failed' } : judgement,
    {
      failed: isUnnamed ? 'The API answered without an order id' : `${name} failed`,
      doubtful: `${name} exists, but its answer contradicts itself`,
    },
    orderId === undefined ? going.settling : going.troubled(orderId),
  );
  if (error === undefined) return { answered, outcome: 'known' };
  const open = as(error).with({ status, requestId, attempts });
  if (isUnnamed) return { answered, failure: inDoubt(open, going.settling), outcome: 'in_doubt' };
  // A platform that honours keys answers a used one with the same order, also if that has failed.
  const isOwnKey = going.begun?.entry.ownKey !== false;
  const hint = isOwnKey ? 'To order again, choose another idempotency key.' : undefined;
  return {
    answered,
    failure: verdict === 'failed' ? as(error).with({ hint }) : open,
    outcome: 'known',
  };
}

/** Of an order that is sent again. */
export function earlierOf({ begun }: Going): OrderEntry | undefined {
  return begun?.kind === 'begun' ? begun.earlier : begun?.entry;
}

/** For a request without a whole answer, or with one that is not 2xx. */
function unanswered(error: CliError, going: Going): Ending {
  if (error.details.outcome === 'unknown' || isUnexplained(error)) {
    const message =
      error.code === 'interrupted' ? 'Interrupted while the order was on its way.' : error.message;
    const whole = new CliError(error.code, message, error.details);
    return { failure: inDoubt(whole, going.settling), outcome: 'in_doubt' };
  }
  if (earlierOf(going)?.state !== 'open') return { failure: error, outcome: 'nothing' };
  return { failure: stillInDoubt(error, going), outcome: 'in_doubt' };
}

/**
 * Whether an error leaves open what happened. A redirect does not: the base URL is wrong, and no
 * order was placed.
 */
function isUnexplained({ code, details: { status } }: CliError): boolean {
  return code === 'unexpected' && (status === undefined || status >= 400);
}

/** Their own next step comes before the order is sent again. */
const FIRST: readonly ErrorCode[] = ['usage', 'unauthenticated', 'forbidden', 'rate_limited'];

/** For a refusal after a request that may have placed the order. */
function stillInDoubt(error: CliError, going: Going): CliError {
  const { settling } = going;
  const [resume = ''] = stepOf(settling.hint).run;
  const isFirst = FIRST.includes(error.code) && error.details.hint !== undefined;
  return inDoubt(error, {
    lines: [
      `The order sent on ${earlierOf(going)?.createdAt} may exist all the same. Check before you place another one (--new-order).`,
      ...(settling.lines ?? []).slice(-1),
      ...(isFirst ? ['Then send it again:', resume] : []),
    ],
    hint: isFirst ? error.details.hint : settling.hint,
  });
}

/** Judges the answer to operation 3. */
function judgeOrder(answer: Answer<Order>, assume: Assume): JudgedOrder {
  const judgement = judge(answer, 'order', assume);
  const orderId = orderIdOf(answer.value);
  return { verdict: orderId === undefined ? 'unnamed' : verdictOf(judgement), orderId, judgement };
}

function verdictOf({ verdict, status }: Judgement): OrderVerdict {
  if (verdict !== 'done' && verdict !== 'silent') return verdict;
  // `success: true` alone is about the request.
  return status === undefined ? 'created' : 'placed';
}
