import { IDEMPOTENCY_HEADER, OPERATIONS } from '../../spec/operations.ts';
import type { Parts } from '../parts.ts';
import { type Route, signedInRoute } from '../route.ts';
import { type Purchase, readPurchase } from '../rules/checkout.ts';
import { fingerprintOf, keyOf, orderOfKey } from '../rules/idempotency.ts';
import { maskedPhone, newId } from '../rules/secrets.ts';
import type { AutopayRecord, OrderAnswer, OrderRecord } from '../state/state.ts';

/** Operation 3. A repeated key answers the order that it made; nothing between its reading and the order can wait. */
export const CHECKOUT_ROUTES: readonly Route[] = [
  signedInRoute(OPERATIONS.createOrder, async (parts, request, { organization }) => {
    const body = await request.body();
    const idempotencyKey = keyOf(request.header(IDEMPOTENCY_HEADER), body);
    const fingerprint = fingerprintOf(body);
    const { orders } = parts.store.state;
    const made = orderOfKey(orders, organization.id, idempotencyKey, fingerprint);
    if (made !== undefined) return { status: 200, body: made.answer, headers: { 'Idempotent-Replayed': 'true' } };

    const purchase = readPurchase(body);
    const order: OrderRecord = {
      organizationId: organization.id,
      idempotencyKey,
      fingerprint,
      createdAt: parts.clock.now(),
      answer: answerTo(purchase, newId('ord'), parts.origin),
    };
    parts.store.commit({ orders: [...orders, order], autopay: autopayAfter(parts, organization.id, purchase) });
    parts.log(`order ${order.answer.orderId}: ${order.answer.status}`);
    return { status: 201, body: order.answer };
  }),
];

function answerTo(purchase: Purchase, orderId: string, origin: string): OrderAnswer {
  const { paymentMethod, currency, total } = purchase;
  const amount = currency === 'USD' ? (total / 100).toFixed(2) : String(total);
  const common = { orderId, paymentMethod, total: { amount, currency } };
  if (paymentMethod === 'credit_card') {
    return {
      ...common,
      provider: 'sandbox-card',
      payment_url: `${origin}/orders/${orderId}`,
      status: 'provisioned',
      message: 'Nothing to pay; the order is provisioned.',
    };
  }
  if (total === 0) {
    return { ...common, provider: null, status: 'provisioned', message: 'Nothing to pay; the order is provisioned.' };
  }
  return {
    ...common,
    provider: purchase.network,
    status: 'awaiting_payment',
    message: `A payment prompt was sent to ${maskedPhone(purchase.phone)}. Confirm it on the phone.`,
  };
}

function autopayAfter(parts: Parts, organizationId: string, purchase: Purchase): readonly AutopayRecord[] {
  const { autopay } = parts.store.state;
  if (!purchase.enableAutopay || purchase.phone === '') return autopay;
  const saved: AutopayRecord = {
    organizationId,
    phoneMasked: maskedPhone(purchase.phone),
    provider: purchase.network,
    currency: purchase.currency,
  };
  return [...autopay.filter((record) => record.organizationId !== organizationId), saved];
}
