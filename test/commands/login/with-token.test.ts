import { existsSync } from 'node:fs';
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
    path: join(configDir, 'credentials.json'),
  });
  expect(wire.requests[0]?.headers['x-service-org']).toBeUndefined();
  expect((await login()).stderr).toContain('Signed in as ci@example.com\n');
  expect(readSignIns(configDir)).toMatchObject({ current: 'ci', credentials: [{}, { profile: 'ci', token: TOKEN }] });
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

test('a token without a name is not called by the name of this machine', async () => {
  const configDir = await temporaryFolder();
  const answers = { 'GET /v1/user': [{ token: { id: 'tok_1' } }] };
  await against('login --with-token', answers, { token: null, configDir, stdin: TOKEN });
  expect(readSignIns(configDir).credentials).toEqual([expect.not.objectContaining({ clientName: expect.anything() })]);
});

test.each(['marie-laptop', undefined])(
  'the former sign-in of a profile gives way, and its token %s is named',
  async (clientName) => {
    const wire = await approvingService();
    const configDir = await temporaryFolder();
    writeSignIns(configDir, storedSignIn('home', wire.url), storedSignIn('work', wire.url, { clientName }));
    const run = await svc(['login', '--profile', 'work'], { configDir, clock: fakeClock() });
    expect(run.exitCode, run.stderr).toBe(0);
    const name = clientName === undefined ? '' : ` ("${clientName}")`;
    const said = `Token tok_work${name} stays valid at ${new URL(wire.url).host} until 30 May 2026; revoke it in`;
    expect(run.stderr.replace(/\s+/g, ' ')).toContain(said);
    const credentials = [{ profile: 'home' }, { profile: 'work', tokenId: 'tok_9' }];
    expect(readSignIns(configDir)).toMatchObject({ current: 'work', credentials });
  },
);
