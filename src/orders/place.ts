import type { Answer } from '../api/call.ts';
import { describeUnknownStatus } from '../api/judged-errors.ts';
import { orderCall } from '../api/operations.ts';
import type { Context, Needs } from '../cli/define/context.ts';
import { asWritten, type Result, toResult } from '../cli/define/define.ts';
import type { Order } from '../contract/types.ts';
import { CliError } from '../errors.ts';
import { asObject, asText, parseJson } from '../json/values.ts';
import { findAmount } from '../terminal/numbers.ts';
import { confirmOrder } from './confirm.ts';
import { decide } from './decide.ts';
import {
  describeEnd,
  listPlans,
  type OrderDescription,
  type OrderRequest,
  type PreparedOrder,
  prepareOrder,
} from './description.ts';
import { isOpen, mayBeSameBuyer, type OrderEntry } from './entry.ts';
import { beginOrder, readOrders, recordOrder, setOlderOrdersAside } from './journal.ts';
import { type JudgedOrder, type ReadyOrder, type SendResult, sendOrder } from './send.ts';

/** An order that the API has answered. */
export interface PlacedOrder {
  readonly answer: Answer<Order>;
  /** The answer without a wrapper, and with its numbers as the API wrote them. */
  readonly order: Order;
  readonly judged: JudgedOrder;
  readonly description: OrderDescription;
  readonly org: string | undefined;
  /** ISO 8601; undefined unless it was sent before. */
  readonly firstSentAt: string | undefined;
}

/**
 * Places an order: prepares it, asks, writes it into the journal, sends it, judges the answer, and
 * records that before anything is printed.
 * @throws CliError for an order without an answer
 */
export async function placeOrder(
  request: OrderRequest,
  context: Context,
): Promise<Result<PlacedOrder>> {
  const { api, assume, io, settings } = context;
  const { callWith = orderCall } = request;

  const order = prepareOrder(request, context);
  const { draft, credential, phone, getCommands } = order;
  // A resumed order without an organization must not get that of the settings.
  const isUsual = draft.org === settings.org()?.value;
  const client = await (isUsual ? api.client() : api.clientFor(credential, settings.apiUrl()));
  const ready = await confirmAndBegin(order, context);

  // Only the confirmation shows the number. Without the plus sign, every spelling of it is
  // concealed.
  io.redactor.add(phone?.replace('+', ''));
  const { key, body = draft.body } = ready.entry;
  const call = callWith(Buffer.from(body), key);
  const sent = await sendOrder(() => client.call(call), ready, assume, getCommands);

  await recordResult(ready, sent, context);
  const { verdict, judgement } = sent.reply?.judged ?? {};
  if (verdict === 'unknown' && judgement !== undefined) {
    // Neither a success nor a failure; scripts are told as well.
    for (const line of describeUnknownStatus(judgement)) await io.warn(line, 'unknown_status');
  }
  const result = toOrderResult(order, ready, sent);
  const isToPay = request.browser && result.failure === undefined;
  const page = isToPay ? asText(result.value.order.payment_url) : undefined;
  if (page === undefined) return result;
  return { ...result, onDelivered: async () => void (await io.openBrowser(page)) };
}

/** Time that a command may need beside its requests. */
const MARGIN_MS = 30_000;

/** Asks, and writes the order down. Asks once more if the journal has changed meanwhile. */
async function confirmAndBegin(
  prepared: PreparedOrder,
  context: Needs<'globals' | 'io' | 'store' | 'time'>,
): Promise<ReadyOrder> {
  const { globals, store, time } = context;
  const patienceMs = globals.timeoutSeconds * 1000 + MARGIN_MS;
  const orWithout = (error: unknown) => goOnWithoutJournal(prepared, error, context);

  const entries = await setOlderOrdersAside(context)
    .then(() => readOrders(context))
    .catch(orWithout);
  const order = await addEmail(prepared, entries ?? []);
  let decision = entries && decide(entries, order, time.clock.now(), store.machine);
  for (let isChanged = false; ; isChanged = true) {
    await confirmOrder(order, decision, isChanged, context);
    const begun =
      decision && (await beginOrder(order, decision, patienceMs, context).catch(orWithout));
    if (begun === undefined) return { entry: order.draft, isRecorded: false };
    if (begun.kind === 'begun') {
      const { entry } = begun;
      const firstSentAt = decision?.kind === 'again' ? entry.createdAt : undefined;
      return { entry, isRecorded: isOpen(entry), firstSentAt };
    }
    decision = begun;
  }
}

/**
 * Asks the platform whose a bare token is, where that could tell its owner from somebody whose
 * order is in doubt.
 */
async function addEmail(
  order: PreparedOrder,
  entries: readonly OrderEntry[],
): Promise<PreparedOrder> {
  const { draft, isResumed, lookUpBuyer } = order;
  const { account } = draft;
  if ('profile' in account || isResumed) return order;

  const mayDecide = entries.some(
    (entry) => isOpen(entry) && entry.account.email !== undefined && mayBeSameBuyer(entry, draft),
  );
  if (!mayDecide) return order;
  const email = (await lookUpBuyer())?.email;
  return { ...order, draft: { ...draft, account: { ...account, email } } };
}

/** Whoever chose a key keeps it, and may order without the journal. Throws for everybody else. */
async function goOnWithoutJournal(
  { draft, isResumed }: PreparedOrder,
  error: unknown,
  { io }: Needs<'io'>,
): Promise<undefined> {
  if (!(error instanceof CliError) || error.code === 'interrupted') throw error;
  const { message, details } = error;
  if (!draft.ownKey || isResumed) {
    const withOwnKey =
      "A key of your own needs no list: svc buy --idempotency-key <key> …, or svc api -H 'Idempotency-Key: <key>' …";
    const risk = 'An order could then be placed twice, so nothing was sent.';
    throw new CliError('usage', `${message} ${risk}`, details).withLines(withOwnKey);
  }
  await io.warn(`${message} svc cannot remember this order: keep its key.`, 'not_remembered');
  return undefined;
}

async function recordResult(
  { entry, isRecorded }: ReadyOrder,
  { outcome, reply }: SendResult,
  journal: Needs<'io' | 'store' | 'time'>,
): Promise<void> {
  if (!isRecorded) return;
  const { orderId, judgement, verdict } = reply?.judged ?? {};
  const price = reply && findAmount(asWritten(reply.answer));
  const hasFailed = verdict === 'failed' ? true : undefined;
  const facts =
    outcome === 'not_placed'
      ? undefined
      : { state: outcome, orderId, status: judgement?.status, hasFailed, ...price };
  try {
    await recordOrder(entry, facts, journal);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const consequence = 'svc orders still lists this order as in doubt.';
    await journal.io.warn(`${error.message} ${consequence}`, 'not_remembered');
  }
}

function toOrderResult(
  { draft, description }: PreparedOrder,
  { entry, firstSentAt }: ReadyOrder,
  { reply, failure }: SendResult,
): Result<PlacedOrder> {
  if (reply === undefined) throw failure ?? new Error('an order ends with an answer or an error');
  const { answer, judged } = reply;
  const { orderId } = judged;
  const order = asWritten(answer);
  const placed = { answer, order, judged, description, org: draft.org, firstSentAt };
  return {
    ...toResult(answer, placed, failure),
    doneSentence: orderId && describeEnd(judged, order),
    createdIds: orderId ? { orderId, idempotencyKey: entry.key, hint: 'svc orders' } : undefined,
    namesToCache:
      failure === undefined ? listPlans(asObject(parseJson(draft.body)), order) : undefined,
  };
}
