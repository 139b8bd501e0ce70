import { SAMPLES } from '../samples.ts';
import type { OrderRecord } from '../state.ts';
import { type Html, html, page } from './html.ts';

const MOST_ORDERS = 5;

/** The page at `/`. */
export function homePage(orders: readonly OrderRecord[]): string {
  const latest = orders.slice(-MOST_ORDERS).toReversed();
  return page(
    'Sandbox',
    html`<h1>The sandbox is running</h1>
<p class="quiet">A small version of the service to try <b>svc</b> on. Use it from a terminal: <b>svc sandbox shell</b> opens a shell in
a sandbox of its own, and <b>svc sandbox start</b> prints the lines to paste.</p>
<p><a href="/device">Approve a login</a></p>
${latest.length === 0 ? html`` : html`<p>Latest orders: ${joined(latest.map(({ answer: { orderId } }) => html`<a href="/orders/${orderId}">${orderId}</a> `))}</p>`}
<h2>Sample ids</h2>
<dl>
${joined(SAMPLES.map(([label, names]) => html`<dt>${label}</dt><dd>${names}</dd>`))}
</dl>`,
  );
}

function joined(parts: readonly Html[]): Html {
  return { html: parts.map(({ html: text }) => text).join('\n') };
}
