import { readdirSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
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

test('an answer that svc cannot read is in no file and on no stream, and the error says that a token may exist', async () => {
  const odd = { accessToken: TOKEN, refreshToken: `${TOKEN}2` };
  const { run, configDir } = await login(
    [
      [200, odd],
      [400, { error: 'invalid_grant' }],
    ],
    ['--json', '--debug'],
  );
  expect(run).toMatchObject({ exitCode: 9, error: { code: 'failed' } });
  expect(run.error['error']).toMatch(
    /^The login may have been approved, .* A token named "marie-laptop" may exist: revoke it/,
  );
  expect(run.stdout + run.stderr).not.toContain('CANARY');
  expect(readdirSync(configDir)).toEqual([]);
});

test.each<[how: string, body: string | Buffer, headers: Record<string, string>]>([
  ['gzip', gzipSync(JSON.stringify(ISSUED)), { 'content-encoding': 'gzip' }],
  ['br', brotliCompressSync(JSON.stringify(ISSUED)), { 'content-encoding': 'br' }],
  ['UTF-16', Buffer.from(JSON.stringify(ISSUED), 'utf16le'), { 'content-type': 'application/json; charset=utf-16le' }],
  ['plain text', `${TOKEN}\n`, { 'content-type': 'text/plain' }],
])('a token that comes as %s is stored', async (_how, body, headers) => {
  const wire = await testWire();
  wire.on('POST', '/v1/auth/device').reply(200, START);
  wire.on('POST', '/v1/auth/device/token').reply(200, body, headers);
  const configDir = await temporaryFolder();
  const run = await svc(['login', '--json'], { url: wire.url, token: null, clock: fakeClock(), configDir });
  expect(run.exitCode, run.stderr).toBe(0);
  expect(readSignIns(configDir).credentials.map(({ token }) => token)).toEqual([
    headers['content-type'] === 'text/plain' ? TOKEN : ISSUED.token,
  ]);
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
