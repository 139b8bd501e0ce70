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
  const { order, judged, description, org, firstSentAt } = placed;
  const { verdict, orderId } = judged;
  // An error follows, with what the platform says.
  const isOver = verdict === 'failed' || verdict === 'doubtful' || verdict === 'unnamed';
  const isToPay = !isOver && isPaidByPrompt(placed);
  if (isToPay) showPrompt(screen, placed);
  else if (!isOver) showHeadline(screen, placed);

  const method = asText(order.paymentMethod)?.replaceAll('_', ' ');
  const payment = isToPay ? [] : [method, asText(order.provider)];
  screen.fields([
    ['Order', isOver ? undefined : listParts([orderId, ...description.items, org], ' · ')],
    ['Payment', listParts(payment, ', ')],
    ['First sent', firstSentAt && date(firstSentAt)],
    ['Payment page', isOver ? undefined : describePage(order)],
  ]);
  const named = listNamedFields(placed, isOver).filter((name) => {
    const value = findField(order, name);
    return value === null || value === '' || asText(value) !== undefined;
  });
  screen.unknownFields(otherFields(order, isOver ? [...named, ...listPrices(order)] : named));
  if (!isOver) suggestLook(screen, placed, hasDashboard);
}

function suggestLook(screen: Screen, placed: PlacedOrder, hasDashboard: boolean): void {
  const { order, judged, description } = placed;
  const { verdict } = judged;
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
function isPaidByPrompt({ order, judged: { verdict }, description }: PlacedOrder): boolean {
  const { phone, payment } = description;
  if (verdict === 'placed' || (verdict === 'created' && phone === undefined)) return false;
  if (asText(order.payment_url) !== undefined || isFree(order)) return false;
  // An answer without the method means the one of the order.
  const usualMethod = phone === undefined ? undefined : payment;
  return (asText(order.paymentMethod) ?? usualMethod) === 'mobile_money';
}

/** Shows what is to be paid; a message of the platform says how, and stands below. */
function showPrompt(screen: Screen, { order, judged, description }: PlacedOrder): void {
  const { phone = 'your phone' } = description;
  const { verdict, judgement } = judged;
  const words = verdict === 'unknown' ? `status ${judgement.status}` : toWords(judgement.status);
  const isSaid = words === '' || /\b(?:pay|unpaid)/.test(words);
  const status = isSaid ? '' : ` (${words})`;
  const provider = asText(order.provider);
  const network = provider === undefined ? '' : ` (${provider})`;
  const hasMessage = asText(order['message']) !== undefined;
  const how = hasMessage ? ' by mobile money' : `: approve the prompt on ${phone}`;
  const money = findMoney(order);
  const toPay = money === undefined ? 'To pay' : `${money} to pay`;
  screen.warning(`${toPay}${status}${how}${network}`);
}

function showHeadline(screen: Screen, { order, judged }: PlacedOrder): void {
  const { verdict, judgement } = judged;
  const money = findMoney(order);
  const price = money === undefined ? '' : `: ${money}`;
  const words = toWords(judgement.status);
  if (verdict === 'placed') screen.success(`Order placed (${listParts([words, money], ', ')})`);
  // Nothing says that it is paid or provisioned.
  if (verdict === 'created') screen.line(`Order created${price}`);
  if (verdict === 'pending') screen.warning(`Order ${words}${price}`);
  if (verdict === 'unknown') screen.warning(`Order with the status ${judgement.status}${price}`);
}

function toWords(status: string | undefined): string {
  return status?.toLowerCase().replaceAll('_', ' ') ?? '';
}

function describePage({ payment_url: url }: Order): Text | undefined {
  const page = asText(url);
  if (page === undefined) return undefined;
  const safeUrl = parseSafeUrl(page);
  if (safeUrl !== undefined) return link(safeUrl.href);
  return `${page} (no plain https address, so svc does not open it)`;
}

/** The fields that the screen shows by itself, if they are text. */
const SHOWN: readonly (keyof Order)[] = ['orderId', 'paymentMethod', 'provider', 'payment_url'];

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

/** Lists the fields with nothing but the price, which the error names. */
function listPrices(order: Order): readonly string[] {
  const price = findMoney(order);
  if (price === undefined) return [];
  return Object.keys(order).filter((name) => {
    const value = findField(order, name);
    return isObject(value) && Object.keys(value).length === 2 && findMoney(value) === price;
  });
}
