import type { Context } from '../../command/context.ts';
import { answered, asWritten, type Result } from '../../command/result.ts';
import type { Credential, Settings } from '../../command/settings.ts';
import { requireCredential } from '../../command/unauthenticated.ts';
import { CliError } from '../../errors.ts';
import { toJsonText } from '../../json/raw-json.ts';
import { asText, type JsonObject } from '../../json/values.ts';
import type { Order } from '../../spec/types.ts';
import { date, type Screen, type Text } from '../../terminal/screen.ts';
import { type Account, accountOfToken, type PurchaseRecord } from '../../vault/purchases/record.ts';
import { type Outline, outlineOf, paymentText, summaryOf } from './body.ts';
import { type Known, openLedger, resumeCommand } from './ledger.ts';
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

/** An order to confirm. */
export interface AtStake extends Known {
  readonly outline: Outline;
  readonly credential: Credential;
  readonly org: string | undefined;
  /** The command that resumes the unresolved purchase. */
  readonly resume?: string | undefined;
}

export function showAtStake(screen: Screen, atStake: AtStake): void {
  const { outline, credential, org, earlier, alike, unresolved, resume } = atStake;
  const renewals = outline.autopay
    ? 'paid by themselves: the number is saved for them'
    : 'this order saves no number for them';
  screen.heading('Your order');
  screen.list([...outline.items]);
  screen.line();
  screen.fields([
    ['Account', accountText(credential)],
    ['Organization', org ?? 'the first one of the account'],
    ['Payment', paymentText(outline)],
    ['Currency', outline.currency],
    ['Promo code', outline.promo],
    ['Renewals', renewals],
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

function questionFor({ earlier, unresolved }: Known): string {
  if (unresolved !== undefined) return 'Place a second order?';
  return earlier?.state === 'open' ? 'Resume this order?' : 'Place this order?';
}

function earlierText({ createdAt, state, orderId }: PurchaseRecord): Text {
  if (state === 'open') return ['The same was sent ', date(createdAt), ` and its outcome is unknown. ${AGAIN}`];
  return ['This key was used ', date(createdAt), ` for order ${orderId ?? '(no id)'}. ${AGAIN}`];
}

const AGAIN = 'It is sent again with its key: a service that honours the key does not place it twice.';

/** For a purchase of the same things under another key. */
function alikeText({ createdAt, state, orderId }: PurchaseRecord): Text {
  if (state === 'closed') return ['The same was ordered ', date(createdAt), `: order ${orderId ?? '(no id)'}.`];
  return ['The same was sent ', date(createdAt), ' and its outcome is unknown. svc buy --pending lists it.'];
}

function accountText({ record, source }: Credential): string {
  return record?.email === undefined ? `the token of ${source}` : `${record.email} (${source})`;
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
  // A resumed purchase without an organization must not get the one of the settings.
  const isSettled = org === settings.org()?.value;
  const client = await (isSettled ? api.client() : api.clientFor(credential, settings.apiUrl()));
  // Without the plus sign, every spelling of the number is concealed.
  io.redactor.add(asText(body['mobileMoneyPhone'])?.replace('+', ''));
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
  await agree(context, { outline, credential, org, resume, ...known });
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

/** Asks for the confirmation. With `--yes`, notes what the journal knows of the same order instead. */
async function agree({ io, settings: { globals }, system }: Context, atStake: AtStake): Promise<void> {
  const { earlier, alike } = atStake;
  if (globals.yes && earlier !== undefined) await io.note(earlierText(earlier));
  if (globals.yes && alike?.state === 'open') await io.warn(alikeText(alike));
  await io.confirmOrStop(questionFor(atStake), (screen) => showAtStake(screen, atStake));
  system.signal.throwIfAborted();
}
