import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createRedactor } from '../../../src/api/redact.ts';
import { reportError } from '../../../src/cli/define/report.ts';
import { CliError, type ErrorCode, type ErrorDetails } from '../../../src/errors.ts';
import { createIo } from '../../../src/terminal/io.ts';
import { against } from '../../support/against.ts';
import { START } from '../../support/device-login.ts';
import { IO_DEFAULTS } from '../../support/io.ts';
import { storedSignIn, writeSignIns } from '../../support/stored.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';
import { written } from '../../support/written.ts';

const PHONE = '+237670000042';

test('an error object stays JSON if the platform repeats a secret as a number or a name', async () => {
  const answer = { error: 'odd', phone: Number(PHONE), [PHONE]: { is: `no ${PHONE}` } };
  const run = await against(`buy --plan p --network mtn --phone ${PHONE} --yes --json`, {
    'POST /v1/checkout': [[422, answer]],
  });
  expect(run.error).toMatchObject({
    error: 'odd',
    phone: '[redacted]',
    '+[redacted]': { is: 'no +[redacted]' },
  });
});

test('the platform cannot set what svc says of an error', async () => {
  const answer = {
    error: 'odd',
    outcome: 'unknown',
    next: ['rm -rf /'],
    code: 'theirs',
    exitCode: 0,
  };
  const { error } = await against('whoami --json', { 'GET /v1/user': [[422, answer]] });
  expect(error).toEqual({ error: 'odd', code: 'rejected', exitCode: 3, status: 422, attempts: 1 });
});

test.each([
  ['DEVICE\u200b\u202e"CODE"\u0007-é-0123456789', '--json', {}],
  // The line breaks at spaces.
  ['DEVICE '.repeat(30).trim(), '--quiet', { terminal: { columns: 40, rows: 20 } }],
])(
  'a secret that the platform repeats is hidden: %j with %s',
  async (deviceCode, flag, options) => {
    const answers = {
      'POST /v1/auth/device': [{ ...START, deviceCode }],
      'POST /v1/auth/device/token': [
        [400, { error: `no login has the code ${deviceCode} any more` }] as const,
      ],
    };
    const run = await against(`login --no-browser ${flag}`, answers, { token: null, ...options });
    expect(run).toMatchObject({ exitCode: 9, stderr: expect.stringContaining('[redacted]') });
    expect(run.shown).not.toMatch(/DEVICE|"CODE|0123456789/);
  },
);

test.each([
  'SVC_TOKEN',
  'SVC_SESSION_TOKEN',
  'SVC_SESSION_TOKEN beside SVC_TOKEN',
  'a stored sign-in',
])(
  'a token that no request carries is hidden where something else than the platform repeats it (%s)',
  async (source) => {
    const wire = await testWire();
    const secret = 'CANARY-0123456789abcdef';
    wire.on('GET', '/v1/user').reply(200, '<p>', { 'content-type': `text/${secret}` });
    const configDir = await temporaryFolder();
    const isStored = source === 'a stored sign-in';
    if (isStored) writeSignIns(configDir, { ...storedSignIn('work', wire.url), token: secret });
    const [name = '', other = name] = source.split(' beside ');
    const env = isStored ? {} : { [other]: 'svc_other', [name]: ` ${secret} ` };
    const { shown } = await svc(['doctor'], { url: wire.url, token: null, configDir, env });
    expect(shown).toContain('answered with text/[redacted] instead of the API (200)');
    expect(shown).not.toContain('CANARY');
  },
);

/** What stands on stderr of an error. */
async function reported(error: CliError, { isTTY = false, secret = '', debug = false } = {}) {
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 80 });
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr };
  const redactor = createRedactor();
  redactor.add(secret);
  const io = createIo({
    ...IO_DEFAULTS,
    ...streams,
    env: { NO_COLOR: '1' },
    platform: 'linux',
  });
  await reportError(io, error, { json: false, debug, redact: redactor.redact });
  return written(stderr);
}

test('a secret is redacted before its invisible characters are escaped, and a message stays on its line', async () => {
  const secret = 'se\u200bcret\u0007';
  const error = new CliError('failed', `It was ${secret}.\n    at two`, { lines: [secret] });
  const shown = await reported(error, { secret, debug: true });
  expect(shown).toContain('Error: It was [redacted].\\u{a}    at two\n  [redacted]\n');
  expect(shown).toMatch(/\n {4}at .*\.ts:\d+/);
  expect(shown).not.toMatch(/cret|^ *at two/m);
});

test.each<[code: ErrorCode, details: ErrorDetails, pipe: string, terminal: string]>([
  ['no_data', {}, 'Error: It is so.\n', 'Try: svc help no_data\n'],
  ['alert', {}, 'Alert: It is so.\n', ''],
  ['usage', { isCancelled: true }, 'It is so.\n', ''],
  ['rejected', { hint: 'svc link <id>' }, 'Error: It is so.\n  svc link <id>\n', ''],
  ['rejected', { hint: 'svc orgs' }, 'Error: It is so.\nTry: svc orgs\n', ''],
  [
    'rejected',
    { lines: ['phone: missing'] },
    'Error: It is so.\n  phone: missing\n',
    'Try: svc help rejected\n',
  ],
])(
  '%s with %j is shown so, and on a terminal leads on if nothing else does',
  async (code, details, pipe, more) => {
    const error = new CliError(code, 'It is so.', details);
    expect(await reported(error)).toBe(pipe);
    expect(await reported(error, { isTTY: true })).toBe(pipe + more);
  },
);

test.each([
  [404, false, ''],
  [404, true, 'Request: req_1\n'],
  [503, false, 'Request: req_1\n'],
])(
  'of a %i with --debug %s, the id of the request is shown so: %j',
  async (status, debug, line) => {
    const error = new CliError('unavailable', 'It is so.', { status, requestId: 'req_1' });

    expect(await reported(error, { debug })).toMatch(new RegExp(`Error: It is so\\.\n${line}$`));
  },
);

test('people see whom a request is for and its key, and no other header', async () => {
  const env = { SVC_API_URL: 'http://127.0.0.1:9', SVC_ORG: 'acme' };
  const words = 'buy --plan p --network mtn --phone +237670000042 --idempotency-key k-1 --dry-run';
  const { stdout } = await svc(words.split(' '), { env });

  expect(stdout).toMatch(/^POST .*\n {2}x-service-org {4}acme\n {2}idempotency-key {2}k-1\n\n\{/m);
});
