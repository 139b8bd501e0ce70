import { CliError, type ErrorCode, inDoubt, type Settling, stepOf } from '../errors.ts';
import { asObject, parseJson } from '../json/values.ts';
import { asCliError } from '../kit/report.ts';
import type { Answer, Call, Client } from '../service/call.ts';
import { unwrapped } from '../service/identity.ts';
import { conclude } from '../service/judged-errors.ts';
import { createOrder } from '../service/operations.ts';
import type { Assume } from '../spec/assumptions.ts';
import type { Order } from '../spec/types.ts';
import { findMoney } from '../terminal/numbers.ts';
import type { Begun, Reprint } from './journal.ts';
import { type JudgedOrder, judgeOrder } from './judge.ts';
import type { OrderEntry } from './order.ts';

/** An order that may be sent now. */
export interface Going {
  readonly key: string;
  /** JSON; the same bytes as before if it was sent before. */
  readonly body: string;
  /** Undefined if the journal cannot be used and the user keeps the key. */
  readonly begun: Begun | Reprint | undefined;
  /** For an end that leaves its outcome unknown. */
  readonly settling: Settling;
  /** For an order that exists, and whose answer shows trouble. */
  readonly troubled: (orderId: string) => Settling;
}

/** How an order that was sent ended. */
export interface Ending {
  /** The API's answer, if a whole one came. */
  readonly answered?: { readonly answer: Answer<Order>; readonly judged: JudgedOrder };
  /** Set unless the order exists and has not failed. */
  readonly failure?: CliError;
  /**
   * What the journal is to record: `known`: the order exists; `in_doubt`: it may; `nothing`: this request made none, and
   * no earlier one is in doubt.
   */
  readonly outcome: 'known' | 'in_doubt' | 'nothing';
}

/** Sends an order and judges what comes back, or what came back before. Never throws. */
export async function sendOrder(client: Client, call: Call, going: Going, assume: Assume): Promise<Ending> {
  try {
    if (going.begun?.kind === 'reprint') return answeredBefore(going.begun, going, assume);
    const answer = await createOrder(client, call);
    return endingOf(answer, judgeOrder(answer.value, assume), going);
  } catch (error) {
    return unanswered(asCliError(error).with({ idempotencyKey: going.key }), going);
  }
}

function answeredBefore({ entry: { answer: text = '' } }: Reprint, going: Going, assume: Assume): Ending {
  const value = asObject(parseJson(text));
  const answer = { status: 200, headers: {}, value, text, requestId: undefined, attempts: 1, outcomeUnknown: false };
  return endingOf(answer, judgeOrder(value, assume), going);
}

function endingOf(answer: Answer<Order>, judged: JudgedOrder, going: Going): Ending {
  const answered = { answer, judged };
  const { verdict, orderId, judgement } = judged;
  const { status, requestId, attempts } = answer;
  const as = (error: CliError) => error.with({ idempotencyKey: going.key, orderId });
  const money = findMoney(unwrapped(answer.value));
  const name = `Order ${orderId}${money === undefined ? '' : ` of ${money}`}`;
  const isUnnamed = verdict === 'unnamed';
  const error = conclude(
    isUnnamed ? { ...judgement, verdict: 'failed' } : judgement,
    {
      failed: isUnnamed ? 'The API answered without an order id' : `${name} failed`,
      doubtful: `${name} exists, but its answer shows trouble`,
    },
    orderId === undefined ? going.settling : going.troubled(orderId),
  );
  if (error === undefined) return { answered, outcome: 'known' };
  if (isUnnamed) {
    const failure = inDoubt(as(error).with({ status, requestId, attempts }), going.settling);
    return { answered, failure, outcome: 'in_doubt' };
  }
  // A platform that honours keys answers a used one with the same order, also if that has failed.
  const isOwnKey = going.begun?.entry.ownKey !== false;
  const hint = isOwnKey ? 'To order again, choose another idempotency key.' : undefined;
  return { answered, failure: verdict === 'failed' ? as(error).with({ hint }) : as(error), outcome: 'known' };
}

/** Whether an earlier request may have placed the order. */
function isInDoubt(going: Going): boolean {
  return earlierOf(going)?.state === 'open';
}

/** What the journal had of an order that is sent again. */
export function earlierOf({ begun }: Going): OrderEntry | undefined {
  return begun?.kind === 'begun' ? begun.earlier : begun?.entry;
}

/** For a request without a whole answer, or with one that is not 2xx. */
function unanswered(error: CliError, going: Going): Ending {
  if (error.details.outcome === 'unknown' || isUnexplained(error)) {
    const message = error.code === 'interrupted' ? 'Interrupted while the order was on its way.' : error.message;
    const whole = new CliError(error.code, message, error.details);
    return { failure: inDoubt(whole, going.settling), outcome: 'in_doubt' };
  }
  if (!isInDoubt(going)) return { failure: error, outcome: 'nothing' };
  return { failure: stillInDoubt(error, going), outcome: 'in_doubt' };
}

/** Whether an error leaves open what happened. A redirect does not: the base URL is wrong, and no order was placed. */
function isUnexplained({ code, details: { status } }: CliError): boolean {
  return code === 'unexpected' && (status === undefined || status >= 400);
}

/** Errors with a next step of their own, which has to come before the order is sent again. */
const FIRST: readonly ErrorCode[] = ['usage', 'unauthenticated', 'forbidden', 'rate_limited'];

/** For a refused request after one that may have placed the order. */
function stillInDoubt(error: CliError, going: Going): CliError {
  const { settling } = going;
  const sent = earlierOf(going)?.createdAt;
  const [resume = ''] = stepOf(settling.hint).run;
  const isFirst = FIRST.includes(error.code) && error.details.hint !== undefined;
  return inDoubt(error, {
    lines: [
      `The order sent on ${sent} may exist all the same. Check before you place another one (--new-order).`,
      ...(settling.lines ?? []).slice(-1),
      ...(isFirst ? ['Then send it again:', resume] : []),
    ],
    hint: isFirst ? error.details.hint : settling.hint,
  });
}
