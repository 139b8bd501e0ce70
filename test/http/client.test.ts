import { describe, expect, test } from 'vitest';
import { CliError, toErrorObject } from '../../src/errors.ts';
import type { Call } from '../../src/http/call.ts';
import { OPERATIONS, type Operation } from '../../src/spec/operations.ts';
import { CANARY, cliErrorOf, clientFor } from '../support/client.ts';
import { closedPort } from '../support/tcp.ts';
import { testWire } from '../support/wire.ts';

const whoami: Call = { operation: OPERATIONS.getUser };
const restart: Call = { operation: OPERATIONS.restartService, path: { id: 's1' } };
const startLogin: Call = { operation: OPERATIONS.startDeviceLogin, body: { clientName: 'x' } };
const buy: Call = { operation: OPERATIONS.createOrder, body: { items: [{ planId: 'p' }] } };

describe('requests', () => {
  test('a read carries the token and says what it accepts, and nothing else', async () => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(200, { user: {} });
    await clientFor(wire.url).client.call(whoami);
    expect(wire.requests[0]?.headers).toEqual({
      host: `127.0.0.1:${wire.port}`,
      connection: 'close',
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'svc/test',
      authorization: `Bearer ${CANARY}`,
    });
    expect(wire.requests[0]?.body).toBe('');
  });

  test('a body is JSON and says so; a write without one has no type', async () => {
    const wire = await testWire();
    wire.on('POST', '/v1/checkout').reply(200, { orderId: 'o1' });
    wire.on('POST', '/v1/services/s1/restart').reply(200, { success: true });
    const { client } = clientFor(wire.url);
    await client.call({ ...buy, headers: { 'Idempotency-Key': 'k1' } });
    await client.call(restart);
    expect(wire.requests[0]?.json).toEqual({ items: [{ planId: 'p' }] });
    expect(wire.requests[0]?.headers).toMatchObject({ 'content-type': 'application/json', 'idempotency-key': 'k1' });
    expect(wire.requests[1]?.headers).not.toHaveProperty('content-type');
    expect(wire.requests[1]?.headers).toMatchObject({ 'content-length': '0' });
  });

  test('bytes are sent as they are', async () => {
    const wire = await testWire();
    wire.on('POST', '/v1/checkout').reply(200, {});
    await clientFor(wire.url).client.call({ ...buy, body: Buffer.from('{"n": 5.00}') });
    expect(wire.requests[0]?.body).toBe('{"n": 5.00}');
  });

  test('the organization is named only where one is set', async () => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(200, {});
    await clientFor(wire.url, { org: 'acme-2' }).client.call(whoami);
    expect(wire.requests[0]?.headers).toMatchObject({ 'x-service-org': 'acme-2' });
  });

  test('a dashboard session travels as its cookie', async () => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(200, {});
    const credential = { kind: 'session', token: 'abc.def', source: 'SVC_SESSION_TOKEN' } as const;
    await clientFor(wire.url, { credential }).client.call(whoami);
    expect(wire.requests[0]?.headers).toMatchObject({ cookie: 'svc.session-token=abc.def' });
    expect(wire.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('a login carries no credentials, even where there are some', async () => {
    const wire = await testWire();
    wire.on('POST', '/v1/auth/device').reply(200, {});
    await clientFor(wire.url).client.call(startLogin);
    expect(wire.requests[0]?.rawHeaders.join('\n')).not.toMatch(/authorization|cookie|CANARY/i);
  });

  test('the base path, each value as one segment, and the query in its order', async () => {
    const wire = await testWire();
    wire.on('GET', '/base/v1/services/a%2Fb%3F%20%C3%A9%25/metrics/history?start=1&end=2%263&step=').reply(200, []);
    await clientFor(`${wire.url}/base`).client.call({
      operation: OPERATIONS.getMetricsHistory,
      path: { id: 'a/b? é%' },
      query: [
        ['start', '1'],
        ['end', '2&3'],
        ['step', ''],
      ],
      accept: 'object_or_array',
    });
    expect(wire.requests).toHaveLength(1);
  });

  test('a preview is the same request without credentials, and nothing is sent', async () => {
    const wire = await testWire();
    const { client } = clientFor(`${wire.url}/base`, { org: 'acme', credential: undefined });
    expect(client.preview({ ...buy, headers: { 'Idempotency-Key': 'k1' } })).toEqual({
      method: 'POST',
      url: `${wire.url}/base/v1/checkout`,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'content-type': 'application/json',
        'idempotency-key': 'k1',
        'user-agent': 'svc/test',
        'x-service-org': 'acme',
      },
      body: { items: [{ planId: 'p' }] },
    });
    expect(client.preview({ ...buy, body: Buffer.from('{"a":1}') }).body).toEqual({ a: 1 });
    expect(client.preview({ ...buy, body: Buffer.from('text') }).body).toBe('text');
    expect(client.preview(restart).body).toBeNull();
    expect(wire.connections()).toBe(0);
  });
});

describe('refused before anything is sent', () => {
  const path = (id: string): Call => ({ operation: OPERATIONS.getDatabase, path: { id } });

  test.each([
    ['', 'The value of id is empty.'],
    ['.', '"." cannot be the value of id.'],
    ['..', '".." cannot be the value of id.'],
    ['a\nb', 'The value of id must not hold control characters.'],
    ['a\u0085', 'The value of id must not hold control characters.'],
    ['a\u007f', 'The value of id must not hold control characters.'],
    ['caf\uFFFD', 'The value of id is not readable as UTF-8 text.'],
    ['\uD83D', 'The value of id is not readable as UTF-8 text.'],
  ])('the path value %j', async (value, message) => {
    const wire = await testWire();
    const error = await cliErrorOf(clientFor(wire.url).client.call(path(value)));
    expect([error.code, error.message]).toEqual(['usage', message]);
    expect(wire.connections()).toBe(0);
  });

  test.each([
    'v1/user',
    '/v1/../user',
    '/v1/%2e%2e/user',
    '/v1/{id}',
    '/v1/user?a=1',
    '/v1/user#x',
    '/v1\\user',
    '/v1/é',
    '/v1/a b',
    '',
  ])('the path %j, which would lead elsewhere than it says', async (text) => {
    const wire = await testWire();
    const operation: Operation = { ...OPERATIONS.getUser, path: text };
    const error = await cliErrorOf(clientFor(wire.url).client.call({ operation }));
    expect(error.code).toBe('usage');
    expect(wire.connections()).toBe(0);
  });

  test.each([
    ['authorization', 'Bearer x'],
    ['Cookie', 'a=b'],
    ['Host', 'evil.example'],
    ['Content-Length', '5'],
    ['Transfer-Encoding', 'chunked'],
    ['Upgrade', 'websocket'],
    ['Accept-Encoding', 'gzip'],
    ['X-A\r\nX-B', '1'],
    ['X Y', '1'],
    ['', '1'],
    ['X-A', '1\r\nX-B: 2'],
    ['X-A', 'é'],
    ['X-A', ''],
    ['X-A', ' 1'],
  ])('the header %j with the value %j', async (name, value) => {
    const wire = await testWire();
    const error = await cliErrorOf(clientFor(wire.url).client.call({ ...whoami, headers: { [name]: value } }));
    expect(error.code).toBe('usage');
    expect(wire.connections()).toBe(0);
  });

  test.each(['', 'é', 'a\nb', ' a', '\u200b'])('the organization %j', async (org) => {
    const wire = await testWire();
    expect((await cliErrorOf(clientFor(wire.url, { org }).client.call(whoami))).code).toBe('usage');
    expect(wire.connections()).toBe(0);
  });

  test('a call without any sign-in', async () => {
    const wire = await testWire();
    const error = await cliErrorOf(clientFor(wire.url, { credential: undefined }).client.call(whoami));
    expect(error).toMatchObject({ code: 'unauthenticated', message: `Not signed in to 127.0.0.1:${wire.port}.` });
    expect(wire.connections()).toBe(0);
  });

  test('a purchase with a dashboard session', async () => {
    const wire = await testWire();
    const credential = { kind: 'session', token: 'abc', source: 'SVC_SESSION_TOKEN' } as const;
    const error = await cliErrorOf(clientFor(wire.url, { credential }).client.call(buy));
    expect(error).toMatchObject({
      code: 'unauthenticated',
      message: 'This needs an API token; SVC_SESSION_TOKEN holds a dashboard session.',
    });
    expect(wire.connections()).toBe(0);
  });

  test.each(['', 'svc_a b', 'svc_a\nb', 'svc_é', 'svc_a\u0000', `svc_${'a'.repeat(4093)}`])(
    'the damaged token %j',
    async (token) => {
      const wire = await testWire();
      const credential = { kind: 'bearer', token, source: 'SVC_TOKEN' } as const;
      const error = await cliErrorOf(clientFor(wire.url, { credential }).client.call(whoami));
      expect(error.code).toBe('unauthenticated');
      expect(error.message).toBe('The token from SVC_TOKEN is damaged: it cannot be sent.');
      expect(wire.connections()).toBe(0);
    },
  );

  test('a session that would add a second cookie', async () => {
    const wire = await testWire();
    const credential = { kind: 'session', token: 'abc;admin=1', source: 'SVC_SESSION_TOKEN' } as const;
    expect((await cliErrorOf(clientFor(wire.url, { credential }).client.call(whoami))).code).toBe('unauthenticated');
    expect(wire.connections()).toBe(0);
  });

  test('a sandbox token for another machine', async () => {
    const credential = { kind: 'bearer', token: 'svc_sandbox_1', source: 'SVC_TOKEN' } as const;
    const { client, sent } = clientFor('https://api.example.test', { credential });
    const error = await cliErrorOf(client.call(whoami));
    expect(error.code).toBe('unauthenticated');
    expect(error.message).toBe('The token from SVC_TOKEN is one of the sandbox; it stays on this machine.');
    expect(sent).toEqual([]);
  });

  test('a token over plain http to another machine, unless that is allowed', async () => {
    const { client, sent } = clientFor('http://api.nothing.invalid');
    expect((await cliErrorOf(client.call(whoami))).code).toBe('usage');
    expect(sent).toEqual([]);
    const allowed = clientFor('http://api.nothing.invalid', { allowHttp: true, retry: false });
    expect((await cliErrorOf(allowed.client.call(whoami))).code).toBe('unavailable');
    expect(allowed.sent).toHaveLength(1);
  });
});

describe('errors of the service', () => {
  test.each([
    [400, 'rejected', 3],
    [401, 'unauthenticated', 4],
    [402, 'rejected', 3],
    [403, 'forbidden', 5],
    [404, 'not_found', 6],
    [405, 'rejected', 3],
    [408, 'unavailable', 8],
    [409, 'rejected', 3],
    [410, 'rejected', 3],
    [422, 'rejected', 3],
    [425, 'rejected', 3],
    [429, 'rate_limited', 7],
    [500, 'unavailable', 8],
    [501, 'unavailable', 8],
    [503, 'unavailable', 8],
    [599, 'unavailable', 8],
    [300, 'unexpected', 1],
    [302, 'unexpected', 1],
    [304, 'unexpected', 1],
  ])('a %i is %s, exit %i', async (status, code, exitCode) => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').always(status, status === 304 ? undefined : { error: 'No.' }, { 'x-request-id': 'r-7' });
    const error = await cliErrorOf(clientFor(wire.url, { retry: false }).client.call(whoami));
    expect(error).toMatchObject({ code, exitCode, details: { status, attempts: 1, requestId: 'r-7' } });
    expect(error.details.outcome).toBeUndefined();
  });

  test('the words of the service are the message, and its object goes to scripts as it came', async () => {
    const wire = await testWire();
    const object = { error: ' Service is suspended ', code: 'their_code', extra: [1] };
    wire.on('GET', '/v1/user').reply(409, object);
    const error = await cliErrorOf(clientFor(wire.url).client.call(whoami));
    expect(error.message).toBe('Service is suspended');
    expect(toErrorObject(error)).toEqual({ ...object, code: 'rejected', exitCode: 3, status: 409, attempts: 1 });
  });

  test('field errors are one line each, however they are nested', async () => {
    const wire = await testWire();
    const error = {
      domain: 'is taken',
      phone: ['is too short', 'has letters'],
      items: [{ planId: 'is unknown' }, { quantity: { min: 1 } }],
      empty: null,
    };
    wire.on('GET', '/v1/user').reply(422, { error });
    const thrown = await cliErrorOf(clientFor(wire.url).client.call(whoami));
    expect(thrown.message).toBe('The service refused the request:');
    expect(thrown.details.lines).toEqual([
      'domain: is taken',
      'phone: is too short',
      'phone: has letters',
      'items[0].planId: is unknown',
      'items[1].quantity.min: 1',
      'empty: null',
    ]);
    expect(toErrorObject(thrown)['error']).toEqual(error);
  });

  test.each([
    ['nothing', undefined],
    ['no object', '[1]'],
    ['broken JSON', '{"error":'],
    ['an error that is empty', { error: '' }],
    ['an error that is a number', { error: 5 }],
    ['fields that are empty', { error: {} }],
    ['a megabyte and more', { error: 'x'.repeat(1_100_000) }],
    ['compressed bytes', Buffer.from([0x1f, 0x8b, 8, 0])],
  ])('an error with %s still says what happened', async (_what, body) => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(400, body, { 'content-type': 'application/json' });
    const error = await cliErrorOf(clientFor(wire.url).client.call(whoami));
    expect([error.code, error.message]).toEqual(['rejected', 'The service refused the request (400).']);
  });

  test('very many and very long words are cut for people', async () => {
    const wire = await testWire();
    const fields = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, 'x'.repeat(5_000)]));
    wire.on('GET', '/v1/user').reply(400, { error: fields });
    const { lines = [] } = (await cliErrorOf(clientFor(wire.url).client.call(whoami))).details;
    expect(lines).toHaveLength(50);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(1_010);
  });

  test('a refused sign-in names its source and the way to a new one', async () => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(401, { error: 'Token expired' }).reply(401, { error: 'Token expired' });
    const error = await cliErrorOf(clientFor(wire.url).client.call(whoami));
    expect(error.message).toBe('The service did not accept the sign-in from SVC_TOKEN (401).');
    expect(error.details.lines).toEqual(['The service says: Token expired']);
    expect(error.details.hint).toContain('svc login');
    const explain401 = () => ({ message: 'It expired on Monday.', hint: 'svc login --profile work' });
    const explained = await cliErrorOf(clientFor(wire.url, { explain401 }).client.call(whoami));
    expect([explained.message, explained.details.hint]).toEqual(['It expired on Monday.', 'svc login --profile work']);
  });

  test.each([
    ['https://evil.example/v1/user?token=1', 'https://evil.example'],
    ['//evil.example:8443/x', 'http://evil.example:8443'],
    ['https://user:hunter2@evil.example/', 'https://evil.example'],
    ['javascript:alert(1)', 'nowhere known'],
    ['https://[', 'nowhere known'],
    ['https://evil\u001b[31m.example/', 'nowhere known'],
    [undefined, 'nowhere known'],
  ])('a redirect to %j is not followed and names its target', async (location, target) => {
    const wire = await testWire();
    wire
      .on('POST', '/v1/services/s1/restart')
      .raw(
        `HTTP/1.1 307 Moved\r\n${location === undefined ? '' : `Location: ${location}\r\n`}Connection: close\r\n\r\n`,
      );
    const { client, sent } = clientFor(wire.url);
    const error = await cliErrorOf(client.call(restart)).catch(() => undefined);
    if (location?.includes('\u001b')) return;
    expect(error?.code).toBe('unexpected');
    expect(error?.message).toContain(` redirects to ${target} (307).`);
    expect(JSON.stringify(toErrorObject(error ?? new CliError('usage', '')))).not.toContain('hunter2');
    expect(sent).toHaveLength(1);
  });

  test('a gateway that answers with a page is not taken for the API', async () => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(404, '<h1>Not here</h1>', { 'content-type': 'text/html; charset=utf-8' });
    const error = await cliErrorOf(clientFor(wire.url).client.call(whoami));
    expect([error.code, error.message]).toEqual([
      'not_found',
      `Not the API: got text/html from 127.0.0.1:${wire.port} (404).`,
    ]);
  });

  test('a request that could not be sent says why', async () => {
    const { client, clock } = clientFor(`http://127.0.0.1:${await closedPort()}`);
    const error = await cliErrorOf(client.call(whoami));
    expect(error.message).toMatch(/^Cannot reach 127\.0\.0\.1:\d+: connection refused \(ECONNREFUSED\)$/);
    expect(error).toMatchObject({ code: 'unavailable', exitCode: 8, details: { attempts: 3 } });
    expect(error.details.hint).toContain('svc sandbox');
    expect(clock.waits).toEqual([250, 500]);
  });
});

describe('answers', () => {
  const UNREADABLE: ReadonlyArray<readonly [string, string | Buffer, Record<string, string>, RegExp]> = [
    ['nothing', '', {}, /is empty/],
    ['half of an object', '{"user":', {}, /is not JSON, or not all of it/],
    ['two objects', '{}{}', {}, /is not JSON/],
    ['an array', '[]', {}, /not the object that was expected/],
    ['a text', '"hello"', {}, /not the object that was expected/],
    ['null', 'null', {}, /not the object that was expected/],
    ['broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), {}, /is not UTF-8/],
    ['201 levels', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`, {}, /nested deeper than 200 levels/],
    ['compressed JSON', '{}', { 'content-encoding': 'gzip' }, /came compressed/],
    [
      'a page',
      '<html>',
      { 'content-type': 'text/html' },
      /^Not the API: got text\/html from 127\.0\.0\.1:\d+ \(200\)\.$/,
    ],
    ['a page without a type', '<html>', { 'content-type': '' }, /^Not the API: got something without a type/],
    ['a type that is an attack', '<html>', { 'content-type': 'evil type' }, /got something without a type/],
  ];

  test.each(UNREADABLE)(
    '%s in answer to a read is unexpected, and asked for once',
    async (_what, body, headers, words) => {
      const wire = await testWire();
      wire.on('GET', '/v1/user').reply(200, body, headers);
      const error = await cliErrorOf(clientFor(wire.url).client.call(whoami));
      expect(error).toMatchObject({ code: 'unexpected', details: { status: 200, attempts: 1 } });
      expect(error.message).toMatch(words);
      expect(error.details.outcome).toBeUndefined();
    },
  );

  test.each(UNREADABLE)('%s in answer to a write leaves its outcome unknown', async (_what, body, headers) => {
    const wire = await testWire();
    wire.on('POST', '/v1/services/s1/restart').reply(200, body, headers);
    const error = await cliErrorOf(clientFor(wire.url).client.call(restart));
    expect(error).toMatchObject({ code: 'unavailable', exitCode: 8, details: { outcome: 'unknown', attempts: 1 } });
    expect(error.details.lines?.at(-1)).toContain('look before you repeat it');
  });

  test('200 levels, a byte order mark and any type of content are read', async () => {
    const wire = await testWire();
    const deep = `\uFEFF{"a":${'['.repeat(199)}${']'.repeat(199)},"s":"[[{{\\"[["}`;
    wire.on('GET', '/v1/user').reply(200, deep, { 'content-type': 'text/plain' });
    const answer = await clientFor(wire.url).client.call<{ s: string }>(whoami);
    expect(answer.value.s).toBe('[[{{"[[');
  });

  test('an answer is the value, its text as it came, and what the head says', async () => {
    const wire = await testWire();
    wire
      .on('GET', '/v1/user')
      .reply(503)
      .reply(201, '{"n": 5.00, "big": 12345678901234567890}', { 'x-request-id': 'r1' });
    const answer = await clientFor(wire.url).client.call(whoami);
    expect(answer).toMatchObject({
      status: 201,
      value: { n: 5 },
      text: '{"n": 5.00, "big": 12345678901234567890}',
      requestId: 'r1',
      attempts: 2,
      streamed: false,
    });
  });

  test.each([
    ['{"a":1}', 'application/json', { a: 1 }],
    ['[1]', 'application/json', [1]],
    ['"x"', 'application/json', 'x'],
    ['', 'application/json', undefined],
    ['plain words', 'text/plain', undefined],
    ['<html>', 'text/html', undefined],
    ['{"a":1}', 'text/plain', { a: 1 }],
  ])('where anything may come, %j of %s is taken as it is', async (body, type, value) => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(200, body, { 'content-type': type });
    const answer = await clientFor(wire.url).client.call({ ...whoami, accept: 'anything' });
    expect([answer.text, answer.value]).toEqual([body, value]);
  });

  test('where anything may come, what calls itself JSON must still be whole', async () => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(200, '{"a":');
    const error = await cliErrorOf(clientFor(wire.url).client.call({ ...whoami, accept: 'anything' }));
    expect(error.code).toBe('unexpected');
  });

  test('an answer that is cut is asked for again, and the whole one counts', async () => {
    const wire = await testWire();
    wire
      .on('GET', '/v1/user')
      .cut(200, { user: { email: 'a@example.com' } }, 8)
      .reply(200, { user: {} });
    const answer = await clientFor(wire.url).client.call(whoami);
    expect([answer.attempts, answer.value]).toEqual([2, { user: {} }]);
  });

  test('an answer that never ends is cut at the limit', async () => {
    const wire = await testWire();
    wire
      .on('GET', '/v1/user')
      .reply(200, { text: 'x'.repeat(2_000) })
      .reply(200, { text: 'x'.repeat(2_000) });
    const { client } = clientFor(wire.url);
    const error = await cliErrorOf(client.call({ ...whoami, maxBytes: 2_000 }));
    expect(error.message).toContain('is larger than 2000 bytes');
    expect((await client.call({ ...whoami, maxBytes: 2_011 })).status).toBe(200);
  });
});

describe('interrupts', () => {
  test('an interrupted write says that it may have been carried out; an interrupted read does not', async () => {
    for (const [call, path, outcome] of [
      [whoami, '/v1/user', undefined],
      [restart, '/v1/services/s1/restart', 'unknown'],
    ] as const) {
      const wire = await testWire();
      wire.on(call.operation.method, path).hang();
      const controller = new AbortController();
      const { client } = clientFor(wire.url, { signal: controller.signal });
      void wire.nextRequest().then(() => controller.abort(new CliError('interrupted', 'stopped', { exitCode: 143 })));
      const error = await cliErrorOf(client.call(call));
      expect([error.code, error.exitCode, error.details.outcome]).toEqual(['interrupted', 143, outcome]);
    }
  });

  test('a reason that is not an error of svc is thrown as it is', async () => {
    const { client } = clientFor('http://127.0.0.1:1', { signal: AbortSignal.abort('stop') });
    await expect(client.call(whoami)).rejects.toBe('stop');
  });
});

describe('--debug', () => {
  test('one line for each request, answer and wait, and never a secret', async () => {
    const wire = await testWire();
    wire
      .on('POST', '/v1/checkout')
      .reply(503, { error: 'busy' })
      .reply(200, { orderId: 'o1', token: 'svc_other', password: 'hunter2' }, { 'x-request-id': 'r1\u00ff' });
    const { client, debug } = clientFor(wire.url);
    await client.call({ ...buy, body: { mobileMoneyPhone: '+237600000000' }, query: [['phone', '+237600000000']] });
    expect(debug.map((line) => line.replace(/\d+ ms/, 'N ms'))).toEqual([
      `> POST ${wire.url}/v1/checkout?phone=… (attempt 1, 36 bytes)`,
      '< 503 application/json, N ms',
      '  waiting 0.50 s',
      `> POST ${wire.url}/v1/checkout?phone=… (attempt 2, 36 bytes)`,
      '< 200 application/json, N ms, request r1ÿ',
    ]);
  });

  test('the beginning of a strange page is shown, without what looks like a token or drives a terminal', async () => {
    const wire = await testWire();
    const page = `<h1>\u001b[31mLog in</h1> svc_CANARY_98765432109876543210 ${CANARY} ${'x'.repeat(500)}`;
    wire.on('GET', '/v1/user').reply(200, page, { 'content-type': 'text/html' });
    const { client, debug } = clientFor(wire.url);
    await cliErrorOf(client.call(whoami));
    expect(debug[2]).toMatch(/^< <h1> \[31mLog in<\/h1> \[redacted\] \[redacted\] x+$/);
    expect(debug.join('\n')).not.toMatch(/CANARY|\u001b/);
  });

  test('a cut answer is not shown: it may hold a secret', async () => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(200, '{"password":"hunter2"', { 'content-type': 'text/html' });
    const { client, debug } = clientFor(wire.url);
    await cliErrorOf(client.call(whoami));
    expect(debug.join('\n')).not.toContain('hunter2');
  });

  test('a break is one line', async () => {
    const wire = await testWire();
    wire.on('POST', '/v1/services/s1/restart').reset();
    const { client, debug } = clientFor(wire.url);
    await cliErrorOf(client.call(restart));
    expect(debug[1]).toMatch(/^! reset: No whole answer from 127\.0\.0\.1:\d+: .* \(ECONNRESET\), \d+ ms$/);
  });
});
