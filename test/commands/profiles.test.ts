import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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

describe('svc profiles', () => {
  test('lists the stored sign-ins and never their tokens', async () => {
    const configDir = await folderWith(
      storedSignIn('work', A),
      storedSignIn('b.example.com', B, { expiresAt: undefined }),
    );
    const { exitCode, stdout, stderr } = await svc(['profiles'], { configDir });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatchInlineSnapshot(`
      "           PROFILE        ACCOUNT                    ADDRESS        EXPIRES
        current  work           work@example.com           a.example.com  2026-05-30T12:00:00.000Z
                 b.example.com  b.example.com@example.com  b.example.com
      "
    `);
    const { json } = await svc(['profiles', 'list', '--json'], { configDir });
    expect(json).toMatchObject({
      schemaVersion: 1,
      profiles: [
        { profile: 'work', current: true, baseUrl: A, email: 'work@example.com', tokenId: 'tok_work' },
        { profile: 'b.example.com', current: false, baseUrl: B, expiresAt: null, org: null },
      ],
    });
    expect(stdout + JSON.stringify(json)).not.toContain('CANARY');
  });

  test('shows accounts and addresses whole at 80 columns, and the address only if a profile has another name', async () => {
    const long = storedSignIn('api.hosting.example.com', 'https://api.hosting.example.com', {
      email: 'marie.ngo@kola-studio.example',
      expiresAt: '2027-02-19T10:00:00Z',
    });
    const options = { env: { NO_COLOR: '1' }, terminal: { columns: 80, rows: 24 } };
    const one = await svc(['profiles'], { configDir: await folderWith(long), ...options });
    expect(one.stdout).not.toContain('ADDRESS');
    expect(one.stdout).toMatch(/marie\.ngo@kola-studio\.example {2}19 Feb 2027\n/);
    const two = await svc(['profiles'], { configDir: await folderWith(storedSignIn('work', A), long), ...options });
    expect(two.stdout).toMatch(/Address {2}api\.hosting\.example\.com\n/);
    expect(two.stdout).toMatch(/Account {2}marie\.ngo@kola-studio\.example\n/);
  });

  test('without any says so', async () => {
    const run = await svc(['profiles'], { env: { SVC_PROFILE: 'whatever' } });
    expect(run).toMatchObject({ exitCode: 0, stdout: 'You are not signed in.\n', stderr: '' });
  });

  test.each(['profiles', 'profiles use work', 'logout --all', 'login --with-token'])(
    'svc %s says once that others could read the file, and closes it',
    async (line) => {
      const configDir = await folderWith(storedSignIn('work', A));
      const file = join(configDir, 'credentials.json');
      chmodSync(file, 0o644);
      const answers = line.startsWith('login') ? { 'GET /v1/user': [{}] } : {};
      const run = await against(line, answers, { configDir, token: null, stdin: 'svc_CANARY_given_on_stdin' });
      expect(run.exitCode).toBe(0);
      const said = `Others could read ${file}; now only you can.`;
      expect(run.stderr.split(said)).toHaveLength(2);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect((await svc(['profiles'], { configDir })).stderr).toBe('');
    },
  );
});

describe('svc profiles use', () => {
  test('makes a profile the current one', async () => {
    const configDir = await folderWith(storedSignIn('work', A), storedSignIn('home', B));
    const stdout = `✓ home is the current profile: ${B}\n`;
    expect(await svc(['profiles', 'use', 'home'], { configDir })).toMatchObject({ exitCode: 0, stdout });
    expect(readSignIns(configDir).current).toBe('home');
  });

  test('of an unknown one lists the known ones', async () => {
    const configDir = await folderWith(storedSignIn('work', A), storedSignIn('home', A));
    const run = await svc(['profiles', 'use', 'homme'], { configDir });
    expect(run).toMatchObject({
      exitCode: 2,
      stderr: 'Error: There is no profile "homme". There are: work, home.\nTry: svc profiles\n',
    });
    expect(readSignIns(configDir).current).toBe('work');
  });

  test.each([
    ['SVC_PROFILE', 'work', 'work'],
    ['SVC_API_URL', A, A],
  ])('says that %s wins here all the same', async (name, value, shown) => {
    const configDir = await folderWith(storedSignIn('work', A), storedSignIn('home', B));
    const options = { configDir, env: { [name]: value } };
    const run = await svc(['profiles', 'use', 'home'], options);
    expect(run.stdout).toContain(`! ${name} overrides it here: ${shown}`);
    expect((await svc(['profiles', 'use', 'home', '--json'], options)).json).toEqual({
      schemaVersion: 1,
      profile: 'home',
      baseUrl: B,
      overriddenBy: { where: name, value },
    });
  });
});

describe('the sign-in of a command', () => {
  // Where each layout of flags, variables and profiles leads is in test/trust/tokens.test.ts; here are the words.
  /** Runs svc where `work` (current) and `home` are stored for <a> and `b` for <b>; nothing may be sent. */
  async function unsent(argv: readonly string[], env: Readonly<Record<string, string>>) {
    const [a, b] = [await testWire(), await testWire()];
    const stored = [storedSignIn('work', a.url), storedSignIn('home', a.url), storedSignIn('b', b.url)];
    const named = (text: string) => text.replaceAll('<a>', a.url).replaceAll('<b>', b.url);
    const variables = Object.entries(env).map(([name, value]) => [name, named(value)]);
    const run = await svc(argv.map(named), {
      configDir: await folderWith(...stored),
      env: Object.fromEntries(variables),
    });
    expect([a.connections(), b.connections()]).toEqual([0, 0]);
    return { exitCode: run.exitCode, said: run.stderr.replaceAll(a.url, '<a>').replaceAll(b.url, '<b>') };
  }

  const NOWHERE = 'http://127.0.0.1:9';
  const STRANGER = `Not signed in to ${NOWHERE}.\n  Sign in, or set SVC_TOKEN.\nTry: svc login --api-url ${NOWHERE}\n`;
  const selected = (where: string, profile: string, way: string) =>
    `Error: SVC_TOKEN is set, and ${where} selects the profile "${profile}", which stores another sign-in. Nothing was sent.
  Unset SVC_TOKEN to use the profile, or leave out ${where} to use SVC_TOKEN:
Try: unset SVC_TOKEN
Try: ${way}
`;
  const ELSEWHERE = `Error: The token in SVC_TOKEN is stored for <a> (profile "home"), and would go to <b> (SVC_API_URL). Nothing was sent.
  Unset SVC_TOKEN, or name the address that the token belongs to: --api-url <a>
Try: unset SVC_TOKEN
`;
  test.each<[line: string, env: Record<string, string>, said: string, exitCode?: number]>([
    ['--profile home --api-url <b>', {}, '  Use --profile or --api-url, not both.'],
    ['', { SVC_API_URL: '<b>', SVC_PROFILE: 'typo', SVC_TOKEN: 'svc_CANARY_env' }, 'no profile "typo".'],
    [`--api-url ${NOWHERE}`, {}, STRANGER, 4],
    ['--api-url http://example.com', {}, '--api-url is plain http'],
    ['--profile home', { SVC_TOKEN: 'svc_CANARY_env' }, selected('--profile', 'home', 'svc whoami')],
    ['', { SVC_PROFILE: 'b', SVC_TOKEN: 'svc_CANARY_env' }, selected('SVC_PROFILE', 'b', 'unset SVC_PROFILE')],
    ['', { SVC_PROFILE: 'home', SVC_SESSION_TOKEN: 'svc_CANARY_home' }, 'SVC_SESSION_TOKEN is set, and SVC_PROFILE'],
    ['', { SVC_API_URL: '<b>', SVC_TOKEN: 'svc_CANARY_home' }, ELSEWHERE],
    ['', { SVC_TOKEN: 'svc_CANARY_b' }, 'is stored for <b> (profile "b"), and would go to <a> (profile work)'],
  ])('svc whoami %s with %j is refused', async (line, env, said, exitCode = 2) => {
    const argv = `whoami ${line}`.split(' ').filter(Boolean);
    expect(await unsent(argv, env)).toEqual({ exitCode, said: expect.stringContaining(said) });
  });

  test.each(['status', 'api /v1/user', 'restart s1 --yes'])(
    'svc %s sends no token of the environment that contradicts the profile either',
    async (line) => {
      const run = await unsent([...line.split(' '), '--profile', 'home', '--json'], { SVC_TOKEN: 'svc_CANARY_env' });
      const next = ['unset SVC_TOKEN', expect.stringMatching(/^svc (?!.*home)/)];
      expect([run.exitCode, JSON.parse(run.said)]).toMatchObject([2, { next }]);
    },
  );

  test.each(['config list', 'profiles', 'logout'])('svc %s sends nothing, so it works', async (line) => {
    const run = await unsent([...line.split(' '), '--profile', 'work'], { SVC_TOKEN: 'svc_CANARY_env' });
    expect(run.exitCode).toBe(0);
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

  test.each([
    ['a damaged file', (folder: string) => writeFileSync(join(folder, 'credentials.json'), 'damaged', { mode: 0o644 })],
    ['no folder', (folder: string) => rmSync(folder, { recursive: true })],
  ])('of the environment needs no file: there may be %s', async (_what, make) => {
    const configDir = await temporaryFolder();
    make(configDir);
    expect(await against('whoami', { 'GET /v1/user': [{}] }, { configDir })).toMatchObject({ exitCode: 0, stderr: '' });
  });
});
