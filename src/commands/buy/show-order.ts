import { date, link, type Screen } from '../../io/screen.ts';
import { safeWebUrl } from '../../login/web-url.ts';
import { asText, otherFields } from '../../spec/read.ts';
import type { Verdict } from '../shared/verdict.ts';
import type { Placed } from './place.ts';

/** What is said of an order that the service took without a word about which. */
export const WITHOUT_ID = 'The service names no order id: look whether the order is there before you buy again.';

/** Shows an order that the service has answered. Whether it was paid, nobody has said. */
export function showOrder(screen: Screen, { order, verdict, outline, earlier }: Placed): void {
  if (verdict !== 'refused') headline(screen, asText(order.orderId), verdict);
  screen.fields([
    ['Payment', asText(order.paymentMethod)?.replaceAll('_', ' ')],
    ['Provider', asText(order.provider)],
    ['First sent', earlier && date(earlier.createdAt)],
  ]);
  screen.rest(
    otherFields(
      order,
      SHOWN.filter((name) => isPlain(order[name])),
    ),
  );
  const paymentUrl = asText(order.payment_url);
  if (verdict === 'refused') return;
  if (paymentUrl !== undefined) paymentPage(screen, paymentUrl);
  else if (order.paymentMethod === 'mobile_money') phone(screen, outline.phone);
  screen.next(outline.autopay ? ['svc billing autopay'] : []);
}

function headline(screen: Screen, orderId: string | undefined, verdict: Verdict): void {
  if (orderId === undefined) screen.warning(WITHOUT_ID);
  else if (verdict === 'done') screen.success(`Order ${orderId} is placed.`);
  else screen.warning(`The service names order ${orderId}, and does not say clearly that it is placed.`);
}

/** Fields that have their place above, unless they are something else than text. */
const SHOWN = ['orderId', 'paymentMethod', 'provider', 'payment_url'] as const;

function isPlain(value: unknown): boolean {
  return value === null || value === '' || asText(value) !== undefined;
}

function paymentPage(screen: Screen, paymentUrl: string): void {
  const page = safeWebUrl(paymentUrl);
  screen.line();
  if (page !== undefined) screen.line(['Payment page: ', link(page.href)]);
  else screen.warning(`The payment page is no plain https address, so svc does not open it: ${paymentUrl}`);
}

function phone(screen: Screen, number: string | undefined): void {
  const where = number === undefined ? 'the phone' : `the phone ${number}`;
  screen.line();
  screen.line(
    `If there is something to pay, a prompt comes to ${where}. Confirm it there: until then nothing is paid.`,
  );
}
