import { expect, test } from 'vitest';
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

interface Given {
  readonly retry?: boolean;
  readonly send?: Send;
  readonly timeoutMs?: number;
}

async function start(apiUrl: string, { retry = true, send = createSingleSend(), timeoutMs = 90_000 }: Given = {}) {
  const clock = fakeClock();
  const said: string[] = [];
  const outcome = await startDeviceLogin({
    ...{ send, apiUrl, clock, retry, timeoutMs },
    userAgent: 'svc/test',
    clientName: 'laptop',
    random: () => 1,
    signal: new AbortController().signal,
    onRetry: (text) => void said.push(text()),
  }).catch((error: unknown) => error);
  return { outcome, waits: clock.waits, said };
}

test('a login is started without credentials, with the name of this machine, below the base address', async () => {
  const wire = await testWire();
  wire.on('POST', `/base${START}`).reply(200, STARTED);
  const apiUrl = `${wire.url}/base`;
  expect((await start(apiUrl)).outcome).toMatchObject({ deviceCode: 'dev_1', clientName: 'laptop', apiUrl });
  const { json, headers } = wire.requests[0] ?? {};
  expect(json).toEqual({ clientName: 'laptop' });
  const sent = { 'content-type': 'application/json', 'accept-encoding': 'identity', 'user-agent': 'svc/test' };
  expect(headers).toMatchObject(sent);
  expect(headers).not.toHaveProperty('authorization');
});

type Plan = ReturnType<Wire['on']>;
const OK = { deviceCode: 'dev_1' };
const limited = (seconds: string): [number, string, Record<string, string>] => [429, '', { 'retry-after': seconds }];
const down = { code: 'unavailable', details: { status: 500, attempts: 1, service: { error: 'down' } } };

test.each<[what: string, plan: (start: Plan) => unknown, outcome: object, waits: readonly number[], given?: Given]>([
  ['a reset, then busy', (start) => start.reset().reply(503).reply(200, STARTED), OK, [500, 2000]],
  ['408', (start) => start.reply(408).reply(200, STARTED), OK, [500]],
  ['425', (start) => start.reply(425).reply(200, STARTED), OK, [500]],
  ['an answer that was cut', (start) => start.cut(200, STARTED, 10).reply(200, STARTED), OK, [500]],
  ['500 without retries', (start) => start.reply(500, { error: 'down' }), down, [], { retry: false }],
  [
    'Retry-After, up to a minute in all',
    (start) => start.reply(...limited('30')).reply(...limited('31')),
    { code: 'rate_limited', details: { retryAfterSeconds: 31, attempts: 2 } },
    [33_000],
  ],
  ['no HTTP', (start) => start.raw('SSH-2.0-OpenSSH\r\n'), { code: 'unavailable' }, []],
  ['no time for a pause', (start) => start.reply(503).reply(503), { exitCode: 8 }, [1000], { timeoutMs: 2_500 }],
])('a start that meets %s', async (_what, plan, outcome, waits, given = {}) => {
  const wire = await testWire();
  plan(wire.on('POST', START));
  const started = await start(wire.url, given);
  expect(started).toMatchObject({ outcome, waits });
  expect(started.said).toHaveLength(waits.length);
});

test('a start that is tried again says why and when; where nobody listens, the third try is the last', async () => {
  const wire = await testWire();
  wire.on('POST', START).reset().reply(503).reply(200, STARTED);
  expect((await start(wire.url)).said).toEqual([
    expect.stringMatching(/^No complete answer from .* Retrying in 1 s \(2 of 3\)$/),
    'The platform is busy (503). Retrying in 2 s (3 of 3)',
  ]);
  await wire.close();
  const outcome = { code: 'unavailable', exitCode: 8, details: { attempts: 3 } };
  expect(await start(wire.url)).toMatchObject({ outcome, waits: [500, 1000] });
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
  const outcome = { exitCode, message: expect.stringContaining(message) };
  expect(await start(wire.url)).toMatchObject({ outcome, waits: [] });
});

test.each([
  [{ error: { clientName: 'is too long' } }, { lines: ['clientName: is too long'] }],
  [{ error: 'no', deviceCode: 'svc_CANARY_2' }, { service: { error: 'no' } }],
])('of the answer %j, only its error is told', async (body, details) => {
  const wire = await testWire();
  wire.on('POST', START).reply(400, body);
  const { outcome } = await start(wire.url);
  expect(outcome).toMatchObject({ details });
  expect(JSON.stringify([outcome, String(outcome)])).not.toContain('CANARY');
});

test('a start that is not answered in the time for all tries is not tried again', async () => {
  const limits: number[] = [];
  const send: Send = async ({ timeoutMs }) => {
    limits.push(timeoutMs);
    throw attemptTimeoutError('example.com', timeoutMs);
  };
  const started = await start('https://example.com', { timeoutMs: 300, send });
  expect(started).toMatchObject({ outcome: { exitCode: 8, details: { attempts: 1 } }, waits: [] });
  expect(limits).toEqual([300]);
});
