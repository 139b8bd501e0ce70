import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { type Answer, against } from '../support/against.ts';
import { fakeClock } from '../support/clock.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { CAN_MOUNT, mountTmpfs } from '../support/tmpfs.ts';

const USER = { user: { email: 'ann@example.com' }, organization: { slug: 'acme' } };
const EXPIRES = { ...USER, token: { expiresAt: '2026-03-05T12:00:00Z' } };
const NOWHERE = 'http://127.0.0.1:1';
const PAGE = '<html>Welcome</html>';
const HTML = { 'content-type': 'text/html' };
const NOON = { date: 'Sun, 01 Mar 2026 12:00:00 GMT' };

/** What `svc doctor --json` found, by name. */
async function examined(options: RunOptions, answer?: Answer) {
  const answers = answer === undefined ? {} : { 'GET /v1/user': [answer] };
  const run = await against('doctor --json', answers, { clock: systemClock, ...options });
  const { checks } = run.json as { readonly checks: ReadonlyArray<Readonly<Record<string, string | null>>> };
  return { exitCode: run.exitCode, checks: Object.fromEntries(checks.map((check) => [check['name'], check])) };
}

const at = (time: string): RunOptions => ({ clock: fakeClock(`2026-03-01T${time}Z`) });
const IN_SVC_TOKEN = expect.stringContaining('SVC_TOKEN');

/* biome-ignore format: a row a line */
test.each<[title: string, answer: Answer, options: RunOptions, exit: number, checks: Readonly<Record<string, object>>]>([
  ['a working setup passes', USER, {}, 0, { network: { state: 'good', fix: null }, 'sign-in': { state: 'good', found: 'ann@example.com, in acme (SVC_TOKEN)' }, token: { found: 'expiry not known' } }],
  ['the expiry is what the platform says', EXPIRES, at('12:00:00'), 0, { token: { state: 'note', found: '4 days left, until 5 Mar 2026', fix: null } }],
  ['HTML is another address', [200, PAGE, HTML], {}, 9, { network: { state: 'bad', found: 'answers with a web page (200), not as the API does', fix: 'the address of the API; something else answers here' } }],
  ['a refused token needs another', [401, { error: 'no' }], {}, 9, { network: { state: 'good' }, 'sign-in': { state: 'bad', fix: IN_SVC_TOKEN } }],
  ['a wrong clock is worth a note', [200, USER, NOON], at('13:00:00'), 0, { network: { state: 'note', found: expect.stringContaining('; this clock is 3600 s ahead'), fix: 'set the clock of this machine' } }],
  ['a clock may be minutes off', [200, USER, NOON], at('11:55:00'), 0, { network: { state: 'good' } }],
])('%s', async (_title, answer, options, exitCode, checks) => {
  expect(await examined(options, answer)).toMatchObject({ exitCode, checks });
});

test('says which commit this build is of and when it was built, if the build knows', async () => {
  const run = async (built: string, commit: string) => {
    const about = { clock: fakeClock('2026-11-20T14:03:00Z'), built, commit };
    const { shown } = await svc(['doctor'], { ...about, terminal: { columns: 100, rows: 40 } });
    const { json } = await svc(['doctor', '--json'], about);
    return { title: shown.split('\n').find((line) => line.includes('0.0.0-test')), json };
  };
  const known = { built: '2026-11-17T09:00:00Z', commit: '0123456789ab-dirty' };
  const title = expect.stringMatching(/ 0\.0\.0-test, commit 0123456789ab-dirty, built 17 Nov 2026, Node \d/);
  expect(await run(known.built, known.commit)).toMatchObject({ title, json: known });
  const unknown = { title: expect.stringMatching(/ 0\.0\.0-test, Node \d/), json: { built: null, commit: null } };
  expect(await run('', '')).toMatchObject(unknown);
});

test('what breaks several checks is reported once, with what mends it', async () => {
  const damaged = await temporaryFolder();
  writeFileSync(join(damaged, 'credentials.json'), '{', { mode: 0o600 });
  const [login, variable] = [expect.stringContaining('svc login'), expect.stringContaining('SVC_CONFIG_DIR')];
  const refused = { state: 'bad', found: expect.stringContaining('ECONNREFUSED') };
  const unchecked = (name: string) => ({ state: 'note', found: `not checked; see ${name}`, fix: null });
  const first = { state: 'bad', fix: 'svc login --api-url <address>' };
  for (const [options, checks] of [
    [{ url: undefined }, { address: first, 'sign-in': { state: 'bad', fix: null } }],
    [{ url: NOWHERE }, { network: refused, 'sign-in': unchecked('network') }],
    [
      { url: undefined, configDir: damaged },
      { files: { state: 'bad', fix: login }, address: unchecked('files') },
    ],
    [{ url: undefined, configDir: '/dev/null/svc' }, { files: { state: 'bad', fix: variable } }],
  ] as const) {
    expect(await examined(options as RunOptions)).toMatchObject({ exitCode: 9, checks });
  }
});

test('people see every check, then the fixes', async () => {
  const env = { SHELL: '/bin/zsh' };
  const { stdout, stderr, exitCode } = await svc(['doctor'], { url: NOWHERE, env });
  expect([exitCode, stderr]).toEqual([9, 'Error: Needs fixing: network.\n']);
  expect(stdout).toMatch(/^ {2}network +failed {2}Cannot reach 127\.0\.0\.1:1: connection refused \(ECONNREFUSED\)$/m);
  expect(stdout).toMatch(/^ {2}folder link +ok /m);
  expect(stdout).toMatch(/^To fix\n {2}network +check the address, the network and its name server$/m);
  const well = await against('doctor', { 'GET /v1/user': [{}] }, { env, clock: systemClock });
  expect(well.stdout).toMatch(/^Suggested\n {2}completion +svc completion install zsh\n/m);
});

test.skipIf(!CAN_MOUNT)('a full disk is a note; nothing is left of the attempt to write', async () => {
  const disk = mountTmpfs('size=64k,mode=0700');
  onTestFinished(disk.remove);
  const configDir = join(disk.folder, 'svc');
  mkdirSync(configDir, { mode: 0o700 });
  expect((await examined({ url: NOWHERE, configDir })).checks['files']).toMatchObject({
    state: 'good',
    found: configDir,
  });
  expect(() => writeFileSync(join(disk.folder, 'large'), Buffer.alloc(128 * 1024))).toThrow('ENOSPC');
  const found = `${configDir} cannot be written: the disk is full (ENOSPC)`;
  expect((await examined({ url: NOWHERE, configDir })).checks['files']).toMatchObject({ state: 'note', found });
  expect(readdirSync(configDir)).toEqual([]);
});
