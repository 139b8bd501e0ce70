import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Answer, type Answers, against } from '../support/against.ts';
import { fakeClock } from '../support/clock.ts';
import { approvingService, ISSUED, START, START_SHOWN } from '../support/device-login.ts';
import { holdLock } from '../support/held-lock.ts';
import { readSignIns, writeNamesSeen } from '../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';
import { send } from '../support/wire-plan.ts';

/** A terminal without escape sequences; svc asks in one line. */
const DUMB = { env: { TERM: 'dumb' }, terminal: { columns: 100, rows: 30 } };
const flat = (text: string) => text.replace(/\s+/g, ' ');
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Runs a login whose polls are answered like this. */
async function login(words: string, polls: readonly Answer[] = [ISSUED], options: RunOptions = {}, more: Answers = {}) {
  const configDir = options.configDir ?? (await temporaryFolder());
  const answers = { 'POST /v1/auth/device': [START], 'POST /v1/auth/device/token': polls, ...more };
  const run = await against(`login ${words}`, answers, { token: null, random: () => 0, ...options, configDir });
  return Object.assign(run, { configDir });
}

const PENDING: Answer = [400, { error: 'authorization_pending' }];

test('a login shows the code, waits as asked, and stores the token for its address alone', async () => {
  const run = await login('--name marie-laptop', [PENDING, [400, { error: 'slow_down' }], ISSUED]);
  expect([run.exitCode, run.stdout]).toEqual([0, '']);
  expect(run.waits.reduce((sum, one) => sum + one, 0)).toBe(1_000 + 1_000 + 6_000);
  const [start, ...asked] = run.sent.map(({ json, headers }) => [json, headers['authorization']]);
  expect(start).toEqual([{ clientName: 'marie-laptop' }, undefined]);
  expect(asked).toEqual(Array(3).fill([{ deviceCode: 'DEVICE-CODE-SECRET' }, undefined]));
  expect(statSync(join(run.configDir, 'credentials.json')).mode & 0o777).toBe(0o600);
  const [{ token, baseUrl } = { token: '', baseUrl: '' }] = readSignIns(run.configDir).credentials;
  expect(token).toBe(ISSUED.token);
  expect(run.stderr.replaceAll(run.configDir, '<config>').replaceAll(baseUrl, '<url>')).toBe(`${START_SHOWN}\
Waiting for approval...
✓ Signed in as marie@example.com
  Organization  org_1
  Valid until   30 May 2026
  Stored in     <config>/credentials.json
`);
});

test('--json prints one event a line, also filtered, and no secret, even if the platform repeats it', async () => {
  const email = `${ISSUED.token}@${START.deviceCode}`;
  const run = await login('--json --debug', [{ ...ISSUED, user: { email } }], { env: { CI: '1' } });
  expect(run.exitCode).toBe(0);
  expect(linesOf(run.stdout)).toMatchObject([
    { event: 'login_pending', userCode: 'WDJB-MJHT', interval: 1, clientName: 'marie-laptop' },
    { event: 'login_succeeded', tokenId: 'tok_9' },
  ]);
  expect(run.shown).not.toMatch(/CANARY|DEVICE-CODE/);
  const { url } = await approvingService();
  const filtered = await svc(['login', '--jq', '.userCode // .tokenId'], { url, token: null, clock: fakeClock() });
  expect(filtered).toMatchObject({ exitCode: 0, stdout: 'WDJB-MJHT\ntok_9\n', stderr: '' });
});

test.each<[words: string, said: string, env?: Record<string, string>]>([
  ['--with-token --complete', '--with-token and --complete cannot be used together.'],
  ['--complete --no-wait', '--complete and --no-wait cannot be used together.'],
  ['--with-token --print-token', '--with-token has nothing to print.'],
  ['--no-wait --print-token', '--no-wait has no token to print'],
  ['--print-token --json', '--print-token prints the bare token, which --json never shows.'],
  ['--name=', '--name is empty.'],
  ['--with-token --name x', '--name cannot be used with --with-token.'],
  ['--complete --name x', '--name cannot be used with --complete.'],
  ['', 'There is nobody to approve a login in CI. Set SVC_TOKEN.', { CI: 'true' }],
  ['', 'Cannot save credentials in /proc/svc: no such file', { SVC_CONFIG_DIR: '/proc/svc' }],
  ['--no-wait', 'in /proc/svc', { SVC_CONFIG_DIR: '/proc/svc' }],
  ['', 'svc login --api-url https://api.example.com   sign in, and remember it', { SVC_API_URL: '' }],
])('login %s is refused before anything is sent: %s', async (words, said, env = {}) => {
  const run = await against(`login ${words}`, {}, { token: null, env });
  expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(said), sent: [] });
});

test.each(['SVC_TOKEN', 'SVC_TOKEN_FILE', 'SVC_SESSION_TOKEN'])('a login says that %s wins over it', async (name) => {
  const run = await login('', [ISSUED], { env: { [name]: 'svc_CANARY_env' } });
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain(`Warning: ${name} is set and will be used instead of this login.\n`);
  expect(run.stderr).not.toContain('CANARY');
});

test('--print-token prints the token on stdout alone, also where nothing can be saved', async () => {
  const run = await login('--print-token', [ISSUED], { env: { SVC_CONFIG_DIR: '/proc/svc' } });
  expect(run).toMatchObject({ exitCode: 0, stdout: `${ISSUED.token}\n` });
  const said = 'The token is not stored. Token tok_9 Organization org_1 Valid until 30 May 2026';
  expect(flat(run.stderr)).toContain(said);
  expect(run.stderr).not.toContain('CANARY');
});

test('what people are warned of reaches scripts as lines of JSON: a damaged file, and a token that has expired', async () => {
  const said = ['The token expired on 18 Feb 2026.', 'The credentials file was damaged; it is now'];
  for (const words of ['', '--json']) {
    const configDir = await temporaryFolder();
    writeFileSync(join(configDir, 'credentials.json'), '{"version":1,', { mode: 0o600 });
    const { exitCode, stderr } = await login(words, [{ ...ISSUED, expiresAt: '2026-02-18T12:00:00Z' }], { configDir });
    expect(exitCode, stderr).toBe(0);
    for (const text of said) expect(stderr).toContain(text);
    const warnings = said.map((text) => ({ warning: expect.stringContaining(text), code: 'login_doubtful' }));
    if (words === '--json') expect(linesOf(stderr)).toEqual(warnings);
  }
});

test('what breaks on the way is tried again, and said', async () => {
  const lost = await login('', ['reset', 'reset', PENDING, ISSUED]);
  const said = 'Still waiting: network problem (ECONNRESET), retrying\nWaiting for approval again.\n';
  expect([lost.exitCode, lost.stderr]).toEqual([0, expect.stringContaining(said)]);
});

test('a terminal shows the organization that the token belongs to, not the active one of the account', async () => {
  const [alpha, beta] = ['Alpha', 'Beta'].map((name) => ({ id: `org_${name}`, name: `${name} Ltd` }));
  const account = { 'GET /v1/user': [{ organization: alpha, organizations: [alpha, beta] }] };
  const shown = async (organizationId: string | undefined, more: Answers) =>
    /Organization.*/.exec((await login('', [{ ...ISSUED, organizationId }], DUMB, more)).stderr)?.[0];
  expect(await shown('org_Beta', account)).toBe('Organization  Beta Ltd (org_Beta)');
  // A token that names none shows none, as in a pipe.
  expect(await shown(undefined, {})).toBeUndefined();
});

test('an interrupt while the sign-in waits in its journal for a lock says where it is', async () => {
  const configDir = await temporaryFolder();
  onTestFinished(holdLock(configDir, 'credentials.json'));
  let interrupt = (_signal: 'SIGINT') => {};
  const clock = fakeClock(new Date().toISOString());
  clock.onSleep(() => readdirSync(configDir).some((name) => isFull(join(configDir, name))) && interrupt('SIGINT'));
  const isFull = (path: string) => path.endsWith('.json') && readFileSync(path, 'utf8').includes('CANARY');
  const run = await login('', [ISSUED], { configDir, clock, onStart: (send) => (interrupt = send) });
  expect(run.exitCode).toBe(130);
  expect(run.stderr).toMatch(/Interrupted\. The sign-in is kept in \S+login-\S+\.json and used from there\.\n/);
  expect(run.stderr).not.toContain('CANARY');
});

test.each<[what: string, isApproved: boolean, said: string]>([
  [
    'just before the token arrives: it is still stored',
    true,
    'Approved just before you cancelled: signed in as marie@',
  ],
  ['twice: what may exist at the platform is named', false, 'a token named "marie-laptop" may exist'],
])('Ctrl-C %s', async (_what, isApproved, said) => {
  const wire = await testWire();
  wire.on('POST', '/v1/auth/device').reply(200, START);
  let interrupt = (_signal: 'SIGINT') => {};
  wire.on('POST', '/v1/auth/device/token').act(({ response }) => {
    interrupt('SIGINT');
    if (isApproved) send(response, 200, ISSUED);
    else interrupt('SIGINT');
  });
  const configDir = await temporaryFolder();
  const run = await svc(['login'], { url: wire.url, token: null, configDir, onStart: (send) => (interrupt = send) });
  expect([run.exitCode, flat(run.stderr)]).toEqual([130, expect.stringContaining(said)]);
  expect(readdirSync(configDir)).toHaveLength(isApproved ? 1 : 0);
});

test.each(['types', 'picks'])('a person %s the address that nothing names', async (does) => {
  const wire = await approvingService();
  wire.on('GET', '/v1/user').always(200, {});
  const configDir = await temporaryFolder();
  if (does === 'picks') writeNamesSeen(configDir, { [wire.url]: {} });
  // The scheme need not be typed.
  const stdin = does === 'picks' ? '1\n' : `http://api.example.com\n${wire.url.replace('http://', '')}\n`;
  const run = await svc(['login', '--no-browser'], { ...DUMB, configDir, stdin, clock: fakeClock() });
  expect(run.exitCode, run.shown).toBe(0);
  const typed = ['svc sandbox lets you try everything on this machine.', 'is plain http'];
  for (const text of does === 'picks' ? ['2. Enter an address…'] : typed) expect(flat(run.stderr)).toContain(text);
});

test('a person may type a token that they have; it is not shown', async () => {
  const user = { 'GET /v1/user': [{ user: { email: 'marie@example.com' } }] };
  const run = await against('login --with-token', user, { ...DUMB, token: null, stdin: `${ISSUED.token}\n` });
  expect(run).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Signed in as marie@example.com') });
  expect(run.sent[0]?.headers['authorization']).toBe(`Bearer ${ISSUED.token}`);
  expect(run.shown).not.toContain('CANARY');
});
