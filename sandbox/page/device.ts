import { USER } from '../data/people.ts';
import type { LoginState } from '../device-login.ts';
import type { DeviceLogin } from '../state.ts';
import { type Html, html, page } from './html.ts';

/** Asks for the user code; after an unknown one, shows it again with the problem. */
export function askPage(typed = '', problem?: string): string {
  const note =
    problem === undefined ? html`` : html`<p class="note problem" role="alert">${problem}</p>`;
  return page(
    'Sign in',
    html`<h1>Connect a device</h1>
<p class="quiet">Enter the code that <b>svc login</b> shows in your terminal.</p>
${note}
<form method="get" action="/device">
<label for="code">Code</label>
<input id="code" name="code" value="${typed}" required autofocus autocomplete="off" autocapitalize="characters" spellcheck="false"
  maxlength="20" placeholder="XXXX-XXXX">
<button class="primary">Continue</button>
</form>`,
  );
}

/** Asks whether to approve a login. */
export function decidePage({ userCode, clientName }: DeviceLogin): string {
  return page(
    'Approve this login?',
    html`<h1>Approve this login?</h1>
<p class="quiet">A device wants to use your account. Compare the code with the one in your terminal.</p>
<div class="code"><small>Code</small><strong>${userCode}</strong></div>
<dl>
<dt>Device</dt><dd>${clientName}</dd>
<dt>Account</dt><dd>${USER.email}</dd>
<dt>Access</dt><dd>Full, for 90 days</dd>
</dl>
<p class="note">Only approve a login you started yourself. Never approve a code someone sent you.</p>
<form method="post" action="/device" class="choices">
<input type="hidden" name="code" value="${userCode}">
<button name="decision" value="deny">Deny</button>
<button name="decision" value="approve" class="primary">Approve</button>
</form>`,
  );
}

/** A tick before a title; screen readers skip it. */
export const DONE = html`<div class="mark" aria-hidden="true">&#10003;</div>`;
/** A cross before a title; screen readers skip it. */
export const BAD = html`<div class="mark bad" aria-hidden="true">!</div>`;

const OUTCOMES: Readonly<
  Record<Exclude<LoginState, 'pending'>, readonly [mark: Html, title: string, text: string]>
> = {
  approved: [DONE, 'Device connected', 'You can close this page and go back to your terminal.'],
  delivered: [DONE, 'Device connected', 'This login is complete. You can close this page.'],
  denied: [
    html`<div class="mark bad" aria-hidden="true">&#10005;</div>`,
    'Login denied',
    'The device was not connected. You can close this page.',
  ],
  expired: [BAD, 'This code has expired', 'Run svc login again to get a new one.'],
};

/** Shows how a login ended. */
export function outcomePage(getLoginState: Exclude<LoginState, 'pending'>): string {
  const [mark, title, text] = OUTCOMES[getLoginState];
  return page(title, html`${mark}<h1>${title}</h1><p class="quiet">${text}</p>`);
}

/** Says why a form was refused. */
export function refusedPage(title: string, text: string): string {
  return page(
    title,
    html`${BAD}<h1>${title}</h1><p class="quiet">${text}</p>
<p><a href="/device">Enter a code</a></p>`,
  );
}
