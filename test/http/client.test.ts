import { describe, expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { toJsonText } from '../../src/json/raw-json.ts';
import type { Call } from '../../src/service/call.ts';
import { OPERATIONS } from '../../src/spec/operations.ts';
import { CANARY, cliErrorOf, clientFor } from '../support/client.ts';
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
    const exact = '{"a":12345678901234567890,"b":1.10}';
    expect(toJsonText(client.preview({ ...buy, body: Buffer.from(exact) }).body)).toBe(exact);
    for (const text of ['text', '['.repeat(201) + ']'.repeat(201)]) {
      expect(client.preview({ ...buy, body: Buffer.from(text) }).body).toBe(text);
    }
    expect(client.preview(restart).body).toBeNull();
    expect(wire.connections()).toBe(0);
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
