import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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

  test.each([
    [['profiles'], {}],
    [['profiles', 'use', 'work'], {}],
    [['logout', '--all'], {}],
    [['login', '--with-token'], { stdin: 'svc_CANARY_given_on_stdin' }],
  ])('%j says once that others could read the file, and closes it', async (argv, more) => {
    const wire = await testWire();
    if (argv[0] === 'login') wire.on('GET', '/v1/user').reply(200, {});
    const configDir = await folderWith(storedSignIn('work', A));
    const file = join(configDir, 'credentials.json');
    chmodSync(file, 0o644);
    const run = await svc(argv, { configDir, url: wire.url, token: null, ...more });
    expect(run.exitCode).toBe(0);
    expect(run.stderr.match(/Others could read/g)).toHaveLength(1);
    expect(run.stderr).toContain(`Others could read ${file}; now only you can.`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await svc(['profiles'], { configDir })).stderr).toBe('');
  });
});

describe('svc profiles use', () => {
  test('makes a profile the current one', async () => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(200, {});
    const configDir = await folderWith(storedSignIn('work', A), storedSignIn('home', wire.url));
    const { exitCode, stdout } = await svc(['profiles', 'use', 'home'], { configDir });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `✓ home is the current profile: ${wire.url}\n` });
    await svc(['whoami'], { configDir });
    expect(wire.requests[0]?.headers['authorization']).toBe('Bearer svc_CANARY_home');
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

describe('the profile of a command', () => {
  /** Returns the platform and profile that `svc whoami` used, or its error message. */
  async function whoami(argv: readonly string[], env: Readonly<Record<string, string>>) {
    const [a, b] = [await testWire(), await testWire()];
    const configDir = await folderWith(
      storedSignIn('work', a.url),
      storedSignIn('home', a.url),
      storedSignIn('b', b.url),
    );
    const named = (text: string) => text.replaceAll('<a>', a.url).replaceAll('<b>', b.url);
    const options = {
      configDir,
      env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, named(value)])),
    };
    for (const wire of [a, b]) wire.on('GET', '/v1/user').always(200, {});
    // Each of the two must be used once, or the wire complains.
    await svc(['whoami'], { url: a.url });
    await svc(['whoami'], { url: b.url });
    const run = await svc(['whoami', ...argv.map(named)], options);
    const sent = [a, b].flatMap(({ requests }, index) =>
      requests
        .slice(1)
        .map(({ headers }) => `${'ab'[index]} ${headers['authorization']?.replace('Bearer svc_CANARY_', '')}`),
    );
    const said = run.stderr.replaceAll(a.url, '<a>').replaceAll(b.url, '<b>');
    return { exitCode: run.exitCode, sent, said };
  }

  test.each<[argv: readonly string[], env: Record<string, string>, sent: string]>([
    [[], {}, 'a work'],
    [['--profile', 'home'], {}, 'a home'],
    [[], { SVC_PROFILE: 'home' }, 'a home'],
    [['--profile', 'b'], { SVC_PROFILE: 'home' }, 'b b'],
    [['--profile', 'b', '--api-url', '<b>'], { SVC_PROFILE: 'home', SVC_API_URL: '<a>' }, 'b b'],
    [[], { SVC_API_URL: '<b>' }, 'b b'],
    [[], { SVC_API_URL: '<a>', SVC_PROFILE: 'home' }, 'a home'],
    [['--profile', 'home'], { SVC_TOKEN: 'svc_CANARY_home' }, 'a home'],
    [[], { SVC_API_URL: '<b>', SVC_PROFILE: 'b', SVC_TOKEN: 'svc_CANARY_b' }, 'b b'],
    [[], { SVC_API_URL: '<b>', SVC_TOKEN: 'svc_CANARY_env' }, 'b env'],
    [[], { SVC_TOKEN: 'svc_CANARY_env' }, 'a env'],
    [['--api-url', '<a>'], { SVC_TOKEN: 'svc_CANARY_work' }, 'a work'],
  ])('%j with %j', async (argv, env, sent) => {
    expect(await whoami(argv, env)).toEqual({ exitCode: 0, sent: [sent], said: '' });
  });

  test.each<[argv: readonly string[], env: Record<string, string>, exitCode: number, said: string]>([
    [['--profile', 'typo'], { SVC_API_URL: '<a>' }, 2, 'There is no profile "typo". There are: work, home, b.'],
    [['--profile', 'typo', '--api-url', '<a>'], {}, 2, 'There is no profile "typo".'],
    [[], { SVC_PROFILE: 'typo' }, 2, 'There is no profile "typo".'],
    [[], { SVC_PROFILE: 'home', SVC_API_URL: '<b>' }, 2, 'belongs to <a>; SVC_API_URL says <b>.'],
    [['--profile', 'home', '--api-url', '<b>'], {}, 2, '  Use --profile or --api-url, not both.'],
    [['--profile', 'b'], { SVC_API_URL: '<a>' }, 2, 'belongs to <b>; SVC_API_URL says <a>.'],
    [['--profile', 'b'], { SVC_API_URL: '<a>', SVC_TOKEN: 'svc_CANARY_env' }, 2, 'SVC_API_URL says <a>.'],
    [[], { SVC_API_URL: '<b>', SVC_PROFILE: 'typo', SVC_TOKEN: 'svc_CANARY_env' }, 2, 'no profile "typo".'],
    [
      ['--api-url', 'http://127.0.0.1:9'],
      {},
      4,
      'Not signed in to http://127.0.0.1:9.\n  Sign in, or set SVC_TOKEN.\nTry: svc login --api-url http://127.0.0.1:9\n',
    ],
    [['--api-url', 'http://127.0.0.1:9'], { SVC_PROFILE: 'home' }, 2, '--api-url says http://127.0.0.1:9.'],
    [['--api-url', 'http://example.com'], {}, 2, '--api-url is plain http'],
    [[], { SVC_API_URL: 'http://example.com' }, 2, 'SVC_API_URL is plain http'],
  ])('%j with %j is refused, and nothing is sent', async (argv, env, exitCode, said) => {
    const run = await whoami(argv, env);
    expect(run).toMatchObject({ exitCode, sent: [] });
    expect(run.said).toContain(said);
  });

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
  test.each<[argv: readonly string[], env: Record<string, string>, said: string]>([
    [['--profile', 'home'], { SVC_TOKEN: 'svc_CANARY_env' }, selected('--profile', 'home', 'svc whoami')],
    [[], { SVC_PROFILE: 'b', SVC_TOKEN: 'svc_CANARY_env' }, selected('SVC_PROFILE', 'b', 'unset SVC_PROFILE')],
    [['--profile=b'], { SVC_TOKEN: 'svc_CANARY_work' }, 'which stores another sign-in'],
    [[], { SVC_PROFILE: 'home', SVC_SESSION_TOKEN: 'svc_CANARY_home' }, 'SVC_SESSION_TOKEN is set, and SVC_PROFILE'],
    [[], { SVC_API_URL: '<b>', SVC_TOKEN: 'svc_CANARY_home' }, ELSEWHERE],
    [[], { SVC_TOKEN: 'svc_CANARY_b' }, 'is stored for <b> (profile "b"), and would go to <a> (profile work)'],
  ])('%j with %j contradicts a token of the environment: nothing is sent', async (argv, env, said) => {
    const run = await whoami(argv, env);
    expect(run).toMatchObject({ exitCode: 2, sent: [] });
    expect(run.said).toContain(said);
  });

  test.each([['orgs', 'list'], ['status'], ['api', '/v1/user'], ['restart', 's1', '--yes']])(
    'svc %s sends no token of the environment that contradicts the profile either',
    async (...argv) => {
      const wire = await testWire();
      const configDir = await folderWith(storedSignIn('work', wire.url));
      const run = await svc([...argv, '--profile', 'work', '--json'], {
        configDir,
        env: { SVC_TOKEN: 'svc_CANARY_env' },
      });
      expect(run).toMatchObject({
        exitCode: 2,
        error: { next: ['unset SVC_TOKEN', expect.stringMatching(/^svc (?!.*work)/)] },
      });
      expect(wire.requests).toEqual([]);
    },
  );

  test.each(['config list', 'profiles', 'logout'])('svc %s sends nothing, so it works', async (line) => {
    const configDir = await folderWith(storedSignIn('work', 'https://a.example'));
    const env = { SVC_TOKEN: 'svc_CANARY_env' };
    expect(await svc([...line.split(' '), '--profile', 'work'], { configDir, env })).toMatchObject({ exitCode: 0 });
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

  test('a token of the environment needs no credentials file, not even a readable one', async () => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(200, {});
    const configDir = await temporaryFolder();
    writeFileSync(join(configDir, 'credentials.json'), 'damaged', { mode: 0o644 });
    const run = await svc(['whoami'], { url: wire.url, configDir });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  });
});
