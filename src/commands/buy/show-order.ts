import { date, link, type Screen } from '../../io/screen.ts';
import { safeWebUrl } from '../../login/web-url.ts';
import { asText, otherFields } from '../../spec/read.ts';
import type { Order } from '../../spec/types.ts';
import { type OrderVerdict, orderIdOf } from './judge.ts';
import type { Placed } from './place.ts';

/** Shows an order that the service has answered. Whether it was paid, nobody has said. */
export function showOrder(screen: Screen, { order, verdict, outline, earlier }: Placed): void {
  headline(screen, order, verdict);
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
  if (verdict === 'refused' || verdict === 'failed') return;
  const paymentUrl = asText(order.payment_url);
  const mayPrompt = verdict === 'pending' || (verdict !== 'placed' && outline.phone !== undefined);
  if (paymentUrl !== undefined) paymentPage(screen, paymentUrl);
  else if (mayPrompt && order.paymentMethod === 'mobile_money') phone(screen, outline.phone);
  screen.next(outline.autopay ? ['svc billing autopay'] : []);
}

/** The error that follows is the headline of an order that failed. */
function headline(screen: Screen, order: Order, verdict: OrderVerdict): void {
  const id = orderIdOf(order);
  if (verdict === 'placed') screen.success(`Order ${id} is placed.`);
  if (verdict === 'created') screen.success(`Order ${id} created.`);
  if (verdict === 'pending')
    screen.line(`Order ${id} is ${asText(order['status'])?.toLowerCase().replaceAll('_', ' ')}.`);
  if (verdict === 'unclear')
    screen.warning(`The service names order ${id}, and does not say clearly that it is placed.`);
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
