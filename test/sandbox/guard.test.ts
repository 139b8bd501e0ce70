import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { type Visit, type Visited, type Visitor, visit, visitSandbox } from './visit.ts';

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
    const hosts = [
      ...'evil.example 127.0.0.1 127.0.0.1:1 localhost 0.0.0.0 [::]'.split(' '),
      ...'evil.example 127.0.0.1.evil.example 127.0.0.2 localhost. user@127.0.0.1 0x7f.1 2130706433'
        .split(' ')
        .map((host) => `${host}:${port}`),
      '',
      `127.0.0.1:${port}, evil.example`,
    ];
    const origins = [
      ...'null https://evil.example http://127.0.0.1 http://localhost:1 file:// chrome-extension://abc *'.split(' '),
      ...[`https://127.0.0.1:${port}`, `http://127.0.0.1:${port}.evil.example`, `${sandbox.url}/`, ''],
    ];
    const forgeries: ReadonlyArray<readonly [status: number, headers: Record<string, string>]> = [
      ...hosts.map((Host) => [421, { Host }] as const),
      ...origins.map((Origin) => [403, { Origin }] as const),
      ...['cross-site', 'same-site', 'CROSS-SITE', 'x'].map((site) => [403, { 'Sec-Fetch-Site': site }] as const),
      [403, { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' }],
      [421, { Host: 'evil.example', Origin: sandbox.url, 'Sec-Fetch-Site': 'same-origin' }],
    ];
    let sent = 0;
    for (const { path, headers, body } of changes(sandbox, form)) {
      for (const [status, forged] of forgeries) {
        const answer = await visit(sandbox.url, path, { method: 'POST', body, headers: { ...headers, ...forged } });
        expect([answer.status, path, forged]).toEqual([status, path, forged]);
        expect(answer.json.error).toMatch(/./);
        expectClosedHeaders(answer);
        sent += 1;
      }
    }
    expect(sent).toBeGreaterThanOrEqual(190);
    expect(JSON.stringify(sandbox.snapshot())).toBe(before);
    expect(sandbox.pendingLogins()).toEqual([userCode]);
    figure('Sandbox attacks', sent, 'hosts, origins and sites');
  });

  test('with bodies that a page of another site may send change nothing', async () => {
    const visitor = await visitSandbox();
    const { sandbox } = visitor;
    const { form } = await approvalForm(visitor);
    const before = JSON.stringify(sandbox.snapshot());
    const types = [
      ...['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', 'text/json', ''],
      ...['application/json-seq', 'application/jsonp', 'text/plain; application/json', 'application/xml'],
    ];
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

  test('of the approval form change nothing', async () => {
    const visitor = await visitSandbox();
    const { sandbox, open } = visitor;
    const mine = await approvalForm(visitor);
    const before = JSON.stringify(sandbox.snapshot());
    const post = (fields: Record<string, string>) => open('POST', '/device', `${new URLSearchParams(fields)}`, FORM);
    const { userCode: code } = mine;
    const forged: ReadonlyArray<readonly [number, Record<string, string>]> = [
      [409, { code: code.toLowerCase(), decision: 'approve' }],
      [409, { code: '', decision: 'approve' }],
      [400, { code }],
      [400, { code, decision: 'Approve' }],
    ];
    for (const [status, fields] of forged) expect([(await post(fields)).status, fields]).toEqual([status, fields]);
    for (const path of [`/device?${mine.form}`, `/device?code=${code}&decision=approve`]) {
      expect((await open('GET', path)).status).toBe(200);
    }
    expect(JSON.stringify(sandbox.snapshot())).toBe(before);
    figure('Sandbox attacks', forged.length + 2, 'forms');
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

test('no other site is ever invited to read an answer', async () => {
  const { sandbox } = await visitSandbox();
  const preflight = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' };
  for (const headers of [preflight, { 'Access-Control-Request-Method': 'POST' }]) {
    const answer = await visit(sandbox.url, '/v1/checkout', { method: 'OPTIONS', headers });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expectClosedHeaders(answer);
  }
});

function expectClosedHeaders({ headers }: Visited): void {
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['cross-origin-resource-policy']).toBe('same-origin');
}

describe('bodies', () => {
  const checkout = async (body: string | Buffer, headers: Visit['headers'] = {}) => {
    const { sandbox, open } = await visitSandbox();
    const all = { Authorization: `Bearer ${sandbox.token}`, 'Content-Type': 'application/json', ...headers };
    const { status, json } = await open('POST', '/v1/checkout', body, all);
    expect(sandbox.snapshot().orders).toHaveLength(status === 201 ? 1 : 0);
    return [status, json];
  };
  const order = JSON.stringify(ORDER);

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON ;charset=UTF-8'])(
    'of the type %s are read',
    async (type) => {
      expect(await checkout(order, { 'Content-Type': type })).toEqual([201, expect.anything()]);
    },
  );

  test.each([
    ['', 'The body is missing; it must be a JSON object.'],
    ['{', 'The body is not well-formed JSON.'],
    [`${order},`, 'The body is not well-formed JSON.'],
    ['items=1', 'The body is not well-formed JSON.'],
    ['[]', 'The body must be a JSON object.'],
    ['null', 'The body must be a JSON object.'],
    ['"text"', 'The body must be a JSON object.'],
    [`{"a":${'['.repeat(200)}${']'.repeat(200)}}`, 'The body is nested too deeply.'],
    ['['.repeat(500_000), 'The body is nested too deeply.'],
  ])('like %.20s are refused with 400', async (body, error) => {
    expect(await checkout(body)).toEqual([400, { error }]);
  });

  test('of 1 MiB are read, and a byte more is refused with 413', async () => {
    const filled = (length: number) => order.padEnd(length, ' ');
    expect(await checkout(filled(1_048_576))).toEqual([201, expect.anything()]);
    expect(await checkout(filled(1_048_577))).toEqual([413, { error: 'The body is over 1 MiB.' }]);
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
