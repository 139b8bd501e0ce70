import { expect, test } from 'vitest';
import { toErrorObject } from '../../src/errors.ts';
import type { Call } from '../../src/http/call.ts';
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

test.each([
  ['what is not found may be in another organization', restart, 404, {}, /^svc orgs/],
  ['a list has no organization to look for', whoami, 404, {}, undefined],
  ['a service in trouble is asked later', whoami, 500, {}, /^the same command again in a few minutes$/],
  ['a service that says when is asked then', whoami, 503, { 'retry-after': '600' }, /^the same command in 10 minutes$/],
  ['a write that may have happened is not simply repeated', restart, 503, { 'retry-after': '600' }, undefined],
])('the next step: %s', async (_name, call, status, headers, hint) => {
  const wire = await testWire();
  const path = call === whoami ? '/v1/user' : '/v1/services/s1/restart';
  wire.on(call === whoami ? 'GET' : 'POST', path).always(status, { error: 'Sorry.' }, headers);
  const error = await cliErrorOf(clientFor(wire.url, { retry: false }).client.call(call));
  if (hint === undefined) expect(error.details.hint).toBeUndefined();
  else expect(error.details.hint).toMatch(hint);
});

test('a service in trouble is named with its status, because its words may say little', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').always(500, { error: 'Internal error' });
  const error = await cliErrorOf(clientFor(wire.url, { retry: false }).client.call(whoami));
  expect(error.message).toBe('The service has a problem (500): Internal error');
});
