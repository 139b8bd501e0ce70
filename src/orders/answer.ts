import type { Answer } from '../api/call.ts';
import { unknownWord } from '../api/judged-errors.ts';
import type { Needs } from '../cli/define/context.ts';
import { answered, asWritten, type Result } from '../cli/define/result.ts';
import type { Order } from '../contract/types.ts';
import { CliError } from '../errors.ts';
import { toJsonText } from '../json/raw-json.ts';
import { asText } from '../json/values.ts';
import { findAmount, findMoney } from '../terminal/numbers.ts';
import { type AnsweredOrder, openJournal } from './journal.ts';
import type { OrderEntry } from './order.ts';
import type { Outline } from './outline.ts';
import { type Ending, earlierOf, type Going, type JudgedOrder } from './send.ts';

/** An order that the API has answered. */
export interface Placed {
  readonly answer: Answer<Order>;
  /** Nothing was sent now. */
  readonly isReprint: boolean;
  readonly order: Order;
  readonly judged: JudgedOrder;
  readonly outline: Outline;
  /** Set if it was sent before. */
  readonly earlier: OrderEntry | undefined;
}

/** Returns what records that the user has the answer. */
async function recordEnding(
  context: Needs<'io' | 'store' | 'time'>,
  { begun }: Going,
  ending: Ending,
) {
  if (begun?.kind !== 'begun') return begun?.printed;
  const { entry, earlier } = begun;
  const known = knownOf(ending);
  const journal = openJournal(context);
  return orWarn(context, 'svc orders still lists this order as in doubt.', async () => {
    if (known !== undefined) return journal.close(entry, known);
    await (ending.outcome === 'in_doubt' ? journal.release(entry) : journal.forget(entry, earlier));
    return undefined;
  });
}

/** Of a longer answer only the order's id is kept. */
const MAX_KEPT_TEXT = 64 * 1024;

function knownOf({ answered: reply, outcome }: Ending): AnsweredOrder | undefined {
  if (reply === undefined || outcome !== 'known') return undefined;
  const { answer, judged } = reply;
  const { orderId, judgement } = judged;
  return {
    orderId,
    status: judgement.status,
    ...findAmount(asWritten(answer)),
    answer: answer.text.length <= MAX_KEPT_TEXT ? answer.text : toJsonText({ orderId }),
    isDoubtful: judged.verdict === 'doubtful',
  };
}

/** Warns of the consequence if a change of the journal fails. */
async function orWarn<T>(
  { io }: Needs<'io'>,
  consequence: string,
  change: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    await io.warn(`${error.message} ${consequence}`, 'not_remembered');
    return undefined;
  }
}

/**
 * Records how an order ended, before anything is printed, and makes its result.
 * @param browser whether the payment page may be opened
 * @throws CliError for an order without an answer
 */
export async function placedResult(
  context: Needs<'io' | 'store' | 'time'>,
  outline: Outline,
  going: Going,
  ending: Ending,
  browser: boolean,
): Promise<Result<Placed>> {
  const printed = await recordEnding(context, going, ending);
  const { answered: reply, failure } = ending;
  if (reply === undefined) throw failure ?? new Error('an order ends with an answer or an error');
  const { answer, judged } = reply;
  const order = asWritten(answer);
  const isReprint = going.begun?.kind === 'reprint';
  const placed = { answer, isReprint, order, judged, outline, earlier: earlierOf(going) };
  // Neither a success nor a failure: scripts are told as well.
  const unknown = judged.verdict === 'unknown' ? unknownWord(judged.judgement) : [];
  for (const line of unknown) await context.io.warn(line, 'unknown_status');
  return {
    ...answered(answer, placed, failure),
    ...notesOf(going, judged, order),
    async delivered() {
      const consequence = 'The same order within a day shows this one instead.';
      if (printed !== undefined) await orWarn(context, consequence, printed);
      const page = asText(order.payment_url);
      if (page !== undefined && failure === undefined && browser)
        await context.io.openBrowser(page);
    },
  };
}

/** What an error says if the answer cannot be printed. */
function notesOf(
  { key, begun }: Going,
  { orderId, verdict, judgement }: JudgedOrder,
  order: Order,
) {
  if (orderId === undefined) return {};
  const says = [judgement.status, findMoney(order)].filter((part) => part !== undefined).join(', ');
  const became = verdict === 'failed' ? 'failed' : 'was placed';
  const again = 'Repeat the command within a day to read the answer: nothing is sent again.';
  return {
    done: `Order ${orderId} ${became}${says === '' ? '' : ` (${says})`}.`,
    made: { orderId, idempotencyKey: key, hint: begun && { say: again, run: ['svc orders'] } },
  };
}
