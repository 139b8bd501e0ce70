import type { Context } from '../../command/context.ts';
import { answered, asWritten, type Result } from '../../command/result.ts';
import type { Credential, Settings } from '../../command/settings.ts';
import { requireCredential } from '../../command/unauthenticated.ts';
import { CliError } from '../../errors.ts';
import { toJsonText } from '../../json/raw-json.ts';
import { asText, type JsonObject } from '../../json/values.ts';
import type { Client } from '../../service/call.ts';
import type { Order } from '../../spec/types.ts';
import { date, type Screen, type Text } from '../../terminal/screen.ts';
import type { Plan } from '../../vault/purchases/journal.ts';
import { type Account, accountOfToken, type PurchaseRecord } from '../../vault/purchases/record.ts';
import { type Outline, outlineOf, paymentText, summaryOf } from './body.ts';
import { type Known, openLedger, resumeCommand } from './ledger.ts';
import { type OrderVerdict, orderIdOf, sendOrder } from './send.ts';

/** The token that pays. Throws CliError `unauthenticated` where there is none: operation 3 takes no dashboard session. */
export function requireToken(settings: Settings): Credential {
  const credential = requireCredential(settings);
  if (credential.kind === 'bearer') return credential;
  throw new CliError('unauthenticated', `buy needs a token; ${credential.source} holds a dashboard session.`, {
    hint: 'svc login, or set SVC_TOKEN',
  });
}

/** The account that a sign-in pays for. */
export function accountOf({ token, record }: Credential): Account {
  return record === undefined ? accountOfToken(token) : { profile: record.profile, email: record.email };
}

/** What a person should know before an order is placed. */
export interface AtStake extends Known {
  readonly outline: Outline;
  readonly credential: Credential;
  readonly org: string | undefined;
  /** The command that resumes the unresolved purchase. */
  readonly resume?: string | undefined;
}

/** Shows who pays, from which number, for what, and what was sent before. */
export function showAtStake(screen: Screen, atStake: AtStake): void {
  const { outline, credential, org, earlier, alike, unresolved, resume } = atStake;
  screen.heading('Your order');
  screen.list([...outline.items]);
  screen.line();
  screen.fields([
    ['Account', accountText(credential)],
    ['Organization', org ?? 'the first one of the account'],
    ['Payment', paymentText(outline)],
    ['Currency', outline.currency],
    ['Promo code', outline.promo],
    [
      'Renewals',
      outline.autopay ? 'paid by themselves: the number is saved for them' : 'this order saves no number for them',
    ],
    ['More fields', outline.others.length === 0 ? undefined : outline.others.join(', ')],
  ]);
  screen.line();
  screen.line('The service names no price beforehand: the amount appears on the phone or on the payment page.');
  if (earlier !== undefined) screen.warning(earlierText(earlier));
  if (alike !== undefined) screen.warning(alikeText(alike));
  if (unresolved === undefined || resume === undefined) return;
  screen.warning([
    'The same was sent ',
    date(unresolved.createdAt),
    ' and its outcome is unknown: a second order may be charged as well. To send that one again with its key instead:',
  ]);
  screen.verbatim(resume);
}

/** The question that follows. */
function questionFor({ earlier, unresolved }: Known): string {
  if (unresolved !== undefined) return 'Place a second order?';
  return earlier?.state === 'open' ? 'Resume this order?' : 'Place this order?';
}

/** Says that a purchase is sent again with its key. */
function earlierText({ createdAt, state, orderId }: PurchaseRecord): Text {
  if (state === 'open') {
    return ['The same was sent ', date(createdAt), ` and its outcome is unknown. ${AGAIN}`];
  }
  return ['This key was used ', date(createdAt), ` for order ${orderId ?? '(no id)'}. ${AGAIN}`];
}

const AGAIN = 'It is sent again with its key: a service that honours the key does not place it twice.';

/** Says that something like it was bought before, under another key. */
function alikeText({ createdAt, state, orderId }: PurchaseRecord): Text {
  if (state === 'closed') return ['The same was ordered ', date(createdAt), `: order ${orderId ?? '(no id)'}.`];
  return ['The same was sent ', date(createdAt), ' and its outcome is unknown. svc buy --pending lists it.'];
}

function accountText({ record, source }: Credential): string {
  return record?.email === undefined ? `the token of ${source}` : `${record.email} (${source})`;
}

/** An order to place. */
interface Purchase {
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
