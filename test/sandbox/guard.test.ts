import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { type Visited, type Visitor, visit, visitSandbox } from './visit.ts';

/** A form of the approval page, taken from the page as a person gets it. */
async function approvalForm({ open }: Visitor, clientName = 'marie-laptop') {
  const { userCode } = (await open('POST', '/v1/auth/device', { clientName })).json;
  return { userCode, form: `${new URLSearchParams({ code: userCode, decision: 'approve' })}` };
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const ORDER = { items: [{ planId: 'plan_wp_free' }] };
const RECORDS = { records: [{ subdomain: '', type: 'A', value: '203.0.113.24', ttl: 3600 }] };

/** Requests that would change something, if they were let through. */
function changes(sandbox: Visitor['sandbox'], form: string) {
  const headers = { Authorization: `Bearer ${sandbox.token}` };
  const service = '/v1/services/svc_wp_7k2m9qx4';
  return [
    { path: '/v1/auth/device', headers: {}, body: { clientName: 'forged' } },
    { path: '/v1/checkout', headers, body: ORDER },
    { path: `${service}/domains/kola-studio.example/import`, headers, body: RECORDS },
    { path: `${service}/actions`, headers, body: { action: 'backup.create' } },
    { path: `${service}/restart`, headers },
    { path: '/device', headers: FORM, body: form },
  ];
}

describe('forged requests', () => {
  test('of foreign hosts, origins and sites change nothing', async () => {
    const visitor = await visitSandbox();
    const { sandbox } = visitor;
    const { form, userCode } = await approvalForm(visitor);
    const { port } = new URL(sandbox.url);
    const before = JSON.stringify(sandbox.snapshot());
    const hosts = ['evil.example', '127.0.0.1', '127.0.0.1:1', `evil.example:${port}`, `localhost.:${port}`, ''];
    hosts.push(`127.0.0.1.evil.example:${port}`, `user@127.0.0.1:${port}`, `127.0.0.1:${port}, evil.example`);
    const origins = ['null', 'https://evil.example', 'http://127.0.0.1', '*', `${sandbox.url}/`, ''];
    origins.push(`https://127.0.0.1:${port}`, `http://127.0.0.1:${port}.evil.example`);
    const forgeries: ReadonlyArray<readonly [status: number, headers: Record<string, string>]> = [
      ...hosts.map((Host) => [421, { Host }] as const),
      ...origins.map((Origin) => [403, { Origin }] as const),
      ...['cross-site', 'same-site'].map((site) => [403, { 'Sec-Fetch-Site': site }] as const),
      [421, { Host: 'evil.example', Origin: sandbox.url, 'Sec-Fetch-Site': 'same-origin' }],
    ];
    let sent = 0;
    for (const { path, headers, body } of changes(sandbox, form)) {
      for (const [status, forged] of forgeries) {
        const answer = await visit(sandbox.url, path, { method: 'POST', body, headers: { ...headers, ...forged } });
        expect([answer.status, path, forged]).toEqual([status, path, forged]);
        expectClosedHeaders(answer);
        sent += 1;
      }
    }
    expect(sent).toBeGreaterThanOrEqual(100);
    expect(JSON.stringify(sandbox.snapshot())).toBe(before);
    expect(sandbox.pendingLogins()).toEqual([userCode]);
    figure('Sandbox attacks', sent, 'hosts, origins and sites');
  });

  test('with bodies that a page of another site may send change nothing', async () => {
    const visitor = await visitSandbox();
    const { sandbox } = visitor;
    const { form } = await approvalForm(visitor);
    const before = JSON.stringify(sandbox.snapshot());
    const types = ['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', ''];
    types.push('application/jsonp', 'text/plain; application/json');
    let sent = 0;
    for (const { path, headers, body } of changes(sandbox, form)) {
      const text = body === undefined || typeof body === 'string' ? (body ?? '{}') : JSON.stringify(body);
      const wrong = path === '/device' ? [...types, 'application/json'].filter((type) => !type.includes('www')) : types;
      for (const type of wrong) {
        const forged = { ...headers, 'Content-Type': type };
        const answer = await visit(sandbox.url, path, { method: 'POST', body: text, headers: forged });
        expect([answer.status, path, type]).toEqual([415, path, type]);
      }
      const none = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'Content-Type'));
      expect((await visit(sandbox.url, path, { method: 'POST', body: text, headers: none })).status).toBe(415);
      sent += wrong.length + 1;
    }
    expect(JSON.stringify(sandbox.snapshot())).toBe(before);
    figure('Sandbox attacks', sent, 'types of bodies');
  });

  test('of an absolute target, or with two Host headers, are refused', async () => {
    const { sandbox } = await visitSandbox();
    const { host } = new URL(sandbox.url);
    const own = `Host: ${host}\r\n`;
    for (const [status, target, hosts] of [
      [421, 'http://evil.example/v1/user', own],
      [421, `${sandbox.url}/v1/user`, own],
      [421, '*', own],
      [421, '/v1/user', `${own}Host: evil.example\r\n`],
      [421, '/v1/user', ''],
      [401, '/v1/user', own],
    ]) {
      const answer = await rawExchange(sandbox.url, `GET ${target} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
      expect([answer.split(' ')[1], target, hosts]).toEqual([`${status}`, target, hosts]);
    }
  });
});

test('its own addresses are let through, by every name they have', async () => {
  const { sandbox } = await visitSandbox();
  const { port } = new URL(sandbox.url);
  const headers = { Authorization: `Bearer ${sandbox.token}` };
  for (const Host of [`127.0.0.1:${port}`, `localhost:${port}`, `LocalHost:${port}`, `[::1]:${port}`]) {
    expect((await visit(sandbox.url, '/v1/user', { headers: { ...headers, Host } })).status).toBe(200);
  }
  for (const site of ['none', 'same-origin']) {
    const own = { ...headers, Origin: sandbox.url, 'Sec-Fetch-Site': site };
    expect((await visit(sandbox.url, '/v1/user', { headers: own })).status).toBe(200);
  }
});

function expectClosedHeaders({ headers }: Visited): void {
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['cross-origin-resource-policy']).toBe('same-origin');
}

test.each<[body: string, status: number, error?: string]>([
  [JSON.stringify(ORDER).padEnd(1_048_576), 201],
  ['', 400, 'The body is missing; it must be a JSON object.'],
  ['items=1', 400, 'The body is not well-formed JSON.'],
  ['[]', 400, 'The body must be a JSON object.'],
  ['['.repeat(500_000), 400, 'The body is nested too deeply.'],
  [JSON.stringify(ORDER).padEnd(1_048_577), 413, 'The body is over 1 MiB.'],
])('a body like %.20s is answered with %i', async (body, status, error) => {
  const { sandbox, signedIn } = await visitSandbox();
  const answer = await signedIn('POST', '/v1/checkout', body, { 'Content-Type': 'Application/JSON ;charset=UTF-8' });
  expect([answer.status, answer.json.error]).toEqual([status, error]);
  expect(sandbox.snapshot().orders).toHaveLength(status === 201 ? 1 : 0);
});

test.each([
  ['is counted', 'Transfer-Encoding: chunked', `${`10000\r\n${' '.repeat(65_536)}\r\n`.repeat(17)}0\r\n\r\n`],
  ['is refused before it comes', 'Content-Length: 1048577', ''],
])('a body that is too long %s', async (_what, length, body) => {
  const { sandbox } = await visitSandbox();
  const { host } = new URL(sandbox.url);
  const head = `POST /v1/checkout HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${sandbox.token}\r\n`;
  const more = `Content-Type: application/json\r\n${length}\r\nConnection: close\r\n\r\n`;
  expect(await rawExchange(sandbox.url, head + more + body)).toMatch(/^HTTP\/1\.1 413 /);
});

/** Sends these bytes and reads until the connection ends. */
function rawExchange(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}
