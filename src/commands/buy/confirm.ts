import { orCancelled } from '../../command/ask.ts';
import type { Context } from '../../command/context.ts';
import type { Credential } from '../../command/settings.ts';
import { formatPhone } from '../../command/values/phone.ts';
import { CliError } from '../../errors.ts';
import { asText } from '../../json/values.ts';
import { date, type Screen, type Text } from '../../terminal/screen.ts';
import type { PurchaseRecord } from '../../vault/purchases/record.ts';
import { findOrganization, lookUpMembership, type Membership, titleOf } from '../shared/membership.ts';
import { type Outline, paymentText } from './body.ts';
import type { Known } from './ledger.ts';

/** The account that pays; undefined if nobody is asked, or the service does not say. */
export type Buyer = Promise<Membership | undefined>;

/** The lookup only makes the confirmation clearer, so it must not hold an order up. */
const LOOKUP_MS = 5_000;

/** Looks the account up if a person is to confirm the order. Rejects only if the service refuses the sign-in. */
export function lookUpBuyer(context: Context): Buyer {
  const { io, settings } = context;
  const willAsk = io.host === undefined ? io.interactive && !settings.globals.yes : io.host.confirm !== undefined;
  if (!willAsk) return Promise.resolve(undefined);
  const looking = lookUpMembership(context, LOOKUP_MS).catch((error: unknown) => {
    if (error instanceof CliError && error.code !== 'unauthenticated') return undefined;
    throw error;
  });
  // A refusal is reported where the answer is awaited, after the questions.
  looking.catch(() => {});
  return looking;
}

/** An order to confirm. */
export interface AtStake extends Known {
  readonly outline: Outline;
  /** In full: the payment prompt goes to it. */
  readonly phone: string | undefined;
  readonly credential: Credential;
  readonly org: string | undefined;
  readonly account: Membership | undefined;
  /** What the plans cost the last time, in a sentence. */
  readonly lastPrices?: string | undefined;
  /** The command that resumes the unresolved purchase. */
  readonly resume?: string | undefined;
}

/** Asks for the confirmation. With `--yes`, says what the journal knows of the same order instead. */
export async function agree(
  { io, settings: { globals }, system }: Context,
  { buyer, isChosen, ...order }: Omit<AtStake, 'account'> & { readonly buyer: Buyer; readonly isChosen: boolean },
): Promise<void> {
  const { earlier, alike, unresolved } = order;
  if (globals.yes && earlier !== undefined) await io.note(earlierText(earlier));
  // A key or --new-order says that a second order is meant, and a second free one costs nothing.
  const mayBeMistake = !isChosen && (order.phone !== undefined || order.outline.network !== undefined);
  if (globals.yes && alike && (alike.state === 'open' || mayBeMistake)) await io.warn(alikeText(alike), 'order_alike');
  const account = await io.during('Looking up your account', () => buyer);
  const mayExist = unresolved !== undefined || earlier?.state === 'open';
  await orCancelled(mayExist ? 'Nothing was sent.' : 'Nothing was ordered.', () =>
    io.confirmOrStop(questionFor(order), (screen) => showAtStake(screen, { ...order, account })),
  );
  system.signal.throwIfAborted();
}

export function showAtStake(screen: Screen, atStake: AtStake): void {
  const { outline, phone, credential, org, account, earlier, alike, unresolved, resume, lastPrices } = atStake;
  screen.line();
  screen.heading('Your order');
  screen.list([...outline.items]);
  screen.line();
  screen.fields([
    ['Account', accountText(credential, account)],
    ['Organization', organizationText(org, account)],
    ['Payment', paymentText({ ...outline, phone: phone && formatPhone(phone) })],
    ['Currency', outline.currency],
    ['Promo code', outline.promo],
    ['Renewals', outline.autopay ? 'automatic, charged to this number' : 'not automatic'],
    ['More fields', outline.others.length === 0 ? undefined : outline.others.join(', ')],
  ]);
  screen.line();
  const where = outline.payment === 'mobile_money' ? 'on your phone' : 'on the payment page';
  screen.line(
    lastPrices === undefined
      ? `svc cannot show the price in advance. You will see it ${where} before you pay.`
      : `${lastPrices} You will see the price of this order ${where} before you pay.`,
  );
  if (isStranger(org, account)) screen.warning(`You don't belong to an organization called "${org}".`);
  if (earlier !== undefined) screen.warning(earlierText(earlier));
  if (alike !== undefined) screen.warning(alikeText(alike));
  if (unresolved === undefined || resume === undefined) return;
  screen.warning([
    ...sentText(unresolved),
    ' A second order may be charged as well. To continue with the first one instead:',
  ]);
  screen.verbatim(resume);
}

function questionFor({ earlier, unresolved }: Known): string {
  if (unresolved !== undefined) return 'Place a second order?';
  return earlier?.state === 'open' ? 'Continue with that order?' : 'Place this order?';
}

function sentText({ createdAt }: PurchaseRecord) {
  return ['You sent this same order on ', date(createdAt), ' and its result is unknown.'] as const;
}

function earlierText(earlier: PurchaseRecord): Text {
  const { createdAt, state, orderId } = earlier;
  if (state === 'open') return [...sentText(earlier), ' Continuing cannot order it twice.'];
  return ['You used this key on ', date(createdAt), ` for order ${orderId ?? '(no id)'}. It cannot order twice.`];
}

/** For a purchase of the same things under another key. */
function alikeText(alike: PurchaseRecord): Text {
  const { createdAt, state, orderId } = alike;
  if (state === 'closed') return ['You sent this same order on ', date(createdAt), `: order ${orderId ?? '(no id)'}.`];
  return [...sentText(alike), ' To see it: svc buy --pending'];
}

function accountText({ record, source }: Credential, account: Membership | undefined): string {
  const email = asText(account?.user['email']) ?? record?.email;
  const token = record === undefined ? `token from ${source}` : source;
  return email === undefined ? token : `${email} (${token})`;
}

function organizationText(org: string | undefined, account: Membership | undefined): string {
  if (org === undefined) {
    const usual = account && titleOf(account.usual);
    return usual === undefined ? 'the default one of the account' : `${usual} (default)`;
  }
  const name = titleOf(findOrganization(account?.organizations ?? [], org) ?? {});
  return name === undefined || name === org ? org : `${name} (${org})`;
}

/** Whether the service would refuse the organization. */
function isStranger(org: string | undefined, account: Membership | undefined): boolean {
  const { organizations = [] } = account ?? {};
  return org !== undefined && organizations.length > 0 && findOrganization(organizations, org) === undefined;
}
