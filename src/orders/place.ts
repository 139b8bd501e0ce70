import { orderCall } from '../api/call.ts';
import { describeUnknownStatus } from '../api/verdict.ts';
import type { Context, Needs } from '../cli/define/context.ts';
import { type Result, toResult } from '../cli/define/define.ts';
import { CliError } from '../errors.ts';
import { asText } from '../json/values.ts';
import { findAmount, findMoney } from '../terminal/format.ts';
import { confirmOrder } from './confirm.ts';
import { decide } from './decide.ts';
import {
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
export interface PlacedOrder extends JudgedOrder {
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

  const prepared = prepareOrder(request, context);
  const { draft, description, fields, credential, phone, getCommands } = prepared;
  const { org } = draft;
  // A resumed order without an organization must not get that of the settings.
  const isUsual = org === settings.org()?.value;
  const client = await (isUsual ? api.client() : api.clientFor(credential, settings.apiUrl()));
  const ready = await confirmAndBegin(prepared, context);

  // Only the confirmation shows the number. Without the plus sign, every spelling of it is
  // concealed.
  io.redactor.add(phone?.replace('+', ''));
  const { entry, firstSentAt } = ready;
  const { key, body = draft.body } = entry;
  const call = callWith(Buffer.from(body), key);
  const sent = await sendOrder(() => client.call(call), ready, assume, getCommands);

  await recordResult(ready, sent, context);
  const { reply, failure } = sent;
  if (!reply) throw failure ?? new Error('an order ends with an answer or an error');
  const { answer, order, orderId, verdict, judgement } = reply;
  if (verdict === 'unknown') {
    // Neither a success nor a failure; scripts are told as well.
    for (const line of describeUnknownStatus(judgement)) await io.warn(line, 'unknown_status');
  }
  const facts = [judgement.status, findMoney(order)].filter(Boolean).join(', ');
  const factsInBrackets = facts && ` (${facts})`;
  return {
    ...toResult(answer, { ...reply, description, org, firstSentAt }, failure),
    doneSentence: orderId && `Order ${orderId} was placed${factsInBrackets}.`,
    createdIds: { orderId, idempotencyKey: key, hint: 'svc orders' },
    namesToCache: failure ? undefined : listPlans(fields, order),
    async onDelivered() {
      const page = asText(order.payment_url);
      if (request.browser && !failure && page) await io.openBrowser(page);
    },
  };
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
    const next =
      decision && (await beginOrder(order, decision, patienceMs, context).catch(orWithout));
    if (!next) return { entry: order.draft, isRecorded: false };
    if (next.kind === 'begun') {
      const { entry } = next;
      const firstSentAt = decision?.kind === 'again' ? entry.createdAt : undefined;
      return { entry, isRecorded: isOpen(entry), firstSentAt };
    }
    decision = next;
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
  const { draft } = order;
  const { account } = draft;
  const isBareToken = account.tokenHash !== undefined && !order.isResumed;
  const mayDecide = (entry: OrderEntry) =>
    isOpen(entry) && entry.account.email !== undefined && mayBeSameBuyer(entry, draft);
  if (!isBareToken || !entries.some(mayDecide)) return order;

  const email = (await order.lookUpBuyer())?.email;
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
    throw new CliError(
      'usage',
      `${message} An order could then be placed twice, so nothing was sent.`,
      details,
    ).withLines(
      "With a key of your own: svc buy --idempotency-key <key> …, or svc api -H 'Idempotency-Key: <key>' …",
    );
  }
  await io.warn(`${message} svc cannot remember this order: keep its key.`, 'not_remembered');
}

async function recordResult(
  { entry, isRecorded }: ReadyOrder,
  { outcome, reply, orderId = reply?.orderId }: SendResult,
  journal: Needs<'io' | 'store' | 'time'>,
): Promise<void> {
  if (!isRecorded) return;
  const facts =
    outcome === 'not_placed'
      ? undefined
      : {
          state: outcome,
          orderId,
          status: reply?.judgement.status,
          hasFailed: reply?.verdict === 'failed' || undefined,
          ...(reply && findAmount(reply.order)),
        };
  try {
    await recordOrder(entry, facts, journal);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    await journal.io.warn(
      `${error.message} svc orders still lists this order as in doubt.`,
      'not_remembered',
    );
  }
}
