import { expect, test } from 'vitest';
import type { Send } from '../../src/http/send.ts';
import { createSingleSend } from '../../src/http/single.ts';
import { attemptTimeoutError } from '../../src/http/transport-error.ts';
import { startDeviceLogin } from '../../src/sign-in/start.ts';
import { fakeClock } from '../support/clock.ts';
import { START } from '../support/device-login.ts';
import { testWire, type Wire } from '../support/wire.ts';

const PATH = '/v1/auth/device';

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
  wire.on('POST', `/base${PATH}`).reply(200, START);
  const apiUrl = `${wire.url}/base`;
  const { deviceCode } = START;
  expect((await start(apiUrl)).outcome).toMatchObject({ deviceCode, clientName: 'laptop', apiUrl });
  const { json, headers } = wire.requests[0] ?? {};
  expect(json).toEqual({ clientName: 'laptop' });
  const sent = { 'content-type': 'application/json', 'accept-encoding': 'identity', 'user-agent': 'svc/test' };
  expect(headers).toMatchObject(sent);
  expect(headers).not.toHaveProperty('authorization');
});

type Plan = ReturnType<Wire['on']>;
const OK = { deviceCode: START.deviceCode };
const limited = (seconds: string): [number, string, Record<string, string>] => [429, '', { 'retry-after': seconds }];
const down = { code: 'unavailable', details: { status: 500, attempts: 1, service: { error: 'down' } } };
const tooLong = { code: 'rate_limited', details: { retryAfterSeconds: 31, attempts: 2 } };
const elsewhere = { exitCode: 1, message: expect.stringContaining('redirects to https://evil.example (307).') };

test.each<[what: string, plan: (start: Plan) => unknown, outcome: object, waits: readonly number[], given?: Given]>([
  ['a reset, then busy', (start) => start.reset().reply(503).reply(200, START), OK, [500, 2000]],
  ['408', (start) => start.reply(408).reply(200, START), OK, [500]],
  ['425', (start) => start.reply(425).reply(200, START), OK, [500]],
  ['an answer that was cut', (start) => start.cut(200, START, 10).reply(200, START), OK, [500]],
  ['500 without retries', (start) => start.reply(500, { error: 'down' }), down, [], { retry: false }],
  [
    'Retry-After beyond a minute in all',
    (start) => start.reply(...limited('30')).reply(...limited('31')),
    tooLong,
    [33_000],
  ],
  ['no HTTP', (start) => start.raw('SSH-2.0-OpenSSH\r\n'), { code: 'unavailable' }, []],
  ['no time for a pause', (start) => start.reply(503).reply(503), { exitCode: 8 }, [1000], { timeoutMs: 2_500 }],
  ['a redirect', (start) => start.reply(307, '', { location: 'https://evil.example/' }), elsewhere, []],
])('a start that meets %s', async (_what, plan, outcome, waits, given = {}) => {
  const wire = await testWire();
  plan(wire.on('POST', PATH));
  const started = await start(wire.url, given);
  expect(started).toMatchObject({ outcome, waits });
  expect(started.said).toHaveLength(waits.length);
});

test('a start that is tried again says why and when; where nobody listens, the third try is the last', async () => {
  const wire = await testWire();
  wire.on('POST', PATH).reset().reply(503).reply(200, START);
  expect((await start(wire.url)).said).toEqual([
    expect.stringMatching(/^No complete answer from .* Retrying in 1 s \(2 of 3\)$/),
    'The platform is busy (503). Retrying in 2 s (3 of 3)',
  ]);
  await wire.close();
  const outcome = { code: 'unavailable', exitCode: 8, details: { attempts: 3 } };
  expect(await start(wire.url)).toMatchObject({ outcome, waits: [500, 1000] });
});

test.each([
  [200, '<html>', 1, 'is not complete JSON'],
  [200, '[]', 1, 'is JSON, but not the object that was expected'],
  [200, { error: 'nope', deviceCode: 'svc_CANARY_2' }, 3, 'refused the login: nope (HTTP 200).'],
  [400, { error: 'no', deviceCode: 'svc_CANARY_2' }, 3, 'refused the login: no (HTTP 400).'],
])('HTTP %i with %j is final: exit %i, and only its error is told', async (status, body, exitCode, message) => {
  const wire = await testWire();
  wire.on('POST', PATH).reply(status, body);
  const { outcome, waits } = await start(wire.url);
  expect([outcome, waits]).toMatchObject([{ exitCode, message: expect.stringContaining(message) }, []]);
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
