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

test('logout forgets the sign-in in use, and says how to end its token, and what still signs in', async () => {
  const run = await svc(['logout'], {
    configDir: await signedIn(),
    env: { SVC_TOKEN_FILE: 'svc_CANARY_env' },
  });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  const said = [
    'tok_work',
    '2026-05-30',
    'Revoke it in Settings > API tokens.',
    '! SVC_TOKEN_FILE is still in effect.',
  ];
  for (const text of said) expect(run.stdout).toContain(text);
  expect(run.stdout).not.toContain('CANARY');
});

test.each<[words: string, env: Record<string, string>, left: readonly string[]]>([
  ['', {}, ['home', 'b']],
  [`--api-url ${B}`, {}, ['work', 'home']],
  ['--profile home', { SVC_API_URL: B }, ['work', 'b']],
  ['--all', { SVC_PROFILE: 'unknown' }, []],
  ['', { SVC_API_URL: 'https://elsewhere.example.com' }, ['work', 'home', 'b']],
])('logout %s with %j leaves %j, and may be repeated', async (words, env, left) => {
  const configDir = await signedIn();
  const argv = `logout ${words} --json`.split(' ').filter(Boolean);
  const removed = ['work', 'home', 'b']
    .filter((name) => !left.includes(name))
    .map((profile) => ({ profile }));
  for (const json of [
    { schemaVersion: 1, removed, stored: left, stillInEffect: [] },
    { removed: [] },
  ]) {
    expect(await svc(argv, { configDir, env })).toMatchObject({ exitCode: 0, json });
  }
  expect(readSignIns(configDir).credentials.map(({ profile }) => profile)).toEqual(left);
});

// Which files that takes is the subject of test/sign-in/forget-all.test.ts.
test('logout --all says which files it removed, and may be repeated', async () => {
  const configDir = await temporaryFolder();
  for (const name of ['credentials.json', 'pending-login.json']) {
    writeFileSync(join(configDir, name), '{"half": "svc_CANARY_left_behind', { mode: 0o600 });
  }
  const refused = await svc(['logout'], { configDir, env: { SVC_API_URL: A } });
  expect(refused).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining('svc logout --all'),
  });
  const run = await svc(['logout', '--all', '--json'], { configDir });
  expect(run).toMatchObject({ exitCode: 0, error: { code: 'token_unnamed' } });
  const aside = expect.stringMatching(/credentials\.json\.corrupt-[\dT.]+Z$/);
  expect(run.json).toMatchObject({ removedFiles: [aside, join(configDir, 'pending-login.json')] });
  expect(readdirSync(configDir)).toEqual([]);
  expect((await svc(['logout', '--all'], { configDir })).stdout).toBe('You are not signed in.\n');
});
