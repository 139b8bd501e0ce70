import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { decideLogin, loginWithUserCode, standing, typedUserCode } from '../device-login.ts';
import type { Parts, SandboxApp } from '../parts.ts';
import type { OrderAnswer } from '../state.ts';
import { commonHeaders } from '../web/answer.ts';
import { checkBodyHead, FORM_TYPE, readText } from '../web/body.ts';
import { askPage, decidePage, outcomePage, refusedPage } from './device.ts';
import { html, PAGE_HEADERS, page } from './html.ts';

/** Makes and checks the tokens that tie a form to the page it came from and to one user code. */
interface Csrf {
  /** A new token for a page about this code. Nothing is stored: showing a page changes nothing. */
  tokenFor(userCode: string): string;
  accepts(token: string, userCode: string): boolean;
}

/** Tokens of one run of the sandbox: a random part, and a keyed hash of it together with the code. */
function createCsrf(): Csrf {
  const key = randomBytes(32);
  const sign = (random: string, userCode: string) =>
    createHmac('sha256', key).update(`${random} ${userCode}`).digest('base64url');
  return {
    tokenFor(userCode) {
      const random = randomBytes(16).toString('base64url');
      return `${random}.${sign(random, userCode)}`;
    },
    accepts(token, userCode) {
      const [random = '', signature = ''] = token.split('.');
      const expected = Buffer.from(sign(random, userCode));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

/** What a page request is answered: a status, and a page or the address of one. */
type PageAnswer = readonly [status: number, html: string] | readonly [status: 303, html: null, location: string];

/** Adds the pages that people see: the approval of a device login, and the page of an order paid by card. */
export function addPages(app: SandboxApp, parts: Parts): void {
  const csrf = createCsrf();
  const respond = ([status, text, location]: PageAnswer) => {
    const headers = { ...commonHeaders(parts.clock.now()), ...PAGE_HEADERS };
    return new Response(text, { status, headers: location === undefined ? headers : { ...headers, location } });
  };
  app.get('/device', ({ req }) => respond(showLogin(parts, csrf, req.query('code'))));
  app.post('/device', async ({ env }) => {
    checkBodyHead(env.incoming, FORM_TYPE);
    return respond(decide(parts, csrf, new URLSearchParams(await readText(env.incoming))));
  });
  app.get('/orders/:id', ({ req }) => respond(showOrder(parts, req.param('id'))));
}

function showLogin(parts: Parts, csrf: Csrf, typed: string | undefined): PageAnswer {
  if (typed === undefined) return [200, askPage()];
  const login = loginWithUserCode(parts, typedUserCode(typed));
  if (login === undefined) return [404, askPage(typed, 'No login is waiting with this code. Check it and try again.')];
  const stands = standing(login, parts.clock.now());
  if (stands === 'pending') return [200, decidePage(login, csrf.tokenFor(login.userCode))];
  return [stands === 'expired' ? 410 : 200, outcomePage(stands)];
}

/** The one way in which a page changes anything: a form from a page about this very code, and only its first. */
function decide(parts: Parts, csrf: Csrf, form: URLSearchParams): PageAnswer {
  const userCode = form.get('code') ?? '';
  const decision = form.get('decision');
  if (!csrf.accepts(form.get('csrf') ?? '', userCode)) {
    return [403, refusedPage('This form is out of date', 'Open the page again and decide there.')];
  }
  if (decision !== 'approve' && decision !== 'deny') {
    return [400, refusedPage('Nothing was decided', 'Open the page again and choose Approve or Deny.')];
  }
  if (!decideLogin(parts, userCode, decision)) {
    return [409, refusedPage('Already decided', 'This code was used or has expired. Nothing was changed.')];
  }
  return [303, null, `/device?code=${userCode}`];
}

function showOrder(parts: Parts, orderId: string): PageAnswer {
  const order = parts.store.state.orders.find(({ answer }) => answer.orderId === orderId);
  return order === undefined
    ? [404, refusedPage('No such order', 'Check the address.')]
    : [200, orderPage(order.answer)];
}

/** What a browser shows at the `payment_url` of an order. */
function orderPage({ orderId, total, message }: OrderAnswer): string {
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
