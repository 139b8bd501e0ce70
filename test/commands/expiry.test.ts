import { expect, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { readSignIns, storedSignIn, writeSignIns } from '../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const NOW = '2026-05-27T10:00:00.000Z';
/** Three days and two hours later. */
const EXPIRES = '2026-05-30T12:00:00.000Z';
const NOTICE =
  'The token of profile work expires in 3 days, on 30 May 2026. Renew it with svc login --profile work.\n';

/** Somebody who signed in, and to whom the platform answers like this, if it answers at all. */
async function signedIn(
  more: Parameters<typeof storedSignIn>[2] = {},
  answer?: object,
  status = 200,
) {
  const wire = await testWire();
  if (answer !== undefined) wire.on('GET', '/v1/user').always(status, answer);
  const configDir = await temporaryFolder();
  writeSignIns(configDir, storedSignIn('work', wire.url, { token: 'svc_CANARY_stored', ...more }));
  const clock = fakeClock(NOW);
  const run = (line: string, options: RunOptions = {}) =>
    svc(line.split(' ').filter(Boolean), { configDir, clock, ...options });
  /** What people read beside the answer. */
  const said = async (line = 'whoami', env: RunOptions['env'] = {}) => {
    const done = await run(line, { env, terminal: { columns: 120, rows: 30 } });
    expect(done.exitCode).toBe(0);
    return done.stderr;
  };
  return { wire, configDir, clock, run, said };
}

test('a token that is about to end is warned of once a day', async () => {
  const { clock, said } = await signedIn({}, {});
  expect(await said()).toContain(NOTICE);
  expect(await said()).not.toContain('expires');
  clock.advance(14 * 60 * 60 * 1000);
  expect(await said()).toContain('expires in 3 days');
});

test('it is not warned of with --quiet, nor if it is not used', async () => {
  const { said } = await signedIn({}, {});
  expect(await said('whoami --quiet')).toBe('');
  expect(await said('whoami', { SVC_TOKEN: 'svc_CANARY_env' })).not.toContain('expires');
  expect(await said('profiles')).not.toContain('expires');
});

test('it is warned of in scripts as a line of JSON, before the counts of a list and before an error', async () => {
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
  expect(await linesOf('restart b --json')).toMatchObject([
    { code: 'token_expires' },
    { code: 'not_found' },
  ]);
});

const UNKNOWN = {
  code: 'no_data',
  error: 'The platform does not say when this token expires.',
};
const unread = (text: string) => ({
  code: 'no_data',
  error: `svc cannot read "${text}" as the time when this token expires.`,
});
const ALERT = { code: 'alert', hint: 'svc login --profile work' };
const endsAt = (value: number, at: string) => ({
  ...ALERT,
  alerts: [{ series: 'token', figure: 'days', value, at }],
});
const PAST = '2026-05-26T22:00:00.000Z';

test.each<[within: string, token: object, exitCode: number, error: object, stored?: string]>([
  ['14d', { expiresAt: '2026-06-10T10:00:01.000Z' }, 0, {}],
  ['14d', { expiresAt: '2026-06-10T10:00:00.000Z' }, 9, endsAt(14, '2026-06-10T10:00:00.000Z')],
  [
    '1d',
    { expiresAt: PAST },
    9,
    { ...endsAt(-0.5, PAST), error: 'The token expired 12 hours ago, on 26 May 2026.' },
  ],
  [
    '2d',
    { expires_at: '2026-05-28T10:00:00Z' },
    9,
    { error: 'The token expires in 24 hours, on 28 May 2026.' },
  ],
  ['14d', {}, 9, endsAt(3.08, EXPIRES), EXPIRES],
  ['14d', {}, 12, UNKNOWN],
  ['14d', { expires: '2026-05-28' }, 12, UNKNOWN],
  ['14d', { expiresAt: 'soon' }, 12, unread('soon')],
  ['14d', { expiresAt: '0001-01-01T00:00:00Z' }, 12, unread('0001-01-01T00:00:00Z')],
  ['14d', { expiresAt: 1_780_142_400_000_000 }, 9, { code: 'alert' }],
  ['14d', { expiresAt: 'soon', expires_at: EXPIRES }, 9, endsAt(3.08, EXPIRES)],
  ['14d', { expiresAt: 'soon' }, 9, endsAt(3.08, EXPIRES), EXPIRES],
])(
  'whoami --fail-if-expires %s of %j is exit %i',
  async (within, token, exitCode, error, expiresAt) => {
    const { run } = await signedIn({ expiresAt }, { token });
    const end = await run(`whoami --fail-if-expires ${within} --json --quiet`);
    expect(end).toMatchObject({ exitCode, json: { token } });
    if (exitCode === 0) expect(end.stderr).toBe('');
    else expect(end.error).toMatchObject(error);
  },
);

test.each([
  ['ahead', '2026-06-01T00:00:00Z', 0],
  ['behind', '2026-05-26T00:00:00Z', 9],
])('a clock that is days %s changes nothing: that of the platform counts', async (_, now, code) => {
  const { wire, run } = await signedIn();
  const user = { user: {}, token: { expiresAt: EXPIRES } };
  wire.on('GET', '/v1/user').always(200, user, { date: new Date(NOW).toUTCString() });
  wire.on('GET', '/v1/billing/autopay').reply(200, {});
  const options = { clock: fakeClock(now), env: { SVC_TOKEN: 'svc_CANARY_env' } };
  const within = code === 0 ? '3d' : '4d';

  const check = await run(`whoami --fail-if-expires ${within}`, options);

  expect(check.exitCode).toBe(code);
  expect(check.stdout).toMatch(/Token expires\s+2026-05-30T12:00/);
  expect((await run('status --json', options)).json).toMatchObject({ token: { daysLeft: 3 } });
});

test.each([
  ['the answer', { expiresAt: EXPIRES }, undefined],
  ['the answer, in another form', { expiresAt: 'soon', expires_at: EXPIRES }, undefined],
  ['the stored sign-in', { expiresAt: 'soon' }, EXPIRES],
])('the screen shows the instant that the check reads: of %s', async (_what, token, stored) => {
  const { run } = await signedIn({ expiresAt: stored }, { token });
  const screen = await run('whoami --fail-if-expires 14d');

  expect(screen.exitCode).toBe(9);
  expect(screen.stdout).toMatch(/Token expires\s+2026-05-30T12:00/);
});

test.each([
  [NOW, 'It may have been revoked.'],
  ['2026-06-01T00:00:00Z', 'The token expired on 30 May 2026.'],
])(
  'a sign-in that the platform refuses at %s is named, with %j and how to renew it',
  async (now, why) => {
    const { configDir, run } = await signedIn({}, { error: 'invalid token' }, 401);
    const options = { clock: fakeClock(now) };
    const error = { error: 'invalid token', hint: 'svc login --profile work' };
    expect(await run('whoami --json', options)).toMatchObject({ exitCode: 4, stdout: '', error });
    const { stderr } = await run('whoami', options);
    expect(stderr).toContain(`the stored token (profile work). ${why}`);
    expect(stderr).toContain('  The platform says: invalid token\n');
    expect(readSignIns(configDir).credentials).toHaveLength(1);
  },
);

test.each(['SVC_TOKEN', 'SVC_SESSION_TOKEN'])('a refused one from %s names it', async (name) => {
  const { run } = await signedIn({}, {}, 401);
  const stderr = expect.stringMatching(
    new RegExp(` in ${name}\\.\n[^]*Try: unset ${name}; svc login\n`),
  );
  expect(await run('whoami', { env: { [name]: 'svc_CANARY_env' } })).toMatchObject({
    exitCode: 4,
    stderr,
  });
});

test.each(['whoami', 'status', 'doctor', 'whoami --fail-if-expires 14d'])(
  'svc %s says where a new token goes if a variable has the one that ends soon',
  async (line) => {
    const { wire, run } = await signedIn({}, { user: {}, token: { expiresAt: EXPIRES } });
    if (line === 'status') wire.on('GET', '/v1/billing/autopay').reply(200, {});

    const { stdout, stderr } = await run(line, { env: { SVC_TOKEN: 'svc_CANARY_env' } });

    expect(stdout + stderr).toContain('Put a new token in SVC_TOKEN.');
    expect(stdout + stderr).not.toContain('svc login');
  },
);

test('if nobody says when the token of a variable ends, a stored sign-in would', async () => {
  const { run } = await signedIn({}, { user: {}, token: {} });

  const check = await run('whoami --fail-if-expires 14d', { env: { SVC_TOKEN: 'svc_CANARY_env' } });

  expect(check.exitCode).toBe(12);
  expect(check.stderr).toContain('Try: unset SVC_TOKEN; svc login');
});
