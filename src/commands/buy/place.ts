import type { Context } from '../../command/context.ts';
import { answered, asWritten, type Result } from '../../command/result.ts';
import type { Credential, Settings } from '../../command/settings.ts';
import { requireCredential } from '../../command/unauthenticated.ts';
import { CliError } from '../../errors.ts';
import { toJsonText } from '../../json/raw-json.ts';
import { asArray, asText, type JsonObject } from '../../json/values.ts';
import type { Order } from '../../spec/types.ts';
import { type Account, accountOfToken, type PurchaseRecord } from '../../vault/purchases/record.ts';
import { type Outline, outlineOf, summaryOf } from './body.ts';
import { agree, type Buyer, lookUpBuyer } from './confirm.ts';
import { openLedger, resumeCommand } from './ledger.ts';
import { lastPrices, plansIn } from './plans.ts';
import { type OrderVerdict, orderIdOf, sendOrder } from './send.ts';

/** Throws CliError `unauthenticated` without a token; operation 3 accepts no dashboard session. */
export function requireToken(settings: Settings): Credential {
  const credential = requireCredential(settings);
  if (credential.kind === 'bearer') return credential;
  throw new CliError('unauthenticated', `buy needs a token; ${credential.source} holds a dashboard session.`, {
    hint: { say: 'Sign in, or set SVC_TOKEN.', run: ['svc login'] },
  });
}

export function accountOf({ token, record }: Credential): Account {
  return record === undefined ? accountOfToken(token) : { profile: record.profile, email: record.email };
}

interface Purchase {
  readonly body: JsonObject;
  /** The organization that pays; undefined lets the service choose. */
  readonly org: string | undefined;
  /** Undefined lets the journal choose. */
  readonly key?: string | undefined;
  /** If the user keeps the key, the order may be sent without the journal. */
  readonly keyIsKept?: boolean;
  /** Places a second order instead of resuming an unfinished purchase of the same things. */
  readonly isNew?: boolean;
  readonly isResumed?: boolean;
  /** Looked up before; only for the confirmation. */
  readonly buyer?: Buyer | undefined;
  /** Whether the payment page may be opened. */
  readonly browser: boolean;
}

/** An order that the service has answered. */
export interface Placed {
  readonly order: Order;
  readonly verdict: OrderVerdict;
  readonly outline: Outline;
  /** The record of the purchase if it was sent before. */
  readonly earlier: PurchaseRecord | undefined;
}

/** Confirms an order, writes it into the journal and sends it. */
export async function placeOrder(context: Context, purchase: Purchase): Promise<Result<Placed>> {
  const { body, key, org, isNew = false, isResumed = false } = purchase;
  const { api, io, settings } = context;
  const credential = requireToken(settings);
  const buyer = purchase.buyer ?? lookUpBuyer(context);
  const phone = asText(body['mobileMoneyPhone']);
  // A resumed purchase without an organization must not get the one of the settings.
  const isSettled = org === settings.org()?.value;
  const client = await (isSettled ? api.client() : api.clientFor(credential, settings.apiUrl()));
  const outline = outlineOf(body, api.assume);
  const plan = {
    address: settings.apiUrl().value,
    account: accountOf(credential),
    org,
    body: toJsonText(body),
    summary: summaryOf(outline),
    key,
    isNew,
    isResumed,
  };
  const ledger = openLedger(context, purchase.keyIsKept ? key : undefined);

  const known = await ledger.look(plan);
  const resume = known.unresolved && resumeCommand(context, known.unresolved);
  const isChosen = key !== undefined || isNew;
  const prices = lastPrices(context, asArray(body['items']));
  await agree(context, { outline, phone, credential, org, buyer, resume, isChosen, lastPrices: prices, ...known });
  // Only the confirmation shows the number. Without the plus sign, every spelling of it is concealed.
  io.redactor.add(phone?.replace('+', ''));
  const going = await ledger.begin({
    ...plan,
    key: key ?? known.earlier?.key,
    isNew: isNew || known.unresolved !== undefined,
    // Another process may have finished it during the question.
    isResumed: isResumed || known.earlier?.state === 'open',
  });
  const { answer, verdict, refusal } = await sendOrder(context, client, going, ledger);
  const placed: Placed = { order: asWritten(answer), verdict, outline, earlier: going.begun?.earlier };
  const orderId = orderIdOf(placed.order);
  return {
    ...answered(answer, placed, refusal),
    receipt: `Order ${orderId} was placed.`,
    seen: refusal === undefined ? plansIn(body, placed.order) : undefined,
    async delivered() {
      // A refusal is in the journal already.
      if (orderId === undefined) return;
      // Closed only now: if svc is killed before it prints the answer, the user can resume the purchase.
      const { begun } = going;
      if (begun !== undefined) await ledger.tryTo((journal) => journal.close(begun.record, orderId));
      const page = asText(placed.order.payment_url);
      if (page !== undefined && refusal === undefined && purchase.browser) await io.openBrowser(page);
    },
  };
}
