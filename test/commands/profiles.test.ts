import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSignIns, storedSignIn, writeSignIns } from '../support/stored.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

const A = 'https://a.example.com';
const B = 'https://b.example.com';
const UNSET = 'unset SVC_TOKEN';

async function folderWith(...credentials: Parameters<typeof writeSignIns>[1][]) {
  const configDir = await temporaryFolder();
  writeSignIns(configDir, ...credentials);
  return configDir;
}

test('svc profiles lists the stored sign-ins and never their tokens, and says once that others could read them', async () => {
  const configDir = await folderWith(
    storedSignIn('work', A),
    storedSignIn('b', B, { expiresAt: undefined }),
  );
  const file = join(configDir, 'credentials.json');
  chmodSync(file, 0o640);
  const { exitCode, stdout, stderr } = await svc(['profiles'], { configDir });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: `Warning: Others could read ${file}; now only you can.\n`,
  });
  expect(stdout).toMatch(/current +work +work@example.com +a.example.com +2026-05-30/);
  const again = await svc(['profiles', 'list', '--json'], { configDir });
  expect(again).toMatchObject({
    stderr: '',
    json: {
      schemaVersion: 1,
      profiles: [
        {
          profile: 'work',
          current: true,
          baseUrl: A,
          email: 'work@example.com',
          tokenId: 'tok_work',
        },
        { profile: 'b', current: false, baseUrl: B, expiresAt: null, org: null },
      ],
    },
  });
  expect(stdout + again.stdout).not.toContain('CANARY');
});

test('svc profiles use makes a profile the current one, and says which variable wins here all the same', async () => {
  const configDir = await folderWith(storedSignIn('work', A), storedSignIn('home', B));
  const use = async (name: string, env = {}) =>
    svc(['profiles', 'use', name, '--json'], { configDir, env });
  const document = { schemaVersion: 1, profile: 'home', baseUrl: B };
  expect((await use('home')).json).toEqual({ ...document, overriddenBy: null });
  expect(readSignIns(configDir).current).toBe('home');
  for (const [where, value] of [['SVC_PROFILE', 'work'] as const, ['SVC_API_URL', A] as const]) {
    expect((await use('home', { [where]: value })).json).toEqual({
      ...document,
      overriddenBy: { where, value },
    });
  }
  const error = 'There is no profile "homme". There are: work, home.';
  expect(await use('homme')).toMatchObject({
    exitCode: 2,
    error: { error, next: ['svc profiles'] },
  });
});

// Where each layout of flags, variables and profiles leads is in test/trust/tokens.test.ts; here
// are the next steps.
test.each<
  [
    line: string,
    env: Record<string, string>,
    said: string,
    next: readonly string[],
    exitCode?: number,
  ]
>([
  [
    'whoami --api-url http://c.example',
    { SVC_ALLOW_HTTP: '1' },
    'Not signed in',
    ['svc login --api-url http://c.example'],
    4,
  ],
  [
    'restart s1 --yes --profile work',
    { SVC_TOKEN: 'svc_CANARY_env' },
    'stores another',
    [UNSET, 'svc restart s1 --yes --json'],
  ],
  [
    'whoami',
    { SVC_API_URL: B, SVC_TOKEN: 'svc_CANARY_work' },
    `is stored for ${A} (profile "work")`,
    [UNSET],
  ],
])('svc %s with %j is refused', async (line, env, said, next, exitCode = 2) => {
  const configDir = await folderWith(storedSignIn('work', A), storedSignIn('b', B));
  const run = await svc(`${line} --json`.split(' '), { configDir, env });
  expect(run).toMatchObject({ exitCode, error: { error: expect.stringContaining(said), next } });
});
