import { createOrder, orderCall } from '../../api/billing.ts';
import type { Context } from '../../command/context.ts';
import { answered, type Result } from '../../command/result.ts';
import type { Answer, Client } from '../../http/call.ts';
import { safeWebUrl } from '../../login/web-url.ts';
import type { Begun, Plan } from '../../purchase/journal.ts';
import { newKey } from '../../purchase/key.ts';
import { isObstacle } from '../../purchase/match.ts';
import type { PurchaseRecord } from '../../purchase/record.ts';
import { OPERATIONS } from '../../spec/operations.ts';
import { asText, type JsonObject } from '../../spec/read.ts';
import type { Order } from '../../spec/types.ts';
import { alikeText, earlierText, questionFor, showAtStake } from './confirmation.ts';
import { endOf } from './failure.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { type Outline, outlineOf, summaryOf } from './outline.ts';
import { refusal } from './refusal.ts';
import { requireToken } from './sign-in.ts';

/** An order to place. */
export interface Purchase {
  readonly body: JsonObject;
  /** The key to send it with, where it is not for the journal to say. */
  readonly key?: string | undefined;
  /** Whether only the user has the key, so that it may go out without the journal. */
  readonly keyIsKept?: boolean;
  /** Whether a purchase like an unfinished one is meant as another one. */
  readonly isNew?: boolean | undefined;
  /** Whether the payment page may be opened. */
  readonly browser: boolean;
}

/** An order that the service has answered. */
export interface Placed {
  readonly order: Order;
  readonly outline: Outline;
  readonly earlier: PurchaseRecord | undefined;
}

/** Milliseconds that a command may outlive the time it has for its requests. */
const MARGIN_MS = 30_000;

/** Confirms an order, writes it down, sends it, and leaves the journal as what is known of it at the end. */
export async function placeOrder(context: Context, purchase: Purchase): Promise<Result<Placed>> {
  const { settings, assume, globals } = context;
  const credential = requireToken(settings);
  const client = await context.client();
  const { body } = purchase;
  context.redactor.add(asText(body['mobileMoneyPhone']));
  const outline = outlineOf(body, assume);
  const plan = planOf(context, purchase, outline);
  const ledger = openLedger(context, purchase.keyIsKept ? plan.key : undefined);

  const match = await ledger.use((journal) => journal.look(plan));
  if (match !== undefined && isObstacle(match)) throw refusal(context, match);
  const earlier = match?.kind === 'same' ? match.record : undefined;
  const alike = match?.kind === 'none' ? match.alike : undefined;
  await tell(context, earlier, alike);
  await context.confirm(questionFor(earlier), (screen) =>
    showAtStake(screen, { outline, credential, org: plan.request.org, earlier, alike }),
  );
  context.signal.throwIfAborted();

  const sending = { token: credential.token, patienceMs: globals.timeoutSeconds * 1000 + MARGIN_MS };
  const agreed = { ...plan, key: plan.key ?? earlier?.key };
  const begun = await ledger.use((journal) => journal.begin(agreed, sending));
  if (begun !== undefined && isObstacle(begun)) throw refusal(context, begun);
  const key = begun?.record.key ?? plan.key ?? newKey();
  const answer = await send(context, client, body, key, begun, ledger);
  return resultOf(
    context,
    answer,
    { order: answer.value, outline, earlier: begun?.earlier },
    { purchase, begun, ledger },
  );
}

function planOf({ settings }: Context, { body, key, isNew }: Purchase, outline: Outline): Plan {
  const address = settings.apiUrl().value;
  const { method, path } = OPERATIONS.createOrder;
  return {
    request: { method, url: address + path, org: settings.org()?.value, body },
    address,
    summary: summaryOf(outline),
    key,
    isNew: isNew === true,
  };
}

/** Where nobody is asked, what is known of the same order is said. */
async function tell({ io, globals }: Context, earlier?: PurchaseRecord, alike?: PurchaseRecord): Promise<void> {
  if (!globals.yes) return;
  if (earlier !== undefined) await io.note(earlierText(earlier));
  if (alike?.state === 'open') await io.warn(alikeText(alike));
}

async function send(
  context: Context,
  client: Client,
  body: JsonObject,
  key: string,
  begun: Begun | undefined,
  ledger: Ledger,
): Promise<Answer<Order>> {
  const progress = context.io.progress('Placing the order');
  try {
    return await createOrder(client, orderCall(body, key));
  } catch (error) {
    progress.stop();
    throw await endOf(context, error, key, begun, ledger);
  } finally {
    progress.stop();
  }
}

interface Sent {
  readonly purchase: Purchase;
  readonly begun: Begun | undefined;
  readonly ledger: Ledger;
}

function resultOf(context: Context, answer: Answer<Order>, placed: Placed, sent: Sent): Result<Placed> {
  const { purchase, begun, ledger } = sent;
  const orderId = asText(placed.order.orderId);
  return {
    ...answered(answer, placed),
    receipt: orderId === undefined ? 'The order was placed.' : `Order ${orderId} was placed.`,
    async delivered() {
      // Not earlier: a process that is killed before the user has the answer must be able to ask for it again.
      if (begun !== undefined) await ledger.tryTo((journal) => journal.close(begun.record, orderId));
      const page = safeWebUrl(asText(placed.order.payment_url) ?? '');
      if (page !== undefined && purchase.browser && !context.globals.json) await context.openBrowser(page.href);
    },
  };
}
