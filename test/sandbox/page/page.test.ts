import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { visitSandbox } from '../visit.ts';

/** A sandbox in which a login waits, and how its page decides it. */
async function startLogin(clientName = 'marie-laptop') {
  const { open } = await visitSandbox();
  const { deviceCode, userCode } = (await open('POST', '/v1/auth/device', { clientName })).json;
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const decide = (decision: string) =>
    open('POST', '/device', `${new URLSearchParams({ code: userCode, decision })}`, headers);
  return { open, decide, deviceCode, page: `/device?code=${userCode}` };
}

test('every page allows its own style and nothing else, and can be framed by nobody', async () => {
  const { open, page } = await startLogin();
  for (const path of ['/', '/device', page, '/device?code=none', '/orders/none']) {
    const { headers, text } = await open('GET', path);
    const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-frame-options': 'DENY' });
    expect(text).not.toMatch(/<script|style=|\son\w+=|https?:/i);
  }
});

test('a hostile client name is text, and what hides in it is shown', async () => {
  const { open, page } = await startLogin(
    `"><script>alert('1')</script>&amp;\u202eevil\u0007\u200b`,
  );
  expect((await open('GET', page)).text).toContain(
    '&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;amp;\\u{202e}evil\\u{7}\\u{200b}',
  );
});

test.each([
  ['approve', 'Device connected', 200],
  ['deny', 'Login denied', 400],
])('%s is a form that leads to a page about its outcome', async (decision, title, pollStatus) => {
  const { open, decide, deviceCode, page } = await startLogin();
  const answer = await decide(decision);
  expect([answer.status, answer.headers['location']]).toEqual([303, page]);
  const { text } = await open('GET', page);
  expect([text.includes(title), text.includes('<form')]).toEqual([true, false]);
  expect((await open('POST', '/v1/auth/device/token', { deviceCode })).status).toBe(pollStatus);
});
