import type { Call } from '../api/call.ts';
import { orderCall } from '../api/operations.ts';
import type { Needs } from '../cli/define/context.ts';
import type { Result } from '../cli/define/result.ts';
import type { ChosenCredential, Settings } from '../cli/settings/setting.ts';
import { requireCredential } from '../cli/settings/unauthenticated.ts';
import type { OrderBody } from '../contract/types.ts';
import { CliError } from '../errors.ts';
import { asArray, asObject, asText, parseJson } from '../json/values.ts';
import { date } from '../terminal/screen.ts';
import { type Account, accountOfToken } from './account.ts';
import { type Placed, placedResult } from './answer.ts';
import { openJournal } from './journal.ts';
import { contentsOf, fingerprint } from './order.ts';
import { networksIn, orderSummary, outlineOf } from './outline.ts';
import { isKnownFree, lastPrices, plansIn } from './plans.ts';
import { type AtStake, agree, type Buyer } from './question.ts';
import { refusal, withoutJournal } from './refuse.ts';
import { type Going, sendOrder } from './send.ts';
import { settlingByJournal, settlingByKey, settlingTrouble } from './ways.ts';

/** Throws CliError `unauthenticated` without a token; operation 3 accepts no dashboard session. */
export function requireToken(settings: Settings): ChosenCredential {
  const credential = requireCredential(settings);
  if (credential.kind === 'bearer') return credential;
  throw new CliError(
    'unauthenticated',
    `An order needs a token; ${credential.source} is a dashboard session.`,
    {
      hint: { say: 'Sign in, or set SVC_TOKEN.', run: ['svc login'] },
    },
  );
}

/** The account that pays. */
export function accountOf({ token, record }: ChosenCredential): Account {
  return record === undefined
    ? accountOfToken(token)
    : { profile: record.profile, email: record.email };
}

/** An order to place. */
export interface Purchase {
  /** JSON; the very bytes of the body. */
  readonly text: string;
  /** By default as `svc buy` does. */
  readonly callWith?: (body: Uint8Array, key: string) => Call;
  /** Undefined lets the platform choose. */
  readonly org: string | undefined;
  /** Chosen by the user, or of the order to resume. */
  readonly key?: string | undefined;
  /** Places a second order instead of resuming one. */
  readonly isNew?: boolean;
  /** The fingerprint of the order to resume. */
  readonly resumed?: string;
  readonly buyer: Promise<Buyer | undefined>;
  /** Whether the payment page may be opened. */
  readonly browser: boolean;
}

/** Plans an order, confirms it, writes it into the journal, sends it, and judges the answer. */
export async function placeOrder(
  context: Needs<
    'api' | 'assume' | 'io' | 'globals' | 'settings' | 'store' | 'time' | 'env' | 'program'
  >,
  purchase: Purchase,
): Promise<Result<Placed>> {
  const { stake, body, client } = await prepare(context, purchase);
  const going = await begin(context, stake);
  if (going.begun?.kind === 'reprint') {
    const sent = date(going.begun.entry.createdAt);
    const text = [
      'This is the order of ',
      sent,
      '; nothing was sent. For another one: --new-order',
    ] as const;
    await context.io.warn(text, 'order_printed_again');
  }
  // Only the confirmation shows the number. Without the plus sign, every spelling of it is
  // concealed.
  context.io.redactor.add(stake.phone?.replace('+', ''));
  const call = (purchase.callWith ?? orderCall)(Buffer.from(going.body), going.key);
  const ending = await sendOrder(client, call, going, context.assume);
  const result = await placedResult(context, stake.outline, going, ending, purchase.browser);
  const isPlaced = result.failure === undefined;
  return { ...result, seen: isPlaced ? plansIn(body, result.value.order) : undefined };
}

async function prepare(
  context: Needs<'api' | 'assume' | 'settings' | 'store'>,
  purchase: Purchase,
) {
  const { text, key, org, isNew = false, resumed } = purchase;
  const { settings } = context;
  const credential = requireToken(settings);
  // A resumed order without an organization must not get the one of the settings.
  const isSettled = org === settings.org()?.value;
  const client = await (isSettled
    ? context.api.client()
    : context.api.clientFor(credential, settings.apiUrl()));
  const body: OrderBody = asObject(parseJson(text));
  const outline = outlineOf(body, context.assume);
  const items = asArray(body.items);
  const plan = {
    address: settings.apiUrl().value,
    account: accountOf(credential),
    org,
    body: text,
    contents: contentsOf(text),
    fingerprint: resumed ?? fingerprint(text),
    summary: orderSummary(outline),
    items: outline.items.join(' + '),
    key,
    isNew,
    isResumed: resumed !== undefined,
  };
  const stake: AtStake = {
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
  return { stake, body, client };
}

/** Time that a command may need beside its requests. */
const MARGIN_MS = 30_000;

/** Asks, and writes the order down. Throws CliError if it must not be sent. */
async function begin(
  context: Needs<'io' | 'globals' | 'store' | 'time' | 'env' | 'program'>,
  stake: AtStake,
): Promise<Going> {
  const { io, globals } = context;
  const { plan } = stake;
  const begun = await openJournal(context).begin(plan, {
    patienceMs: globals.timeoutSeconds * 1000 + MARGIN_MS,
    agree: (known, isChanged) => agree(context, stake, known, isChanged),
    async doWithout(error) {
      if (!(error instanceof CliError) || error.code === 'interrupted') throw error;
      // Who chose a key keeps it, and may order without the journal.
      if (plan.key === undefined || plan.isResumed) throw withoutJournal(error);
      await io.warn(
        `${error.message} svc cannot remember this order: keep its key.`,
        'not_remembered',
      );
    },
  });
  if (begun === undefined) {
    const { key, body } = plan;
    if (key === undefined) throw new Error('an order must have a key');
    const troubled = { lines: ['Look the order up before you repeat the command.'] };
    return { key, body, begun, settling: settlingByKey(key), troubled: () => troubled };
  }
  if (begun.kind !== 'begun' && begun.kind !== 'reprint') throw refusal(context, begun, plan);
  const { key, body = '' } = begun.entry;
  return {
    key,
    body,
    begun,
    settling: settlingByJournal(context, begun.entry),
    troubled: (orderId) => settlingTrouble(context, begun.entry, orderId),
  };
}
