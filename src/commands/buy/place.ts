import type { Context } from '../../command/context.ts';
import { answered, asWritten, type Result } from '../../command/result.ts';
import type { Credential } from '../../command/settings.ts';
import type { Client } from '../../http/call.ts';
import type { Plan } from '../../purchase/journal.ts';
import type { PurchaseRecord } from '../../purchase/record.ts';
import { toJsonText } from '../../spec/raw-json.ts';
import { asText, type JsonObject } from '../../spec/read.ts';
import type { Order } from '../../spec/types.ts';
import { type AtStake, alikeText, earlierText, questionFor, showAtStake } from './confirmation.ts';
import { type OrderVerdict, orderIdOf } from './judge.ts';
import { openLedger } from './ledger.ts';
import { type Outline, outlineOf, summaryOf } from './outline.ts';
import { resumeCommand } from './resume-command.ts';
import { sendOrder } from './send.ts';
import { accountOf, requireToken } from './sign-in.ts';

/** An order to place. */
export interface Purchase {
  readonly body: JsonObject;
  /** The organization that pays; the service chooses where none is named. */
  readonly org: string | undefined;
  /** The key to send it with, where it is not for the journal to say. */
  readonly key?: string | undefined;
  /** Whether the user keeps the key, so that the order may go out without the journal. */
  readonly keyIsKept?: boolean;
  /** Whether a purchase like an unfinished one is meant as another one. */
  readonly isNew?: boolean | undefined;
  /** Whether it is an unfinished one. */
  readonly isResumed?: boolean;
  /** Whether the payment page may be opened. */
  readonly browser: boolean;
}

/** An order that the service has answered. */
export interface Placed {
  readonly order: Order;
  readonly verdict: OrderVerdict;
  readonly outline: Outline;
  /** The record of the purchase, where it was sent before. */
  readonly earlier: PurchaseRecord | undefined;
}

/** Confirms an order, writes it down and sends it; the journal ends up with what is known of it. */
export async function placeOrder(context: Context, purchase: Purchase): Promise<Result<Placed>> {
  const { body, key, org } = purchase;
  const credential = requireToken(context.settings);
  const client = await clientFor(context, credential, org);
  hidePhone(context, body);
  const outline = outlineOf(body, context.api.assume);
  const plan = planOf(context, purchase, credential, outline);
  const ledger = openLedger(context, purchase.keyIsKept ? key : undefined);

  const known = await ledger.look(plan);
  const resume = known.unresolved && resumeCommand(context, known.unresolved);
  await agree(context, { outline, credential, org, resume, ...known });
  const isNew = plan.isNew || known.unresolved !== undefined;
  // Another process may have finished it while somebody was asked.
  const isResumed = plan.isResumed || known.earlier?.state === 'open';
  const going = await ledger.begin({ ...plan, isNew, isResumed, key: key ?? known.earlier?.key });
  const { answer, verdict, refusal } = await sendOrder(context, client, going, ledger);
  const placed: Placed = { order: asWritten(answer), verdict, outline, earlier: going.begun?.earlier };
  const orderId = orderIdOf(placed.order);
  return {
    ...answered(answer, placed, refusal),
    receipt: `Order ${orderId} was placed.`,
    async delivered() {
      // A no is in the journal already.
      if (orderId === undefined) return;
      // Not earlier: a process that is killed before the user has the answer must be able to ask for it again.
      const { begun } = going;
      if (begun !== undefined) await ledger.tryTo((journal) => journal.close(begun.record, orderId));
      const page = asText(placed.order.payment_url);
      if (page !== undefined && refusal === undefined && purchase.browser) await context.io.openBrowser(page);
    },
  };
}

/** A purchase that named no organization goes on without one, whatever the settings say by now. */
async function clientFor(context: Context, credential: Credential, org: string | undefined): Promise<Client> {
  const isSettled = org === context.settings.org()?.value;
  return isSettled ? context.api.client() : context.api.clientFor(credential, context.settings.apiUrl());
}

/** Nothing that svc prints from here on has the number in it, whoever says it. */
function hidePhone({ io: { redactor } }: Context, body: JsonObject): void {
  // Its digits, which every spelling of it has.
  redactor.add(asText(body['mobileMoneyPhone'])?.replace('+', ''));
}

function planOf(
  { settings }: Context,
  { body, key, isNew, isResumed, org }: Purchase,
  credential: Credential,
  outline: Outline,
): Plan {
  return {
    address: settings.apiUrl().value,
    account: accountOf(credential),
    org,
    body: toJsonText(body),
    summary: summaryOf(outline),
    key,
    isNew: isNew === true,
    isResumed: isResumed === true,
  };
}

/** Asks for the confirmation; where `--yes` gives it, what is known of the same order is said all the same. */
async function agree(context: Context, atStake: AtStake): Promise<void> {
  const {
    io,
    settings: { globals },
  } = context;
  const { earlier, alike } = atStake;
  if (globals.yes && earlier !== undefined) await io.note(earlierText(earlier));
  if (globals.yes && alike?.state === 'open') await io.warn(alikeText(alike));
  await context.io.confirmOrStop(questionFor(atStake), (screen) => showAtStake(screen, atStake));
  context.system.signal.throwIfAborted();
}
