import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { decideOnPage } from '../../support/approve.ts';
import { type Visitor, visitSandbox } from '../visit.ts';

async function startLogin({ open }: Visitor, clientName = 'marie-laptop') {
  return (await open('POST', '/v1/auth/device', { clientName })).json;
}

function post({ open }: Visitor, fields: Record<string, string>) {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return open('POST', '/device', `${new URLSearchParams(fields)}`, headers);
}

test('the page shows the code, the client and the account', async () => {
  const visitor = await visitSandbox();
  const { userCode } = await startLogin(visitor);
  const { status, headers, text } = await visitor.open('GET', `/device?code=${userCode}`);
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  for (const shown of [userCode, 'marie-laptop', 'amina@kola-studio.example', 'Approve', 'Deny']) {
    expect(text).toContain(shown);
  }
});

test('a code may be typed in small letters, and without its hyphen', async () => {
  const visitor = await visitSandbox();
  const { userCode } = await startLogin(visitor);
  for (const typed of [userCode.toLowerCase(), userCode.replace('-', ''), ` ${userCode.replace('-', ' ')} `]) {
    const { text } = await visitor.open('GET', `/device?code=${encodeURIComponent(typed)}`);
    expect(text).toContain('Approve this login?');
  }
});

test('every page allows its own style and nothing else, and can be framed by nobody', async () => {
  const visitor = await visitSandbox();
  const { userCode } = await startLogin(visitor);
  for (const path of ['/', '/device', `/device?code=${userCode}`, '/device?code=none', '/orders/none']) {
    const { headers, text } = await visitor.open('GET', path);
    const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(text).not.toMatch(/<script|style=|\son\w+=|https?:/i);
  }
});

test('a hostile client name is text, and what hides in it is shown', async () => {
  const visitor = await visitSandbox();
  const name = `"><script>alert('1')</script>&amp;\u202eevil\u0007\u200b`;
  const { userCode } = await startLogin(visitor, name);
  const { text } = await visitor.open('GET', `/device?code=${userCode}`);
  expect(text).toContain(
    '&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;amp;\\u{202e}evil\\u{7}\\u{200b}',
  );
});

test('a hostile code is text as well', async () => {
  const { open } = await visitSandbox();
  const { status, text } = await open('GET', `/device?code=${encodeURIComponent('"><img src=x onerror=alert(1)>')}`);
  expect(status).toBe(404);
  expect(text).not.toContain('<img');
});

test.each([
  ['approve', 'Device connected', 200],
  ['deny', 'Login denied', 400],
])('%s is a form that leads to a page about its outcome', async (decision, title, pollStatus) => {
  const visitor = await visitSandbox();
  const { userCode, deviceCode } = await startLogin(visitor);
  const fields = { code: userCode, decision };
  const answer = await post(visitor, fields);
  expect([answer.status, answer.headers['location']]).toEqual([303, `/device?code=${userCode}`]);
  const outcome = await visitor.open('GET', `/device?code=${userCode}`);
  expect([outcome.status, outcome.text.includes(title)]).toEqual([200, true]);
  expect(outcome.text).not.toContain('<form');
  const poll = await visitor.open('POST', '/v1/auth/device/token', { deviceCode });
  expect(poll.status).toBe(pollStatus);
});

test('a script can do what a person does: read the page, send its form', async () => {
  const visitor = await visitSandbox();
  const { verificationUriComplete, deviceCode } = await startLogin(visitor);
  expect(await decideOnPage(verificationUriComplete, 'approve')).toBe(303);
  expect(await decideOnPage(verificationUriComplete, 'approve')).toBe(409);
  expect(await decideOnPage(`${visitor.sandbox.url}/device?code=none`, 'approve')).toBe(404);
  const poll = await visitor.open('POST', '/v1/auth/device/token', { deviceCode });
  expect(poll.json.token).toMatch(/^svc_sandbox_/);
});

test('the first decision stays', async () => {
  const visitor = await visitSandbox();
  const { userCode, deviceCode } = await startLogin(visitor);
  expect((await post(visitor, { code: userCode, decision: 'deny' })).status).toBe(303);
  const { status, text } = await post(visitor, { code: userCode, decision: 'approve' });
  expect([status, text.includes('Already decided')]).toEqual([409, true]);
  expect(text).toContain('Nothing was changed.');
  const poll = await visitor.open('POST', '/v1/auth/device/token', { deviceCode });
  expect(poll.json).toEqual({ error: 'access_denied' });
});

test('of many decisions at the same moment one counts', async () => {
  const visitor = await visitSandbox();
  const { userCode } = await startLogin(visitor);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      post(visitor, { code: userCode, decision: index % 2 ? 'approve' : 'deny' }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(9).fill(409)]);
});

test('the start page leads on: to the login page, to the latest orders, and to every sample id', async () => {
  const visitor = await visitSandbox();
  const { url, ...ids } = visitor.sandbox.listing;
  const { json: order } = await visitor.signedIn('POST', '/v1/checkout', { items: [{ planId: 'plan_wp_free' }] });
  const { status, headers, text } = await visitor.open('GET', '/');
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path);
  expect(links).toEqual(['/device', `/orders/${order.orderId}`]);
  for (const path of links) expect((await visitor.open('GET', path)).status).toBe(200);
  const { services, deployments, databases, plans, domains, token } = ids;
  for (const { id } of [...services, ...deployments, ...databases, ...plans]) expect(text).toContain(id);
  for (const domain of domains) expect(text).toContain(domain);
  expect(text).not.toContain(token);
});

test('a code that has expired cannot be decided', async () => {
  const visitor = await visitSandbox();
  const { userCode } = await startLogin(visitor);
  visitor.clock.advance(900_000);
  expect((await post(visitor, { code: userCode, decision: 'approve' })).status).toBe(409);
  const page = await visitor.open('GET', `/device?code=${userCode}`);
  expect([page.status, page.text.includes('expired')]).toEqual([410, true]);
});

test('looking at pages changes nothing', async () => {
  const visitor = await visitSandbox();
  const { userCode } = await startLogin(visitor);
  const before = visitor.sandbox.snapshot();
  for (const path of ['/device', `/device?code=${userCode}`, '/device?code=zzz', '/orders/x', '/']) {
    await visitor.open('GET', path);
    await visitor.open('HEAD', path);
  }
  expect(visitor.sandbox.snapshot()).toBe(before);
});
