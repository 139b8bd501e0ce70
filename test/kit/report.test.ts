import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { CliError, type ErrorCode } from '../../src/errors.ts';
import { reportError } from '../../src/kit/report.ts';
import { createRedactor } from '../../src/service/redact.ts';
import { createIo } from '../../src/terminal/io.ts';
import { fakeClock } from '../support/clock.ts';
import { storedSignIn, writeSignIns } from '../support/stored.ts';
import { type Run, type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';
import { written } from '../support/written.ts';

const PHONE = '+237670000042';
const BUY = ['buy', '--plan', 'plan_wp_pro', '--network', 'mtn', '--phone', PHONE, '--yes'];

/** A login whose service repeats the device code in its refusal. */
async function refusedLogin(deviceCode: string, flags: readonly string[], more: RunOptions = {}): Promise<Run> {
  const wire = await testWire();
  const start = {
    deviceCode,
    userCode: 'WDJB-MJHT',
    verificationUri: 'https://example.com/d',
    expiresIn: 900,
    interval: 1,
  };
  wire.on('POST', '/v1/auth/device').reply(200, start);
  wire.on('POST', '/v1/auth/device/token').reply(400, { error: `no login has the code ${deviceCode} any more` });
  return svc(['login', '--no-browser', ...flags], { url: wire.url, token: null, clock: fakeClock(), ...more });
}

test('with --debug the stack keeps what the platform says on one line', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(422, { error: 'one\n    at two (three.js:1:1)\r\n::four' });
  const { stderr } = await svc(['whoami', '--debug'], { url: wire.url });
  const [head] = stderr.split('\n').filter((line) => line.startsWith('CliError: '));
  expect(head).toContain('one\\u{a}    at two (three.js:1:1)\\u{d}\\u{a}::four');
  expect(stderr).toMatch(/\n {4}at .*\.ts:\d+/);
  expect(stderr).not.toMatch(/^(?: *at two|::four)/m);
});

test('an error object stays JSON if the platform repeats a secret as a number or a name', async () => {
  const wire = await testWire();
  wire.on('POST', '/v1/checkout').reply(422, { error: 'odd', phone: Number(PHONE), [PHONE]: { is: `no ${PHONE}` } });
  const run = await svc([...BUY, '--json'], { url: wire.url });
  expect(run.error).toMatchObject({ error: 'odd', phone: '[redacted]', '+[redacted]': { is: 'no +[redacted]' } });
});

test('the details of an error are sentences in the JSON form too', async () => {
  const wire = await testWire();
  wire.on('POST', '/v1/checkout').reply(500, {});
  const { error } = await svc([...BUY, '--no-retry', '--idempotency-key', 'k1', '--json'], { url: wire.url });
  expect(error).toMatchObject({
    error: expect.stringMatching(
      / \(500\)\. The order may exist\. If the platform honours this key, it will not place the order twice: k1; Or look the order up, and settle it: svc orders settle k1 --not-placed/,
    ),
  });
});

test('a secret with spaces is hidden, although the line breaks at spaces', async () => {
  const deviceCode = Array.from({ length: 30 }, (_, index) => `part${index}`).join(' ');
  const run = await refusedLogin(deviceCode, ['--quiet'], { terminal: { columns: 40, rows: 20 } });
  expect(run.exitCode).toBe(9);
  expect(run.stderr).toContain('[redacted]');
  expect(run.stderr).not.toContain('part');
});

test.each([[[]], [['--json']], [['--debug']]])(
  'a secret with characters that nobody sees is hidden (%j)',
  async (flags) => {
    const run = await refusedLogin('DEVICE\u200b\u202e"CODE"\u0007-é-0123456789', flags);
    expect(run.exitCode).toBe(9);
    expect(run.stderr).toContain('[redacted]');
    expect(run.stdout + run.stderr).not.toMatch(/DEVICE|CODE|0123456789/);
  },
);

test('secrets that the platform repeats are redacted from login events, which stay JSON', async () => {
  const wire = await testWire();
  const deviceCode = '":"DEVICE-CODE';
  const start = { deviceCode, userCode: deviceCode, expiresIn: 900, interval: 1 };
  const user = { email: `${deviceCode}@example.com` };
  wire.on('POST', '/v1/auth/device').reply(200, { ...start, verificationUri: 'https://example.com/device' });
  wire
    .on('POST', '/v1/auth/device/token')
    .reply(200, { token: 'svc_CANARY_9876543210', tokenId: 'svc_CANARY_9876543210', user });
  const run = await svc(['login', '--json'], { url: wire.url, token: null, clock: fakeClock() });
  expect(run.exitCode, run.stderr).toBe(0);
  const events = run.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events).toMatchObject([
    { event: 'login_pending', userCode: '[redacted]' },
    { event: 'login_succeeded', tokenId: '[redacted]', user: { email: '[redacted]@example.com' } },
  ]);
});

test.each(['SVC_TOKEN', 'SVC_SESSION_TOKEN', 'a stored sign-in'])(
  'a token that no request carries is hidden where something else than the platform repeats it (%s)',
  async (source) => {
    const wire = await testWire();
    const secret = 'CANARY-0123456789abcdef';
    wire.on('GET', '/v1/user').reply(200, '<p>', { 'content-type': `text/${secret}` });
    const configDir = await temporaryFolder();
    const isStored = source === 'a stored sign-in';
    if (isStored) writeSignIns(configDir, { ...storedSignIn('work', wire.url), token: secret });
    const env = isStored ? {} : { [source]: ` ${secret} ` };
    const run = await svc(['doctor'], { url: wire.url, token: null, configDir, env });
    expect(run.stdout).toContain('answers with text/[redacted] (200)');
    expect(run.stdout + run.stderr).not.toContain('CANARY');
  },
);

test('a secret is redacted before its invisible characters are escaped', async () => {
  const stderr = new PassThrough();
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr };
  const redactor = createRedactor();
  redactor.add('se\u200bcret\u0007');
  const error = new CliError('failed', 'It was se\u200bcret\u0007.', { lines: ['se\u200bcret\u0007'] });
  await reportError(createIo({ ...streams, env: {}, platform: 'linux' }), error, {
    json: false,
    debug: true,
    redactor,
  });
  const shown = written(stderr);
  expect(shown).toContain('Error: It was [redacted].\n  [redacted]\n');
  expect(shown).not.toContain('cret');
});

test('on a terminal, an error writes ~ for the home folder; its commands and a pipe have the whole path', async () => {
  const home = await temporaryFolder();
  const message = `Cannot save the token in ${home}/.config: full. Not ${home}-old, not /x${home}/y.`;
  const run = [`svc link '${home}/my app'`];
  const report = async (isTTY: boolean) => {
    const stderr = Object.assign(new PassThrough(), { isTTY, columns: 500 });
    const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr };
    const error = new CliError('usage', message, { hint: { say: `Look at "${home}/a".`, run } });
    const options = { json: false, debug: false, redactor: createRedactor() };
    await reportError(createIo({ ...streams, env: { HOME: home, NO_COLOR: '1' }, platform: 'linux' }), error, options);
    return written(stderr);
  };
  expect(await report(true)).toBe(`Error: ${message.replace(home, '~')}\n  Look at "~/a".\nTry: ${run}\n`);
  expect(await report(false)).toBe(`Error: ${message}\n  Look at "${home}/a".\nTry: ${run}\n`);
});

test.each<[code: ErrorCode, shown: string]>([
  ['failed', 'Error: It is so.\n'],
  ['no_data', 'Error: It is so.\n'],
  ['alert', 'Alert: It is so.\n'],
  ['still_running', 'It is so.\n'],
  ['interrupted', 'It is so.\n'],
])('what is no mistake is not shown as one: %s', async (code, shown) => {
  const stderr = new PassThrough();
  const io = createIo({ stdin: new PassThrough(), stdout: new PassThrough(), stderr, env: {}, platform: 'linux' });
  const options = { json: false, debug: false, redactor: createRedactor() };
  await reportError(io, new CliError(code, 'It is so.', { outcome: 'unknown' }), options);
  expect(written(stderr)).toBe(shown);
});

describe('an error without a next step of its own', () => {
  const report = async (error: CliError, isTTY: boolean, json = false) => {
    const stderr = Object.assign(new PassThrough(), { isTTY, columns: 80 });
    const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr };
    const io = createIo({ ...streams, env: { NO_COLOR: '1' }, platform: 'linux' });
    await reportError(io, error, { json, debug: false, redactor: createRedactor() });
    return written(stderr);
  };

  test('leads to the entry of its code, on a terminal', async () => {
    const error = new CliError('rejected', 'Refused.', { lines: ['phone: missing'], requestId: 'req_1' });
    expect(await report(error, true)).toBe(
      'Error: Refused.\n  phone: missing\nTry: svc help rejected\nRequest: req_1\n',
    );
    expect(await report(error, false)).toBe('Error: Refused.\n  phone: missing\nRequest: req_1\n');
    expect(JSON.parse(await report(error, true, true))).not.toHaveProperty('next');
  });

  test.each([
    ['has a hint', new CliError('rejected', 'Refused.', { hint: 'Pay with mobile_money.' })],
    ['is about the command line', new CliError('usage', 'Refused.')],
    ['has its reason in the answer', new CliError('failed', 'Refused.')],
    ['is an alarm', new CliError('alert', 'Refused.')],
    ['was cancelled', new CliError('usage', 'Refused.', { isCancelled: true })],
  ])('but not one that %s', async (_, error) => {
    expect(await report(error, true)).not.toContain('svc help');
  });
});
