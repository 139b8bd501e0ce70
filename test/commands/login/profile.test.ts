import { expect, test } from 'vitest';
import { fakeClock } from '../../support/clock.ts';
import { approvingService } from '../../support/device-login.ts';
import { readSignIns, storedSignIn, writeSignIns } from '../../support/stored.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

test('the former sign-in of a profile gives way, and the token that lives on is named', async () => {
  const wire = await approvingService();
  const configDir = await temporaryFolder();
  writeSignIns(configDir, storedSignIn('home', 'https://b.example.com'), storedSignIn('work', wire.url));
  const run = await svc(['login', '--profile', 'work'], { configDir, clock: fakeClock() });
  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.stderr).toContain('✓ Signed in as marie@example.com\n');
  expect(run.stderr.replace(/\s+/g, ' ')).toContain(
    `Token tok_work ("marie-laptop") stays valid at ${new URL(wire.url).host} until 30 May 2026; revoke it in Settings > API tokens to end it.`,
  );
  expect(readSignIns(configDir)).toMatchObject({
    current: 'work',
    credentials: [{ profile: 'home' }, { profile: 'work', tokenId: 'tok_9' }],
  });
});

test('a new profile is for the address in use unless another is given', async () => {
  const wire = await approvingService();
  const configDir = await temporaryFolder();
  writeSignIns(configDir, storedSignIn('home', wire.url));
  expect((await svc(['login', '--profile', 'work'], { configDir, clock: fakeClock() })).exitCode).toBe(0);
  const { current, credentials } = readSignIns(configDir);
  expect([current, ...credentials.map(({ profile, baseUrl }) => `${profile} ${baseUrl}`)]).toEqual([
    'work',
    `home ${wire.url}`,
    `work ${wire.url}`,
  ]);
});

test.each([[[]], [['--profile', 'work']]])('%j without any address asks for one', async (argv) => {
  const run = await svc(['login', ...argv]);
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('svc login --api-url https://api.example.com   sign in, and remember it');
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
  const options = {
    configDir,
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, named(value)])),
    stdin: 'svc_CANARY_given_on_stdin',
    clock: fakeClock(),
  };
  for (const way of [['--with-token'], [], ['--no-wait'], ['--print-token']]) {
    const run = await svc(['login', ...way, ...argv.map(named)], options);
    expect([way, run.exitCode]).toEqual([way, 2]);
    expect(run.stderr).toContain(`selects the profile "work", which belongs to ${own.url}; `);
  }
  expect([own.connections(), other.connections()]).toEqual([0, 0]);
  expect(readSignIns(configDir).credentials).toEqual([storedSignIn('work', own.url)]);
});

test('a token that the platform refuses for a new profile is told in its words, and nothing is stored', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').always(401, { error: 'This token was revoked.' });
  const configDir = await temporaryFolder();
  const login = (...more: string[]) =>
    svc(['login', '--with-token', '--profile', 'a', '--api-url', wire.url, ...more], {
      configDir,
      stdin: 'svc_refused',
    });
  const run = await login();
  expect(run.exitCode).toBe(4);
  expect(run.stderr).toContain('The platform did not accept the token on stdin. Nothing was stored.');
  expect(run.stderr).toContain('The platform says: This token was revoked.');
  expect((await login('--json')).error).toMatchObject({ error: 'This token was revoked.', exitCode: 4, status: 401 });
  expect((await svc(['profiles', '--json'], { configDir })).json).toMatchObject({ profiles: [] });
});
