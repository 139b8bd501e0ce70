import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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

describe('a choice on a terminal says how to go back', () => {
  const TERMINAL = { columns: 100, rows: 40 };

  test('to the profile that was the current one', async () => {
    const configDir = await folderWith(storedSignIn('work', A), storedSignIn('home', B));
    const use = async () => svc(['profiles', 'use', 'home'], { configDir, terminal: TERMINAL });

    const first = await use();
    const second = await use();

    expect(first.stdout).toContain('svc profiles use work  go back to the one before');
    expect(second.stdout).not.toContain('Next');
  });

  test.each([
    ['a setting that was set', ['config set lang fr', 'config set lang en'], 'config set lang fr'],
    ['a setting that was not', ['config set lang en'], 'config unset lang'],
    [
      'a setting that is removed',
      ['config set lang fr', 'config unset lang'],
      'config set lang fr',
    ],
    [
      'a setting that the shell would change',
      ['config set assume.job.path /v1/j/{jobId}?s={id}', 'config unset assume.job.path'],
      "config set assume.job.path '/v1/j/{jobId}?s={id}'",
    ],
  ])('to %s', async (_what, lines, back) => {
    const configDir = await temporaryFolder();

    let stdout = '';
    for (const line of lines) {
      ({ stdout } = await svc(line.split(' '), { configDir, terminal: TERMINAL }));
    }

    expect(stdout).toContain(`  svc ${back}  `);
  });

  test('nowhere, if the setting stays as it was', async () => {
    const configDir = await temporaryFolder();
    const set = async () => svc(['config', 'set', 'lang', 'fr'], { configDir, terminal: TERMINAL });
    await set();

    const again = await set();

    expect(again.stdout).not.toContain('Next');
  });
});
