import { decideLogin, formatUserCode, getLoginState, loginWithUserCode } from '../device-login.ts';
import type { Parts, SandboxApp } from '../parts.ts';
import { SAMPLES } from '../samples.ts';
import type { OrderAnswer, OrderRecord } from '../state.ts';
import { commonHeaders } from '../web/answer.ts';
import { checkBodyHead, FORM_TYPE, readBodyText } from '../web/body.ts';
import { askPage, BAD, DONE, decidePage, outcomePage, refusedPage } from './device.ts';
import { type Html, html, PAGE_HEADERS, page } from './html.ts';

type PageAnswer =
  | readonly [status: number, html: string]
  | readonly [status: 303, html: null, location: string];

/** Adds the start page, the approval page of device logins and the pages of orders. */
export function addPages(app: SandboxApp, parts: Parts): void {
  const respond = ([status, text, location]: PageAnswer) => {
    const headers = { ...commonHeaders(parts.clock.now()), ...PAGE_HEADERS };
    return new Response(text, {
      status,
      headers: location === undefined ? headers : { ...headers, location },
    });
  };
  const home = () => respond([200, homePage(parts.store.state.orders)]);
  for (const path of ['/', ...PARTS_OF_HOME]) app.get(path, home);
  app.get('/device', ({ req }) => respond(showLogin(parts, req.query('code'))));
  app.post('/device', async ({ env }) => {
    checkBodyHead(env.incoming, FORM_TYPE);
    return respond(decide(parts, new URLSearchParams(await readBodyText(env.incoming))));
  });
  app.get('/orders/:id', ({ req }) => respond(showOrder(parts, req.param('id'))));
}

/** The dashboard of `svc open`: all of it is on one page. */
const PARTS_OF_HOME = [
  ...['/services', '/services/:id', '/deployments', '/databases', '/domains', '/orders'],
  ...['/organizations', '/organizations/:id'],
];
const MAX_ORDERS = 5;

/** The page at `/`. */
function homePage(orders: readonly OrderRecord[]): string {
  const links = orders
    .slice(-MAX_ORDERS)
    .toReversed()
    .map(({ answer: { orderId } }) => html`<a href="/orders/${orderId}">${orderId}</a> `);
  const latest = links.length === 0 ? html`` : html`<p>Latest orders: ${joined(links)}</p>`;
  return page(
    'Sandbox',
    html`<h1>The sandbox is running</h1>
<p class="quiet">A small version of the platform to try <b>svc</b> on. Use it from a terminal: <b>svc sandbox shell</b> opens a shell in
a sandbox of its own, and <b>svc sandbox start</b> prints the lines to paste.</p>
<p><a href="/device">Approve a login</a></p>
${latest}
<h2>Sample ids</h2>
<dl>
${joined(SAMPLES.map(([label, names]) => html`<dt>${label}</dt><dd>${names}</dd>`))}
</dl>`,
  );
}

function joined(parts: readonly Html[]): Html {
  return { html: parts.map(({ html: text }) => text).join('\n') };
}

function showLogin(parts: Parts, typed: string | undefined): PageAnswer {
  if (typed === undefined) return [200, askPage()];
  const login = loginWithUserCode(parts, formatUserCode(typed));
  if (login === undefined) {
    return [404, askPage(typed, 'No login is waiting with this code. Check it and try again.')];
  }
  const loginState = getLoginState(login, parts.clock.now());
  if (loginState === 'pending') return [200, decidePage(login)];
  return [loginState === 'expired' ? 410 : 200, outcomePage(loginState)];
}

/**
 * Decides a login. That the form is of a page of this sandbox is known from its origin
 * (`web/listen.ts`).
 */
function decide(parts: Parts, form: URLSearchParams): PageAnswer {
  const userCode = form.get('code') ?? '';
  const decision = form.get('decision');
  if (decision !== 'approve' && decision !== 'deny') {
    return [
      400,
      refusedPage('Nothing was decided', 'Open the page again and choose Approve or Deny.'),
    ];
  }
  if (!decideLogin(parts, userCode, decision)) {
    return [
      409,
      refusedPage(
        'Already decided',
        'This code no longer waits for a decision. Nothing was changed.',
      ),
    ];
  }
  return [303, null, `/device?code=${userCode}`];
}

function showOrder(parts: Parts, orderId: string): PageAnswer {
  const order = parts.store.state.orders.find(({ answer }) => answer.orderId === orderId);
  return order === undefined
    ? [404, refusedPage('No such order', 'Check the address.')]
    : [200, orderPage(order.answer)];
}

/** The page at the `payment_url` of an order. */
function orderPage({ orderId, status, total, message }: OrderAnswer): string {
  const isRefused = status === 'failed' || status === 'declined';
  const mark = isRefused ? BAD : DONE;
  const title = isRefused ? 'This order was not paid' : 'Thank you for your order';
  return page(
    'Your order',
    html`${mark}<h1>${title}</h1>
<p class="quiet">${message}</p>
<dl>
<dt>Order</dt><dd>${orderId}</dd>
<dt>Total</dt><dd>${total.amount} ${total.currency}</dd>
</dl>`,
  );
}
