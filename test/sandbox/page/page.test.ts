import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Visitor, visitSandbox } from '../visit.ts';

async function startLogin({ open }: Visitor, clientName = 'marie-laptop') {
  return (await open('POST', '/v1/auth/device', { clientName })).json;
}

function post({ open }: Visitor, fields: Record<string, string>) {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return open('POST', '/device', `${new URLSearchParams(fields)}`, headers);
}

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
