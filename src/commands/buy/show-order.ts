import type { Order } from '../../contract/types.ts';
import { asText, findField, isObject, otherFields } from '../../json/values.ts';
import { isFree } from '../../orders/description.ts';
import type { PlacedOrder } from '../../orders/place.ts';
import type { JudgedOrder } from '../../orders/send.ts';
import { parseSafeUrl } from '../../sign-in/browser.ts';
import { findMoney } from '../../terminal/numbers.ts';
import { date, link, type Screen } from '../../terminal/screen.ts';

/** The answer does not tell whether the order was paid. `svc open` needs a dashboard. */
export function showOrder(screen: Screen, placed: PlacedOrder, hasDashboard: boolean): void {
  const { order, judged, description, firstSentAt } = placed;
  const { verdict } = judged;
  // An error follows, with what the platform says.
  const isOver = verdict === 'failed' || verdict === 'doubtful' || verdict === 'unnamed';
  if (!isOver) headline(screen, order, judged);
  screen.fields([
    ['Payment', asText(order.paymentMethod)?.replaceAll('_', ' ')],
    ['Provider', asText(order.provider)],
    ['First sent', firstSentAt && date(firstSentAt)],
  ]);
  const named = listNamedFields(placed, isOver).filter((name) => isPlain(findField(order, name)));
  screen.unknownFields(otherFields(order, isOver ? [...named, ...pricesOf(order)] : named));
  if (isOver) return;

  showPayment(screen, placed);
  const isOpen = verdict === 'pending' || verdict === 'unknown';
  if (isOpen && !hasDashboard)
    screen.line('The dashboard shows what becomes of it: svc cannot look up an order.');
  const isSettled = verdict === 'placed' && isFree(order);
  screen.next([
    ...(hasDashboard && !isSettled
      ? [['svc open orders', 'shows what becomes of it'] as const]
      : []),
    ...(description.autopay ? ['svc billing autopay'] : []),
  ]);
}

/** Lists the fields that the headline or the error says, so that they are not repeated. */
function listNamedFields({ order, judged }: PlacedOrder, isOver: boolean): readonly string[] {
  const { verdict, judgement } = judged;
  const { status, against } = judgement;
  // The error says the status of a failed order, unless it has a message to say instead.
  const isInError =
    verdict === 'failed' &&
    against[0]?.path === 'status' &&
    (order['message'] === undefined || status?.toLowerCase() === 'failed');
  const isSaid = asText(order.status) === status && (!isOver || isInError);
  const isExplained = isOver && verdict !== 'doubtful';
  return [...SHOWN, ...(isSaid ? ['status'] : []), ...(isExplained ? ['message', 'error'] : [])];
}

function headline(
  screen: Screen,
  order: Order,
  { verdict, orderId, judgement: { status } }: JudgedOrder,
): void {
  const money = findMoney(order);
  const price = money === undefined ? '.' : `: ${money}`;
  const words = status?.toLowerCase().replaceAll('_', ' ') ?? '';
  if (verdict === 'placed')
    screen.success(`Order ${orderId} is placed (${money ? `${words}, ${money}` : words}).`);
  // Nothing says that it is paid or provisioned.
  if (verdict === 'created') screen.line(`Order ${orderId} was created${price}`);
  if (verdict === 'pending') {
    const isUnpaid = /\b(?:pay|unpaid)/.test(words);
    screen.warning(`Order ${orderId} is ${isUnpaid ? 'waiting for your payment' : words}${price}`);
  }
  if (verdict === 'unknown') screen.warning(`Order ${orderId} has the status ${status}${price}`);
}

function showPayment(
  screen: Screen,
  { order, judged: { verdict }, description }: PlacedOrder,
): void {
  const page = asText(order.payment_url);
  if (page !== undefined) {
    const url = parseSafeUrl(page);
    screen.line();
    if (url !== undefined) screen.line(['Payment page: ', link(url.href)]);
    else
      screen.warning(
        `The payment page is no plain https address, so svc does not open it: ${page}`,
      );
    return;
  }
  const isOpen = verdict === 'pending' || verdict === 'unknown';
  const mayPrompt = isOpen || (verdict !== 'placed' && description.phone !== undefined);
  // An answer without the method means the one of the order.
  const method =
    asText(order.paymentMethod) ??
    (description.phone === undefined ? undefined : description.payment);
  if (!mayPrompt || method !== 'mobile_money' || isFree(order)) return;
  screen.line();
  screen.line(`Approve the payment prompt on ${description.phone ?? 'your phone'}.`);
}

/** Shown above the other fields, if they are text. */
const SHOWN: readonly (keyof Order)[] = ['orderId', 'paymentMethod', 'provider', 'payment_url'];

/** Fields with nothing but the price, which the error names. */
function pricesOf(order: Order): string[] {
  const price = findMoney(order);
  return Object.entries(order).flatMap(([name, value]) =>
    isObject(value) &&
    Object.keys(value).length === 2 &&
    price !== undefined &&
    findMoney(value) === price
      ? [name]
      : [],
  );
}

function isPlain(value: unknown): boolean {
  return value === null || value === '' || asText(value) !== undefined;
}
