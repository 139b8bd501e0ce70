import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { readSignIns, storedSignIn, writeSignIns } from '../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const NOW = '2026-05-27T10:00:00.000Z';
/** Three days and two hours later. */
const EXPIRES = '2026-05-30T12:00:00.000Z';
const TERMINAL = { columns: 120, rows: 30 };

/** Somebody who signed in, and to whom the platform answers like this, if it answers at all. */
async function signedIn(more: Parameters<typeof storedSignIn>[2] = {}, answer?: object, status = 200) {
  const wire = await testWire();
  if (answer !== undefined) wire.on('GET', '/v1/user').always(status, answer);
  const configDir = await temporaryFolder();
  writeSignIns(configDir, storedSignIn('work', wire.url, { token: 'svc_CANARY_stored', ...more }));
  const clock = fakeClock(NOW);
  const run = (line: string, options: RunOptions = {}) =>
    svc(line.split(' ').filter(Boolean), { configDir, clock, ...options });
  return { wire, configDir, clock, run };
}

describe('a token that is about to end', () => {
  const NOTICE =
    'The token of profile work expires in 3 days, on 30 May 2026. Renew it with svc login --profile work.\n';

  test('is warned of once a day', async () => {
    const { configDir, clock, run } = await signedIn({}, {});
    const said = async () => (await run('whoami', { terminal: TERMINAL })).stderr;
    expect(await said()).toContain(NOTICE);
    expect(await said()).not.toContain('expires');
    clock.advance(14 * 60 * 60 * 1000);
    expect(await said()).toContain('expires in 3 days');
    const { reminders } = JSON.parse(readFileSync(join(configDir, 'cache.json'), 'utf8'));
    expect(reminders).toEqual({ work: '2026-05-28' });
  });

  test.each<[line: string, env: Record<string, string>]>([
    ['whoami --quiet', {}],
    ['whoami', { SVC_TOKEN: 'svc_CANARY_env' }],
    // It does not use the sign-in.
    ['profiles', {}],
  ])('is not warned of by %s with %j', async (line, env) => {
    const { run } = await signedIn({}, line === 'profiles' ? undefined : {});
    const { exitCode, stderr } = await run(line, { env, terminal: TERMINAL });
    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('expires')]);
  });

  test('is warned of in scripts as a line of JSON, before the counts of a list and before an error', async () => {
    const { wire, clock, run } = await signedIn();
    wire.on('POST', '/v1/services/a/restart').reply(200, { success: true });
    wire.on('POST', '/v1/services/b/restart').reply(404, { error: 'none' });
    const linesOf = async (line: string) => {
      const { stderr } = await run(line);
      return stderr
        .trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text));
    };
    const warning = { warning: NOTICE.trim(), code: 'token_expires' };
    const summary = expect.objectContaining({ done: 1 });
    expect(await linesOf('restart a --concurrency 1 --json --yes')).toEqual([warning, { summary }]);
    clock.advance(24 * 60 * 60 * 1000);
    expect(await linesOf('restart b --json')).toMatchObject([{ code: 'token_expires' }, { code: 'not_found' }]);
  });

  test('is spoken of where that cannot be remembered, and the command succeeds', async () => {
    const { configDir, run } = await signedIn({}, {});
    // A folder in the place of the file: nothing can be written there, also by root.
    mkdirSync(join(configDir, 'cache.json'));
    const stderr = expect.stringContaining(NOTICE);
    for (let day = 0; day < 2; day += 1) {
      expect(await run('whoami', { terminal: TERMINAL })).toMatchObject({ exitCode: 0, stderr });
    }
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
    ['14d', {}, 9, at(3.08, EXPIRES), EXPIRES],
    ['14d', {}, 12, UNKNOWN],
    ['14d', { expiresAt: 'soon' }, 12, UNKNOWN],
  ])('%s of %j is exit %i, and the answer is printed', async (within, token, exitCode, error, expiresAt) => {
    const { run } = await signedIn({ expiresAt }, { token });
    const end = await run(`whoami --fail-if-expires ${within} --json --quiet`);
    expect(end).toMatchObject({ exitCode, json: { token } });
    if (exitCode === 0) expect(end.stderr).toBe('');
    else expect(end.error).toMatchObject(error);
  });
});

describe('svc whoami', () => {
  test.each([
    ['2026-06-12T12:00:00.000Z', 'Token expires  12 Jun 2026, 12:00 UTC\n'],
    [EXPIRES, 'Token expires  \u001b[33m30 May 2026, 12:00 UTC\u001b[39m\n'],
    ['2026-05-26T12:00:00.000Z', 'Token expired  \u001b[31m26 May 2026, 12:00 UTC\u001b[39m\n'],
  ])('says how long a token lasts until %s, in yellow if it ends soon', async (expiresAt, row) => {
    const { run } = await signedIn({ expiresAt }, {});
    const { stdout } = await run('whoami', { env: { TERM: 'xterm', TZ: 'UTC' }, terminal: TERMINAL });
    expect(stdout.replaceAll(/\u001b\[2?2?m/g, '')).toContain(row);
  });

  test('believes the platform rather than the file', async () => {
    const { run } = await signedIn({}, { token: { expiresAt: '2026-06-27T10:00:00.000Z' } });
    expect((await run('whoami')).stdout).toContain('Token expires  2026-06-27T10:00:00.000Z\n');
  });
});

describe('a sign-in that the platform refuses', () => {
  const REVOKED = 'It may have been revoked.';
  const EXPIRED = 'The token expired on 30 May 2026.';
  const LATER = '2026-06-01T00:00:00Z';

  test.each<[profile: string, now: string, words: string, why: string, hint: string]>([
    ['work', NOW, '', REVOKED, 'svc login --profile work'],
    ['work', LATER, '', EXPIRED, 'svc login --profile work'],
    ['<host>', NOW, '', REVOKED, 'svc login'],
    ['<host>', NOW, '--api-url <url>', REVOKED, 'svc login --api-url <url>'],
  ])('of profile %s at %s %s', async (profile, now, words, why, hint) => {
    const { wire, configDir, run } = await signedIn({}, { error: 'invalid token' }, 401);
    const named = (text: string) => text.replace('<url>', wire.url).replace('<host>', new URL(wire.url).host);
    writeSignIns(configDir, storedSignIn(named(profile), wire.url));
    const options = { clock: fakeClock(now) };
    const error = { error: 'invalid token', hint: named(hint) };
    expect(await run(named(`whoami --json ${words}`), options)).toMatchObject({ exitCode: 4, stdout: '', error });
    const { stderr } = await run(named(`whoami ${words}`), options);
    expect(stderr).toContain(named(`The platform did not accept the stored token (profile ${profile}). ${why}`));
    expect(stderr).toContain('  The platform says: invalid token\n');
    expect(readSignIns(configDir).credentials).toHaveLength(1);
  });

  test.each([
    ['SVC_TOKEN', 'token'],
    ['SVC_SESSION_TOKEN', 'dashboard session'],
  ])('from %s', async (name, what) => {
    const { run } = await signedIn({}, {}, 401);
    const said = `Error: The platform did not accept the ${what} in ${name}.\n`;
    const hint = `  Set ${name} to a valid ${what}, or sign in without it:\nTry: unset ${name}; svc login\n`;
    const end = await run('whoami', { env: { [name]: 'svc_CANARY_env' } });
    expect(end).toMatchObject({ exitCode: 4, stderr: `${said}${hint}` });
  });

  test('a token of the environment that is none is not sent, and none is used in its place', async () => {
    const { wire, run } = await signedIn();
    const stderr = expect.stringContaining('SVC_TOKEN is blank.');
    expect(await run('whoami', { env: { SVC_TOKEN: '  ' } })).toMatchObject({ exitCode: 4, stderr });
    expect(wire.requests).toEqual([]);
  });
});
