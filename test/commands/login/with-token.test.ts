import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { against } from '../../support/against.ts';
import { ISSUED } from '../../support/device-login.ts';
import { readSignIns, storedSignIn, writeSignIns } from '../../support/stored.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const TOKEN = ISSUED.token;

test('a token from stdin is looked up in no organization, and stored with the details from the platform', async () => {
  const wire = await testWire();
  const token = { id: 'tok_1', expiresAt: 1e40 };
  const user = { user: { email: 'ci@example.com' }, organization: { id: 'org_7' }, token };
  wire.on('GET', '/v1/user').always(200, user);
  const configDir = await temporaryFolder();
  writeSignIns(configDir, storedSignIn('work', wire.url, { org: 'gone' }));
  const run = await svc('login --with-token --profile ci --json'.split(' '), {
    configDir,
    stdin: ` ${TOKEN}\n`,
  });
  const known = { user: user.user, organizationId: 'org_7', tokenId: 'tok_1', expiresAt: null };
  const json = {
    event: 'login_succeeded',
    ...known,
    apiUrl: wire.url,
    path: join(configDir, 'credentials.json'),
  };
  expect(run).toMatchObject({ exitCode: 0, stderr: '', json });
  expect(wire.requests[0]?.headers['x-service-org']).toBeUndefined();
  const { current, credentials } = readSignIns(configDir);
  expect([current, credentials[1]]).toMatchObject(['ci', { profile: 'ci', token: TOKEN }]);
});

test('a token that the platform refuses is told in its words, without the token, and not stored', async () => {
  const refused = { 'GET /v1/user': [[401, { error: `${TOKEN} was revoked.` }]] } as const;
  const configDir = await temporaryFolder();
  const options = { token: null, configDir, stdin: TOKEN };
  const script = await against('login --with-token --json', refused, options);
  expect(script.error).toMatchObject({
    error: '[redacted] was revoked.',
    exitCode: 4,
    status: 401,
  });
  expect(existsSync(join(configDir, 'credentials.json'))).toBe(false);
});

test.each([
  ['alone', { error: `${TOKEN} was revoked.` }],
  ['in an envelope', { success: false, data: { error: `${TOKEN} was revoked.` } }],
])('a token that is answered with an error %s is not stored', async (_how, answer) => {
  const configDir = await temporaryFolder();
  const options = { token: null, configDir, stdin: TOKEN };
  const run = await against('login --with-token --json', { 'GET /v1/user': [answer] }, options);

  expect(run).toMatchObject({ exitCode: 3, stdout: '', error: { code: 'rejected' } });
  expect(run.stderr).not.toContain(TOKEN);
  expect(existsSync(join(configDir, 'credentials.json'))).toBe(false);
});

test.each([
  ['', 'The token on stdin is blank.'],
  // It is one of the sandbox, which does not leave this machine.
  ['svc_sandbox_CANARY', 'it stays on this machine'],
])('what is no token for the platform is refused, and nothing is sent', async (stdin, said) => {
  const env = { SVC_API_URL: 'https://api.example.com' };
  const run = await svc(['login', '--with-token'], { env, token: null, stdin });
  expect(run).toMatchObject({ exitCode: 4, stderr: expect.stringContaining(said) });
});
