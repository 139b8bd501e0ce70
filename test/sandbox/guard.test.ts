import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { visit, visitSandbox } from './visit.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const ORDER = JSON.stringify({ items: [{ planId: 'plan_wp_free' }] });
const RECORDS = { records: [{ subdomain: '', type: 'A', value: '203.0.113.24', ttl: 3600 }] };
const SERVICE = '/v1/services/svc_wp_7k2m9qx4';

test('forged requests change nothing: foreign hosts, origins and sites, and bodies that those may send', async () => {
  const { sandbox, open } = await visitSandbox();
  const { userCode } = (await open('POST', '/v1/auth/device', { clientName: 'marie-laptop' })).json;
  const signedIn = { Authorization: `Bearer ${sandbox.token}`, ...JSON_TYPE };
  /** Requests that would change something, if they were let through. */
  const changes: ReadonlyArray<
    readonly [path: string, headers: Record<string, string>, body: string]
  > = [
    ['/v1/auth/device', JSON_TYPE, '{"clientName":"forged"}'],
    ['/v1/checkout', signedIn, ORDER],
    [`${SERVICE}/domains/kola-studio.example/import`, signedIn, JSON.stringify(RECORDS)],
    [`${SERVICE}/actions`, signedIn, '{"action":"backup.create"}'],
    [`${SERVICE}/restart`, signedIn, '{}'],
    ['/device', FORM, `${new URLSearchParams({ code: userCode, decision: 'approve' })}`],
  ];
  const before = JSON.stringify(sandbox.snapshot());
  const { port } = new URL(sandbox.url);
  const hosts = [
    'evil.example',
    '127.0.0.1',
    '127.0.0.1:1',
    `evil.example:${port}`,
    `localhost.:${port}`,
    '',
  ];
  hosts.push(
    `127.0.0.1.evil.example:${port}`,
    `user@127.0.0.1:${port}`,
    `127.0.0.1:${port}, evil.example`,
  );
  const origins = ['null', 'https://evil.example', 'http://127.0.0.1', '*', `${sandbox.url}/`, ''];
  origins.push(`https://127.0.0.1:${port}`, `http://127.0.0.1:${port}.evil.example`);
  const types = [
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'text/plain; application/json',
    '',
  ];
  let sent = 0;
  for (const [path, headers, body] of changes) {
    const { 'Content-Type': own, ...untyped } = headers;
    const other = (own === FORM['Content-Type'] ? JSON_TYPE : FORM)['Content-Type'];
    const typed = [...types, other].map((type) => ({ ...untyped, 'Content-Type': type }));
    for (const [status, forged] of [
      ...hosts.map((Host) => [421, { ...headers, Host }] as const),
      ...origins.map((Origin) => [403, { ...headers, Origin }] as const),
      ...['cross-site', 'same-site'].map(
        (site) => [403, { ...headers, 'Sec-Fetch-Site': site }] as const,
      ),
      ...[untyped, ...typed].map((forged) => [415, forged] as const),
    ] as const) {
      const answer = await visit(sandbox.url, path, { method: 'POST', body, headers: forged });
      expect([answer.status, path, forged]).toEqual([status, path, forged]);
      expect(answer.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(Object.keys(answer.headers).join()).not.toContain('access-control');
      sent += 1;
    }
  }
  expect(JSON.stringify(sandbox.snapshot())).toBe(before);
  expect(sandbox.pendingLogins()).toEqual([userCode]);
  figure('Sandbox attacks', sent, 'hosts, origins, sites and types of bodies');
});

test('requests of an absolute target, with two Host headers, or with a body that is too long are refused', async () => {
  const { sandbox } = await visitSandbox();
  const own = `Host: ${new URL(sandbox.url).host}\r\n`;
  const order = `POST /v1/checkout HTTP/1.1\r\n${own}Authorization: Bearer ${sandbox.token}\r\nContent-Type: application/json\r\n`;
  const long = `${`10000\r\n${' '.repeat(65_536)}\r\n`.repeat(17)}0\r\n\r\n`;
  for (const [status, head, body = ''] of [
    [421, `GET http://evil.example/v1/user HTTP/1.1\r\n${own}`],
    [421, `GET ${sandbox.url}/v1/user HTTP/1.1\r\n${own}`],
    [421, `GET /v1/user HTTP/1.1\r\n${own}Host: evil.example\r\n`],
    [421, 'GET /v1/user HTTP/1.1\r\n'],
    [401, `GET /v1/user HTTP/1.1\r\n${own}`],
    [413, `${order}Transfer-Encoding: chunked\r\n`, long],
    // Before it comes.
    [413, `${order}Content-Length: 1048577\r\n`],
  ] as const) {
    const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
    socket.write(`${head}Connection: close\r\n\r\n${body}`);
    expect([(await text(socket)).split(' ')[1], head]).toEqual([`${status}`, head]);
  }
});

test('its own addresses are let through, by every name they have', async () => {
  const { sandbox, signedIn } = await visitSandbox();
  const { port } = new URL(sandbox.url);
  const own = { Origin: sandbox.url, 'Sec-Fetch-Site': 'same-origin' };
  for (const Host of [`127.0.0.1:${port}`, `LocalHost:${port}`, `[::1]:${port}`]) {
    expect((await signedIn('GET', '/v1/user', undefined, { ...own, Host })).status).toBe(200);
  }
});

test.each([
  [ORDER.padEnd(1_048_576), 201],
  ['', 400],
  ['['.repeat(500_000), 400],
  [ORDER.padEnd(1_048_577), 413],
])('a body like %.20s is answered with %i', async (body, status) => {
  const { sandbox, signedIn } = await visitSandbox();
  const answer = await signedIn('POST', '/v1/checkout', body, {
    'Content-Type': 'Application/JSON ;charset=UTF-8',
  });
  expect(answer.status).toBe(status);
  expect(sandbox.snapshot().orders).toHaveLength(status === 201 ? 1 : 0);
});
