import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { against } from '../support/against.ts';
import { readSignIns, storedSignIn, writeSignIns } from '../support/stored.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const A = 'https://a.example.com';
const B = 'https://b.example.com';

async function folderWith(...credentials: Parameters<typeof writeSignIns>[1][]) {
  const configDir = await temporaryFolder();
  writeSignIns(configDir, ...credentials);
  return configDir;
}

test('svc profiles lists the stored sign-ins and never their tokens, and says once that others could read them', async () => {
  const configDir = await folderWith(storedSignIn('work', A), storedSignIn('b', B, { expiresAt: undefined }));
  const file = join(configDir, 'credentials.json');
  chmodSync(file, 0o644);
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
        { profile: 'work', current: true, baseUrl: A, email: 'work@example.com', tokenId: 'tok_work' },
        { profile: 'b', current: false, baseUrl: B, expiresAt: null, org: null },
      ],
    },
  });
  expect(stdout + again.stdout).not.toContain('CANARY');
});

test('svc profiles use makes a profile the current one, and says which variable wins here all the same', async () => {
  const configDir = await folderWith(storedSignIn('work', A), storedSignIn('home', B));
  const use = async (name: string, env = {}) => svc(['profiles', 'use', name, '--json'], { configDir, env });
  const document = { schemaVersion: 1, profile: 'home', baseUrl: B };
  expect((await use('home')).json).toEqual({ ...document, overriddenBy: null });
  expect(readSignIns(configDir).current).toBe('home');
  for (const [where, value] of [['SVC_PROFILE', 'work'] as const, ['SVC_API_URL', A] as const]) {
    expect((await use('home', { [where]: value })).json).toEqual({ ...document, overriddenBy: { where, value } });
  }
  const error = 'There is no profile "homme". There are: work, home.';
  expect(await use('homme')).toMatchObject({ exitCode: 2, error: { error, next: ['svc profiles'] } });
});

// Where each layout of flags, variables and profiles leads is in test/trust/tokens.test.ts; here are the words.
/** Runs svc where `work` (current) and `home` are stored for <a> and `b` for <b>; nothing may be sent. */
async function unsent(line: string, env: Readonly<Record<string, string>>) {
  const [a, b] = [await testWire(), await testWire()];
  const stored = [storedSignIn('work', a.url), storedSignIn('home', a.url), storedSignIn('b', b.url)];
  const named = (text: string) => text.replaceAll('<a>', a.url).replaceAll('<b>', b.url);
  const variables = Object.entries(env).map(([name, value]) => [name, named(value)]);
  const options = { configDir: await folderWith(...stored), env: Object.fromEntries(variables) };
  const run = await svc(named(line).split(' ').filter(Boolean), options);
  expect([a.connections(), b.connections()]).toEqual([0, 0]);
  return { exitCode: run.exitCode, said: run.stderr.replaceAll(a.url, '<a>').replaceAll(b.url, '<b>') };
}

const NOWHERE = 'http://127.0.0.1:9';
test.each<[line: string, env: Record<string, string>, said: string, exitCode?: number]>([
  ['whoami --profile home --api-url <b>', {}, '  Use --profile or --api-url, not both.'],
  ['whoami', { SVC_API_URL: '<b>', SVC_PROFILE: 'typo', SVC_TOKEN: 'svc_CANARY_env' }, 'no profile "typo".'],
  [`whoami --api-url ${NOWHERE}`, {}, `Try: svc login --api-url ${NOWHERE}\n`, 4],
  [
    'restart s1 --yes --profile home',
    { SVC_TOKEN: 'svc_CANARY_env' },
    'Try: unset SVC_TOKEN\nTry: svc restart s1 --yes\n',
  ],
  [
    'whoami',
    { SVC_PROFILE: 'home', SVC_SESSION_TOKEN: 'svc_CANARY_home' },
    'SVC_SESSION_TOKEN is set, and SVC_PROFILE',
  ],
  ['whoami', { SVC_API_URL: '<b>', SVC_TOKEN: 'svc_CANARY_home' }, 'belongs to: --api-url <a>\nTry: unset SVC_TOKEN\n'],
  ['whoami', { SVC_TOKEN: 'svc_CANARY_b' }, 'is stored for <b> (profile "b"), and would go to <a> (profile work)'],
])('svc %s with %j is refused', async (line, env, said, exitCode = 2) => {
  expect(await unsent(line, env)).toEqual({ exitCode, said: expect.stringContaining(said) });
});

test('a token that is stored for several addresses goes to each of them', async () => {
  const [a, b] = [await testWire(), await testWire()];
  const token = 'svc_CANARY_shared';
  const configDir = await folderWith(storedSignIn('one', a.url, { token }), storedSignIn('two', b.url, { token }));
  for (const wire of [a, b]) {
    wire.on('GET', '/v1/user').reply(200, {});
    expect((await svc(['whoami'], { url: wire.url, configDir, token })).exitCode).toBe(0);
  }
});

test('a token of the environment needs no file: it may be damaged', async () => {
  const configDir = await temporaryFolder();
  writeFileSync(join(configDir, 'credentials.json'), 'damaged', { mode: 0o644 });
  expect(await against('whoami', { 'GET /v1/user': [{}] }, { configDir })).toMatchObject({ exitCode: 0, stderr: '' });
});
