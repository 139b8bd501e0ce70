import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { CAN_MOUNT, mountTmpfs } from '../support/tmpfs.ts';
import { testWire } from '../support/wire.ts';

const USER = { user: { email: 'ann@example.com' }, organization: { slug: 'acme' } };

interface Check {
  readonly name: string;
  readonly state: string;
  readonly found: string;
  readonly fix: string | null;
}

/** What `svc doctor --json` found, by name. */
async function examined(options: RunOptions) {
  const run = await svc(['doctor', '--json'], options);
  const { checks } = run.json as { readonly checks: readonly Check[] };
  return { exitCode: run.exitCode, checks: Object.fromEntries(checks.map((check) => [check.name, check])) };
}

/** A platform that answers both the look at the way and the one at the sign-in. */
async function service(status: number, body: unknown, headers: Record<string, string> = {}) {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(status, body, headers);
  wire.on('GET', '/v1/user').reply(status, body, headers);
  return wire;
}

test('a working setup passes every check, with exit 0', async () => {
  const { url } = await service(200, USER);
  const { exitCode, checks } = await examined({ url });
  expect(exitCode).toBe(0);
  expect(checks['network']).toMatchObject({ state: 'good', fix: null });
  expect(checks['sign-in']).toMatchObject({ state: 'good', found: 'ann@example.com, in acme (SVC_TOKEN)' });
});

test('the expiry of a token is what the platform says', async () => {
  const soon = await service(200, { ...USER, token: { expiresAt: '2026-03-05T12:00:00Z' } });
  const { checks } = await examined({ url: soon.url, clock: fakeClock('2026-03-01T12:00:00Z') });
  expect(checks['token']).toMatchObject({ state: 'note', found: '4 days left, until 5 Mar 2026', fix: null });
  const silent = await service(200, USER);
  expect((await examined({ url: silent.url })).checks['token']).toMatchObject({ found: 'expiry not known' });
});

test('says which commit this build is of and when it was built, if the build knows', async () => {
  const clock = fakeClock('2026-11-20T14:03:00Z');
  const run = async (built: string, commit: string) => {
    const terminal = { columns: 100, rows: 40 };
    const { shown } = await svc(['doctor'], { clock, built, commit, terminal });
    const { json } = await svc(['doctor', '--json'], { clock, built, commit });
    return { title: shown.split('\n').find((line) => line.includes('0.0.0-test')), json };
  };
  const known = await run('2026-11-17T09:00:00Z', '0123456789ab-dirty');
  expect(known.title).toMatch(/ 0\.0\.0-test, commit 0123456789ab-dirty, built 17 Nov 2026, Node \d/);
  expect(known.json).toMatchObject({ built: '2026-11-17T09:00:00Z', commit: '0123456789ab-dirty' });
  const unknown = await run('', '');
  expect(unknown.title).toMatch(/ 0\.0\.0-test, Node \d/);
  expect(unknown.json).toMatchObject({ built: null, commit: null });
});

test('without any setup, only the first step is suggested', async () => {
  const { exitCode, checks } = await examined({});
  expect(exitCode).toBe(9);
  expect(checks['address']).toMatchObject({ state: 'bad', fix: 'svc login --api-url <address>' });
  expect(checks['sign-in']).toMatchObject({ state: 'bad', fix: null });
});

test('a network that is down is reported once, and not as a problem of the sign-in', async () => {
  const { exitCode, checks } = await examined({ url: 'http://127.0.0.1:1' });
  expect(exitCode).toBe(9);
  expect(checks['network']).toMatchObject({ state: 'bad', found: expect.stringContaining('ECONNREFUSED') });
  expect(checks['sign-in']).toMatchObject({ state: 'note', found: 'not checked; see network', fix: null });
});

test('an address that answers with HTML fails the network check', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(200, '<html>Welcome</html>', { 'content-type': 'text/html' });
  const { exitCode, checks } = await examined({ url: wire.url });
  expect(exitCode).toBe(9);
  expect(checks['network']).toMatchObject({
    state: 'bad',
    found: 'answers with a web page (200), not as the API does',
    fix: 'the address of the API; something else answers here',
  });
});

test('a refused token is reported with the command that gets a new one', async () => {
  const { url } = await service(401, { error: 'no' });
  const { exitCode, checks } = await examined({ url });
  expect(exitCode).toBe(9);
  expect(checks['network']).toMatchObject({ state: 'good' });
  expect(checks['sign-in']).toMatchObject({ state: 'bad', fix: expect.stringContaining('SVC_TOKEN') });
});

test('a clock that is wrong is worth a note', async () => {
  const date = 'Sun, 01 Mar 2026 12:00:00 GMT';
  const { url } = await service(200, USER, { date });
  const { exitCode, checks } = await examined({ url, clock: fakeClock('2026-03-01T13:00:00Z') });
  expect(exitCode).toBe(0);
  expect(checks['network']).toMatchObject({ state: 'note', fix: 'set the clock of this machine' });
  expect(checks['network']?.found).toContain('3600 s ahead');
});

test('a damaged store is reported once, with a command that fixes it', async () => {
  const configDir = await temporaryFolder();
  await writeFile(join(configDir, 'credentials.json'), '{', { mode: 0o600 });
  const { exitCode, checks } = await examined({ configDir });
  expect(exitCode).toBe(9);
  expect(checks['files']).toMatchObject({ state: 'bad', fix: expect.stringContaining('svc login') });
  expect(checks['address']).toMatchObject({ state: 'note', found: 'not checked; see files' });
});

test('people see every check, then the fixes', async () => {
  const { stdout, stderr, exitCode } = await svc(['doctor'], { url: 'http://127.0.0.1:1', env: { SHELL: '/bin/zsh' } });
  expect(exitCode).toBe(9);
  expect(stdout).toMatch(/^ {2}network +failed {2}Cannot reach 127\.0\.0\.1:1: connection refused \(ECONNREFUSED\)$/m);
  expect(stdout).toMatch(/^ {2}folder link +ok /m);
  expect(stdout).toMatch(/^To fix\n {2}network +check the address, the network and its name server$/m);
  expect(stderr).toBe('Error: Needs fixing: network.\n');
});

test('an unusable folder comes with a fix, and a note with a suggestion', async () => {
  const { checks } = await examined({ configDir: '/dev/null/svc' });
  expect(checks['files']).toMatchObject({ state: 'bad', fix: expect.stringContaining('SVC_CONFIG_DIR') });
  const wire = await testWire();
  wire.on('GET', '/v1/user').always(200, {});
  const { stdout } = await svc(['doctor'], { url: wire.url, env: { SHELL: '/bin/zsh' } });
  expect(stdout).toMatch(/^Suggested\n {2}completion +svc completion install zsh\n/m);
});

test.skipIf(!CAN_MOUNT)('a full disk is a note; nothing is left of the attempt to write', async () => {
  const disk = mountTmpfs('size=64k,mode=0700');
  onTestFinished(disk.remove);
  const configDir = join(disk.folder, 'svc');
  mkdirSync(configDir, { mode: 0o700 });
  expect((await examined({ configDir })).checks['files']).toMatchObject({ state: 'good', found: configDir });
  expect(() => writeFileSync(join(disk.folder, 'large'), Buffer.alloc(128 * 1024))).toThrow('ENOSPC');
  expect((await examined({ configDir })).checks['files']).toMatchObject({
    state: 'note',
    found: `${configDir} cannot be written: the disk is full (ENOSPC)`,
  });
  expect(readdirSync(configDir)).toEqual([]);
});
