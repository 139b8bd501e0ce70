import type { Order } from '../../contract/operations.ts';
import { asText, findField, isObject, otherFields } from '../../json/values.ts';
import { isFree } from '../../orders/description.ts';
import type { PlacedOrder } from '../../orders/place.ts';
import { parseSafeUrl } from '../../sign-in/browser.ts';
import { findMoney } from '../../terminal/format.ts';
import { date, link, type Screen, type Text } from '../../terminal/screen.ts';

/**
 * Shows an order once: what became of it, its id with what was ordered, and the next step. The
 * answer does not tell whether it was paid; `svc open` needs a dashboard.
 */
export function showOrder(screen: Screen, placed: PlacedOrder, hasDashboard: boolean): void {
  const { order, verdict, orderId, description, org, firstSentAt } = placed;
  // An error follows, with what the platform says.
  const isOver = ['failed', 'doubtful', 'unnamed'].includes(verdict);
  const isToPay = !isOver && isPaidByPrompt(placed);
  if (isToPay) showPrompt(screen, placed);
  else if (!isOver) showHeadline(screen, placed);

  const method = asText(order.paymentMethod)?.replaceAll('_', ' ');
  const payment = listParts([method, asText(order.provider)], ', ');
  screen.fields([
    ['Order', isOver ? undefined : listParts([orderId, ...description.items, org], ' · ')],
    ['Payment', isToPay ? undefined : payment],
    ['First sent', firstSentAt && date(firstSentAt)],
    ['Payment page', isOver ? undefined : describePage(order)],
  ]);
  screen.unknownFields(otherFields(order, listNamedFields(placed, isOver)));
  if (isOver) return;

  const isOpen = verdict === 'pending' || verdict === 'unknown';
  if (isOpen && !hasDashboard) screen.line('Check in the dashboard whether it is paid.');
  const isSettled = verdict === 'placed' && isFree(order);
  screen.next([
    ...(hasDashboard && !isSettled ? [['svc open orders', 'see whether it is paid'] as const] : []),
    ...(description.autopay ? ['svc billing autopay'] : []),
  ]);
}

function listParts(parts: readonly (string | undefined)[], separator: string): string | undefined {
  return parts.filter(Boolean).join(separator) || undefined;
}

/** Whether the platform asks for the money on a phone. */
function isPaidByPrompt({ order, verdict, description }: PlacedOrder): boolean {
  const { phone, payment } = description;
  if (verdict === 'placed' || (verdict === 'created' && !phone)) return false;
  if (asText(order.payment_url) !== undefined || isFree(order)) return false;
  // An answer without the method means the one of the order.
  return (asText(order.paymentMethod) ?? (phone && payment)) === 'mobile_money';
}

/** Shows what is to be paid; a message of the platform says how, and stands below. */
function showPrompt(
  screen: Screen,
  { order, verdict, judgement: { status: word }, description }: PlacedOrder,
): void {
  const { phone = 'your phone' } = description;
  const words = verdict === 'unknown' ? `status ${word}` : toWords(word);
  const isSaid = words === '' || /\b(?:pay|unpaid)/.test(words);
  const status = isSaid ? '' : ` (${words})`;
  const provider = asText(order.provider);
  const network = provider ? ` (${provider})` : '';
  const hasMessage = asText(order['message']) !== undefined;
  const how = hasMessage ? ' by mobile money' : `: approve the prompt on ${phone}`;
  const money = findMoney(order);
  const toPay = money ? `${money} to pay` : 'To pay';
  screen.warning(`${toPay}${status}${how}${network}`);
}

function showHeadline(
  screen: Screen,
  { order, verdict, judgement: { status } }: PlacedOrder,
): void {
  const money = findMoney(order);
  const price = money ? `: ${money}` : '';
  const words = toWords(status);
  if (verdict === 'placed') screen.success(`Order placed (${listParts([words, money], ', ')})`);
  // Nothing says that it is paid or provisioned.
  if (verdict === 'created') screen.line(`Order created${price}`);
  if (verdict === 'pending') screen.warning(`Order ${words}${price}`);
  if (verdict === 'unknown') screen.warning(`Order with the status ${status}${price}`);
}

function toWords(status = ''): string {
  return status.toLowerCase().replaceAll('_', ' ');
}

function describePage({ payment_url: url }: Order): Text | undefined {
  const page = asText(url);
  const safeUrl = page && parseSafeUrl(page);
  if (safeUrl) return link(safeUrl.href);
  return page && `${page} (no plain https address, so svc does not open it)`;
}

/** The fields that the screen shows by itself, if they are text. */
const SHOWN: readonly (keyof Order)[] = ['orderId', 'paymentMethod', 'provider', 'payment_url'];

/** Lists the fields that the screen or the error says, so that they are not repeated. */
function listNamedFields(
  { order, verdict, judgement: { status, against } }: PlacedOrder,
  isOver: boolean,
): readonly string[] {
  // The error says the status of a failed order, unless it has a message to say instead.
  const isInError =
    verdict === 'failed' &&
    against[0]?.path === 'status' &&
    (order['message'] === undefined || status?.toLowerCase() === 'failed');
  const isSaid = asText(order.status) === status && (!isOver || isInError);
  const isExplained = isOver && verdict !== 'doubtful';
  const named = [
    ...SHOWN,
    ...(isSaid ? ['status'] : []),
    ...(isExplained ? ['message', 'error'] : []),
  ].filter((name) => {
    const value = findField(order, name);
    return value === null || value === '' || asText(value) !== undefined;
  });
  return isOver ? [...named, ...listPrices(order)] : named;
}

/** Lists the fields with nothing but the price, which the error names. */
function listPrices(order: Order): readonly string[] {
  const price = findMoney(order);
  return Object.keys(order).filter((name) => {
    const value = findField(order, name);
    const isMoney = isObject(value) && Object.keys(value).length === 2;
    return isMoney && price !== undefined && findMoney(value) === price;
  });
}
