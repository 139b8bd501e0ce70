import { expect, test } from 'vitest';
import { fakeClock } from '../../support/clock.ts';
import { approvingService } from '../../support/device-login.ts';
import { readSignIns, storedSignIn, writeSignIns } from '../../support/stored.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';

test('the former sign-in of a profile gives way, and the token that lives on is named', async () => {
  const wire = await approvingService();
  const configDir = await temporaryFolder();
  writeSignIns(configDir, storedSignIn('home', 'https://b.example.com'), storedSignIn('work', wire.url));
  const run = await svc(['login', '--profile', 'work'], { configDir, clock: fakeClock() });
  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.stderr).toContain('Signed in as marie@example.com (organization org_1, profile work).');
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
  expect(run.stderr).toContain('svc login --api-url https://api.example.com   sign in, and remember the address');
});
