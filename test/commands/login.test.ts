import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { type Answer, against } from '../support/against.ts';
import { fakeClock } from '../support/clock.ts';
import { ISSUED, START, START_SHOWN } from '../support/device-login.ts';
import { holdLock } from '../support/held-lock.ts';
import { readSignIns } from '../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const TOKEN = 'svc_CANARY_0123456789abcdef';

/** Runs a login whose polls are answered like this. */
async function login(
  words: string,
  polls: readonly Answer[] = [ISSUED],
  options: RunOptions = {},
  start: object = START,
) {
  const configDir = options.configDir ?? (await temporaryFolder());
  const answers = { 'POST /v1/auth/device': [start], 'POST /v1/auth/device/token': polls };
  const run = await against(`login ${words}`, answers, { token: null, random: () => 0, ...options, configDir });
  return Object.assign(run, { configDir, files: () => readdirSync(configDir) });
}

const error = (value: string): Answer => [400, { error: value }];

test('a login shows the code, waits as asked, and stores the token for its address alone', async () => {
  const polls = [error('authorization_pending'), error('slow_down'), ISSUED];
  const run = await login('--name marie-laptop', polls);
  expect([run.exitCode, run.stdout]).toEqual([0, '']);
  // slow_down makes the polling slower.
  expect(run.waits.reduce((sum, one) => sum + one, 0)).toBe(1_000 + 1_000 + 6_000);
  const [start, ...asked] = run.sent.map(({ json, headers }) => [json, headers['authorization']]);
  expect(start).toEqual([{ clientName: 'marie-laptop' }, undefined]);
  expect(asked).toEqual(Array(3).fill([{ deviceCode: 'DEVICE-CODE-SECRET' }, undefined]));
  const file = join(run.configDir, 'credentials.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toContain(ISSUED.token);
  const url = String(readSignIns(run.configDir).credentials[0]?.baseUrl);
  expect(run.stderr.replaceAll(run.configDir, '<config>').replaceAll(url, '<url>')).toBe(`${START_SHOWN}\
Waiting for approval...
✓ Signed in as marie@example.com
  Organization  org_1
  Valid until   30 May 2026
  Stored in     <config>/credentials.json
`);
  const elsewhere = await against('whoami --json', {}, { configDir: run.configDir, token: null });
  expect(elsewhere).toMatchObject({ exitCode: 4, error: { code: 'unauthenticated' }, sent: [] });
});

test('--json prints one event a line, also filtered, and neither the device code nor the token', async () => {
  const run = await login('--json', [ISSUED], { env: { CI: '1' } });
  const events = run.stdout.trimEnd().split('\n');
  expect(events.map((line) => JSON.parse(line))).toMatchObject([
    { event: 'login_pending', userCode: 'WDJB-MJHT', interval: 1, clientName: 'marie-laptop' },
    { event: 'login_succeeded', user: { email: 'marie@example.com' }, tokenId: 'tok_9' },
  ]);
  expect(run.shown).not.toMatch(/CANARY|DEVICE-CODE/);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  const filtered = await against(
    ['login', '--jq', '.userCode // .tokenId'],
    {
      'POST /v1/auth/device': [START],
      'POST /v1/auth/device/token': [ISSUED],
    },
    { token: null },
  );
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
])('login %s is refused before anything is sent', async (words, said, env = {}) => {
  const run = await against(`login ${words}`, {}, { token: null, env });
  expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(said), sent: [] });
});

test.each([[''], ['--profile work']])('login %s without any address asks for one', async (words) => {
  const run = await svc(['login', ...words.split(' ').filter(Boolean)]);
  const said = 'svc login --api-url https://api.example.com   sign in, and remember it';
  expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(said) });
});

test.each(['SVC_TOKEN', 'SVC_TOKEN_FILE', 'SVC_SESSION_TOKEN'])('a login says that %s wins over it', async (name) => {
  const run = await login('', [ISSUED], { env: { [name]: 'svc_CANARY_env' } });
  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain(`Warning: ${name} is set and will be used instead of this login.\n`);
  expect(run.stderr).not.toContain('CANARY');
});

test('the name on the approval page is the one given, without control characters', async () => {
  const words = ['login', '--name', `a\u001b[2J\u202eb${'x'.repeat(100)}`];
  const answers = { 'POST /v1/auth/device': [START], 'POST /v1/auth/device/token': [ISSUED] };
  const { sent, stderr } = await against(words, answers, { token: null });
  const clientName = `a [2J b${'x'.repeat(56)}…`;
  expect(sent[0]?.json).toEqual({ clientName });
  expect(stderr.replace(/\s+/g, ' ')).toContain(`the device is ${clientName}`);
});

test('a code that could drive the terminal is shown harmless, and a link of another site is left out', async () => {
  const links = { verificationUriComplete: 'https://evil.example/?code=1' };
  const { stderr } = await login('', [ISSUED], {}, { ...START, ...links, userCode: 'A\u001b]0;x\u0007B' });
  expect(stderr).not.toMatch(/[\u001b\u0007]|evil\.example/);
  expect(stderr).toContain('A\\u{1b}]0;x\\u{7}B');
});

test('--print-token prints the token on stdout alone, and writes no file', async () => {
  const run = await login('--print-token');
  expect(run).toMatchObject({ exitCode: 0, stdout: `${ISSUED.token}\n` });
  const said = 'The token is not stored. Token tok_9 Organization org_1 Valid until 30 May 2026';
  expect(run.stderr.replace(/\s+/g, ' ')).toContain(said);
  expect(run.stderr).not.toContain('CANARY');
  expect(run.files()).toEqual([]);
});

test('what people are warned of reaches scripts as lines of JSON: a damaged file, and a token that has expired', async () => {
  const expired = { ...ISSUED, expiresAt: '2026-02-18T12:00:00Z' };
  for (const words of ['', '--json']) {
    const configDir = await temporaryFolder();
    writeFileSync(join(configDir, 'credentials.json'), '{"version":1,', { mode: 0o600 });
    const run = await login(words, [expired], { configDir });
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.files()).toContainEqual(expect.stringMatching(/^credentials\.json\.corrupt-20260301T120/));
    const said = ['The token expired on 18 Feb 2026.', 'The credentials file was damaged; it is now'];
    for (const text of said) expect(run.stderr).toContain(text);
    if (words === '') continue;
    const warnings = run.stderr.trimEnd().split('\n');
    expect(warnings.map((line) => JSON.parse(line))).toEqual(
      said.map((text) => ({ warning: expect.stringContaining(text), code: 'login_doubtful' })),
    );
  }
});

test('--timeout applies to a platform that does not answer the start of a login', async () => {
  const wire = await testWire();
  wire.on('POST', '/v1/auth/device').hang();
  const run = await svc(['login', '--no-browser', '--timeout', '3s'], { url: wire.url, token: null });
  expect([run.exitCode, wire.requests.length]).toEqual([8, 1]);
});

test('an answer that svc cannot read is in no file and on no stream, and the error says that a token may exist', async () => {
  const odd = { accessToken: TOKEN, refreshToken: `${TOKEN}2` };
  const run = await login('--json --debug', [odd, error('invalid_grant')]);
  expect(run).toMatchObject({ exitCode: 9, error: { code: 'failed' } });
  const said = /^The login may have been approved, .* A token named "marie-laptop" may exist: revoke it/;
  expect(run.error['error']).toMatch(said);
  expect(run.shown).not.toContain('CANARY');
  expect(run.files()).toEqual([]);
});

const WHOLE = JSON.stringify({ ...ISSUED, token: TOKEN });
const FIELDS = { tokenId: 'tok_1', organizationId: 'org_b', expiresAt: '1780142400', user: ISSUED.user };
test.each<[how: string, body: string | Buffer, headers: Record<string, string>, fields?: object]>([
  ['gzip', gzipSync(WHOLE), { 'content-encoding': 'gzip' }],
  ['br', brotliCompressSync(WHOLE), { 'content-encoding': 'br' }],
  ['UTF-16', Buffer.from(WHOLE, 'utf16le'), { 'content-type': 'application/json; charset=utf-16le' }],
  ['plain text', `${TOKEN}\n`, { 'content-type': 'text/plain' }],
  [
    'wrapped fields',
    JSON.stringify({ data: { token: TOKEN, ...FIELDS } }),
    {},
    { tokenId: 'tok_1', organizationId: 'org_b', expiresAt: '2026-05-30T12:00:00.000Z' },
  ],
])('a token that comes as %s is stored', async (_how, body, headers, fields = {}) => {
  const wire = await testWire();
  wire.on('POST', '/v1/auth/device').reply(200, START);
  wire.on('POST', '/v1/auth/device/token').reply(200, body, headers);
  const configDir = await temporaryFolder();
  const run = await svc(['login', '--json'], { url: wire.url, token: null, clock: fakeClock(), configDir });
  expect(run.exitCode, run.stderr).toBe(0);
  expect(readSignIns(configDir).credentials).toMatchObject([{ token: TOKEN, ...fields }]);
});

test('a terminal shows the organization that the token belongs to, not the active one of the account', async () => {
  const [alpha, beta] = [
    { id: 'org_a', name: 'Alpha Ltd' },
    { id: 'org_b', name: 'Beta Ltd' },
  ];
  const wire = await testWire();
  wire.on('POST', '/v1/auth/device').always(200, START);
  const poll = wire.on('POST', '/v1/auth/device/token');
  poll.reply(200, { ...ISSUED, organizationId: 'org_b' }).reply(200, { ...ISSUED, organizationId: undefined });
  wire.on('GET', '/v1/user').always(200, { organization: alpha, organizations: [alpha, beta] });
  const options = { url: wire.url, token: null, env: { TERM: 'dumb' }, terminal: { columns: 100, rows: 30 } };
  const named = await svc(['login'], { ...options, clock: fakeClock() });
  expect(named.stderr).toMatch(/Organization +Beta Ltd \(org_b\)/);
  expect(named.stderr).not.toContain('Alpha');
  // A token that names none shows none, as in a pipe.
  const unnamed = await svc(['login'], { ...options, clock: fakeClock() });
  expect([unnamed.exitCode, unnamed.stderr.includes('Organization')]).toEqual([0, false]);
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
