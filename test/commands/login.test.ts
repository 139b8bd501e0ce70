import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Answer, against } from '../support/against.ts';
import { ISSUED, START } from '../support/device-login.ts';
import { readSignIns } from '../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';
import { send } from '../support/wire-plan.ts';

const flat = (text: string) => text.replace(/\s+/g, ' ');
const linesOf = (text: string) => text.match(/.+/g)?.map((line) => JSON.parse(line));

/** Runs a login whose polls are answered like this. */
async function login(words: string, polls: readonly Answer[], options: RunOptions = {}) {
  const configDir = options.configDir ?? (await temporaryFolder());
  const answers = { 'POST /v1/auth/device': [START], 'POST /v1/auth/device/token': polls };
  const run = await against(`login ${words}`, answers, {
    token: null,
    random: () => 0,
    ...options,
    configDir,
  });
  return Object.assign(run, { configDir });
}

test('a login shows the code, waits as asked, and stores the token for its address alone', async () => {
  const waits = ['authorization_pending', 'slow_down'].map((error): Answer => [400, { error }]);
  const run = await login('--name marie-laptop', [...waits, ISSUED]);
  expect([run.exitCode, run.stdout]).toEqual([0, '']);
  expect(run.waits.reduce((sum, one) => sum + one, 0)).toBe(1_000 + 1_000 + 6_000);
  const [start, ...asked] = run.sent.map(({ json, headers }) => [json, headers['authorization']]);
  expect(start).toEqual([{ clientName: 'marie-laptop' }, undefined]);
  expect(asked).toEqual(Array(3).fill([{ deviceCode: 'DEVICE-CODE-SECRET' }, undefined]));
  expect(statSync(join(run.configDir, 'credentials.json')).mode & 0o777).toBe(0o600);
  const [stored] = readSignIns(run.configDir).credentials;
  expect(stored).toMatchObject({
    token: ISSUED.token,
    baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
  });
  for (const text of ['WDJB-MJHT', START.verificationUriComplete])
    expect(run.stderr).toContain(text);
});

test('--json prints one event a line, and no secret, even if the platform repeats it', async () => {
  const email = `${ISSUED.token}@${START.deviceCode}`;
  const run = await login('--json --debug', [{ ...ISSUED, user: { email } }], { env: { CI: '1' } });
  expect(run.exitCode).toBe(0);
  expect(linesOf(run.stdout)).toMatchObject([
    { event: 'login_pending', userCode: 'WDJB-MJHT', interval: 1, clientName: 'marie-laptop' },
    { event: 'login_succeeded', tokenId: 'tok_9' },
  ]);
  expect(run.shown).not.toMatch(/CANARY|DEVICE-CODE/);
});

test.each<[words: string, said: string, env?: Record<string, string>]>([
  ['--complete --no-wait', '--complete and --no-wait cannot be used together.'],
  ['--no-wait --print-token', '--no-wait and --print-token cannot be used together.'],
  ['--print-token --json', '--print-token prints the bare token, which --json never shows.'],
  ['--complete --name x', '--name cannot be used with --complete.'],
  ['', 'There is nobody to approve a login in CI. Set SVC_TOKEN.', { CI: 'true' }],
  ['', 'Cannot save credentials in /proc/svc', { SVC_CONFIG_DIR: '/proc/svc' }],
  ['--no-wait', 'Cannot save credentials in /proc/svc', { SVC_CONFIG_DIR: '/proc/svc' }],
  [
    '',
    'svc login --api-url https://api.example.com   sign in, and remember it',
    { SVC_API_URL: '' },
  ],
])('login %s is refused before anything is sent: %s', async (words, said, env = {}) => {
  const run = await against(`login ${words}`, {}, { token: null, env });
  expect(run).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining(said),
    sent: [],
  });
});

test('--print-token prints the token on stdout alone, also where nothing can be saved', async () => {
  const run = await login('--print-token', [ISSUED], { env: { SVC_CONFIG_DIR: '/proc/svc' } });
  expect(run).toMatchObject({ exitCode: 0, stdout: `${ISSUED.token}\n` });
  expect(flat(run.stderr)).toContain('The token is not stored. Token tok_9');
  expect(run.stderr).not.toContain('CANARY');
});

test('scripts are warned in JSON: of a variable that wins, a damaged file, and a token that has expired', async () => {
  const configDir = await temporaryFolder();
  writeFileSync(join(configDir, 'credentials.json'), '{"version":1,', { mode: 0o600 });
  const expired = { ...ISSUED, expiresAt: '2026-02-18T12:00:00Z' };
  const { exitCode, stderr } = await login('--json', [expired], {
    configDir,
    env: { SVC_SESSION_TOKEN: 'svc_CANARY' },
  });
  expect(exitCode, stderr).toBe(0);
  expect(linesOf(stderr)).toEqual([
    {
      warning: 'SVC_SESSION_TOKEN is set and will be used instead of this login.',
      code: 'login_overridden',
    },
    { warning: 'The token expired on 18 Feb 2026.', code: 'login_doubtful' },
    {
      warning: expect.stringContaining('The credentials file was damaged; it is now'),
      code: 'login_doubtful',
    },
  ]);
});

test('an interrupt just before the token arrives: it is still stored', async () => {
  const wire = await testWire();
  wire.on('POST', '/v1/auth/device').reply(200, START);
  let interrupt = (_signal: 'SIGINT') => {};
  wire.on('POST', '/v1/auth/device/token').act(({ response }) => {
    interrupt('SIGINT');
    send(response, 200, ISSUED);
  });
  const configDir = await temporaryFolder();
  const run = await svc(['login'], {
    url: wire.url,
    token: null,
    configDir,
    onStart: (send) => (interrupt = send),
  });
  expect([run.exitCode, readSignIns(configDir).credentials.length]).toEqual([130, 1]);
  expect(flat(run.stderr)).toContain('Approved just before you cancelled: signed in as marie@');
});
