import { expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import type { Send } from '../../src/http/send.ts';
import { createSingleSend } from '../../src/http/single.ts';
import { attemptTimeoutError } from '../../src/http/transport-error.ts';
import { startDeviceLogin } from '../../src/sign-in/start.ts';
import { fakeClock } from '../support/clock.ts';
import { testWire, type Wire } from '../support/wire.ts';

const STARTED = {
  deviceCode: 'dev_1',
  userCode: 'WDJB-MJHT',
  verificationUri: 'https://example.com/device',
  expiresIn: 900,
  interval: 5,
};
const START = '/v1/auth/device';

async function start(wire: Wire | string, options: { retry?: boolean; send?: Send; timeoutMs?: number } = {}) {
  const clock = fakeClock();
  const said: string[] = [];
  const outcome = await startDeviceLogin({
    send: options.send ?? createSingleSend(),
    apiUrl: typeof wire === 'string' ? wire : wire.url,
    userAgent: 'svc/test',
    clientName: 'laptop',
    clock,
    random: () => 1,
    signal: new AbortController().signal,
    retry: options.retry ?? true,
    timeoutMs: options.timeoutMs ?? 90_000,
    onRetry: (text) => void said.push(text()),
  }).catch((error: unknown) => error);
  return { outcome, pauses: clock.waits, said };
}

test('a login is started without credentials, with the name of this machine', async () => {
  const wire = await testWire();
  wire.on('POST', START).reply(200, STARTED);
  expect((await start(wire)).outcome).toMatchObject({ deviceCode: 'dev_1', clientName: 'laptop', apiUrl: wire.url });
  expect(wire.requests[0]?.json).toEqual({ clientName: 'laptop' });
  expect(wire.requests[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'svc/test',
  });
  expect(wire.requests[0]?.headers).not.toHaveProperty('authorization');
});

test('the path of the base address is kept', async () => {
  const wire = await testWire();
  wire.on('POST', '/base/v1/auth/device').reply(200, STARTED);
  expect((await start(`${wire.url}/base`)).outcome).toMatchObject({ userCode: 'WDJB-MJHT' });
});

test('a start is tried three times, and says why and when', async () => {
  const wire = await testWire();
  wire.on('POST', START).reset().reply(503).reply(200, STARTED);
  const { outcome, pauses, said } = await start(wire);
  expect(outcome).toMatchObject({ deviceCode: 'dev_1' });
  expect(pauses).toEqual([500, 2000]);
  expect(said).toEqual([
    expect.stringMatching(/^No complete answer from .* Retrying in 1 s \(2 of 3\)$/),
    'The platform is busy (503). Retrying in 2 s (3 of 3)',
  ]);
});

test.each([408, 425])('a start that is answered with %i is tried again', async (status) => {
  const wire = await testWire();
  wire.on('POST', START).reply(status).reply(200, STARTED);
  expect(await start(wire)).toMatchObject({ outcome: { deviceCode: 'dev_1' }, pauses: [500] });
});

test('an answer that was cut is asked for again', async () => {
  const wire = await testWire();
  wire.on('POST', START).cut(200, STARTED, 10).reply(200, STARTED);
  const { outcome, said } = await start(wire);
  expect(outcome).toMatchObject({ deviceCode: 'dev_1' });
  expect(said).toEqual([expect.stringMatching(/^No complete answer from .* \(2 of 3\)$/)]);
});

test('without retries there is one attempt', async () => {
  const wire = await testWire();
  wire.on('POST', START).reply(500, { error: 'down' });
  const { outcome, pauses } = await start(wire, { retry: false });
  expect(outcome).toMatchObject({
    code: 'unavailable',
    details: { status: 500, attempts: 1, service: { error: 'down' } },
  });
  expect(pauses).toEqual([]);
});

test('where nobody listens, the third try is the last', async () => {
  const wire = await testWire();
  await wire.close();
  expect(await start(wire)).toMatchObject({
    outcome: { code: 'unavailable', exitCode: 8, details: { attempts: 3 } },
    pauses: [500, 1000],
  });
});

test('Retry-After is waited for up to a minute in all, a longer one is reported', async () => {
  const wire = await testWire();
  wire.on('POST', START).reply(429, '', { 'retry-after': '30' }).reply(429, '', { 'retry-after': '31' });
  const { outcome, pauses } = await start(wire);
  expect(pauses).toEqual([33_000]);
  expect(outcome).toMatchObject({ code: 'rate_limited', details: { retryAfterSeconds: 31, attempts: 2 } });
});

test.each([
  [404, { error: 'Not found' }, 6, 'There is no device login at'],
  [405, '', 3, 'There is no device login at'],
  [400, { error: 'bad name' }, 3, 'refused the login: bad name (HTTP 400).'],
  [401, { error: 'who?' }, 4, 'refused the login: who? (HTTP 401).'],
  [403, { error: 'no' }, 5, 'refused the login: no (HTTP 403).'],
  [307, '', 1, 'redirects to https://evil.example (307).'],
  [200, '<html>', 1, 'is not complete JSON'],
  [200, 'ok', 1, 'is not complete JSON'],
  [200, '[]', 1, 'is JSON, but not the object that was expected'],
  [200, { error: 'nope' }, 3, 'refused the login: nope (HTTP 200).'],
  [200, { userCode: 'x' }, 1, 'it has no deviceCode'],
])('HTTP %i with %j is final: exit %i', async (status, body, exitCode, message) => {
  const wire = await testWire();
  wire.on('POST', START).reply(status, body, { location: 'https://evil.example/' });
  const { outcome, pauses } = await start(wire);
  expect(outcome).toBeInstanceOf(CliError);
  expect(outcome).toMatchObject({ exitCode });
  expect((outcome as CliError).message).toContain(message);
  expect(pauses).toEqual([]);
});

test('fields that are refused are named one by one', async () => {
  const wire = await testWire();
  wire.on('POST', START).reply(400, { error: { clientName: 'is too long' } });
  expect((await start(wire)).outcome).toMatchObject({ details: { lines: ['clientName: is too long'] } });
});

test('what is not HTTP ends the start at once', async () => {
  const wire = await testWire();
  wire.on('POST', START).raw('SSH-2.0-OpenSSH\r\n');
  expect(await start(wire)).toMatchObject({ outcome: { code: 'unavailable' }, pauses: [] });
});

test('of the answer that refuses, only its error is kept for scripts', async () => {
  const wire = await testWire();
  wire.on('POST', START).reply(400, { error: 'no', deviceCode: 'svc_CANARY_2' });
  const { outcome } = await start(wire);
  expect(outcome).toMatchObject({ details: { service: { error: 'no' } } });
  expect(JSON.stringify([outcome, String(outcome)])).not.toContain('CANARY');
});

test('a start that is not answered in the time for all tries ends with it, and is not tried again', async () => {
  const limits: number[] = [];
  const send: Send = async ({ timeoutMs }) => {
    limits.push(timeoutMs);
    throw attemptTimeoutError('example.com', timeoutMs);
  };
  const { outcome, pauses } = await start('https://example.com', { timeoutMs: 300, send });
  expect(outcome).toMatchObject({ exitCode: 8, details: { attempts: 1 } });
  expect(limits).toEqual([300]);
  expect(pauses).toEqual([]);
});

test('a pause that the time for all tries does not allow is not waited for', async () => {
  const wire = await testWire();
  wire.on('POST', START).reply(503).reply(503);
  expect(await start(wire, { timeoutMs: 2_500 })).toMatchObject({ outcome: { exitCode: 8 }, pauses: [1000] });
});
