import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { against } from '../../support/against.ts';
import { fakeClock } from '../../support/clock.ts';
import { approvingService, ISSUED } from '../../support/device-login.ts';
import { readSignIns, storedSignIn, writeSignIns } from '../../support/stored.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const TOKEN = ISSUED.token;

test('a token from stdin is looked up in no organization, and stored with the details from the platform', async () => {
  const wire = await testWire();
  const token = { id: 'tok_1', name: 'ci', expiresAt: 1e40 };
  const user = { user: { email: 'ci@example.com' }, organization: { id: 'org_7' }, token };
  wire.on('GET', '/v1/user').always(200, user);
  const configDir = await temporaryFolder();
  const path = join(configDir, 'credentials.json');
  writeSignIns(configDir, storedSignIn('work', wire.url, { org: 'gone' }));
  const login = (...more: string[]) =>
    svc(['login', '--with-token', '--profile', 'ci', ...more], { configDir, stdin: ` ${TOKEN}\n` });
  const run = await login('--json');
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.json).toEqual({
    event: 'login_succeeded',
    user: { email: 'ci@example.com' },
    organizationId: 'org_7',
    tokenId: 'tok_1',
    expiresAt: null,
    apiUrl: wire.url,
    path,
  });
  expect(wire.requests[0]?.headers['x-service-org']).toBeUndefined();
  expect((await login()).stderr).toContain('Signed in as ci@example.com\n');
  expect(readFileSync(path, 'utf8')).toContain(TOKEN);
});

test('a token that the platform refuses is told in its words, without the token, and not stored', async () => {
  const refused = { 'GET /v1/user': [[401, { error: `${TOKEN} was revoked.` }]] } as const;
  const configDir = await temporaryFolder();
  const options = { token: null, configDir, stdin: TOKEN };
  const run = await against('login --with-token --profile a', refused, options);
  expect(run).toMatchObject({ exitCode: 4, stdout: '' });
  expect(run.stderr).toContain('The platform did not accept the token on stdin. Nothing was stored.');
  expect(run.stderr).toContain('The platform says: [redacted] was revoked.');
  const script = await against('login --with-token --profile a --json', refused, options);
  expect(script.error).toMatchObject({ error: '[redacted] was revoked.', exitCode: 4, status: 401 });
  expect(existsSync(join(configDir, 'credentials.json'))).toBe(false);
});

test.each([
  ['', 4, 'The token on stdin is blank.'],
  ['two words', 4, 'The token on stdin holds spaces'],
  ['x'.repeat(70_000), 2, 'Standard input has more than'],
])('what is no token is refused, and nothing is sent', async (stdin, exitCode, said) => {
  const run = await against('login --with-token', {}, { token: null, stdin });
  expect(run).toMatchObject({ exitCode, stderr: expect.stringContaining(said), sent: [] });
});

test('a token of the sandbox does not leave this machine', async () => {
  const env = { SVC_API_URL: 'https://api.example.com' };
  const run = await svc(['login', '--with-token'], { env, stdin: 'svc_sandbox_CANARY' });
  expect(run).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('it stays on this machine') });
});

test('a token without a name is not called by the name of this machine when another takes its place', async () => {
  const wire = await testWire();
  const user = (id: string) => ({ user: { email: 'ci@example.com' }, token: { id } });
  wire.on('GET', '/v1/user').reply(200, user('tok_1')).reply(200, user('tok_2'));
  const configDir = await temporaryFolder();
  const login = (stdin: string) => svc(['login', '--with-token'], { url: wire.url, token: null, configDir, stdin });
  await login('svc_CANARY_first');
  const { stderr } = await login('svc_CANARY_second');
  const said = `! Token tok_1 stays valid at ${new URL(wire.url).host}; revoke it in Settings > API tokens to end it.`;
  expect(stderr.replace(/\s+/g, ' ')).toContain(said);
});

test('the former sign-in of a profile gives way, and the token that lives on is named; a new one is beside it', async () => {
  const wire = await approvingService();
  const configDir = await temporaryFolder();
  writeSignIns(configDir, storedSignIn('home', wire.url), storedSignIn('work', wire.url));
  const login = (profile: string) => svc(['login', '--profile', profile], { configDir, clock: fakeClock() });
  const run = await login('work');
  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.stderr.replace(/\s+/g, ' ')).toContain(
    `Token tok_work ("marie-laptop") stays valid at ${new URL(wire.url).host} until 30 May 2026; revoke it in`,
  );
  expect((await login('new')).exitCode).toBe(0);
  const { current, credentials } = readSignIns(configDir);
  expect([current, ...credentials.map(({ profile, tokenId, baseUrl }) => `${profile} ${tokenId} ${baseUrl}`)]).toEqual([
    'new',
    `home tok_home ${wire.url}`,
    `work tok_9 ${wire.url}`,
    `new tok_9 ${wire.url}`,
  ]);
});

test.each<[argv: readonly string[], env: Readonly<Record<string, string>>]>([
  [['--profile', 'work'], { SVC_API_URL: '<other>' }],
  [['--profile', 'work'], { SVC_API_URL: '<other>', SVC_TOKEN: 'svc_CANARY_env' }],
  [['--profile', 'work', '--api-url', '<other>'], {}],
  [['--api-url', '<other>'], { SVC_PROFILE: 'work' }],
  [[], { SVC_API_URL: '<other>', SVC_PROFILE: 'work' }],
])('%j with %j: the profile of another address is refused before anything is sent', async (argv, env) => {
  const [own, other] = [await testWire(), await testWire()];
  const configDir = await temporaryFolder();
  writeSignIns(configDir, storedSignIn('work', own.url));
  const named = (text: string) => text.replaceAll('<other>', other.url);
  const variables = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, named(value)]));
  const options = { configDir, env: variables, stdin: 'svc_CANARY_given_on_stdin', clock: fakeClock() };
  for (const way of [['--with-token'], [], ['--no-wait'], ['--print-token']]) {
    const run = await svc(['login', ...way, ...argv.map(named)], options);
    expect([way, run.exitCode]).toEqual([way, 2]);
    expect(run.stderr).toContain(`selects the profile "work", which belongs to ${own.url}; `);
  }
  expect([own.connections(), other.connections()]).toEqual([0, 0]);
  expect(readSignIns(configDir).credentials).toEqual([storedSignIn('work', own.url)]);
});
