import type { Credential } from '../../command/settings.ts';
import { date, type Screen, type Text } from '../../io/screen.ts';
import type { PurchaseRecord } from '../../purchase/record.ts';
import type { Known } from './ledger.ts';
import { type Outline, paymentText } from './outline.ts';

/** What a person should know before an order is placed. */
export interface AtStake extends Known {
  readonly outline: Outline;
  readonly credential: Credential;
  readonly org: string | undefined;
}

/** Shows who pays, from which number, for what, and what was sent before. */
export function showAtStake(screen: Screen, { outline, credential, org, earlier, alike }: AtStake): void {
  screen.heading('Your order');
  screen.list([...outline.items]);
  screen.line();
  screen.fields([
    ['Account', accountOf(credential)],
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
}

/** The question that follows. */
export function questionFor(earlier: PurchaseRecord | undefined): string {
  return earlier?.state === 'open' ? 'Go on with this order?' : 'Place this order?';
}

/** Says that a purchase goes on with its key. */
export function earlierText({ createdAt, state, orderId }: PurchaseRecord): Text {
  if (state === 'open') {
    return ['The same was sent ', date(createdAt), ' and its end is not known. With its key nothing is ordered twice.'];
  }
  return ['This key was used ', date(createdAt), ` for order ${orderId ?? '(no id)'}. It orders nothing twice.`];
}

/** Says that something like it was bought before, under another key. */
export function alikeText({ createdAt, state, orderId }: PurchaseRecord): Text {
  if (state === 'closed') return ['The same was ordered ', date(createdAt), `: order ${orderId ?? '(no id)'}.`];
  const toGoOn = 'svc buy --pending tells how to go on with it.';
  return ['The same was sent ', date(createdAt), ` and its end is not known. ${toGoOn}`];
}

function accountOf({ record, source }: Credential): string {
  return record?.email === undefined ? `the token of ${source}` : `${record.email} (${source})`;
}
