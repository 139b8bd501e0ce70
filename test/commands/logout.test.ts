import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSignIns, storedSignIn, writeSignIns } from '../support/stored.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

const A = 'https://a.example.com';
const B = 'https://b.example.com';

async function signedIn() {
  const configDir = await temporaryFolder();
  writeSignIns(configDir, storedSignIn('work', A), storedSignIn('home', A), storedSignIn('b', B));
  return configDir;
}

const left = (configDir: string) => readSignIns(configDir).credentials.map(({ profile }) => profile);

test('logout forgets the sign-in in use, and says how to end its token', async () => {
  const configDir = await signedIn();
  const run = await svc(['logout'], { configDir });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toMatchInlineSnapshot(`
    "✓ Signed out of work.

      Token        tok_work
      Valid until  2026-05-30T12:00:00.000Z

    The platform still accepts the token. Revoke it in Settings > API tokens.
    "
  `);
  expect(left(configDir)).toEqual(['home', 'b']);
  const again = await svc(['whoami'], { configDir });
  expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('one of home, b') });
});

test.each<[words: string, env: Record<string, string>, left: readonly string[]]>([
  [`--api-url ${B}`, {}, ['work', 'home']],
  ['--profile home', { SVC_API_URL: B }, ['work', 'b']],
  ['', { SVC_PROFILE: 'b' }, ['work', 'home']],
  ['--all', { SVC_PROFILE: 'unknown' }, []],
  ['--profile unknown', {}, ['work', 'home', 'b']],
  ['', { SVC_API_URL: 'https://elsewhere.example.com' }, ['work', 'home', 'b']],
])('logout %s with %j may be repeated', async (words, env, expected) => {
  const configDir = await signedIn();
  const argv = `logout ${words}`.split(' ').filter(Boolean);
  expect((await svc(argv, { configDir, env })).exitCode).toBe(0);
  expect(left(configDir)).toEqual(expected);
  const again = await svc([...argv, '--json'], { configDir, env });
  expect(again).toMatchObject({ exitCode: 0, json: { schemaVersion: 1, removed: [], stillInEffect: [] } });
});

test.each(['SVC_TOKEN', 'SVC_TOKEN_FILE', 'SVC_SESSION_TOKEN'])('logout says that %s still signs in', async (name) => {
  const run = await svc(['logout'], { configDir: await signedIn(), env: { [name]: 'svc_CANARY_env' } });
  expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`! ${name} is still in effect.`) });
  expect(run.stdout).not.toContain('CANARY');
});

test('a token whose end is not known is said to be accepted still; the next logout says who else is signed in', async () => {
  const configDir = await temporaryFolder();
  const unknown = { expiresAt: undefined, tokenId: undefined };
  writeSignIns(configDir, storedSignIn('work', A, unknown), storedSignIn('home', A));
  const said = 'The platform still accepts the token. Revoke it in Settings > API tokens.';
  const others = 'You are not signed in here. Other profiles: home.\n';
  for (const stdout of [`✓ Signed out of work.\n${said}\n`, others]) {
    expect(await svc(['logout'], { configDir })).toMatchObject({ exitCode: 0, stdout, stderr: '' });
  }
});

// Which files that takes is the subject of test/sign-in/forget-all.test.ts.
test('logout --all says which files it removed, and may be repeated', async () => {
  const configDir = await temporaryFolder();
  for (const name of ['credentials.json', 'pending-login.json']) {
    writeFileSync(join(configDir, name), '{"half": "svc_CANARY_left_behind', { mode: 0o600 });
  }
  const refused = await svc(['logout'], { configDir, env: { SVC_API_URL: A } });
  expect(refused.exitCode).toBe(4);
  expect(refused.stderr.replace(/\s+/g, ' ')).toContain('or remove it with svc logout --all');
  const run = await svc(['logout', '--all'], { configDir });
  const warning = 'A damaged file may have held a token that svc cannot name. Revoke it in Settings > API tokens.';
  expect(run).toMatchObject({ exitCode: 0, stderr: `Warning: ${warning}\n` });
  const [damaged, pending] = run.stdout.replaceAll(configDir, '<folder>').split('\n');
  expect(damaged).toMatch(/^✓ Removed <folder>\/credentials\.json\.corrupt-[\dT.]+Z\.$/);
  expect(pending).toBe('✓ Removed <folder>/pending-login.json.');
  expect(readdirSync(configDir)).toEqual([]);
  expect((await svc(['logout', '--all'], { configDir })).stdout).toBe('You are not signed in.\n');
});
