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
  if (unresolved === undefined || resume === undefined) return;
  screen.warning([
    'The same was sent ',
    date(unresolved.createdAt),
    ' and its outcome is unknown: a second order may be charged as well. To send that one again with its key instead:',
  ]);
  screen.verbatim(resume);
}

/** The question that follows. */
export function questionFor({ earlier, unresolved }: Known): string {
  if (unresolved !== undefined) return 'Place a second order?';
  return earlier?.state === 'open' ? 'Resume this order?' : 'Place this order?';
}

/** Says that a purchase is sent again with its key. */
export function earlierText({ createdAt, state, orderId }: PurchaseRecord): Text {
  if (state === 'open') {
    return ['The same was sent ', date(createdAt), ` and its outcome is unknown. ${AGAIN}`];
  }
  return ['This key was used ', date(createdAt), ` for order ${orderId ?? '(no id)'}. ${AGAIN}`];
}

const AGAIN = 'It is sent again with its key: a service that honours the key does not place it twice.';

/** Says that something like it was bought before, under another key. */
export function alikeText({ createdAt, state, orderId }: PurchaseRecord): Text {
  if (state === 'closed') return ['The same was ordered ', date(createdAt), `: order ${orderId ?? '(no id)'}.`];
  return ['The same was sent ', date(createdAt), ' and its outcome is unknown. svc buy --pending lists it.'];
}

function accountOf({ record, source }: Credential): string {
  return record?.email === undefined ? `the token of ${source}` : `${record.email} (${source})`;
}
