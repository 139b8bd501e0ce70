import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { CliError, type ErrorCode, type ErrorDetails } from '../../src/errors.ts';
import { reportError } from '../../src/kit/report.ts';
import { createRedactor } from '../../src/service/redact.ts';
import { createIo } from '../../src/terminal/io.ts';
import { against } from '../support/against.ts';
import { START } from '../support/device-login.ts';
import { storedSignIn, writeSignIns } from '../support/stored.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';
import { written } from '../support/written.ts';

const PHONE = '+237670000042';
const BUY = `buy --plan plan_wp_pro --network mtn --phone ${PHONE} --yes`;

test('with --debug the stack keeps what the platform says on one line', async () => {
  const error = 'one\n    at two (three.js:1:1)\r\n::four';
  const { stderr } = await against('whoami --debug', { 'GET /v1/user': [[422, { error }]] });
  const [head] = stderr.split('\n').filter((line) => line.startsWith('CliError: '));
  expect(head).toContain('one\\u{a}    at two (three.js:1:1)\\u{d}\\u{a}::four');
  expect(stderr).toMatch(/\n {4}at .*\.ts:\d+/);
  expect(stderr).not.toMatch(/^(?: *at two|::four)/m);
});

test('an error object stays JSON if the platform repeats a secret as a number or a name', async () => {
  const answer = { error: 'odd', phone: Number(PHONE), [PHONE]: { is: `no ${PHONE}` } };
  const run = await against(`${BUY} --json`, { 'POST /v1/checkout': [[422, answer]] });
  expect(run.error).toMatchObject({ error: 'odd', phone: '[redacted]', '+[redacted]': { is: 'no +[redacted]' } });
});

test('the platform cannot set what svc says of an error', async () => {
  const answer = { error: 'odd', outcome: 'unknown', next: ['rm -rf /'], code: 'theirs', exitCode: 0 };
  const { error } = await against('whoami --json', { 'GET /v1/user': [[422, answer]] });
  expect(error).toEqual({ error: 'odd', code: 'rejected', exitCode: 3, status: 422, attempts: 1 });
});

test('the details of an error are sentences in the JSON form too', async () => {
  const line = `${BUY} --no-retry --idempotency-key k1 --json`;
  const { error } = await against(line, { 'POST /v1/checkout': [[500, {}]] });
  const key = 'If the platform honours this key, it will not place the order twice: k1;';
  const look = 'Or look the order up, and settle it: svc orders settle k1 --not-placed';
  expect(error['error']).toContain(` (500). The order may exist. ${key} ${look}`);
});

const EVERY_CHARACTER = 'DEVICE\u200b\u202e"CODE"\u0007-é-0123456789';
const WITH_SPACES = Array.from({ length: 30 }, () => 'DEVICE').join(' ');
test.each([
  [EVERY_CHARACTER, '', {}],
  [EVERY_CHARACTER, ' --json', {}],
  [EVERY_CHARACTER, ' --debug', {}],
  // The line breaks at spaces.
  [WITH_SPACES, ' --quiet', { terminal: { columns: 40, rows: 20 } }],
])('a secret that the platform repeats is hidden: %j with%s', async (deviceCode, flags, options) => {
  const error = `no login has the code ${deviceCode} any more`;
  const answers = {
    'POST /v1/auth/device': [{ ...START, deviceCode }],
    'POST /v1/auth/device/token': [[400, { error }] as const],
  };
  const run = await against(`login --no-browser${flags}`, answers, { token: null, ...options });
  expect(run.exitCode).toBe(9);
  expect(run.stderr).toContain('[redacted]');
  expect(run.shown).not.toMatch(/DEVICE|"CODE|0123456789/);
});

test('secrets that the platform repeats are redacted from login events, which stay JSON', async () => {
  const code = '":"DEVICE-CODE';
  const token = 'svc_CANARY_9876543210';
  const answers = {
    'POST /v1/auth/device': [{ ...START, deviceCode: code, userCode: code }],
    'POST /v1/auth/device/token': [{ token, tokenId: token, user: { email: `${code}@example.com` } }],
  };
  const { exitCode, stdout } = await against('login --json', answers, { token: null });
  const events = stdout.trimEnd().split('\n');
  expect([exitCode, ...events.map((line) => JSON.parse(line))]).toMatchObject([
    0,
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
    const { shown } = await svc(['doctor'], { url: wire.url, token: null, configDir, env });
    expect(shown).toContain('answers with text/[redacted] (200)');
    expect(shown).not.toContain('CANARY');
  },
);

/** What stands on stderr of an error. */
async function reported(
  error: CliError,
  { isTTY = false, columns = 80, env = {}, secret = '', json = false, debug = false } = {},
) {
  const stderr = Object.assign(new PassThrough(), { isTTY, columns });
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr };
  const redactor = createRedactor();
  redactor.add(secret);
  const io = createIo({ ...streams, env: { NO_COLOR: '1', ...env }, platform: 'linux' });
  await reportError(io, error, { json, debug, redact: redactor.redact });
  return written(stderr);
}

test('a secret is redacted before its invisible characters are escaped', async () => {
  const secret = 'se\u200bcret\u0007';
  const error = new CliError('failed', `It was ${secret}.`, { lines: [secret] });
  const shown = await reported(error, { secret, debug: true });
  expect(shown).toContain('Error: It was [redacted].\n  [redacted]\n');
  expect(shown).not.toContain('cret');
});

test('on a terminal, an error writes ~ for the home folder; its commands and a pipe have the whole path', async () => {
  const home = await temporaryFolder();
  const message = `Cannot save the token in ${home}/.config: full. Not ${home}-old, not /x${home}/y.`;
  const run = [`svc link '${home}/my app'`];
  const error = new CliError('usage', message, { hint: { say: `Look at "${home}/a".`, run } });
  const options = { columns: 500, env: { HOME: home } };
  const short = `Error: ${message.replace(home, '~')}\n  Look at "~/a".\nTry: ${run}\n`;
  expect(await reported(error, { ...options, isTTY: true })).toBe(short);
  expect(await reported(error, options)).toBe(`Error: ${message}\n  Look at "${home}/a".\nTry: ${run}\n`);
});

const DETAILS = { lines: ['phone: missing'], requestId: 'req_1' };
test.each<[code: ErrorCode, details: ErrorDetails, pipe: string, terminal: string]>([
  ['no_data', {}, 'Error: It is so.\n', 'Try: svc help no_data\n'],
  ['alert', {}, 'Alert: It is so.\n', ''],
  ['still_running', {}, 'It is so.\n', ''],
  ['interrupted', {}, 'It is so.\n', ''],
  ['usage', {}, 'Error: It is so.\n', ''],
  ['usage', { isCancelled: true }, 'It is so.\n', ''],
  ['rejected', { hint: 'Pay with mtn.' }, 'Error: It is so.\n  Pay with mtn.\n', ''],
  ['rejected', { hint: 'svc link <id>' }, 'Error: It is so.\n  svc link <id>\n', ''],
  ['rejected', { hint: 'svc orgs' }, 'Error: It is so.\nTry: svc orgs\n', ''],
  ['rejected', DETAILS, 'Error: It is so.\n  phone: missing\nRequest: req_1\n', 'Try: svc help rejected\n'],
])('%s with %j is shown so, and on a terminal leads on if nothing else does', async (code, details, pipe, more) => {
  const error = new CliError(code, 'It is so.', details);
  expect(await reported(error)).toBe(pipe);
  const shown = await reported(error, { isTTY: true });
  expect(shown.replace(more, '')).toBe(pipe);
  expect(shown.includes('svc help')).toBe(more !== '');
  if (more !== '') expect(JSON.parse(await reported(error, { isTTY: true, json: true }))).not.toHaveProperty('next');
});
