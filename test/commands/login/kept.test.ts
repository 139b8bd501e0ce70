import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeClock } from '../../support/clock.ts';
import { ISSUED, START } from '../../support/device-login.ts';
import { readSignIns } from '../../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const TOKEN = 'svc_CANARY_0123456789abcdef';

/** A login whose polls get these answers, each with its status. */
async function login(
  answers: ReadonlyArray<readonly [status: number, body: object]>,
  argv: readonly string[],
  options: RunOptions = {},
) {
  const wire = await testWire();
  wire.on('POST', '/v1/auth/device').reply(200, START);
  const poll = wire.on('POST', '/v1/auth/device/token');
  for (const [status, body] of answers) poll.reply(status, body);
  const configDir = options.configDir ?? (await temporaryFolder());
  const run = await svc(['login', ...argv], { url: wire.url, token: null, clock: fakeClock(), ...options, configDir });
  return { run, configDir };
}

/** The file that an output names. */
const namedIn = (text: string) => /\S+login-kept-[0-9a-f]+\.txt/.exec(text)?.[0] ?? 'none';

const ODD = { accessToken: TOKEN, refreshToken: `${TOKEN}2` };
const GONE = [400, { error: 'invalid_grant' }] as const;

test('an answer that svc cannot read is kept beside the credentials, and both the warning and the error name it', async () => {
  const { run, configDir } = await login([[200, ODD], [200, { odd: 1 }], GONE], ['--json']);
  expect(run.exitCode).toBe(9);
  const [warning = '', ...others] = run.stderr.trimEnd().split('\n');
  const path = namedIn(warning);
  expect(path.startsWith(join(configDir, 'login-kept-'))).toBe(true);
  expect(JSON.parse(warning)).toEqual({
    warning: `The API sent an answer that svc cannot read. It may have the token, so it is kept in ${path}. svc goes on asking.`,
    code: 'answer_not_read',
  });
  expect(others).toHaveLength(1);
  expect(run.error).toMatchObject({
    error: expect.stringContaining(`It is kept in ${path}.`),
    code: 'failed',
    next: ['svc login --with-token'],
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify(ODD)}\n{"odd":1}\n`);
  expect(run.stdout + run.stderr).not.toContain('CANARY');
});

test('an answer that the configuration folder does not take goes to the state folder', async () => {
  const home = await temporaryFolder();
  const blocked = join(home, 'config');
  writeFileSync(blocked, 'a file', { mode: 0o600 });
  const state = join(home, 'state');
  const { run } = await login([[200, ODD], GONE], ['--print-token'], {
    configDir: blocked,
    env: { XDG_STATE_HOME: state },
  });
  expect(run.exitCode).toBe(9);
  expect(namedIn(run.stderr.replace(/\s+/g, ' ')).startsWith(join(state, 'svc', 'login-kept-'))).toBe(true);
});

test('an answer that neither folder takes goes to a temporary one', async () => {
  const home = await temporaryFolder();
  const blocked = join(home, 'config');
  writeFileSync(blocked, 'a file', { mode: 0o600 });
  const { run } = await login([[200, ODD], GONE], ['--print-token'], {
    configDir: blocked,
    env: { XDG_STATE_HOME: blocked },
  });
  const path = namedIn(run.stderr);
  expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify(ODD)}\n`);
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
});

test('a wrapped token is stored with the fields beside it', async () => {
  const data = { token: TOKEN, tokenId: 'tok_1', organizationId: 'org_b', expiresAt: '1780142400', user: ISSUED.user };
  const { run, configDir } = await login([[200, { data }]], ['--json']);
  expect(run.exitCode, run.stderr).toBe(0);
  const { credentials } = readSignIns(configDir);
  expect(credentials).toMatchObject([
    { token: TOKEN, tokenId: 'tok_1', organizationId: 'org_b', expiresAt: '2026-05-30T12:00:00.000Z' },
  ]);
});

test('after a login a terminal shows the organization that the token belongs to, not the active one of the account', async () => {
  const user = {
    organization: { id: 'org_a', name: 'Alpha Ltd' },
    organizations: [
      { id: 'org_a', name: 'Alpha Ltd' },
      { id: 'org_b', name: 'Beta Ltd' },
    ],
  };
  const wire = await testWire();
  wire.on('POST', '/v1/auth/device').always(200, START);
  const poll = wire.on('POST', '/v1/auth/device/token');
  poll.reply(200, { ...ISSUED, organizationId: 'org_b' }).reply(200, { ...ISSUED, organizationId: undefined });
  wire.on('GET', '/v1/user').always(200, user);
  const options = { url: wire.url, token: null, clock: fakeClock(), env: { TERM: 'dumb' } };
  const run = await svc(['login'], { ...options, terminal: { columns: 100, rows: 30 } });
  expect(run.stderr).toMatch(/Organization +Beta Ltd \(org_b\)/);
  expect(run.stderr).not.toContain('Alpha');
  // A token that names none shows none, as in a pipe.
  const unnamed = await svc(['login'], { ...options, terminal: { columns: 100, rows: 30 } });
  expect(unnamed.exitCode).toBe(0);
  expect(unnamed.stderr).not.toContain('Organization');
});

test('logout --all removes what logins have kept, in both folders', async () => {
  const home = await temporaryFolder();
  const [configDir, state] = [join(home, 'config'), join(home, 'state', 'svc')];
  for (const folder of [configDir, state]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'login-kept-00ff.txt'), TOKEN, { mode: 0o600 });
  }
  const run = await svc(['logout', '--all', '--json'], { configDir, env: { XDG_STATE_HOME: join(home, 'state') } });
  const removedFiles = [configDir, state].map((folder) => join(folder, 'login-kept-00ff.txt'));
  expect(run.json).toMatchObject({ removedFiles });
});
