import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { readSignIns, storedSignIn, writeSignIns } from '../support/stored.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const NOW = '2026-05-27T10:00:00.000Z';
/** Three days and two hours later. */
const EXPIRES = '2026-05-30T12:00:00.000Z';
const TERMINAL = { columns: 120, rows: 30 };

async function signedIn(profile = 'work', more: Parameters<typeof storedSignIn>[2] = {}) {
  const wire = await testWire();
  const configDir = await temporaryFolder();
  const record = storedSignIn(profile === '<host>' ? new URL(wire.url).host : profile, wire.url, more);
  writeSignIns(configDir, { ...record, token: 'svc_CANARY_stored' });
  return { wire, configDir, clock: fakeClock(NOW) };
}

describe('a token that is about to end', () => {
  const NOTICE =
    'The token of profile work expires in 3 days, on 30 May 2026. Renew it with svc login --profile work.\n';

  test('is warned of once a day', async () => {
    const { wire, configDir, clock } = await signedIn();
    wire.on('GET', '/v1/user').always(200, {});
    const run = () => svc(['whoami'], { configDir, clock, terminal: TERMINAL });
    expect((await run()).stderr).toContain(NOTICE);
    expect((await run()).stderr).not.toContain('expires');
    clock.advance(14 * 60 * 60 * 1000);
    expect((await run()).stderr).toContain('expires in 3 days');
    expect(JSON.parse(readFileSync(join(configDir, 'cache.json'), 'utf8'))).toMatchObject({
      reminders: { work: '2026-05-28' },
    });
  });

  test.each<[title: string, argv: readonly string[], env: Record<string, string>]>([
    ['with --quiet', ['--quiet'], {}],
    ['with a token of the environment', [], { SVC_TOKEN: 'svc_CANARY_env' }],
  ])('is not warned of %s', async (_title, argv, env) => {
    const { wire, configDir, clock } = await signedIn();
    wire.on('GET', '/v1/user').reply(200, {});
    const { exitCode, stderr } = await svc(['whoami', ...argv], { configDir, clock, env, terminal: TERMINAL });
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain('expires');
  });

  test('is warned of in scripts as a line of JSON, before the counts of a list and before an error', async () => {
    const { wire, configDir, clock } = await signedIn();
    wire.on('POST', '/v1/services/a/restart').always(200, { success: true });
    wire.on('POST', '/v1/services/b/restart').always(404, { error: 'none' });
    const warning = { warning: NOTICE.trim(), code: 'token_expires' };
    const linesOf = (stderr: string) =>
      stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    const list = await svc(['restart', 'a', '--concurrency', '1', '--json', '--yes'], { configDir, clock });
    expect(linesOf(list.stderr)).toEqual([warning, { summary: expect.objectContaining({ done: 1 }) }]);
    expect((await svc(['restart', 'a', '--json'], { configDir, clock })).stderr, 'once a day').toBe('');
    clock.advance(24 * 60 * 60 * 1000);
    const failed = await svc(['restart', 'b', '--json'], { configDir, clock });
    expect(linesOf(failed.stderr)).toMatchObject([{ code: 'token_expires' }, { code: 'not_found' }]);
  });

  test.each([
    ['2026-05-16T12:00:00.000Z', 'expires in 14 days'],
    ['2026-05-16T11:59:59.000Z', undefined],
  ])('is warned of from two weeks before: %s', async (now, said) => {
    const { wire, configDir } = await signedIn();
    wire.on('GET', '/v1/user').reply(200, {});
    const { stderr } = await svc(['whoami'], { configDir, clock: fakeClock(now) });
    expect(stderr).toEqual(said === undefined ? '' : expect.stringContaining(said));
  });

  test('is spoken of where that cannot be remembered, and the command succeeds', async () => {
    const { wire, configDir, clock } = await signedIn();
    wire.on('GET', '/v1/user').always(200, {});
    // A folder in the place of the file: nothing can be written there, also by root.
    mkdirSync(join(configDir, 'cache.json'));
    const run = () => svc(['whoami'], { configDir, clock, terminal: TERMINAL });
    for (const { exitCode, stderr } of [await run(), await run()]) {
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(NOTICE) });
    }
  });

  test('is spoken of by no command that does not use it', async () => {
    const { wire, configDir, clock } = await signedIn();
    const { stderr } = await svc(['profiles'], { configDir, clock, terminal: TERMINAL });
    expect(stderr).toBe('');
    expect(wire.requests).toEqual([]);
  });
});

describe('svc whoami --fail-if-expires', () => {
  const check = async (expiresAt: string | undefined, within: string, stored: object = {}) => {
    const { wire, configDir, clock } = await signedIn('work', { expiresAt: undefined, ...stored });
    wire.on('GET', '/v1/user').reply(200, { token: { expiresAt } });
    return svc(['whoami', '--fail-if-expires', within, '--json', '--quiet'], { configDir, clock });
  };

  test('is exit 0 while the token lasts longer, and 9 with an alert from then on; the answer is printed', async () => {
    expect(await check('2026-06-10T10:00:01.000Z', '14d')).toMatchObject({ exitCode: 0, stderr: '' });
    const soon = await check('2026-06-10T10:00:00.000Z', '14d');
    expect(soon).toMatchObject({
      exitCode: 9,
      json: { token: { expiresAt: '2026-06-10T10:00:00.000Z' } },
      error: {
        error: 'The token expires in 14 days, on 10 Jun 2026.',
        code: 'alert',
        hint: 'svc login',
        alerts: [{ series: 'token', figure: 'days', value: 14, limit: 14, at: '2026-06-10T10:00:00.000Z' }],
      },
    });
    const past = await check('2026-05-26T22:00:00.000Z', '1d');
    expect(past).toMatchObject({ exitCode: 9, error: { alerts: [{ value: -0.5, limit: 1 }] } });
    expect(past.error).toMatchObject({ error: 'The token expired 12 hours ago, on 26 May 2026.' });
  });

  test('takes what is stored if the platform does not say, and is exit 12 if nobody does', async () => {
    const stored = await check(undefined, '14d', { expiresAt: EXPIRES });
    expect(stored).toMatchObject({ exitCode: 9, error: { code: 'alert' } });
    expect(await check(undefined, '14d')).toMatchObject({ exitCode: 12, error: { code: 'no_data' } });
    expect(await check('soon', '14d')).toMatchObject({ exitCode: 12, error: { code: 'no_data' } });
  });
});

describe('svc whoami', () => {
  test.each([
    ['2026-06-12T12:00:00.000Z', 'Token expires  12 Jun 2026, 12:00 UTC (in 16 days)'],
    [EXPIRES, 'Token expires  \u001b[33m30 May 2026, 12:00 UTC\u001b[39m (in 3 days)'],
    ['2026-05-26T12:00:00.000Z', 'Token expired  \u001b[31m26 May 2026, 12:00 UTC\u001b[39m (22 hours ago)'],
  ])('says how long a token lasts until %s, in yellow if it ends soon', async (expiresAt, row) => {
    const { wire, configDir, clock } = await signedIn('work', { expiresAt });
    wire.on('GET', '/v1/user').reply(200, {});
    const env = { TERM: 'xterm', TZ: 'UTC' };
    const { stdout } = await svc(['whoami'], { configDir, clock, env, terminal: TERMINAL });
    expect(stdout.replaceAll(/\u001b\[2?2?m/g, '')).toContain(`${row}\n`);
  });

  test('believes the platform rather than the file', async () => {
    const { wire, configDir, clock } = await signedIn();
    wire.on('GET', '/v1/user').reply(200, { token: { expiresAt: '2026-06-27T10:00:00.000Z' } });
    expect((await svc(['whoami'], { configDir, clock })).stdout).toContain('Token expires  2026-06-27T10:00:00.000Z\n');
  });
});

describe('a sign-in that the platform refuses', () => {
  const STORED = 'The platform did not accept the stored token (profile';

  test.each<[title: string, profile: string, now: string, argv: readonly string[], said: string, hint: string]>([
    [
      'that may have been revoked',
      'work',
      NOW,
      [],
      `${STORED} work). It may have been revoked.`,
      'svc login --profile work',
    ],
    [
      'that has expired',
      'work',
      '2026-06-01T00:00:00Z',
      [],
      `${STORED} work). The token expired on 30 May 2026.`,
      'svc login --profile work',
    ],
    ['of the usual profile', '<host>', NOW, [], `${STORED} <host>). It may have been revoked.`, 'svc login'],
    ['of an address that a flag gave', '<host>', NOW, ['--api-url', '<url>'], STORED, 'svc login --api-url <url>'],
  ])('%s', async (_title, profile, now, argv, said, hint) => {
    const { wire, configDir } = await signedIn(profile);
    wire.on('GET', '/v1/user').reply(401, { error: 'invalid token' });
    const named = (text: string) => text.replace('<url>', wire.url).replace('<host>', new URL(wire.url).host);
    const run = await svc(['whoami', '--json', ...argv.map(named)], { configDir, clock: fakeClock(now) });
    expect(run).toMatchObject({ exitCode: 4, stdout: '', error: { error: 'invalid token', hint: named(hint) } });
    expect(readSignIns(configDir).credentials).toHaveLength(1);
    wire.on('GET', '/v1/user').reply(401, { error: 'invalid token' });
    const forPeople = await svc(['whoami', ...argv.map(named)], { configDir, clock: fakeClock(now) });
    expect(forPeople.stderr).toContain(named(said));
    expect(forPeople.stderr).toContain('  The platform says: invalid token\n');
  });

  test.each([
    ['SVC_TOKEN', 'token'],
    ['SVC_SESSION_TOKEN', 'dashboard session'],
  ])('from %s', async (name, what) => {
    const { wire, configDir } = await signedIn();
    wire.on('GET', '/v1/user').reply(401, {});
    const { exitCode, stderr } = await svc(['whoami'], { configDir, env: { [name]: 'svc_CANARY_env' } });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 4,
      stderr:
        `Error: The platform did not accept the ${what} in ${name}.\n` +
        `  Set ${name} to a valid ${what}, or sign in without it:\nTry: unset ${name}; svc login\n`,
    });
    expect(readSignIns(configDir).credentials).toHaveLength(1);
  });

  test.each([
    ['  ', 'SVC_TOKEN is blank.'],
    ['two words', 'SVC_TOKEN holds spaces or characters that no token has.'],
    ['svc_é', 'SVC_TOKEN holds spaces or characters that no token has.'],
  ])('a token "%s" of the environment is not sent, and none is used in its place', async (token, said) => {
    const { wire, configDir } = await signedIn();
    const { exitCode, stderr } = await svc(['whoami'], { configDir, env: { SVC_TOKEN: token } });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 4, stderr: expect.stringContaining(said) });
    expect(wire.requests).toEqual([]);
  });

  test('a token of a damaged file is not "no token"', async () => {
    const { wire, configDir } = await signedIn();
    const file = join(configDir, 'credentials.json');
    writeFileSync(file, '{"version":1,"credentials":[{"token":');
    chmodSync(file, 0o600);
    const run = await svc(['whoami', '--json'], { configDir, url: wire.url, token: null });
    expect(run).toMatchObject({ exitCode: 4, error: { error: `The credentials file is damaged: ${file}` } });
  });
});

test.each([{ expires_at: '2026-05-28T10:00:00Z' }, { expiresAt: 'Thu, 28 May 2026 10:00:00 GMT' }])(
  'whoami --fail-if-expires reads what the screen shows: %j',
  async (token) => {
    const { wire, configDir, clock } = await signedIn();
    wire.on('GET', '/v1/user').always(200, { token });
    const run = (...argv: string[]) => svc(['whoami', ...argv], { url: wire.url, configDir, clock });
    expect((await run('--fail-if-expires', '2d')).exitCode).toBe(9);
    expect((await run('--fail-if-expires', '12h')).exitCode).toBe(0);
  },
);
