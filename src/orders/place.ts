import { CliError } from '../errors.ts';
import { toJsonText } from '../json/raw-json.ts';
import { asArray, asText } from '../json/values.ts';
import type { Context } from '../kit/context.ts';
import { answered, asWritten, type Result } from '../kit/result.ts';
import type { ChosenCredential, Settings } from '../kit/setting.ts';
import { requireCredential } from '../kit/unauthenticated.ts';
import type { Client } from '../service/call.ts';
import { unknownWord } from '../service/judged-errors.ts';
import type { Order, OrderBody } from '../spec/types.ts';
import { findAmount, findMoney } from '../terminal/numbers.ts';
import { date, type Text } from '../terminal/screen.ts';
import { type Account, accountOfToken } from './account.ts';
import { type AnsweredOrder, type OrderJournal, openJournalOf } from './journal.ts';
import { type JudgedOrder, unwrapped } from './judge.ts';
import { fingerprint, type OrderEntry } from './order.ts';
import { networksIn, type Outline, orderSummary, outlineOf } from './outline.ts';
import { isKnownFree, lastPrices, plansIn } from './plans.ts';
import { type AtStake, agree, type Buyer } from './question.ts';
import { refusal, withoutJournal } from './refuse.ts';
import { type Ending, earlierOf, type Going, sendOrder } from './send.ts';
import { settlingByJournal, settlingByKey } from './ways.ts';

/** Throws CliError `unauthenticated` without a token; operation 3 accepts no dashboard session. */
export function requireToken(settings: Settings): ChosenCredential {
  const credential = requireCredential(settings);
  if (credential.kind === 'bearer') return credential;
  throw new CliError('unauthenticated', `buy needs a token; ${credential.source} is a dashboard session.`, {
    hint: { say: 'Sign in, or set SVC_TOKEN.', run: ['svc login'] },
  });
}

/** Returns the account that pays: a profile, or the end of a token that has none. */
export function accountOf({ token, record }: ChosenCredential): Account {
  return record === undefined ? accountOfToken(token) : { profile: record.profile, email: record.email };
}

/** An order that the API has answered. */
export interface Placed {
  readonly order: Order;
  readonly judged: JudgedOrder;
  readonly outline: Outline;
  /** What the journal has of the order if it was sent before. */
  readonly earlier: OrderEntry | undefined;
}

/** An order to place. */
export interface Purchase {
  readonly body: OrderBody;
  /** The organization that pays; undefined lets the platform choose. */
  readonly org: string | undefined;
  /** The key that the user chose, or that of the order to resume. Undefined lets the journal choose. */
  readonly key?: string | undefined;
  /** Places a second order instead of resuming an unfinished order of the same things. */
  readonly isNew?: boolean;
  /** The fingerprint of the order to resume. */
  readonly resumed?: string;
  /** Only for the question. */
  readonly buyer: Promise<Buyer | undefined>;
  /** Whether the payment page may be opened. */
  readonly browser: boolean;
}

/** An order that is ready to be confirmed. */
interface Prepared {
  readonly stake: AtStake;
  readonly client: Client;
}

/** Plans an order, confirms it, writes it into the journal, sends it, and judges the answer. */
export async function placeOrder(context: Context, purchase: Purchase): Promise<Result<Placed>> {
  const { stake, client } = await prepare(context, purchase);
  const going = await begin(context, stake);
  if (going.begun?.kind === 'reprint') await context.io.warn(printedAgain(going.begun.entry), 'order_printed_again');
  // Only the confirmation shows the number. Without the plus sign, every spelling of it is concealed.
  context.io.redactor.add(stake.phone?.replace('+', ''));
  const ending = await sendOrder(client, going, context.api.assume);
  await record(context, going, ending);
  return resultOf(context, { stake, purchase, going, ending });
}

function printedAgain({ createdAt }: OrderEntry): Text {
  return ['This is the order of ', date(createdAt), '; nothing was sent. For another one: --new-order'];
}

async function prepare(context: Context, purchase: Purchase): Promise<Prepared> {
  const { body, key, org, isNew = false, resumed } = purchase;
  const { api, settings } = context;
  const credential = requireToken(settings);
  // A resumed order without an organization must not get the one of the settings.
  const isSettled = org === settings.org()?.value;
  const client = await (isSettled ? api.client() : api.clientFor(credential, settings.apiUrl()));
  const outline = outlineOf(body, api.assume);
  const items = asArray(body.items);
  const text = toJsonText(body);
  const plan = {
    address: settings.apiUrl().value,
    account: accountOf(credential),
    org,
    body: text,
    fingerprint: resumed ?? fingerprint(text),
    summary: orderSummary(outline),
    items: outline.items.join(' + '),
    key,
    isNew,
    isResumed: resumed !== undefined,
  };
  const stake = {
    outline,
    phone: asText(body.mobileMoneyPhone),
    credential,
    buyer: purchase.buyer,
    plan,
    networks: networksIn(context),
    lastPrices: lastPrices(context, items),
    isFree: isKnownFree(context, items),
    isChosen: key !== undefined || isNew,
  };
  return { stake, client };
}

/** Time that a command may need beside its requests. */
const MARGIN_MS = 30_000;

/** Asks, and writes the order down. Throws CliError if it must not be sent. */
async function begin(context: Context, stake: AtStake): Promise<Going> {
  const { io, settings } = context;
  const { plan } = stake;
  const begun = await openJournalOf(context).begin(plan, {
    patienceMs: settings.globals.timeoutSeconds * 1000 + MARGIN_MS,
    agree: (known, isChanged) => agree(context, stake, known, isChanged),
    async doWithout(error) {
      if (!(error instanceof CliError) || error.code === 'interrupted') throw error;
      // Who chose a key keeps it, and may order without the journal.
      if (plan.key === undefined || plan.isResumed) throw withoutJournal(error);
      await io.warn(`${error.message} svc cannot remember this order: keep its key.`, 'not_remembered');
    },
  });
  if (begun === undefined) {
    const { key, body } = plan;
    if (key === undefined) throw new Error('an order must have a key');
    return { key, body, begun, settling: settlingByKey(key) };
  }
  if (begun.kind !== 'begun' && begun.kind !== 'reprint') throw refusal(context, begun);
  const { key, body = '' } = begun.entry;
  return { key, body, begun, settling: settlingByJournal(context, begun.entry) };
}

/** Brings the journal up to date before anything is printed. */
async function record(context: Context, { begun }: Going, ending: Ending): Promise<void> {
  if (begun?.kind !== 'begun') return;
  const { entry, earlier } = begun;
  const known = knownOf(ending);
  await tryTo(context, LISTED, (journal) => {
    if (known !== undefined) return journal.close(entry, known);
    if (ending.outcome === 'in_doubt') return journal.release(entry);
    return earlier?.state === 'closed' ? journal.printed(entry, earlier) : journal.forget(entry);
  });
}

/** What the journal keeps of an order that exists. */
function knownOf({ answered: reply, outcome }: Ending): AnsweredOrder | undefined {
  if (reply === undefined || outcome !== 'known') return undefined;
  const { answer, judged } = reply;
  const { orderId, judgement } = judged;
  const text = answer.text.length <= MAX_KEPT_TEXT ? answer.text : toJsonText({ orderId });
  return { orderId, status: judgement.status, ...findAmount(unwrapped(asWritten(answer))), answer: text };
}

/** A longer answer would make the journal slow; of it only the order's id is kept. */
const MAX_KEPT_TEXT = 64 * 1024;

const LISTED = 'svc orders still lists this order as in doubt.';
const PRINTED_AGAIN = 'If you place the same order again within a day, svc shows this one instead.';

/** Warns of what follows if a change of the journal fails. */
async function tryTo(
  context: Context,
  consequence: string,
  step: (journal: OrderJournal) => Promise<unknown>,
): Promise<void> {
  try {
    await step(openJournalOf(context));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    await context.io.warn(`${error.message} ${consequence}`, 'not_remembered');
  }
}

interface Sent {
  readonly stake: AtStake;
  readonly purchase: Purchase;
  readonly going: Going;
  readonly ending: Ending;
}

/** @throws CliError for an order without an answer. */
async function resultOf(context: Context, { stake, purchase, going, ending }: Sent): Promise<Result<Placed>> {
  const { answered: reply, failure } = ending;
  if (reply === undefined) throw failure ?? new Error('an order ends with an answer or an error');
  const { answer, judged } = reply;
  const order = unwrapped(asWritten(answer));
  await warnOfStatus(context, judged);
  return {
    ...answered(answer, { order, judged, outline: stake.outline, earlier: earlierOf(going) }, failure),
    ...unprintedNotes(going, judged, order),
    seen: failure === undefined ? plansIn(purchase.body, order) : undefined,
    async delivered() {
      const known = knownOf(ending);
      const { begun } = going;
      if (begun !== undefined && known !== undefined) {
        await tryTo(context, PRINTED_AGAIN, (journal) => journal.printed(begun.entry, known));
      }
      const page = asText(order.payment_url);
      if (page !== undefined && failure === undefined && purchase.browser) await context.io.openBrowser(page);
    },
  };
}

/** What an error says if the answer cannot be printed. */
function unprintedNotes({ key, begun }: Going, { orderId, verdict, judgement }: JudgedOrder, order: Order) {
  if (orderId === undefined) return {};
  const says = [judgement.status, findMoney(order)].filter((part) => part !== undefined).join(', ');
  const became = verdict === 'failed' ? 'failed' : 'was placed';
  const again = 'Repeat the command within a day to read the answer: nothing is sent again.';
  return {
    done: `Order ${orderId} ${became}${says === '' ? '' : ` (${says})`}.`,
    made: { orderId, idempotencyKey: key, hint: begun && { say: again, run: ['svc orders'] } },
  };
}

/** An order with a status that svc does not know is neither a success nor a failure: scripts are told as well. */
async function warnOfStatus({ io }: Context, { verdict, judgement }: JudgedOrder): Promise<void> {
  if (verdict !== 'unknown') return;
  for (const line of unknownWord(judgement)) await io.warn(line, 'unknown_status');
}
