import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
  const UNKNOWN = { code: 'no_data', error: 'The platform does not say when this token expires.' };
  const at = (value: number, when: string) => ({
    code: 'alert',
    hint: 'svc login',
    alerts: [{ series: 'token', figure: 'days', value, at: when }],
  });

  test.each<[within: string, token: object, exitCode: number, error: object, stored?: string]>([
    ['14d', { expiresAt: '2026-06-10T10:00:01.000Z' }, 0, {}],
    ['14d', { expiresAt: '2026-06-10T10:00:00.000Z' }, 9, at(14, '2026-06-10T10:00:00.000Z')],
    ['1d', { expiresAt: '2026-05-26T22:00:00.000Z' }, 9, { error: 'The token expired 12 hours ago, on 26 May 2026.' }],
    ['1d', { expiresAt: '2026-05-26T22:00:00.000Z' }, 9, at(-0.5, '2026-05-26T22:00:00.000Z')],
    ['2d', { expires_at: '2026-05-28T10:00:00Z' }, 9, { error: 'The token expires in 24 hours, on 28 May 2026.' }],
    ['12h', { expiresAt: 'Thu, 28 May 2026 10:00:00 GMT' }, 0, {}],
    ['2d', { expiresAt: 'Thu, 28 May 2026 10:00:00 GMT' }, 9, { code: 'alert' }],
    ['14d', {}, 9, at(3.08, EXPIRES), EXPIRES],
    ['14d', {}, 12, UNKNOWN],
    ['14d', { expiresAt: 'soon' }, 12, UNKNOWN],
  ])('%s of %j is exit %i, and the answer is printed', async (within, token, exitCode, error, expiresAt) => {
    const { wire, configDir, clock } = await signedIn('work', { expiresAt });
    wire.on('GET', '/v1/user').reply(200, { token });
    const run = await svc(['whoami', '--fail-if-expires', within, '--json', '--quiet'], { configDir, clock });
    expect(run).toMatchObject({ exitCode, json: { token } });
    if (exitCode === 0) expect(run.stderr).toBe('');
    else expect(run.error).toMatchObject(error);
  });
});

describe('svc whoami', () => {
  test.each([
    ['2026-06-12T12:00:00.000Z', 'Token expires  12 Jun 2026, 12:00 UTC\n'],
    [EXPIRES, 'Token expires  \u001b[33m30 May 2026, 12:00 UTC\u001b[39m\n'],
    ['2026-05-26T12:00:00.000Z', 'Token expired  \u001b[31m26 May 2026, 12:00 UTC\u001b[39m\n'],
  ])('says how long a token lasts until %s, in yellow if it ends soon', async (expiresAt, row) => {
    const { wire, configDir, clock } = await signedIn('work', { expiresAt });
    wire.on('GET', '/v1/user').reply(200, {});
    const env = { TERM: 'xterm', TZ: 'UTC' };
    const { stdout } = await svc(['whoami'], { configDir, clock, env, terminal: TERMINAL });
    expect(stdout.replaceAll(/\u001b\[2?2?m/g, '')).toContain(row);
  });

  test('believes the platform rather than the file', async () => {
    const { wire, configDir, clock } = await signedIn();
    wire.on('GET', '/v1/user').reply(200, { token: { expiresAt: '2026-06-27T10:00:00.000Z' } });
    expect((await svc(['whoami'], { configDir, clock })).stdout).toContain('Token expires  2026-06-27T10:00:00.000Z\n');
  });
});

describe('a sign-in that the platform refuses', () => {
  const REFUSED = 'The platform did not accept the stored token (profile';
  const REVOKED = 'It may have been revoked.';
  const EXPIRED = 'The token expired on 30 May 2026.';
  const LATER = '2026-06-01T00:00:00Z';

  test.each<[profile: string, now: string, words: string, said: string, hint: string]>([
    ['work', NOW, '', `work). ${REVOKED}`, 'svc login --profile work'],
    ['work', LATER, '', `work). ${EXPIRED}`, 'svc login --profile work'],
    ['<host>', NOW, '', `<host>). ${REVOKED}`, 'svc login'],
    ['<host>', NOW, '--api-url <url>', `<host>). ${REVOKED}`, 'svc login --api-url <url>'],
  ])('of profile %s at %s %s', async (profile, now, words, said, hint) => {
    const { wire, configDir } = await signedIn(profile);
    wire.on('GET', '/v1/user').always(401, { error: 'invalid token' });
    const named = (text: string) => text.replace('<url>', wire.url).replace('<host>', new URL(wire.url).host);
    const whoami = (more: string) =>
      svc(named(`whoami ${more} ${words}`).split(' ').filter(Boolean), { configDir, clock: fakeClock(now) });
    const script = await whoami('--json');
    expect(script).toMatchObject({ exitCode: 4, stdout: '', error: { error: 'invalid token', hint: named(hint) } });
    const { stderr } = await whoami('');
    expect(stderr).toContain(named(`${REFUSED} ${said}`));
    expect(stderr).toContain('  The platform says: invalid token\n');
    expect(readSignIns(configDir).credentials).toHaveLength(1);
  });

  test.each([
    ['SVC_TOKEN', 'token'],
    ['SVC_SESSION_TOKEN', 'dashboard session'],
  ])('from %s', async (name, what) => {
    const { wire, configDir } = await signedIn();
    wire.on('GET', '/v1/user').reply(401, {});
    const run = await svc(['whoami'], { configDir, env: { [name]: 'svc_CANARY_env' } });
    const said = `Error: The platform did not accept the ${what} in ${name}.\n`;
    const hint = `  Set ${name} to a valid ${what}, or sign in without it:\nTry: unset ${name}; svc login\n`;
    expect(run).toMatchObject({ exitCode: 4, stderr: `${said}${hint}` });
    expect(readSignIns(configDir).credentials).toHaveLength(1);
  });

  test.each([
    ['  ', 'SVC_TOKEN is blank.'],
    ['two words', 'SVC_TOKEN holds spaces or characters that no token has.'],
  ])('a token "%s" of the environment is not sent, and none is used in its place', async (token, said) => {
    const { wire, configDir } = await signedIn();
    const run = await svc(['whoami'], { configDir, env: { SVC_TOKEN: token } });
    expect(run).toMatchObject({ exitCode: 4, stderr: expect.stringContaining(said) });
    expect(wire.requests).toEqual([]);
  });

  test('a token of a damaged file is not "no token"', async () => {
    const { wire, configDir } = await signedIn();
    const file = join(configDir, 'credentials.json');
    writeFileSync(file, '{"version":1,"credentials":[{"token":');
    const run = await svc(['whoami', '--json'], { configDir, url: wire.url, token: null });
    expect(run).toMatchObject({ exitCode: 4, error: { error: `The credentials file is damaged: ${file}` } });
  });
});
