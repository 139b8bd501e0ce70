import type { OrderAnswer } from '../state/state.ts';
import { html, page } from './html.ts';

/** What a browser shows at the `payment_url` of an order. */
export function orderPage({ orderId, total, message }: OrderAnswer): string {
  return page(
    'Your order',
    html`<div class="mark" aria-hidden="true">&#10003;</div><h1>Thank you for your order</h1>
<p class="quiet">${message}</p>
<dl>
<dt>Order</dt><dd>${orderId}</dd>
<dt>Total</dt><dd>${total.amount} ${total.currency}</dd>
</dl>`,
  );
}
