import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeClock } from '../../support/clock.ts';
import { ISSUED } from '../../support/device-login.ts';
import { storedSignIn, writeSignIns } from '../../support/stored.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const TOKEN = ISSUED.token;

test('--with-token stores a token that the platform accepts', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(200, { user: { email: 'ci@example.com' }, token: { id: 'tok_1' } });
  const configDir = await temporaryFolder();
  const run = await svc(['login', '--with-token'], { url: wire.url, token: null, configDir, stdin: ` ${TOKEN}\n` });
  expect(run.stderr).toContain('Signed in as ci@example.com\n');
  expect(readFileSync(join(configDir, 'credentials.json'), 'utf8')).toContain(TOKEN);
});

test('--with-token stores nothing that the platform refuses', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(401, { error: 'invalid token' });
  const configDir = await temporaryFolder();
  const run = await svc(['login', '--with-token'], { url: wire.url, token: null, configDir, stdin: TOKEN });
  expect(run.exitCode).toBe(4);
  expect(existsSync(join(configDir, 'credentials.json'))).toBe(false);
});

test('a token from stdin is looked up in no organization, and stored with the details from the platform', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(200, {
    user: { email: 'ci@example.com' },
    organization: { id: 'org_7' },
    token: { id: 'tok_1', name: 'ci', expiresAt: 1e40 },
  });
  const configDir = await temporaryFolder();
  writeSignIns(configDir, storedSignIn('work', wire.url, { org: 'gone' }));
  const run = await svc(['login', '--with-token', '--profile', 'ci', '--json'], { configDir, stdin: TOKEN });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.json).toEqual({
    event: 'login_succeeded',
    user: { email: 'ci@example.com' },
    organizationId: 'org_7',
    tokenId: 'tok_1',
    expiresAt: null,
    apiUrl: wire.url,
    path: join(configDir, 'credentials.json'),
  });
  expect(wire.requests[0]?.headers['x-service-org']).toBeUndefined();
});

test.each([
  ['', 'The token on stdin is blank.'],
  ['two words', 'The token on stdin holds spaces'],
  ['x'.repeat(70_000), 'Standard input has more than'],
])('refuses what is no token, and sends nothing', async (stdin, said) => {
  const wire = await testWire();
  const run = await svc(['login', '--with-token'], { url: wire.url, token: null, stdin });
  expect([2, 4]).toContain(run.exitCode);
  expect(run.stderr).toContain(said);
  expect(wire.requests).toEqual([]);
});

test('a token of the sandbox does not leave this machine', async () => {
  const run = await svc(['login', '--with-token'], {
    env: { SVC_API_URL: 'https://api.example.com' },
    stdin: 'svc_sandbox_CANARY',
  });
  expect(run.exitCode).toBe(4);
  expect(run.stderr).toContain('it stays on this machine');
});

test('a token without a name is not called by the name of this machine when another takes its place', async () => {
  const wire = await testWire();
  const user = (id: string) => ({ user: { email: 'ci@example.com' }, token: { id } });
  wire.on('GET', '/v1/user').reply(200, user('tok_1')).reply(200, user('tok_2'));
  const configDir = await temporaryFolder();
  const login = (stdin: string) =>
    svc(['login', '--with-token'], { url: wire.url, token: null, configDir, stdin, clock: fakeClock() });
  await login('svc_CANARY_first');
  const { stderr } = await login('svc_CANARY_second');
  expect(stderr.replace(/\s+/g, ' ')).toContain(
    `! Token tok_1 stays valid at ${new URL(wire.url).host}; revoke it in Settings > API tokens to end it.`,
  );
});
