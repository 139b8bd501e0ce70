import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { CliError } from '../../src/errors.ts';
import { BUY, CANARY, cliErrorOf, clientFor, RESTART, sendTo, WHOAMI } from '../support/client.ts';
import { testWire } from '../support/wire.ts';

const START_LOGIN = { operation: OPERATIONS.startDeviceLogin, body: { clientName: 'x' } };
const COMMON = {
  accept: 'application/json',
  'accept-encoding': 'identity',
  'user-agent': 'svc/test',
};
const TOKEN = { ...COMMON, authorization: `Bearer ${CANARY}` };
const AS_JSON = { 'content-type': 'application/json' };
const SESSION = { kind: 'session', token: 'abc.def', source: 'SVC_SESSION_TOKEN' } as const;
const KEYED = { ...BUY, headers: { 'Idempotency-Key': 'k1' } };

test.each([
  [
    'a body: JSON that says so',
    KEYED,
    {},
    { ...TOKEN, ...AS_JSON, 'content-length': '27', 'idempotency-key': 'k1' },
    '{"items":[{"planId":"p"}]}',
  ],
  ['a write without a body: no type', RESTART, {}, { ...TOKEN, 'content-length': '0' }, ''],
  [
    'a dashboard session: its cookie',
    WHOAMI,
    { credential: SESSION },
    { ...COMMON, cookie: 'svc.session-token=abc.def' },
    '',
  ],
  [
    'a login: no credentials',
    START_LOGIN,
    {},
    { ...COMMON, ...AS_JSON, 'content-length': '18' },
    '{"clientName":"x"}',
  ],
])('a request carries nothing else than, for %s', async (_what, call, more, headers, body) => {
  const { wire } = await sendTo([[200, {}]], call, more);
  const { 'content-length': length, ...own } = headers as Record<string, string>;
  const lengths = length === undefined ? {} : { 'content-length': String(body.length) };
  const host = { host: `127.0.0.1:${wire.port}`, connection: 'close' };
  expect(wire.requests).toMatchObject([{ body }]);
  expect(wire.requests[0]?.headers).toEqual({ ...own, ...lengths, ...host });
});

test('the base path, each value as one segment, and the query in its order', async () => {
  const wire = await testWire();
  wire
    .on('GET', '/base/v1/services/a%2Fb%3F%20%C3%A9%25/metrics/history?start=1&end=2%263&step=')
    .reply(200, []);
  const query = Object.entries({ start: '1', end: '2&3', step: '' });
  const call = { operation: OPERATIONS.getMetricsHistory, path: { id: 'a/b? é%' }, query };
  await clientFor(`${wire.url}/base`).client.call({ ...call, accept: 'object_or_array' });
  expect(wire.requests).toHaveLength(1);
});

test.each([
  ['read does not', WHOAMI, undefined],
  ['write does', RESTART, 'unknown'],
])('an interrupted %s say that it may have been carried out', async (_what, call, outcome) => {
  const wire = await testWire();
  wire.on(call.operation.method, call.operation.path.replace('{id}', 's1')).hang();
  const controller = new AbortController();
  void wire
    .nextRequest()
    .then(() => controller.abort(new CliError('interrupted', 'stopped', { exitCode: 143 })));
  const error = await cliErrorOf(
    clientFor(wire.url, { signal: controller.signal }).client.call(call),
  );
  expect([error.code, error.exitCode, error.details.outcome]).toEqual([
    'interrupted',
    143,
    outcome,
  ]);
});

test('a write that is interrupted before the connection is open was not carried out', async () => {
  const wire = await testWire();
  const controller = new AbortController();
  const { client } = clientFor(wire.url, { signal: controller.signal });

  const sending = cliErrorOf(client.call(RESTART));
  controller.abort(new CliError('interrupted', 'stopped'));
  const error = await sending;

  expect(error.code).toBe('interrupted');
  expect(error.details.outcome).toBeUndefined();
  expect(wire.requests).toHaveLength(0);
});

test('--debug: one line for each request, answer and wait, and never a secret', async () => {
  const wire = await testWire();
  wire.on('POST', '/v1/checkout').reply(503, { error: 'busy' }).reply(200, { token: 'svc_other' });
  const { client, debug } = clientFor(wire.url);
  await client.call({
    ...BUY,
    body: { mobileMoneyPhone: '+237600000000' },
    query: [['phone', '+237600000000']],
  });
  expect(debug.map((line) => line.replace(/\d+ ms/, 'N ms'))).toEqual([
    `> POST ${wire.url}/v1/checkout?phone=… (attempt 1, 36 bytes)`,
    '< 503 application/json, N ms',
    '  waiting 0.50 s',
    `> POST ${wire.url}/v1/checkout?phone=… (attempt 2, 36 bytes)`,
    '< 200 application/json, N ms',
  ]);
});

test('--debug shows the beginning of a strange page, not a cut answer, and no token or secret of either', async () => {
  const page = `<h1>\u001b[31mLog in</h1> svc_CANARY_98765432109876543210 ${CANARY} ${'x'.repeat(500)}`;
  const html = { 'content-type': 'text/html' };
  const { debug } = await sendTo([[200, page, html]], WHOAMI);
  expect(debug[2]).toMatch(/^< <h1> \[31mLog in<\/h1> \[redacted\] \[redacted\] x+$/);
  const cut = await sendTo([[200, '{"password":"hunter2"', html]], WHOAMI);
  expect([...debug, ...cut.debug].join('\n')).not.toMatch(/CANARY|\u001b|hunter2/);
});
